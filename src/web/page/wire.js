// A conversation with an engine: lines in both directions, as protocol/guide.md describes them.
// Nothing here depends on boards, or on how lines travel (`connection.js`). Start with `Wire.greet`.

const SEARCH_LINES = /^(info (depth|gen|sim|peg|endgame|infer|replies|string (provenance|ignored|limit|peg|solved|infer)\b)|bestmove )/;

const BRIDGE_ERROR = "bridge error ";

/** A conversation with an engine. `watch` is called with (line, "sent" | "received") for each line. */
export class Wire {
  #sendLine;
  #watch;
  #waiting = []; // Questions in the order in which they were asked: the engine answers in this order.
  #search = null;
  #ended = ""; // Why the conversation is over.
  #greeting = null; // The greeting that waits for its answer.

  /** A conversation that sends its lines by `sendLine`; each line that comes in is handed to `hear`. */
  constructor(sendLine, watch) {
    this.#sendLine = sendLine;
    this.#watch = watch;
  }

  /** Shakes hands. Each greeting is a line and the beginning of its answer; the next greeting follows the answer. Returns all lines received. */
  async greet(greetings) {
    const lines = [];
    for (const [greeting, answer] of greetings) {
      await new Promise((resolve, reject) => {
        this.#greeting = { lines, answer, resolve, reject };
        this.send(greeting);
      });
    }
    return lines;
  }

  /** Ends all that is pending, because the engine or the connection to it has ended. */
  end(reason) {
    this.#ended = reason;
    this.#greeting?.reject(new Error(reason));
    const search = this.#search;
    if (search) this.#endSearch(() => search.reject(new Error(reason)));
    this.#waiting.splice(0).forEach(({ reject }) => reject(new Error(reason)));
  }

  /** Sends a line. */
  send(line) {
    this.#check(line);
    this.#watch(line, "sent");
    this.#sendLine(line);
  }

  /** Sends lines, and returns the lines that answer them. Throws the first error of the engine. */
  async ask(...lines) {
    // All lines are checked before any is sent, so that each question gets its answer.
    lines.forEach((line) => this.#check(line));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answers: [], resolve, reject });
      lines.forEach((line) => this.send(line));
      this.send("isready");
    });
  }

  get isSearching() {
    return this.#search !== null;
  }

  /** Starts a search. Each of its lines goes to `hear`; the promise resolves to the best move. */
  go(line, hear) {
    return new Promise((resolve, reject) => {
      this.#search = { hear, resolve, reject, hasBegun: false };
      this.send(line);
    });
  }

  /** Stops the search, if there is one. Resolves when it has ended. */
  async stop() {
    const search = this.#search;
    if (!search) return;
    search.ending ??= new Promise((resolve) => (search.ended = resolve));
    this.send("stop");
    await search.ending;
  }

  /** Throws if a line cannot be sent: it must be one line, to a running engine. */
  #check(line) {
    if (this.#ended) throw new Error(this.#ended);
    if (/[\r\n\x01]/.test(line)) throw new Error("a line must not contain line breaks");
  }

  /** Takes a line that came in. */
  hear(line) {
    this.#watch(line, "received");
    const [greeting, search] = [this.#greeting, this.#search];
    if (greeting) {
      greeting.lines.push(line);
      if (line.startsWith(BRIDGE_ERROR)) greeting.reject(new Error(line.slice(BRIDGE_ERROR.length)));
      if (!line.startsWith(greeting.answer)) return;
      this.#greeting = null;
      greeting.resolve();
    } else if (search && SEARCH_LINES.test(line)) {
      search.hasBegun = true;
      search.hear(line);
      if (line.startsWith("bestmove ")) this.#endSearch(() => search.resolve(line.slice("bestmove ".length)));
    } else if (search && !search.hasBegun && line.startsWith("info string error ")) {
      this.#endSearch(() => search.reject(new Error(errorText(line))));
    } else if (line === "readyok" && this.#waiting.length) {
      const { answers, resolve, reject } = this.#waiting.shift();
      const wrong = answers.find((answer) => answer.startsWith("info string error "));
      if (wrong) reject(new Error(errorText(wrong)));
      else resolve(answers.map((answer) => answer.replace(/^info string /, "")));
    } else if (this.#waiting.length) {
      this.#waiting[0].answers.push(line);
    }
  }

  #endSearch(tell) {
    const { ended } = this.#search;
    this.#search = null;
    tell();
    ended?.();
  }
}

/** The answer that begins with these words, without them. */
export function answer(lines, words) {
  const found = lines.find((line) => line.startsWith(`${words} `));
  if (found === undefined) throw new Error(`the engine did not answer with ${words}`);
  return found.slice(words.length + 1);
}

/** The message of an error line, without its code, its command and its column, which are for the author of the line. */
function errorText(line) {
  return line.replace(/^info string error \S+ (?:[a-z]+: )?(?:column \d+: )?/, "");
}

/** The numbers and the move of a row of a ranking: {move, wp, wpse, eq, eqse, iters, score, ...}. */
export function readRow(line) {
  const words = line.split(" ");
  const row = { kind: words[1] };
  if (row.kind === "endgame") {
    row.depth = Number(words[3]);
    row.spread = words[6];
    row.proof = words[7] === "pv" ? "exact" : words[7];
    row.line = words.slice(words.indexOf("pv") + 1);
    row.move = row.line[0] ?? "-";
    return row;
  }
  for (let at = 2; at < words.length; at += 2) {
    const [key, value] = words[at].includes(":") ? words[at--].split(":") : [words[at], words[at + 1]];
    row[key] = /^[+-]?[0-9.]+$/.test(value ?? "") ? Number(value) : value;
  }
  return row;
}
