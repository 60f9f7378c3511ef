// A thread of the engine, with the functions that WebAssembly expects of its system (WASI preview 1, of which the engine needs twelve). The
// engine's first thread runs its `main` and asks for the others, which `engine.js` starts.

import { SLEEP, THREADS, channel, isNode } from "./channel.js";

/** Ends the program: `proc_exit`. */
class Exit extends Error {}

const SUCCESS = 0;
const BAD_FILE = 8;
const NOT_SUPPORTED = 58;
const [STDIN, STDOUT, STDERR] = [0, 1, 2];

/** The functions of WASI for a memory. */
function wasi(memory, input, programArguments, tell) {
  // The memory grows, so views are made when they are needed.
  const view = () => new DataView(memory.buffer);
  const bytes = (start, size) => new Uint8Array(memory.buffer, start, size);
  const pieces = (list, count) =>
    Array.from({ length: count }, (_, index) => [view().getUint32(list + 8 * index, true), view().getUint32(list + 8 * index + 4, true)]);
  const texts = programArguments.map((text) => new TextEncoder().encode(`${text}\0`));
  const now = (clock) => BigInt(Math.round(1e6 * (clock === 0 ? Date.now() : performance.timeOrigin + performance.now())));
  const nothing = (countAt, sizeAt) => {
    view().setUint32(countAt, 0, true);
    view().setUint32(sizeAt, 0, true);
    return SUCCESS;
  };
  return {
    args_sizes_get(countAt, sizeAt) {
      view().setUint32(countAt, texts.length, true);
      view().setUint32(sizeAt, texts.reduce((sum, text) => sum + text.length, 0), true);
      return SUCCESS;
    },
    args_get(list, start) {
      texts.forEach((text, index) => {
        view().setUint32(list + 4 * index, start, true);
        bytes(start, text.length).set(text);
        start += text.length;
      });
      return SUCCESS;
    },
    environ_sizes_get: nothing,
    environ_get: () => SUCCESS,
    random_get(start, size) {
      // Browsers do not write random bytes to shared memory.
      for (let done = 0; done < size; done += 65536) {
        const some = crypto.getRandomValues(new Uint8Array(Math.min(65536, size - done)));
        bytes(start + done, some.length).set(some);
      }
      return SUCCESS;
    },
    clock_time_get(clock, _precision, at) {
      view().setBigUint64(at, now(clock), true);
      return SUCCESS;
    },
    fd_read(file, list, count, readAt) {
      if (file !== STDIN) return BAD_FILE;
      const [start, size] = pieces(list, count).find(([, size]) => size > 0) ?? [0, 0];
      const read = size && input.read(bytes(start, size));
      view().setUint32(readAt, read, true);
      tell({ hasRoom: true });
      return SUCCESS;
    },
    fd_write(file, list, count, writtenAt) {
      if (file !== STDOUT && file !== STDERR) return BAD_FILE;
      let written = 0;
      for (const [start, size] of pieces(list, count)) {
        // A copy, since shared memory cannot be decoded and may change.
        if (size) tell({ [file === STDOUT ? "output" : "error"]: bytes(start, size).slice() });
        written += size;
      }
      view().setUint32(writtenAt, written, true);
      return SUCCESS;
    },
    /** Sleeps, which is the only wait that the engine needs here. */
    poll_oneoff(subscription, event, count, countAt) {
      const [tag, isAbsolute] = [view().getUint8(subscription + 8), view().getUint16(subscription + 40, true) & 1];
      if (count !== 1 || tag !== 0) return NOT_SUPPORTED;
      const clock = view().getUint32(subscription + 16, true);
      const time = view().getBigUint64(subscription + 24, true);
      const left = Number(isAbsolute ? time - now(clock) : time) / 1e6;
      if (left > 0) Atomics.wait(input.numbers, SLEEP, 0, left);
      view().setBigUint64(event, view().getBigUint64(subscription, true), true);
      view().setUint32(event + 8, 0, true);
      view().setUint32(countAt, 1, true);
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    proc_exit(status) {
      throw new Exit(status === 0 ? "" : `the engine ended with status ${status}`);
    },
  };
}

/** Runs the program, or one of its threads. */
async function run({ module, memory, shared, arguments: programArguments = [], thread, argument }, tell) {
  const input = channel(shared);
  const imports = {
    env: { memory },
    wasi_snapshot_preview1: wasi(memory, input, programArguments, tell),
    wasi: {
      "thread-spawn": (argument) => {
        const thread = Atomics.add(input.numbers, THREADS, 1) + 1;
        tell({ thread, argument });
        return thread;
      },
    },
  };
  try {
    const { exports } = await WebAssembly.instantiate(module, imports);
    if (thread) {
      exports.wasi_thread_start(thread, argument);
      tell({ isDone: true });
    } else {
      exports._start();
      tell({ ended: "" });
    }
  } catch (error) {
    tell({ ended: error instanceof Exit ? error.message : `the engine failed: ${error.message ?? error}` });
  }
}

if (isNode) {
  const { parentPort } = await import("node:worker_threads");
  parentPort?.once("message", (task) => run(task, (message) => parentPort.postMessage(message)));
} else if (typeof WorkerGlobalScope === "function" && self instanceof WorkerGlobalScope) {
  self.onmessage = async ({ data }) => {
    await run(data, (message) => self.postMessage(message));
    self.close();
  };
}
