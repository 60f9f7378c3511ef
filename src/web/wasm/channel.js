// The memory that `engine.js` and the threads of the engine share: the input, and some numbers.

export const isNode = typeof process === "object" && Boolean(process.versions?.node);

/** The size of the ring of input, in bytes. */
const ROOM = 1 << 16;

/** The indices of the shared numbers: bytes ever written to the input and ever read from it (as 32 bits), whether it is closed, threads so far. */
const [WRITTEN, READ, IS_CLOSED] = [0, 1, 2];
export const [THREADS, SLEEP] = [3, 4];
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
    /** Marks the end of the input. */
    close() {
      Atomics.store(numbers, IS_CLOSED, 1);
      Atomics.notify(numbers, WRITTEN);
    },
    /** Waits for input, reads up to `target.length` bytes of it, and returns how many; 0 at the end. */
    read(target) {
      for (;;) {
        // Read first, so that input written before the close is still seen.
        const isClosed = Atomics.load(numbers, IS_CLOSED);
        if (held() > 0) break;
        if (isClosed) return 0;
        // The timeout covers a signal of the close that came just before this wait.
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
