// The clock of a game. Time may run below zero: as in tournaments, each started minute costs ten points at the end.

const POINTS_A_MINUTE = 10;

/** Milliseconds as people read them: 4:09, -0:31. */
export function timeText(ms) {
  // Rounded up, so that 0:01 is shown until time is up.
  const seconds = ms > 0 ? Math.ceil(ms / 1000) : Math.floor(-ms / 1000);
  return `${ms < 0 && seconds ? "-" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Two clocks, of which at most one runs. Calls `show(seat, text, ms)` to draw one. */
export class Clock {
  #left;
  #running = null; // {seat, since}
  #timer = null;

  constructor(ms, incrementMs, show) {
    this.#left = [ms, ms];
    this.increment = incrementMs;
    this.show = show;
    for (const seat of [0, 1]) show(seat, timeText(ms), ms);
  }

  /** Restores a clock from its `state`. */
  static of({ left, increment }, show) {
    const clock = new Clock(0, increment, show);
    clock.#left = left;
    return clock;
  }

  /** The time left, to be kept. */
  state() {
    return { left: [this.left(0), this.left(1)], increment: this.increment };
  }

  left(seat) {
    const used = this.#running?.seat === seat ? performance.now() - this.#running.since : 0;
    return this.#left[seat] - used;
  }

  /** Starts the clock of a seat, and stops the other one. */
  press(seat) {
    const before = this.#running?.seat;
    this.stop();
    if (before !== undefined && before !== seat) this.#left[before] += this.increment;
    this.#running = { seat, since: performance.now() };
    this.#timer = setInterval(() => this.#draw(), 250);
    for (const each of [0, 1]) this.show(each, timeText(this.left(each)), this.left(each));
  }

  stop() {
    clearInterval(this.#timer);
    if (!this.#running) return;
    const { seat } = this.#running;
    this.#left[seat] = this.left(seat);
    this.#running = null;
    this.show(seat, timeText(this.#left[seat]), this.#left[seat]);
  }

  #draw() {
    const { seat } = this.#running;
    this.show(seat, timeText(this.left(seat)), this.left(seat));
  }

  /** Points that a seat loses for time. */
  penalty(seat) {
    return this.left(seat) < 0 ? POINTS_A_MINUTE * Math.ceil(-this.left(seat) / 60_000) : 0;
  }
}
