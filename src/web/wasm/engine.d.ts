/** The options of an engine. */
export interface EngineOptions {
  /** Called for each line of the engine. */
  onLine: (line: string) => void;
  /** Called once, when the engine has ended: "" after `quit`, `endInput` or `close`, else what went wrong. */
  onEnd?: (reason: string) => void;
  /** The greatest value of the option `Threads`; without it, the processors of the machine. */
  threads?: number;
  /** The compiled engine, for several starts. */
  module?: WebAssembly.Module | Promise<WebAssembly.Module>;
}

/** A running engine: lines of the protocol in, lines out. */
export class Engine {
  private constructor();
  /** Starts an engine. Rejects with the reason if that fails: a page must be cross-origin isolated. */
  static start(options: EngineOptions): Promise<Engine>;
  /** Compiles the engine. `url` is the address of `tilewright.wasm`, if it is not next to `engine.js`. */
  static compile(url?: URL | string): Promise<WebAssembly.Module>;
  /** Sends a line. Throws if the engine has ended. */
  send(line: string): void;
  /** Hands over a word list or table, which the engine finds by its name from then on: `words.txt` is the lexicon `words`. */
  addFile(name: string, bytes: Uint8Array): void;
  /** Ends the input, as a closed pipe does: the engine ends when it has answered. */
  endInput(): void;
  /** Ends the engine at once, whatever it is doing. */
  close(): void;
}
