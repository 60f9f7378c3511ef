// Texts of the protocol in the words of players: moves, errors, answers about words.

import { plain, split } from "./rules.js";

/** A move as players write it: "8G NASTIER", "Exchange QU", "Pass". */
export function moveText(move) {
  if (!move) return "Start";
  if (move === "pass") return "Pass";
  const [first, second, , points] = move.split(".");
  if (first === "phony") return `${moveText(move.slice("phony.".length))}, challenged off`;
  if (first === "ex") return /^\d+$/.test(second) ? `Exchange ${second} tile${second === "1" ? "" : "s"}` : `Exchange ${tilesText(second)}`;
  return `${first} ${tilesText(second ?? "")}${points ? ` +${points}` : ""}`;
}

/** Tiles as players write them. */
export function tilesText(tiles) {
  return split(tiles).map(plain).join("");
}

/** A move in a text of the engine: a place on the board, or `ex`, and tiles. */
const MOVE = /\b(?:\d{1,2}[A-U]|[A-U]\d{1,2}|ex)\.(?:[\p{L}·?]|\[[^\]\s]+\])+/gu;

const REPLACED = [
  [/^bad-[a-z]+ /, ""],
  [/(^|: )(?:[a-z]+: )?column \d+: /, "$1"],
  [/^(\d+) tiles, a rack holds (\d+)$/, "That is $1 tiles: a rack holds $2"],
  [/^(\S+) number (\d+), the game has (\d+) of it$/, "That needs $2 of $1: the game has $3"],
  [/^"(.*)" is not a tile of the (\S+) alphabet(?: \(\? is a blank\))?$/, "“$1” is not a tile of the $2 alphabet. A blank is ?"],
];

/** A message of the engine in players' notation, without the parts that are for authors of lines. */
export function inWords(text) {
  const told = REPLACED.reduce((text, [pattern, words]) => text.replace(pattern, words), text);
  return told.replace(MOVE, moveText).replace(/^\p{Ll}(?=\p{L}* )/u, (letter) => letter.toUpperCase());
}

const ANSWERS = [
  [/^check (\S+) valid\b/, "$1 is a word"],
  [/^check (\S+) invalid$/, "$1 is not a word"],
  [/^hooks (\S+) front (\S+) back (\S+)$/, (_, word, front, back) => `${word}: front hooks ${hooksText(front)}, back hooks ${hooksText(back)}`],
  [/^(?:anagram|pattern) (\S+) words (\d+)$/, (_, asked, many) => `${asked}: ${many === "0" ? "no words" : many === "1" ? "1 word" : `${many} words`}`],
  [/^definition /, ""],
];

function hooksText(letters) {
  return letters === "-" ? "none" : split(letters).map(plain).join(" ");
}

/** Answers about words, one a line. */
export function answerText(lines) {
  return lines.map((line) => ANSWERS.reduce((text, [pattern, words]) => text.replace(pattern, words), line)).join("\n");
}
