// The list of turns: a column for each player, with plays, points and running totals, and the loss of each play whose position was analysed.

import { lossOf } from "./ranking.js";
import { lineOf, scoresAt } from "./tree.js";
import { moveText } from "./words.js";

const LARGE_LOSS = 5; // In percent of winning: a loss from here on is marked as large.

let drawn = { nodes: [], text: "" }; // The contents of the list.

/** Draws the game of a node into a list. Calls `go(node)` for a turn that is clicked; without `go` nothing can be clicked. With `isCut` the turns
 *  after the node stay hidden. */
export function drawTurns(list, heads, node, names, go, isCut = false) {
  heads.forEach((head, seat) => (head.textContent = names[seat]));
  const line = lineOf(node);
  const shown = isCut ? line.slice(0, line.indexOf(node) + 1) : line;
  const turns = shown.map((at) => ({ at, parts: turnParts(at, isCut), others: isCut || !at.parent ? [] : at.parent.children.filter((other) => other !== at) }));
  // During an analysis this is called every second: an unchanged list stays, with its scroll position and the focus.
  const nodes = [node, ...turns.flatMap(({ at, others }) => [at, ...others])];
  const text = JSON.stringify([names, Boolean(go), turns.map(({ parts }) => parts)]);
  if (text === drawn.text && nodes.length === drawn.nodes.length && nodes.every((at, index) => at === drawn.nodes[index])) return;
  const isElsewhere = drawn.nodes[0] !== node || drawn.nodes.length !== nodes.length;
  drawn = { nodes, text };
  const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
  let [row, lastSeat] = [1, 1];
  const entries = turns.map(({ at, parts, others }) => {
    const entry = document.createElement("li");
    const seat = at.parent ? at.parent.seat : null;
    if (seat === null) {
      entry.className = "start";
      entry.append(turnButton(at, node, parts, go));
      return entry;
    }
    // Each row has a number and one turn of each player.
    if (seat <= lastSeat) {
      row += 1;
      entry.className = seat === 0 ? "first" : "first second";
      entry.dataset.number = row - 1;
    }
    lastSeat = seat;
    entry.style.gridRow = row;
    entry.style.gridColumn = seat + 1;
    entry.append(turnButton(at, node, parts, go, `${names[seat]}: `));
    for (const other of others) {
      const button = turnButton(other, node, [["play", `or ${moveText(other.move)}`]], go);
      button.className = "branch";
      entry.append(button);
    }
    return entry;
  });
  list.replaceChildren(...entries);
  if (focused >= 0) list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
  const current = list.querySelector("[aria-current]");
  // Scrolls this list alone, not the page.
  if (current && isElsewhere) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

/** The parts of a turn in the list: [kind, text], ... */
function turnParts(at, isCut) {
  if (!at.parent) return [["play", "Start"]];
  const loss = at.parent.ranking && !isCut ? lossOf(at.parent.ranking, at.move) : null;
  const parts = [["play", at.note ?? moveText(at.move)]];
  if (loss && loss.by >= 0.05) parts.push([loss.by >= LARGE_LOSS ? "loss large" : "loss", `−${loss.by.toFixed(1)}${loss.unit === " %" ? "%" : " pt"}`]);
  if (at.points !== null) parts.push(["points", `+${at.points}`.replace("+-", "−")]);
  parts.push(["total", String(scoresAt(at)[at.parent.seat])]);
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
