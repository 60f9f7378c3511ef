// The list of turns: two columns, a player each, with plays, points and running totals; and what each play lost, where its position was analysed.

import { lossOf } from "./ranking.js";
import { lineOf, scoresAt } from "./tree.js";
import { moveText } from "./words.js";

const LARGE_LOSS = 5; // Percent of winning; from here on a loss is marked as large.

/** Draws the game of a node into a list. `go(node)` is called for a turn that is clicked; without it nothing can be clicked.
 *  `isCut`: what follows the node stays hidden. */
export function drawTurns(list, heads, node, names, go, isCut = false) {
  heads.forEach((head, seat) => (head.textContent = names[seat]));
  let [row, lastSeat] = [1, 1];
  const line = lineOf(node);
  const shown = isCut ? line.slice(0, line.indexOf(node) + 1) : line;
  const entries = shown.map((at) => {
    const entry = document.createElement("li");
    const seat = at.parent ? at.parent.seat : null;
    if (seat === null) {
      entry.className = "start";
      entry.append(turnButton(at, node, [["play", "Start"]], go));
      return entry;
    }
    // Each row is a turn of both, and has its number.
    if (seat <= lastSeat) {
      row += 1;
      entry.className = seat === 0 ? "first" : "first second";
      entry.dataset.number = row - 1;
    }
    lastSeat = seat;
    entry.style.gridRow = row;
    entry.style.gridColumn = seat + 1;
    entry.append(turnButton(at, node, turnParts(at, seat, isCut), go, `${names[seat]}: `));
    for (const other of isCut ? [] : at.parent.children.filter((other) => other !== at)) {
      const button = turnButton(other, node, [["play", `or ${moveText(other.move)}`]], go);
      button.className = "branch";
      entry.append(button);
    }
    return entry;
  });
  list.replaceChildren(...entries);
  const current = list.querySelector("[aria-current]");
  // Only this list is to scroll, not the page.
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

function turnParts(at, seat, isCut) {
  const loss = at.parent.ranking && !isCut ? lossOf(at.parent.ranking, at.move) : null;
  const parts = [["play", at.note ?? moveText(at.move)]];
  if (loss && loss.by >= 0.05) parts.push([loss.by >= LARGE_LOSS ? "loss large" : "loss", `−${loss.by.toFixed(1)}${loss.unit === " %" ? "%" : ""}`]);
  if (at.points !== null) parts.push(["points", `+${at.points}`.replace("+-", "−")]);
  parts.push(["total", String(scoresAt(at)[seat])]);
  return parts;
}

function turnButton(at, shown, parts, go, spoken = "") {
  const made = document.createElement("button");
  if (spoken) made.append(Object.assign(document.createElement("span"), { className: "hidden", textContent: spoken }));
  for (const [className, textContent] of parts) made.append(Object.assign(document.createElement("span"), { className, textContent }), " ");
  made.disabled = !go;
  if (go) made.onclick = () => go(at);
  if (at === shown) made.ariaCurrent = "true";
  return made;
}
