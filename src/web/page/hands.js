// Tiles moved by hand: dragged with a mouse, a pen or a finger, or tapped one after the other. A tile goes from the rack to a square, from a square to
// another or back, or to another place on the rack. Start with `Hands`.

/** Pixels that a finger may tremble before a tap becomes a drag. */
const TREMBLE = 6;

export class Hands {
  #board;
  #askLetter;
  #held = null; // The tile that was tapped: {tile, element, at} on a square, or {tile, element, index} on the rack.
  #drag = null; // The tile under the pointer, while it is down.
  #hasDragged = false;

  /** `askLetter()` returns the letter for a blank, or null. */
  constructor(board, askLetter) {
    this.#board = board;
    this.#askLetter = askLetter;
    for (const place of [board.grid, board.rackElement]) place.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", () => this.#drop());
    // Captured, so that this comes before the board sets an arrow.
    board.grid.addEventListener("click", (event) => this.#click(event), { capture: true });
  }

  /** The tile of an element, if it can be moved. */
  #tileOf(element) {
    const tile = element.closest?.(".tile");
    if (!tile) return null;
    const index = [...this.#board.rackElement.children].indexOf(tile);
    if (index >= 0) return { tile: this.#board.left()[index], element: tile, index };
    const at = Number(tile.dataset.at ?? -1);
    return this.#board.placed.has(at) ? { tile: this.#board.placed.get(at), element: tile, at } : null;
  }

  /** Whether a tile is no longer where it was found: a play was made, or the rack was redrawn. */
  #isStale(found) {
    if (!found) return false;
    return found.at === undefined ? !found.element.isConnected : this.#board.placed.get(found.at) !== found.tile;
  }

  #down(event) {
    const found = event.isPrimary && event.button === 0 && this.#tileOf(event.target);
    if (found) this.#drag = { ...found, x: event.clientX, y: event.clientY, ghost: null };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag || !event.isPrimary) return;
    // The button was released elsewhere.
    if (event.pointerType === "mouse" && !event.buttons) return this.#drop();
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(right, down) < TREMBLE) return;
    if (!drag.ghost) {
      const { left, top, width, height } = drag.element.getBoundingClientRect();
      drag.ghost = drag.element.cloneNode(true);
      drag.ghost.removeAttribute("aria-label");
      drag.ghost.className = "tile ghost";
      Object.assign(drag.ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
      document.body.append(drag.ghost);
      drag.element.classList.add("moved");
      this.#release();
    }
    drag.ghost.style.transform = `translate(${right}px, ${down}px)`;
  }

  #up(event) {
    const drag = this.#drag;
    if (!drag || !event.isPrimary) return;
    this.#drop();
    if (this.#isStale(this.#held)) this.#release();
    if (this.#isStale(drag)) return;
    if (drag.ghost) {
      this.#put(drag, document.elementFromPoint(event.clientX, event.clientY), event.clientX);
      // A click may follow on the element under the pointer.
      this.#hasDragged = true;
      setTimeout(() => (this.#hasDragged = false), 0);
    } else if (drag.at !== undefined) {
      this.#release();
      this.#board.take(drag.at);
    } else if (this.#held && this.#held.index !== drag.index) {
      this.#board.reorder(this.#held.index, drag.index);
      this.#release();
    } else {
      this.#hold(this.#held ? null : drag);
    }
  }

  #click(event) {
    if (this.#hasDragged) event.stopPropagation();
    if (this.#isStale(this.#held)) this.#release();
    const at = Number(event.target.closest("[data-at]")?.dataset.at ?? -1);
    if (!this.#held || !this.#board.isFree(at)) return;
    event.stopPropagation();
    const held = this.#held;
    this.#release();
    this.#place(held, at);
  }

  /** Puts a tile down on an element. */
  #put(tile, element, x) {
    const at = Number(element?.closest("[data-at]")?.dataset.at ?? -1);
    const rack = this.#board.rackElement;
    if (this.#board.isFree(at)) this.#place(tile, at);
    else if (tile.at !== undefined && at !== tile.at) this.#board.take(tile.at);
    else if (tile.index !== undefined && element && rack.contains(element)) {
      const others = [...rack.children].filter((other) => other !== tile.element);
      const before = others.findIndex((other) => x < other.getBoundingClientRect().left + other.offsetWidth / 2);
      this.#board.reorder(tile.index, before < 0 ? others.length : before);
    }
  }

  async #place({ tile, at: from }, to) {
    const put = tile === "?" ? await this.#askLetter() : tile;
    // Meanwhile the turn may be over.
    if (!put || !this.#board.isFree(to) || (from === undefined && !this.#board.left().includes(tile))) return;
    if (from !== undefined) this.#board.placed.delete(from);
    this.#board.place(to, put);
  }

  #hold(found) {
    this.#held = found;
    for (const tile of this.#board.rackElement.children) tile.classList?.toggle("held", tile === found?.element);
  }

  #release() {
    this.#hold(null);
  }

  #drop() {
    this.#drag?.ghost?.remove();
    this.#drag?.element.classList.remove("moved");
    this.#drag = null;
  }
}
