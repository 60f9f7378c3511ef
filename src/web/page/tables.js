// Answers of the engine as tables and lines: static values term by term, and the tiles that the other player may have kept.

import { plain } from "./rules.js";
import { moveText, tilesText } from "./words.js";

/** A table with a caption, heads and rows; the first cell of a row is its head. */
export function table(caption, heads, rows) {
  const made = document.createElement("table");
  made.createCaption().textContent = caption;
  const head = made.createTHead().insertRow();
  for (const text of heads) head.append(Object.assign(document.createElement("th"), { textContent: text, scope: "col" }));
  const body = made.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const text of row) line.insertCell().textContent = text;
  }
  return made;
}

/** Sentences, each on a line of its own. */
export function lines(sentences) {
  return sentences.map((sentence) => Object.assign(document.createElement("p"), { textContent: sentence }));
}

/** The answer to `eval` as a table, or null without a play. */
export function staticTerms(lines) {
  const plays = lines.map((line) => /^eval (\S+) eq (\S+) = (.*)$/.exec(line)).filter(Boolean);
  if (!plays.length) return null;
  const number = (text) => (Number.isNaN(Number(text)) ? plain(text) : Number(text).toFixed(Number.isInteger(Number(text)) ? 0 : 2));
  const terms = plays.map(([, , , sum]) => sum.split(" + ").map((term) => term.split(" ")));
  // The leave comes before its value.
  const cells = ([name, ...words]) => (name === "leave" ? [tilesText(words.slice(0, -1).filter((word) => word !== "-").join("")), number(words.at(-1))] : [words.filter((word) => word !== "-").map(number).join(" ")]);
  const heads = terms[0].flatMap(([name]) => (name === "leave" ? ["Kept", "Leave"] : [name[0].toUpperCase() + name.slice(1)]));
  const rows = plays.map(([, move, equity], at) => [moveText(move), Number(equity).toFixed(1), ...terms[at].flatMap(cells)]);
  return table("Static values", ["Play", "Equity", ...heads], rows);
}

/** Leaves and single tiles with their chances, before the turn and after it. */
export function inferredTables(leaves, tiles) {
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const rows = (found, key) => found.map((row) => [plain(String(row[key])), percent(row.prob), percent(row.prior)]);
  return [table("Tiles that may have been kept", ["Kept", "Chance", "Before"], rows(leaves, "leave")), table("Each tile", ["Tile", "Chance", "Before"], rows(tiles, "tile"))];
}
