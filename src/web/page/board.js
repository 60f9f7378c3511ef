// The board and the rack: draws the squares, and takes the tiles that are typed for a try. It shows a position with its rules, and does not talk
// to the engine.

import { columnName, squareName } from "./position.js";
import { plain, split } from "./rules.js";

const PREMIUM = {
  "'": ["letter2", "double letter"],
  '"': ["letter3", "triple letter"],
  "^": ["letter4", "quadruple letter"],
  "-": ["word2", "double word"],
  "=": ["word3", "triple word"],
  "~": ["word4", "quadruple word"],
  "*": ["word2 start", "start, double word"],
  "+": ["start", "start"],
};

/** The board with the tiles of a try. Calls `changed()` when the try changes, `commit()` and `add()` at Enter, `key(name)` for keys that are not its own. */
export class Board {
  placed = new Map();
  isDown = false;
  rack = "";
  position = null;
  rules = null;
  heat = new Map(); // How often replies cover a square: index -> 0 to 1.
  palette = null; // All tiles, while a position is set up by hand: then every tile on the board can be moved.
  #cursor = null; // The square of the arrow; null without one.
  #focus = 0; // The square that the Tab key reaches.
  #squares = [];
  #last = new Set(); // The squares of the last play.
  #typed = null; // The square typed last, and the letters that may still complete its tile.

  constructor(frame, rack, { changed, commit, add }) {
    this.grid = frame.querySelector("[role=grid]");
    this.edges = [...frame.querySelectorAll(".edge")];
    this.rackElement = rack;
    this.changed = changed;
    this.commit = commit;
    this.add = add;
    this.grid.addEventListener("click", (event) => this.#click(event));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", ({ target }) => (this.#focus = Number(target.dataset.at ?? this.#focus)));
    rack.addEventListener("keydown", (event) => this.#rackKey(event));
  }

  /** Shows a position, a rack and the squares of the last play. Drops the current try. */
  show(position, rules, rack = position.racks[0], last = []) {
    if (this.position?.size !== position.size) this.#build(position.size);
    this.position = position;
    this.rules = rules;
    this.rack = rack;
    this.#last = new Set(last);
    this.palette = null;
    this.heat.clear();
    this.placed.clear();
    this.#cursor = null;
    this.#typed = null;
    this.draw();
  }

  /** Begins to set up a position by hand, from these squares: "" or a tile for each. */
  edit(position, rules, squares) {
    this.show(position, rules, "");
    this.palette = [...rules.tiles.keys()];
    squares.forEach((tile, at) => tile && this.placed.set(at, tile));
    this.draw();
    this.changed();
  }

  /** Shows how often squares are covered. */
  showHeat(heat) {
    this.heat = heat;
    this.draw();
  }

  /** Whether a square has no tile, not even a tried one. */
  isFree(at) {
    return at >= 0 && !this.position.squares[at] && !this.placed.has(at);
  }

  /** Puts a tile of the rack on a free square as a try. */
  place(at, tile) {
    this.placed.set(at, tile);
    this.#afterHand();
  }

  /** Takes a tried tile back. */
  take(at) {
    this.placed.delete(at);
    this.#afterHand();
  }

  /** Moves a tile that is left on the rack to another place on it. */
  reorder(from, to) {
    if (this.palette) return;
    const left = this.left();
    left.splice(to, 0, ...left.splice(from, 1));
    // The rack's tiles that are on the board follow; a try may also have other tiles.
    const rest = split(this.rack);
    for (const tile of left) rest.splice(rest.indexOf(tile), 1);
    this.rack = [...left, ...rest].join("");
    this.draw();
  }

  /** Updates a try that was changed by hand: there is no arrow, and two tiles determine the direction. */
  #afterHand() {
    this.#typed = null;
    this.#cursor = null;
    const { size } = this.position;
    const places = [...this.placed.keys()].sort((one, other) => one - other);
    this.isDown = places.length > 1 && places[0] % size === places[1] % size;
    this.draw();
    this.changed();
  }

  /** Shows tiles as a try: [[index, tile], ...]. */
  tryOut(squares) {
    this.placed = new Map(squares.filter(([index]) => !this.position.squares[index]));
    this.draw();
    this.changed();
  }

  recall() {
    this.placed.clear();
    this.#typed = null;
    this.draw();
    this.changed();
  }

  shuffle() {
    if (this.palette) return;
    const tiles = split(this.rack);
    for (let at = tiles.length - 1; at > 0; at--) {
      const other = Math.floor(Math.random() * (at + 1));
      [tiles[at], tiles[other]] = [tiles[other], tiles[at]];
    }
    this.rack = tiles.join("");
    this.draw();
  }

  /** The tiles that are still on the rack. */
  left() {
    if (this.palette) return this.palette;
    const left = split(this.rack);
    for (const tile of this.placed.values()) {
      const at = left.indexOf(this.rules.onRack(tile));
      if (at >= 0) left.splice(at, 1);
    }
    return left;
  }

  #build(size) {
    this.grid.parentElement.style.setProperty("--size", size);
    this.#focus = Math.floor(size / 2) * (size + 1);
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
    this.edges.forEach((edge, way) => {
      const names = Array.from({ length: size }, (_, at) => Object.assign(document.createElement("span"), { textContent: way ? at + 1 : columnName(at) }));
      edge.replaceChildren(...names);
    });
  }

  draw() {
    const { size, squares } = this.position;
    this.#squares.forEach((cell, at) => {
      const tried = this.placed.get(at);
      const tile = tried ?? squares[at];
      const [premium, premiumName] = PREMIUM[this.rules.squares[at]] ?? ["", ""];
      const arrow = this.#cursor === at ? (this.isDown ? " down" : " across") : "";
      const heat = this.heat.get(at) ?? 0;
      const isBlank = tile && this.rules.isBlank(tile);
      const letter = tile ? plain(this.rules.face(tile)) : "";
      const kind = tile ? `tile${tried && !this.palette ? " tried" : ""}${isBlank ? " blank" : ""}${[...letter].length > 1 ? " long" : ""}${this.#last.has(at) ? " last" : ""}` : premium;
      const what = tile ? `${letter}${isBlank ? " blank" : ""}${tried && !this.palette ? ", tried" : ""}${this.#last.has(at) ? ", last play" : ""}` : premiumName || "empty";
      const covered = heat ? `, replies ${Math.max(Math.round(100 * heat), 1)} %` : "";
      const name = `${squareName(at, size)} ${what}${covered}${arrow && `, typing${arrow}`}`;
      const tab = at === this.#focus ? 0 : -1;
      // Only what differs is written: most squares stay as they are.
      const look = `${kind}${heat ? " heat" : ""}${arrow}`;
      if (cell.className !== look) cell.className = look;
      if (heat) cell.style.setProperty("--heat", heat.toFixed(3));
      if (cell.textContent !== letter) cell.textContent = letter;
      if (cell.ariaLabel !== name) cell.ariaLabel = name;
      if (cell.tabIndex !== tab) cell.tabIndex = tab;
      const points = tile && !isBlank ? String(this.rules.points(tile)) : "";
      if (cell.dataset.points !== points) cell.dataset.points = points;
    });
    const tiles = this.left().map((tile) => {
      const element = document.createElement("span");
      element.className = `tile${[...plain(tile)].length > 1 ? " long" : ""}`;
      element.textContent = tile === "?" ? " " : plain(tile);
      element.dataset.points = tile === "?" ? "" : this.rules.points(tile);
      return element;
    });
    this.rackElement.replaceChildren(...tiles);
    const spoken = this.left().map((tile) => (tile === "?" ? "blank" : plain(tile)));
    this.rackElement.ariaLabel = `Rack: ${spoken.join(" ") || "no tiles"}. Up shuffles, down recalls`;
    if (!tiles.length) this.rackElement.textContent = this.rack ? "All tiles are on the board" : "No rack: type its letters";
  }

  /** The tiles of a row, counted from 1, to be read aloud. */
  describeRow(row) {
    const { size, squares } = this.position;
    const tiles = squares.slice((row - 1) * size, row * size);
    if (!tiles.length) throw new Error(`there is no row ${row}`);
    const named = tiles.map((tile, column) => tile && `${columnName(column)} ${plain(this.rules.face(tile))}${this.rules.isBlank(tile) ? " blank" : ""}`);
    return `Row ${row}: ${named.filter(Boolean).join(", ") || "empty"}`;
  }

  #click({ target }) {
    const at = Number(target.closest("[data-at]")?.dataset.at ?? -1);
    if (at < 0) return;
    this.#typed = null;
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

  /** Handles a key on the square that has the focus. */
  key(event) {
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
        this.#typed = null;
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
    } else if (this.#numbered(event.code)) {
      this.#type(this.#numbered(event.code), event.shiftKey);
    } else if (/^[\p{L}·]$/u.test(event.key)) {
      if (!this.#joins(event.key)) this.#type(event.key.toUpperCase(), event.shiftKey);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The tile of several letters that a digit key stands for. The key counts, not its character, which Shift changes. */
  #numbered(code) {
    return this.rules.digraphs[Number(/^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? 0) - 1];
  }

  /** Joins a letter to the letter before it if both make one tile: C, then H, where there is a tile [CH]. Returns whether it did. */
  #joins(key) {
    if (!this.#typed) return false;
    const { at, rest, letters } = this.#typed;
    const letter = key.toUpperCase();
    if (rest.startsWith(letter)) {
      // The tile is there already, and this letter is the rest of its name.
      this.#typed = rest.length > 1 ? { at, rest: rest.slice(1), letters } : null;
      return true;
    }
    const face = this.rules.digraphs.find((face) => plain(face) === letters + letter);
    const old = this.placed.get(at);
    if (!face || !old || !(this.left().includes(face) || !this.rack)) return false;
    this.placed.set(at, face);
    this.#typed = null;
    this.draw();
    this.changed();
    return true;
  }

  #type(letter, isBlank) {
    if (this.#cursor === null) this.#cursor = this.#focus;
    // While a position is set up, a letter replaces the one on its square.
    if (!this.palette && !this.isFree(this.#cursor)) {
      const from = this.#cursor;
      this.#advance(from);
      if (this.#cursor === from || this.position.squares[this.#cursor] || this.placed.has(this.#cursor)) return;
    }
    const left = this.left();
    const isFree = !this.rack;
    const has = (tile) => isFree || left.includes(tile);
    const wide = this.rules.digraphs.find((face) => plain(face).startsWith(letter) && left.includes(face));
    let tile = null;
    if (!isBlank && this.rules.tiles.has(letter) && has(letter)) tile = letter;
    else if (!isBlank && wide) tile = wide;
    else if (this.rules.tiles.has(letter) && has("?")) tile = this.rules.tiles.get(letter).small;
    if (!tile) {
      this.changed(this.rules.tiles.has(letter) ? `${plain(letter)} is not on the rack` : `there is no tile ${plain(letter)}`);
      return;
    }
    const at = this.#cursor;
    this.placed.set(at, tile);
    this.#typed = { at, rest: tile === wide && letter !== wide ? plain(wide).slice(letter.length) : "", letters: letter };
    this.#advance(at);
    this.changed();
  }

  /** Moves on to the next free square. */
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
    this.#typed = null;
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
