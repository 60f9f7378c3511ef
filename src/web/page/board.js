// The board and the rack: squares drawn, tiles typed on for a try. It knows no engine: what it is told to show is a position.

import { PREMIUMS, TILES, squareName } from "./position.js";

const PREMIUM = {
  "'": ["dl", "double letter"],
  '"': ["tl", "triple letter"],
  "-": ["dw", "double word"],
  "=": ["tw", "triple word"],
  "*": ["dw start", "start, double word"],
};

/** The board with the tiles of a try. Calls `changed()` when the try changes, `commit()` and `add()` at Enter. */
export class Board {
  placed = new Map();
  isDown = false;
  rack = "";
  position = null;
  #cursor = null; // The square of the arrow; null without one.
  #focus = 112; // The square that the Tab key reaches.
  #squares = [];

  constructor(grid, rack, { changed, commit, add }) {
    this.grid = grid;
    this.rackElement = rack;
    this.changed = changed;
    this.commit = commit;
    this.add = add;
    grid.addEventListener("click", (event) => this.#click(event));
    grid.addEventListener("keydown", (event) => this.#key(event));
    rack.addEventListener("keydown", (event) => this.#rackKey(event));
  }

  /** Shows a position; a try on the one before is forgotten. */
  show(position) {
    if (this.position?.size !== position.size) this.#build(position.size);
    this.position = position;
    this.rack = position.racks[0];
    this.placed.clear();
    this.#cursor = null;
    this.draw();
  }

  /** Shows tiles as a try: [[index, letter], ...]. */
  tryOut(squares) {
    this.placed = new Map(squares.filter(([index]) => !this.position.squares[index]));
    this.draw();
    this.changed();
  }

  recall() {
    this.placed.clear();
    this.draw();
    this.changed();
  }

  shuffle() {
    const tiles = [...this.rack];
    for (let at = tiles.length - 1; at > 0; at--) {
      const other = Math.floor(Math.random() * (at + 1));
      [tiles[at], tiles[other]] = [tiles[other], tiles[at]];
    }
    this.rack = tiles.join("");
    this.draw();
  }

  /** The tiles that are still on the rack. */
  left() {
    const left = [...this.rack];
    for (const tile of this.placed.values()) {
      const at = left.indexOf(/[a-z]/.test(tile) ? "?" : tile);
      if (at >= 0) left.splice(at, 1);
    }
    return left;
  }

  #build(size) {
    this.grid.style.setProperty("--size", size);
    this.#focus = Math.floor((size * size) / 2);
    const rows = Array.from({ length: size }, (_, row) => {
      const element = document.createElement("div");
      element.role = "row";
      for (let column = 0; column < size; column++) {
        const cell = document.createElement("div");
        cell.role = "gridcell";
        cell.dataset.at = row * size + column;
        element.append(cell);
      }
      return element;
    });
    this.grid.replaceChildren(...rows);
    this.#squares = [...this.grid.querySelectorAll("[data-at]")];
  }

  draw() {
    const { size, squares } = this.position;
    this.#squares.forEach((cell, at) => {
      const tried = this.placed.get(at);
      const tile = tried ?? squares[at];
      const [premium, premiumName] = (size === 15 && PREMIUM[PREMIUMS[at]]) || ["", ""];
      const arrow = this.#cursor === at ? (this.isDown ? " down" : " across") : "";
      const kind = tile ? `tile${tried ? " tried" : ""}${/[a-z]/.test(tile) ? " blank" : ""}` : `square ${premium}`;
      const points = tile && !/[a-z]/.test(tile) ? (TILES[tile]?.[1] ?? "") : "";
      cell.className = `${kind}${arrow}`;
      cell.tabIndex = at === this.#focus ? 0 : -1;
      cell.textContent = tile ? tile.toUpperCase() : "";
      cell.dataset.points = points;
      const what = tile ? `${tile.toUpperCase()}${/[a-z]/.test(tile) ? " blank" : ""}${tried ? ", tried" : ""}` : premiumName || "empty";
      cell.ariaLabel = `${squareName(at, size)} ${what}${arrow && `, typing${arrow}`}`;
    });
    const tiles = this.left().map((tile) => {
      const element = document.createElement("span");
      element.className = "tile";
      element.textContent = tile === "?" ? " " : tile;
      element.dataset.points = TILES[tile]?.[1] || "";
      if (tile === "?") element.ariaLabel = "blank";
      return element;
    });
    this.rackElement.replaceChildren(...tiles);
    if (!tiles.length) this.rackElement.textContent = this.rack ? "all tiles are on the board" : "no rack: type it below";
  }

  #click({ target }) {
    const at = Number(target.closest("[data-at]")?.dataset.at ?? -1);
    if (at < 0) return;
    if (this.#cursor === at && this.isDown) this.#cursor = null;
    else if (this.#cursor === at) this.isDown = true;
    else [this.#cursor, this.isDown] = [at, false];
    this.#reach(at);
  }

  #reach(at) {
    this.#focus = at;
    this.draw();
    this.#squares[at].focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { size } = this.position;
    const at = this.#focus;
    const column = at % size;
    const moves = {
      ArrowLeft: column > 0 && at - 1,
      ArrowRight: column < size - 1 && at + 1,
      ArrowUp: at >= size && at - size,
      ArrowDown: at + size < size * size && at + size,
      Home: at - column,
      End: at - column + size - 1,
    };
    if (event.key in moves) {
      if (moves[event.key] !== false) {
        this.#cursor = null;
        this.#reach(moves[event.key]);
      }
    } else if (event.key === "Enter") {
      if (event.shiftKey) this.add();
      else if (this.placed.size) this.commit();
      else this.#click({ target: event.target });
    } else if (event.key === "Escape") {
      this.#cursor = null;
      this.recall();
    } else if (event.key === "Backspace") {
      this.#takeBack();
    } else if (event.key === " ") {
      if (this.#cursor === null) this.#click({ target: event.target });
      else this.#advance(this.#cursor);
    } else if (/^\p{L}$/u.test(event.key)) {
      this.#type(event.key, event.shiftKey);
    } else {
      return;
    }
    event.preventDefault();
  }

  #type(key, isBlank) {
    if (this.#cursor === null) this.#cursor = this.#focus;
    const at = this.#cursor;
    if (this.position.squares[at] || this.placed.has(at)) {
      this.#advance(at);
      if (this.#cursor === at || this.position.squares[this.#cursor] || this.placed.has(this.#cursor)) return;
    }
    const left = this.left();
    const letter = key.toUpperCase();
    const isFree = !this.rack;
    let tile = null;
    if (!isBlank && (isFree || left.includes(letter))) tile = letter;
    else if (isFree || left.includes("?")) tile = letter.toLowerCase();
    if (!tile) {
      this.changed(`${letter} is not on the rack`);
      return;
    }
    this.placed.set(this.#cursor, tile);
    this.#advance(this.#cursor);
    this.changed();
  }

  /** On to the next square without a tile. */
  #advance(from) {
    const { size, squares } = this.position;
    const step = this.isDown ? size : 1;
    const stays = (at) => at < size * size && (this.isDown || Math.floor(at / size) === Math.floor(from / size));
    let at = from + step;
    while (stays(at) && (squares[at] || this.placed.has(at))) at += step;
    if (!stays(at)) at = from;
    this.#cursor = at;
    this.#reach(at);
  }

  #takeBack() {
    const { size } = this.position;
    const step = this.isDown ? size : 1;
    const start = this.#cursor ?? this.#focus;
    for (let at = start; at >= 0 && (this.isDown || Math.floor(at / size) === Math.floor(start / size)); at -= step) {
      if (this.placed.delete(at)) {
        this.#cursor = at;
        this.#reach(at);
        this.changed();
        return;
      }
    }
  }

  #rackKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowUp") this.shuffle();
    else if (event.key === "ArrowDown") this.recall();
    else return;
    event.preventDefault();
  }
}
