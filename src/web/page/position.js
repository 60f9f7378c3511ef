// Positions as the page needs them: a CGP taken apart and put together, moves written, games (GCG) read as moves.
// The rules are the engine's: nothing here says whether a play is possible or what it scores.

/** Tiles of the English game: letter -> [how many, points]. */
export const TILES = Object.fromEntries(
  ("A9/1 B2/3 C2/3 D4/2 E12/1 F2/4 G3/2 H2/4 I9/1 J1/8 K1/5 L4/1 M2/3 N6/1 O8/1 P2/3 Q1/10 R6/1 S4/1 T6/1 U4/1 V2/4 W2/4 X1/8 Y2/4 Z1/10 ?2/0")
    .split(" ")
    .map((tile) => [tile[0], tile.slice(1).split("/").map(Number)]),
);

/** The premium squares of the usual board, a character a square: ' and " letters times 2 and 3, - and = words times 2 and 3, * the start. */
export const PREMIUMS = [
  "=..'...=...'..=",
  ".-...\"...\"...-.",
  "..-...'.'...-..",
  "'..-...'...-..'",
  "....-.....-....",
  ".\"...\"...\"...\".",
  "..'...'.'...'..",
  "=..'...*...'..=",
  "..'...'.'...'..",
  ".\"...\"...\"...\".",
  "....-.....-....",
  "'..-...'...-..'",
  "..-...'.'...-..",
  ".-...\"...\"...-.",
  "=..'...=...'..=",
].join("");

const EMPTY = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0";

/** A position: squares row by row ("" or a letter, small for a blank), racks, scores, turns without points, opcodes. */
export class Position {
  static empty() {
    return Position.read(EMPTY);
  }

  static read(cgp) {
    const [board, racks, scores, zeros, ...opcodes] = cgp.trim().split(/\s+/);
    if (!scores || !board.includes("/")) throw new Error("this is no CGP: expected board, racks, scores and turns without points");
    const position = new Position();
    const rows = board.split("/");
    position.size = rows.length;
    position.squares = rows.flatMap((row) =>
      [...row.matchAll(/\d+|\[[^\]]+\]|./gu)].flatMap(([part]) => (/^\d/.test(part) ? Array(Number(part)).fill("") : [part])),
    );
    position.racks = [...racks.split("/"), ""].slice(0, 2);
    position.scores = scores.split("/").map(Number);
    position.zeros = zeros ?? "0";
    position.opcodes = opcodes.join(" ");
    return position;
  }

  /** The CGP, with other racks if they are given. */
  cgp(racks = this.racks) {
    const rows = Array.from({ length: this.size }, (_, row) =>
      this.squares
        .slice(row * this.size, (row + 1) * this.size)
        .map((square) => square || "1")
        .join("")
        .replace(/1+/g, (run) => String(run.length)),
    );
    return `${rows.join("/")} ${racks.join("/")} ${this.scores.join("/")} ${this.zeros} ${this.opcodes}`.trim();
  }

  /** How many of each tile are neither on the board nor on these racks. */
  unseen(racks = [this.racks[0]]) {
    const left = Object.fromEntries(Object.entries(TILES).map(([tile, [count]]) => [tile, count]));
    for (const tile of [...this.squares.filter(Boolean), ...racks.join("")]) left[/[a-z]/.test(tile) ? "?" : tile] -= 1;
    return left;
  }
}

/** A square's name for people and screen readers: "8D". */
export function squareName(index, size) {
  return `${Math.floor(index / size) + 1}${String.fromCharCode(65 + (index % size))}`;
}

/** The move of tiles that lie on the board for a try (index -> letter), or why they are none. */
export function writeMove(position, placed, isDown) {
  const { size, squares } = position;
  const at = [...placed.keys()].sort((a, b) => a - b);
  if (!at.length) throw new Error("no tile is placed");
  const letter = (index) => placed.get(index) ?? squares[index];
  const sameRow = at.every((index) => Math.floor(index / size) === Math.floor(at[0] / size));
  const sameColumn = at.every((index) => index % size === at[0] % size);
  if (!sameRow && !sameColumn) throw new Error("the tiles are not in one line");
  const step = sameRow && sameColumn ? (isDown ? size : 1) : sameRow ? 1 : size;
  const stays = (index) => index >= 0 && index < squares.length && (step === size || Math.floor(index / size) === Math.floor(at[0] / size));
  const run = (start) => {
    let [first, last] = [start, start];
    while (stays(first - step) && letter(first - step)) first -= step;
    while (stays(last + step) && letter(last + step)) last += step;
    return [first, last];
  };
  let [first, last] = run(at[0]);
  if (first === last && at.length === 1 && step === (isDown ? size : 1)) {
    // A single tile that makes a word only in the other direction.
    const other = writeMoveAlong(position, placed, at[0], isDown ? 1 : size);
    if (other) return other;
  }
  if (at[at.length - 1] > last) throw new Error("there is a gap between the tiles");
  return notation(letter, first, last, step, size);
}

function writeMoveAlong({ size, squares }, placed, start, step) {
  const letter = (index) => placed.get(index) ?? squares[index];
  const stays = (index) => index >= 0 && index < squares.length && (step === size || Math.floor(index / size) === Math.floor(start / size));
  let [first, last] = [start, start];
  while (stays(first - step) && letter(first - step)) first -= step;
  while (stays(last + step) && letter(last + step)) last += step;
  return first === last ? null : notation(letter, first, last, step, size);
}

function notation(letter, first, last, step, size) {
  let tiles = "";
  for (let index = first; index <= last; index += step) tiles += letter(index);
  const row = Math.floor(first / size) + 1;
  const column = String.fromCharCode(65 + (first % size));
  return `${step === 1 ? `${row}${column}` : `${column}${row}`}.${tiles}`;
}

/** The squares of a move with the letters on them: [[index, letter], ...]; none for exchanges and passes. */
export function squaresOf(move, size) {
  const [coordinate, tiles] = move.split(".");
  const across = /^(\d+)([A-Z]+)$/i.exec(coordinate);
  const down = /^([A-Z]+)(\d+)$/i.exec(coordinate);
  if (!tiles || (!across && !down)) return [];
  const [row, column] = across ? [across[1], across[2]] : [down[2], down[1]];
  const start = (Number(row) - 1) * size + column.toUpperCase().charCodeAt(0) - 65;
  return [...tiles.matchAll(/\[[^\]]+\]|./gu)].map(([tile], at) => [start + at * (across ? 1 : size), tile]);
}

/** What of a rack a move keeps, in the order of the rack. */
export function leaveOf(position, rack, move) {
  const used = move.startsWith("ex.")
    ? [...move.split(".")[1]]
    : squaresOf(move, position.size)
        .filter(([index]) => !position.squares[index])
        .map(([, tile]) => (/[a-z]/.test(tile) ? "?" : tile));
  const left = [...rack];
  for (const tile of used) {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
  }
  return left.join("");
}

/** A recorded game (GCG): the names of the players, and for each turn the rack and the move. Throws where it cannot be read. */
export function readGcg(text) {
  const names = [];
  const turns = [];
  const squares = new Map();
  const nick = new Map();
  text.split(/\r?\n/).forEach((line, number) => {
    const player = /^#player([12])\s+(\S+)\s*(.*)$/.exec(line);
    if (player) {
      names[player[1] - 1] = player[3] || player[2];
      nick.set(player[2], player[1] - 1);
    }
    const turn = /^>([^:]+):\s*(.*)$/.exec(line);
    if (!turn) return;
    const words = turn[2].trim().split(/\s+/);
    const seat = nick.get(turn[1]) ?? 0;
    // The end of the game, a challenge, time: no moves.
    if (words[0].startsWith("(") || (words[1] ?? "").startsWith("(")) return;
    const [rack, what, word] = /^-/.test(words[0]) ? ["", ...words] : words;
    if (what === "--") {
      const last = turns[turns.length - 1];
      if (!last) throw new Error(`line ${number + 1}: nothing to withdraw`);
      last.placed.forEach((index) => squares.delete(index));
      last.move = `phony.${last.move}`;
    } else if (what === "-") {
      turns.push({ seat, rack, move: "pass", placed: [] });
    } else if (/^-\d+$/.test(what ?? "")) {
      turns.push({ seat, rack, move: `ex.${what.slice(1)}`, placed: [] });
    } else if (what?.startsWith("-")) {
      turns.push({ seat, rack, move: `ex.${what.slice(1).toUpperCase()}`, placed: [] });
    } else if (word) {
      const places = squaresOf(`${what}.${word.replace(/[()]/g, "")}`, 15);
      if (!places.length) throw new Error(`line ${number + 1}: ${what} ${word} is no play`);
      const placed = [];
      const tiles = places.map(([index, tile]) => {
        if (squares.has(index)) return squares.get(index);
        if (tile === ".") throw new Error(`line ${number + 1}: there is no tile to play through`);
        squares.set(index, tile);
        placed.push(index);
        return tile;
      });
      turns.push({ seat, rack, move: `${what.toUpperCase()}.${tiles.join("")}`, placed });
    } else {
      throw new Error(`line ${number + 1}: this turn cannot be read`);
    }
  });
  if (!turns.length) throw new Error("no turn was found");
  return { names: [names[0] ?? "Player 1", names[1] ?? "Player 2"], turns };
}
