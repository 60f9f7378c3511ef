// The numbers, squares and tiles of a game, from the engine's answer to `rules`, and tiles as text: "A", "a" for a blank on the board, "[CH]" for
// a tile of several characters. Nothing here assumes English. Start with `Rules.read`.

/** The rules as far as a page needs them to draw. */
export class Rules {
  tiles = new Map(); // face -> {small, count, points, kind}, the blank first, then in the order of the alphabet
  squares = ""; // one character for each square, row by row: . ' " ^ - = ~ * +
  #faces = new Map(); // small -> face

  /** Reads the answer to `rules`. */
  static read(lines) {
    const rules = new Rules();
    for (const line of lines) {
      const words = line.split(" ");
      if (words[0] !== "rules") continue;
      const value = (key) => words[words.indexOf(key) + 1];
      if (words[1] === "size") {
        rules.size = Number(value("size"));
        rules.rackSize = Number(value("rack"));
      } else if (words[1] === "row") {
        rules.squares += words[3];
      } else if (words[1] === "tile") {
        rules.tiles.set(words[2], { small: value("small"), count: Number(value("count")), points: Number(value("points")), kind: words.at(-1) });
        rules.#faces.set(value("small"), words[2]);
      }
    }
    if (!rules.size || rules.squares.length !== rules.size ** 2) throw new Error("the engine's answer to rules is incomplete");
    return rules;
  }

  /** Tiles of several characters, such as [CH]. */
  get digraphs() {
    return [...this.tiles.keys()].filter((face) => face.startsWith("["));
  }

  /** Whether a tile on the board is a blank. */
  isBlank(tile) {
    return this.#faces.has(tile) && !this.tiles.has(tile);
  }

  /** The letter of a tile on the board, as it is on a rack. */
  face(tile) {
    return this.tiles.has(tile) ? tile : (this.#faces.get(tile) ?? tile);
  }

  /** The tile that leaves the rack when this one is placed. */
  onRack(tile) {
    return this.isBlank(tile) ? "?" : tile;
  }

  /** The points of a tile on the board or on a rack. */
  points(tile) {
    return this.tiles.get(this.onRack(tile))?.points ?? 0;
  }

  /** Brings a typed rack into the case of the alphabet. */
  rack(text) {
    const tiles = split(text.replace(/[\s,]/g, ""));
    return tiles.map((tile) => (this.tiles.has(tile) ? tile : (this.#faces.get(tile) ?? tile.toUpperCase()))).join("");
  }
}

/** Splits a text into tiles: "A[CH]?" is A, [CH] and ?. */
export function split(text) {
  return text.match(/\[[^\]]+\]|./gu) ?? [];
}

/** A tile as people see it: without brackets. */
export function plain(tile) {
  return tile.replace(/[[\]]/g, "");
}
