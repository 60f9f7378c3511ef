// The wire: one WebSocket, lines in both directions, as protocol/bridge.md and protocol/README.md describe them.
// Nothing here knows of boards; nothing elsewhere knows of sockets. Start with `Wire.open`.

const SEARCH_LINES = /^(info (depth|gen|sim|peg|endgame|infer|string (provenance|ignored|limit|peg|solved|infer)\b)|bestmove )/;

/** A conversation with an engine. `watch` is called with (line, "sent" | "received") for each line. */
export class Wire {
  #socket;
  #watch;
  #waiting = []; // Questions in the order in which they were asked: the engine answers in this order.
  #search = null;

  /** Connects, shows the secret, opens the engine and shakes hands. */
  static async open(url, secret, watch, closed) {
    const wire = new Wire();
    wire.#watch = watch;
    wire.#socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      wire.#socket.onopen = resolve;
      wire.#socket.onerror = () => reject(new Error("the program does not answer"));
    });
    const greetings = [[`bridge hello token ${secret}`, "bridge ok "], ["bridge open tilewright", "bridge opened "], ["siu", "siuok"]];
    const lines = [];
    await new Promise((resolve, reject) => {
      wire.#socket.onclose = () => reject(new Error("the program has hung up"));
      wire.#socket.onmessage = ({ data }) => {
        watch(data, "received");
        lines.push(data);
        if (data.startsWith("bridge error ")) reject(new Error(data.slice("bridge error ".length)));
        if (!data.startsWith(greetings[0][1])) return;
        greetings.shift();
        if (greetings.length) wire.send(greetings[0][0]);
        else resolve();
      };
      wire.send(greetings[0][0]);
    });
    wire.handshake = lines;
    wire.#socket.onmessage = ({ data }) => wire.#hear(data);
    wire.#socket.onclose = closed;
    return wire;
  }

  /** Sends a line. */
  send(line) {
    this.#watch(line, "sent");
    this.#socket.send(line);
  }

  /** Sends lines, and gives the lines that answer them. The first error of the engine is thrown. */
  ask(...lines) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answers: [], resolve, reject });
      lines.forEach((line) => this.send(line));
      this.send("isready");
    });
  }

  get isSearching() {
    return this.#search !== null;
  }

  /** Starts a search. Each of its lines goes to `hear`; the promise is kept with the best move. */
  go(line, hear) {
    return new Promise((resolve, reject) => {
      this.#search = { hear, resolve, reject, hasBegun: false };
      this.send(line);
    });
  }

  /** Stops the search, if there is one; kept when it has ended. */
  async stop() {
    const search = this.#search;
    if (!search) return;
    this.send("stop");
    await new Promise((resolve) => (search.ended = resolve));
  }

  #hear(line) {
    this.#watch(line, "received");
    const search = this.#search;
    if (search && SEARCH_LINES.test(line)) {
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
  if (found === undefined) throw new Error(`the engine did not say ${words}`);
  return found.slice(words.length + 1);
}

/** The message of an error line, without its code, its command and its column: those are for who wrote the line. */
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
