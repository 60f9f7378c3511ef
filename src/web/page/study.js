// The replies to a play: the best ones, the squares they cover, bingos of both sides; and two plays side by side.

import { search, searches, whyBetter } from "./analysis.js";
import { complain, hand, say } from "./notices.js";
import { squaresOf } from "./position.js";
import { offerPlays } from "./show.js";
import { $, notPlaying, page, then } from "./state.js";
import { lines, table } from "./tables.js";
import { answer, readRow } from "./wire.js";
import { moveText, tilesText } from "./words.js";

const REPLIES_SHOWN = 8;

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Reads the replies to a play from the lines of `go replies`: {own, reply, score, squares, replies}; the last block counts. */
function readReplies() {
  let told = null;
  return {
    hear(line) {
      const words = line.split(" ");
      if (!line.startsWith("info replies ")) return;
      const [kind, name] = words.slice(2);
      if (kind === "move") told = { squares: new Map(), replies: [] };
      else if (kind === "bingo") told[name] = readRow(`info bingo ${words.slice(4).join(" ")}`);
      else if (kind === "score") told.score = readRow(`info replies ${words.slice(2).join(" ")}`);
      else if (kind === "square") told.squares.set(name, Number(words[5]));
      else if (kind === "reply") told.replies.push({ move: name, prob: Number(words[5]), score: Number(words[7]) });
    },
    get told() {
      return told;
    },
  };
}

/** A chance with its likely range, or alone if it is exact. */
function chance({ prob, probse }) {
  return probse ? `${(100 * prob).toFixed(1)} ± ${(200 * probse).toFixed(1)} %` : percent(prob);
}

/** Begins to search the replies to a move, or to the board as it is if the move is "". Returns {done}, a promise of the result. */
async function repliesTo(move, seconds) {
  const reader = readReplies();
  const { best } = await search(`go replies${move ? ` move ${move}` : ""} movetime ${Math.round(seconds * 1000)} multipv ${REPLIES_SHOWN}`, (line) => reader.hear(line));
  return { done: best.then(() => reader.told) };
}

function secondsOf(id) {
  return Math.max(Number($(id).value) || 3, 0.1);
}

export function replies() {
  const place = hand();
  return then(async () => {
    notPlaying();
    const { node } = page;
    const move = $("replies-play").value;
    say("Looking at replies");
    const { done } = await repliesTo(move, secondsOf("replies-seconds"));
    done
      .then((told) => {
        if (told && page.node === node) showReplies(move, told);
      })
      .catch((error) => complain(error.message, place));
  });
}

function showReplies(move, told) {
  const { board } = page;
  const { size } = board.position;
  if (move) board.tryOut(squaresOf(move, size));
  else board.recall();
  const squares = [...told.squares].map(([name, prob]) => [(parseInt(name, 10) - 1) * size + name.replace(/\d+/, "").charCodeAt(0) - 65, prob]);
  board.showHeat(new Map(squares));
  $("heat-off").hidden = false;
  const after = move ? `after ${moveText(move)}` : "on this board";
  const facts = table(`Chances ${after}`, ["", "Chance"], [
    ["Bingo of the opponent in reply", chance(told.reply)],
    ["Bingo on the player's next turn", chance(told.own)],
    ["Points of the best reply, on average", `${told.score.score.toFixed(1)} ± ${(2 * told.score.scorese).toFixed(1)}`],
  ]);
  const rows = told.replies.map(({ move, prob, score }) => [moveText(move), percent(prob), String(score)]);
  const most = table("Most frequent replies", ["Reply", "How often", "Points"], rows);
  const hottest = [...told.squares].sort(([, one], [, other]) => other - one).slice(0, 5);
  const places = Object.assign(document.createElement("p"), { className: "note" });
  places.textContent = hottest.length ? `The board shows where the best replies fall: most often on ${hottest.map(([name, prob]) => `${name} (${Math.round(100 * prob)} %)`).join(", ")}` : "";
  $("replies-told").replaceChildren(facts, places, most);
  say(`Replies ${after}: the opponent has a bingo with ${percent(told.reply.prob)}`);
}

/** Removes the replies from the board. */
export function clearHeat() {
  page.board.showHeat(new Map());
  page.board.recall();
  $("heat-off").hidden = true;
}

/** Compares two plays by the ranking and by their replies. */
export function compare() {
  const place = hand();
  return then(async () => {
    notPlaying();
    const { node } = page;
    const moves = [$("compare-1").value, $("compare-2").value];
    if (!moves[0] || !moves[1]) throw new Error("there are no plays yet: press Analyse to rank some, or Add to analysis to add yours");
    if (moves[0] === moves[1]) throw new Error("choose two different plays");
    say("Comparing");
    const told = [];
    const scores = [];
    const why = await whyBetter(node, ...moves);
    let mine = null; // The number of the last search of this comparison.
    const next = async () => {
      if (page.node !== node || (mine !== null && searches !== mine)) return;
      if (told.length === 2) return showComparison(moves, told, scores, why);
      const move = moves[told.length];
      const found = answer(await page.wire.ask(`position cgp ${node.cgp}`, `score ${move}`), "score").split(" ");
      scores.push({ points: Number(found[2]), leave: found[4] === "-" ? "" : found[4] });
      const { done } = await repliesTo(move, secondsOf("replies-seconds"));
      mine = searches;
      // Not awaited within this job, so that the search can be stopped.
      done.then((replies) => {
        if (!replies) return;
        told.push(replies);
        return then(next);
      }).catch((error) => complain(error.message, place));
    };
    await next();
  });
}

function showComparison(moves, told, scores, why) {
  const rows = moves.map((move) => page.ranking.row(move));
  const line = (name, values, digits, errors = null) => {
    if (values.some((value) => !Number.isFinite(value))) return null;
    const by = values[0] - values[1];
    const spread = errors?.every(Number.isFinite) ? ` ± ${(2 * Math.hypot(...errors)).toFixed(digits)}` : "";
    return [name, ...values.map((value) => value.toFixed(digits)), `${by > 0 ? "+" : by < 0 ? "−" : ""}${Math.abs(by).toFixed(digits)}${spread}`];
  };
  const of = (key) => rows.map((row) => row?.[key]);
  const shown = [
    line("Win %", of("iters").every((many) => many > 0) ? of("wp") : [NaN], 1, of("wpse")),
    line("Points", scores.map(({ points }) => points), 0),
    line("Equity", of("eq"), 1, of("eqse")),
    ["Leave", ...scores.map(({ leave }) => tilesText(leave) || "–"), ""],
    line("Player's next bingo, %", told.map(({ own }) => 100 * own.prob), 1, told.map(({ own }) => 100 * own.probse)),
    line("Opponent's bingo in reply, %", told.map(({ reply }) => 100 * reply.prob), 1, told.map(({ reply }) => 100 * reply.probse)),
    line("Points of the best reply", told.map(({ score }) => score.score), 1, told.map(({ score }) => score.scorese)),
    ["Most frequent reply", ...told.map(({ replies: [first] }) => (first ? `${moveText(first.move)}, ${percent(first.prob)}` : "–")), ""],
  ].filter(Boolean);
  $("compared").replaceChildren(table("Two plays", ["", ...moves.map(moveText), "Difference"], shown), ...lines(why));
  offerPlays();
  say(`Compared: ${moves.map(moveText).join(" and ")}`);
}
