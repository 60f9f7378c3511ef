// A thread of the engine: what WebAssembly asks of its system (WASI preview 1, of which the engine needs twelve functions), and what
// `engine.js` and the threads share. The engine's first thread runs its `main`; it asks for the others, which `engine.js` starts.

const isNode = typeof process === "object" && Boolean(process.versions?.node);

/** Bytes of input on their way. */
const ROOM = 1 << 16;

/** Numbers that are shared: bytes ever written to the input and ever read from it (as 32 bits), whether it is closed, threads so far. */
const [WRITTEN, READ, IS_CLOSED, THREADS, SLEEP] = [0, 1, 2, 3, 4];
const NUMBERS = 8;

/** The input of an engine, in shared memory: a ring of bytes. */
export function channel(shared = new SharedArrayBuffer(4 * NUMBERS + ROOM)) {
  const numbers = new Int32Array(shared, 0, NUMBERS);
  const ring = new Uint8Array(shared, 4 * NUMBERS);
  const held = () => (Atomics.load(numbers, WRITTEN) - Atomics.load(numbers, READ)) | 0;
  const at = (index) => Atomics.load(numbers, index) & (ROOM - 1);
  return {
    shared,
    numbers,
    /** Writes what there is room for, and returns how many bytes that was. Never waits. */
    write(bytes) {
      const size = Math.min(bytes.length, ROOM - held());
      const start = at(WRITTEN);
      const first = Math.min(size, ROOM - start);
      ring.set(bytes.subarray(0, first), start);
      ring.set(bytes.subarray(first, size), 0);
      Atomics.add(numbers, WRITTEN, size);
      Atomics.notify(numbers, WRITTEN);
      return size;
    },
    /** No more will come. */
    close() {
      Atomics.store(numbers, IS_CLOSED, 1);
      Atomics.notify(numbers, WRITTEN);
    },
    /** Waits for input, reads up to `target.length` bytes of it, and returns how many; 0 at the end. */
    read(target) {
      while (held() === 0) {
        if (Atomics.load(numbers, IS_CLOSED)) return 0;
        // The close comes after the last bytes. A wait that is too late for its signal ends soon all the same.
        Atomics.wait(numbers, WRITTEN, Atomics.load(numbers, READ), 1000);
      }
      const size = Math.min(target.length, held());
      const start = at(READ);
      const first = Math.min(size, ROOM - start);
      target.set(ring.subarray(start, start + first));
      target.set(ring.subarray(0, size - first), first);
      Atomics.add(numbers, READ, size);
      return size;
    },
  };
}

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
      // Random bytes are not given to shared memory.
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
        // A copy: shared memory is no text, and changes.
        if (size) tell({ [file === STDOUT ? "output" : "error"]: bytes(start, size).slice() });
        written += size;
      }
      view().setUint32(writtenAt, written, true);
      return SUCCESS;
    },
    /** Sleeps: the one thing that the engine waits for here. */
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
