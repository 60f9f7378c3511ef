// The engine as an object: lines in, lines out. It runs on workers of its own, in a page or in Node, as WebAssembly with threads.
//
//     import { Engine } from "tilewright";
//     const engine = await Engine.start({ onLine: (line) => console.log(line) });
//     engine.send("position startpos");
//
// A page must be cross-origin isolated (`crossOriginIsolated`), since browsers share memory between workers only then.
// The lines are those of the protocol (protocol/README.md of the repository). A worker runs `engine_thread.js`.

import { channel, isNode } from "./channel.js";

/** The initial and the greatest memory that the engine was linked with, in pages of 64 KiB. */
const FIRST_PAGES = 1024;
const MOST_PAGES = 16384;

/** The greatest value of the option `Memory` that leaves room for words, tables and threads, MB. */
const MEGABYTES = 512;

export class Engine {
  #module;
  #memory;
  #channel = channel();
  #workers = new Set();
  #onLine;
  #onEnd;
  #output = { decoder: new TextDecoder(), partial: "" };
  #errors = { decoder: new TextDecoder(), partial: "" };
  #waiting = []; // Pieces of input that did not fit yet.
  #hasEnded = false;

  /**
   * Starts an engine.
   *
   * `onLine(line)` is called for each line of the engine, and `onEnd(reason)` once, when it has ended: `reason` is "" after `quit` or
   * `close`, else what went wrong. `threads` is the greatest value of the option `Threads`; `module` is the compiled engine, for several
   * starts. Rejects with the reason if the engine cannot be started.
   */
  static async start({ onLine, onEnd = () => {}, threads, module } = {}) {
    if (!isNode && !globalThis.crossOriginIsolated) {
      throw new Error("this page is not cross-origin isolated, so the browser does not let threads share memory");
    }
    const engine = new Engine();
    engine.#onLine = onLine;
    engine.#onEnd = onEnd;
    engine.#module = await (module ?? Engine.compile());
    engine.#memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
    await engine.#startWorker({ arguments: ["tilewright", String(threads ?? (await processors())), String(MEGABYTES)] });
    return engine;
  }

  /** Compiles the engine. `url` is the address of `tilewright.wasm`, if it is not next to this file. */
  static async compile(url = new URL("tilewright.wasm", import.meta.url)) {
    if (isNode) return WebAssembly.compile(await (await import("node:fs/promises")).readFile(url));
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    // Compiled while it is loaded, if the server states its type.
    const isNamed = response.headers.get("Content-Type")?.startsWith("application/wasm");
    return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  }

  /** Sends a line. */
  send(line) {
    // A line break would make several lines of it, and the character of code 1 would announce a file.
    if (/\n|^\x01/.test(line)) throw new Error("a line must not contain line breaks");
    this.#write(new TextEncoder().encode(`${line}\n`));
  }

  /** Hands over a word list or table, a Uint8Array, which the engine finds by its name from then on: `words.txt` is the lexicon `words`. */
  addFile(name, bytes) {
    if (/[\r\n]/.test(name)) throw new Error("the name of a file must not contain line breaks");
    this.#write(new TextEncoder().encode(`\x01FILE ${bytes.length} ${name}\n`));
    this.#write(bytes);
  }

  /** Ends the input, as a closed pipe does: the engine ends when it has answered. */
  endInput() {
    this.#waiting.push(null);
    this.#drain();
  }

  /** Ends the engine at once, whatever it is doing. */
  close() {
    this.#end("");
  }

  #write(bytes) {
    if (this.#hasEnded) throw new Error("the engine has ended");
    this.#waiting.push(bytes);
    this.#drain();
  }

  #drain() {
    while (this.#waiting.length) {
      const piece = this.#waiting[0];
      if (piece === null) {
        this.#channel.close();
        return;
      }
      const written = this.#channel.write(piece);
      if (written < piece.length) {
        this.#waiting[0] = piece.subarray(written);
        return;
      }
      this.#waiting.shift();
    }
  }

  async #startWorker(task) {
    const { Worker } = isNode ? await import("node:worker_threads") : globalThis;
    if (this.#hasEnded) return;
    const worker = new Worker(new URL("engine_thread.js", import.meta.url), { type: "module" });
    this.#workers.add(worker);
    const failed = (error) => this.#end(error.message || "a thread of the engine could not be started");
    if (isNode) {
      worker.on("message", (message) => this.#hear(message, worker));
      worker.on("error", failed);
    } else {
      worker.onmessage = ({ data }) => this.#hear(data, worker);
      worker.onerror = worker.onmessageerror = failed;
    }
    worker.postMessage({ module: this.#module, memory: this.#memory, shared: this.#channel.shared, ...task });
  }

  #hear(message, worker) {
    if (this.#hasEnded) return;
    if (message.output) this.#output = linesOf(message.output, this.#output, this.#onLine);
    else if (message.error) this.#errors = linesOf(message.error, this.#errors, (line) => console.error(line));
    else if (message.hasRoom) this.#drain();
    else if (message.thread) this.#startWorker({ thread: message.thread, argument: message.argument }).catch((error) => this.#end(error.message));
    else if (message.isDone) this.#workers.delete(worker);
    else if (message.ended !== undefined) this.#end(message.ended);
  }

  #end(reason) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#workers.forEach((worker) => worker.terminate());
    this.#workers.clear();
    // Frees the memory for another engine.
    [this.#module, this.#memory, this.#waiting] = [null, null, []];
    this.#onEnd(reason);
  }
}

/** The number of threads that are useful on this machine. */
async function processors() {
  return isNode ? (await import("node:os")).availableParallelism() : navigator.hardwareConcurrency || 1;
}

/** Passes on the complete lines of the output; the rest stays for the next call. */
function linesOf(bytes, { decoder, partial }, tell) {
  const lines = (partial + decoder.decode(bytes, { stream: true })).split("\n");
  partial = lines.pop();
  lines.forEach(tell);
  return { decoder, partial };
}
