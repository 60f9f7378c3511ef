// Answers of the engine as tables: static values term by term, what the other player may have kept.

import { plain } from "./rules.js";

function table(caption, heads, rows) {
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

/** The answer to `eval` as a table, or null without a play. */
export function staticTerms(lines) {
  const plays = lines.map((line) => /^eval (\S+) eq (\S+) = (.*)$/.exec(line)).filter(Boolean);
  if (!plays.length) return null;
  const number = (text) => (Number.isNaN(Number(text)) ? plain(text) : String(Number(Number(text).toFixed(2))));
  const terms = plays.map(([, , , sum]) => sum.split(" + ").map((term) => term.split(" ")));
  const rows = plays.map(([, move, equity], at) => {
    const cells = terms[at].map(([, ...words]) => words.filter((word) => word !== "-").map(number).join(" "));
    return [move, Number(equity).toFixed(1), ...cells];
  });
  return table("Static values", ["Play", "Equity", ...terms[0].map(([name]) => name)], rows);
}

/** Leaves and single tiles with their chances, before the turn and after it. */
export function inferredTables(leaves, tiles) {
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const rows = (found, key) => found.map((row) => [plain(String(row[key])), percent(row.prob), percent(row.prior)]);
  return [table("Tiles that may have been kept", ["Kept", "Chance", "Before"], rows(leaves, "leave")), table("Each tile", ["Tile", "Chance", "Before"], rows(tiles, "tile"))];
}
