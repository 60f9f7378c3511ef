// A position set up by hand: tiles on the board, racks, points, whose turn it is. The result is an ordinary position, which the engine checks.

import { say } from "./notices.js";
import { Position } from "./position.js";
import { split } from "./rules.js";
import { endGame, show, showUnseen } from "./show.js";
import { $, page, then } from "./state.js";
import { openTab } from "./tabs.js";
import { root, scoresAt } from "./tree.js";

const FIELDS = ["edit-rack-1", "edit-rack-2"];

/** Begins to edit a position: the one that is shown, or an empty board with its rules. */
export function beginEditing(isEmpty) {
  return then(async () => {
    if (page.deal) throw new Error("this is not possible in a game against the engine");
    await page.wire.stop();
    const { node } = page;
    const position = Position.read(node.cgp);
    const scores = isEmpty ? [0, 0] : scoresAt(node);
    const racks = isEmpty ? ["", ""] : node.seat === 0 ? position.racks : [...position.racks].reverse();
    for (const seat of [0, 1]) {
      $(FIELDS[seat]).value = racks[seat];
      $(`edit-score-${seat + 1}`).value = scores[seat];
    }
    $("edit-seat").replaceChildren(...page.names.map((name, seat) => new Option(name, seat)));
    $("edit-seat").value = isEmpty ? 0 : node.seat;
    $("edit-zeros").value = isEmpty ? 0 : position.zeros;
    page.isEditing = true;
    document.body.classList.add("editing");
    openTab("position");
    $("edit-form").hidden = false;
    $("edit-begin").hidden = true;
    page.board.edit(Object.assign(new Position(), position, { squares: position.squares.map(() => "") }), page.rules, isEmpty ? [] : position.squares);
    say("Set up the position: type on the board, or drag tiles to it");
  });
}

/** The position as it is set up now. */
function built() {
  const { board, rules } = page;
  const racks = FIELDS.map((id) => rules.rack($(id).value));
  const scores = [1, 2].map((seat) => Math.round(Number($(`edit-score-${seat}`).value)) || 0);
  const isSecond = $("edit-seat").value === "1";
  return Object.assign(new Position(), board.position, {
    squares: board.position.squares.map((_, at) => board.placed.get(at) ?? ""),
    racks: isSecond ? racks.reverse() : racks,
    scores: isSecond ? scores.reverse() : scores,
    zeros: String(Math.round(Number($("edit-zeros").value)) || 0),
  });
}

/** Counts the tiles while they are placed. */
export function countTiles() {
  const position = built();
  const rack = position.racks.join("");
  const tooMany = [...position.unseen(page.rules, rack)].filter(([, left]) => left < 0);
  const named = tooMany.map(([face, left]) => {
    const has = page.rules.tiles.get(face)?.count;
    return has === undefined ? `${face} is not a tile of this game` : `${face}: ${has - left} used, the game has ${has}`;
  });
  const used = position.squares.filter(Boolean).length;
  $("edit-count").textContent = named.length ? named.join("; ") : `${used} tile${used === 1 ? "" : "s"} on the board, ${split(rack).length} on the racks`;
  $("edit-count").classList.toggle("wrong", named.length > 0);
  showUnseen(position, rack);
}

/** Finishes the position. If the engine refuses it, editing goes on, so that it can be corrected. */
export function endEditing() {
  return then(async () => {
    const position = built();
    const seat = Number($("edit-seat").value);
    const { names } = page;
    await page.wire.ask(`position cgp ${position.cgp()}`);
    endGame();
    page.names = names;
    await show(root(position, seat));
    openTab("rank");
    say("The position is set up");
  });
}

export function leaveEditing() {
  return then(async () => {
    await show(page.node);
    say("Cancelled: the position is unchanged");
  });
}

/** Takes all tiles off the board. */
export function clearBoard() {
  page.board.placed.clear();
  page.board.draw();
  countTiles();
}
