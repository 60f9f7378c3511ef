// Positions as the page needs them: reads and writes CGP, writes moves, and reads games (GCG) as moves.
// The rules are the engine's: nothing here decides whether a play is possible or what it scores.

import { split } from "./rules.js";

/** Opcodes that a position keeps: those of its rules. Words come from the option, clocks and the last move from the page. */
const KEPT = /^-?(bb|bdn|cr|etl|ld|lt|mcnz|var)\b/;

/** A position: squares row by row ("" or a tile as it lies there), racks, scores, turns without points, opcodes. */
export class Position {
  static read(cgp) {
    const [board, racks, scores, zeros, ...opcodes] = cgp.trim().split(/\s+/);
    if (!scores || !board.includes("/")) throw new Error("this is not a CGP: expected board, racks, scores and turns without points");
    const position = new Position();
    const rows = board.split("/");
    position.size = rows.length;
    position.squares = rows.flatMap((row) =>
      [...row.matchAll(/\d+|\[[^\]]+\]|./gu)].flatMap(([part]) => (/^\d/.test(part) ? Array(Number(part)).fill("") : [part])),
    );
    position.racks = [...racks.split("/"), ""].slice(0, 2);
    position.scores = scores.split("/").map(Number);
    position.zeros = zeros ?? "0";
    const all = opcodes.join(" ").split(";").map((opcode) => opcode.trim());
    position.lexicon = all.find((opcode) => /^-?lex\b/.test(opcode))?.split(/\s+/)[1] ?? null;
    position.opcodes = all.filter((opcode) => KEPT.test(opcode)).map((opcode) => `${opcode};`).join(" ");
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

  /** How many of each tile are neither on the board nor on this rack: face -> number. */
  unseen(rules, rack) {
    const left = new Map([...rules.tiles].map(([face, { count }]) => [face, count]));
    const out = [...this.squares.filter(Boolean).map((tile) => rules.onRack(tile)), ...split(rack)];
    for (const tile of out) left.set(tile, (left.get(tile) ?? 0) - 1);
    return left;
  }
}

/** A square's name for people and screen readers: "8D". */
export function squareName(index, size) {
  return `${Math.floor(index / size) + 1}${columnName(index % size)}`;
}

/** A column's name: boards have at most 21. */
export function columnName(column) {
  return String.fromCharCode(65 + column);
}

/** The move that tried tiles (index -> tile) form. Throws the reason if they form none. */
export function writeMove(position, placed, isDown) {
  const { size, squares } = position;
  const at = [...placed.keys()].sort((a, b) => a - b);
  if (!at.length) throw new Error("no tile is placed");
  const tile = (index) => placed.get(index) ?? squares[index];
  const sameRow = at.every((index) => Math.floor(index / size) === Math.floor(at[0] / size));
  const sameColumn = at.every((index) => index % size === at[0] % size);
  if (!sameRow && !sameColumn) throw new Error("the tiles are not in one line");
  const run = (start, step) => {
    const stays = (index) => index >= 0 && index < squares.length && (step === size || Math.floor(index / size) === Math.floor(start / size));
    let [first, last] = [start, start];
    while (stays(first - step) && tile(first - step)) first -= step;
    while (stays(last + step) && tile(last + step)) last += step;
    return [first, last];
  };
  let step = sameRow && sameColumn ? (isDown ? size : 1) : sameRow ? 1 : size;
  let [first, last] = run(at[0], step);
  if (first === last && at.length === 1) {
    // A single tile may make a word in the other direction only.
    const other = step === 1 ? size : 1;
    const [from, to] = run(at[0], other);
    if (from !== to) [step, first, last] = [other, from, to];
  }
  if (at[at.length - 1] > last) throw new Error("there is a gap between the tiles");
  let tiles = "";
  for (let index = first; index <= last; index += step) tiles += tile(index);
  const [row, column] = [Math.floor(first / size) + 1, columnName(first % size)];
  return `${step === 1 ? `${row}${column}` : `${column}${row}`}.${tiles}`;
}

/** Whether a move can be a candidate of a search: a play or an exchange of known tiles that was not challenged. */
export function isSearchable(move) {
  return /^(\d+[A-Z]|[A-Z]\d+|ex)\./.test(move) && !move.includes("..");
}

/** The squares of a move with the tiles on them: [[index, tile], ...]; none for exchanges and passes. */
export function squaresOf(move, size) {
  const [coordinate, tiles] = move.split(".");
  const across = /^(\d+)([A-Z])$/i.exec(coordinate);
  const down = /^([A-Z])(\d+)$/i.exec(coordinate);
  if (!tiles || (!across && !down)) return [];
  const [row, column] = across ? [across[1], across[2]] : [down[2], down[1]];
  const start = (Number(row) - 1) * size + column.toUpperCase().charCodeAt(0) - 65;
  return split(tiles).map((tile, at) => [start + at * (across ? 1 : size), tile]);
}

/** The tiles of a rack that a move keeps, in the order of the rack. */
export function leaveOf(rules, position, rack, move) {
  const used = move.startsWith("ex.")
    ? split(move.split(".")[1])
    : squaresOf(move, position.size)
        .filter(([index]) => !position.squares[index])
        .map(([, tile]) => rules.onRack(tile));
  const left = split(rack);
  for (const tile of used) {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
  }
  return left.join("");
}

/** The turns of the game that the engine has read: [{event, seat, rack, move, cgp}, ...], each with the position before it. */
export function readTurns(lines) {
  const turn = /^turn \d+ event (\d+) player ([12]) rack (\S+) move (\S+) cgp (.*)$/;
  const found = lines.map((line) => turn.exec(line)).filter(Boolean);
  return found.map(([, event, player, rack, move, cgp]) => ({ event: Number(event), seat: player - 1, rack: rack === "unknown" ? "" : rack, move, cgp }));
}

/** The challenge rule of a position: void, single, double, triple, 5pt or 10pt. */
export function challengeRule(cgp) {
  return /\bcr (\w+);/.exec(cgp)?.[1] ?? "void";
}

/** A move with its rack, in the form for a list of moves. */
export function stated(move, rack) {
  // The points of a failed challenge follow the rack.
  const paid = /^([^.]+\.[^.]+)\.\.(\d+)$/.exec(move);
  if (rack && paid) return `${paid[1]}.${rack}.${paid[2]}`;
  return rack && /^(\d+[A-Z]|[A-Z]\d+|ex)\.[^.]+$/i.test(move) && !/^ex\.\d+$/.test(move) ? `${move}.${rack}` : move;
}
