// The analysis of the position that is shown (rankings, static values, the opponent's tiles), and of a whole game turn by turn.

import { complain, hand, say, speakLater } from "./notices.js";
import { chanceOf } from "./ranking.js";
import { keepRanking, offerPlays, show, showGame } from "./show.js";
import { isSearchable } from "./position.js";
import { $, notPlaying, page, then } from "./state.js";
import { inferredTables, staticTerms } from "./tables.js";
import { openTab } from "./tabs.js";
import { lineOf, withHistory } from "./tree.js";
import { readRow } from "./wire.js";
import { inWords, moveText } from "./words.js";

const LEADER_EVERY_MS = 15_000;
const CURVE_EVERY_MS = 1_000;
const SECONDS_A_TURN = 1; // For the analysis of a game, unless the field has another number.

let run = null; // The analysis of a game that is running.

export let searches = 0; // Counts searches and stops, so that a series of searches notices an interruption.

/** Begins a search on the position that is shown, and passes its lines to `hear`. Returns {best}, a promise of the best move. Ends an analysis of
 *  the game unless the search is part of it. */
export async function search(words, hear, ofRun = null) {
  searches += 1;
  if (run !== ofRun) run = null;
  await page.wire.stop();
  const options = { Threads: $("threads").value || 1, OpponentPasses: $("passes").checked, OpponentModel: $("model").value, Lexicon: $("lexicon").value, Level: 10, Seed: 0 };
  await page.wire.ask(...Object.entries(options).filter(([, value]) => value !== "").map(([name, value]) => `setoption name ${name} value ${value}`));
  // A changed rack may contradict the earlier turns.
  await page.wire.ask(...withHistory(page.node)).catch(() => page.wire.ask(`position cgp ${page.node.cgp}`));
  searching(true);
  const best = page.wire.go(words, hear).finally(() => searching(false));
  return { best };
}

/** Begins a search and reports its result. The search is not awaited, so that other questions can be asked meanwhile. */
async function analysed(words, hear, ofRun = null) {
  const place = hand();
  const { best } = await search(words, hear, ofRun);
  return { best: best.then((move) => say(move === "none" ? "Done" : `Best: ${moveText(move)}`)).catch((error) => complain(error.message, place)) };
}

/** The plays made from this position that can be searched. */
async function madeMoves() {
  const { node } = page;
  const made = [];
  for (const { move } of node.children) {
    if (!isSearchable(move)) continue;
    const told = await page.wire.ask(`position cgp ${node.cgp}`, `score ${move}`).catch(() => []);
    if (told.some((line) => /^score .* invalid -$/.test(line))) made.push(move);
  }
  return made;
}

/** Analyses the position that is shown. In the analysis of a game, `atMost` is the time in seconds. Returns a promise of {best}, which resolves
 *  when the search has begun. */
export function analyse(mode = null, atMost = null, ofRun = null) {
  let begun = null;
  return then(async () => {
    if (mode) $("mode").value = mode;
    const { value: kind } = $("mode");
    if (!kind) {
      $("mode").value = "auto";
      throw new Error(`unknown search "${mode}": expected auto, gen, sim, peg or endgame`);
    }
    notPlaying();
    const { ranking, board, node } = page;
    const made = node.children.at(-1)?.move ?? null;
    const besides = kind === "gen" ? page.candidates : [...new Set([...page.candidates, ...(await madeMoves())])];
    ranking.clear(board.position, page.rules, board.rack, made);
    $("no-ranking").hidden = true;
    const words = ["go", kind];
    const seconds = atMost ?? Number($("seconds").value);
    if (kind !== "gen") words.push(seconds > 0 ? `movetime ${Math.round(seconds * 1000)}` : "infinite");
    if ($("plies").value) words.push(`depth ${$("plies").value}`);
    if ($("plays").value) words.push(`plays ${$("plays").value}`);
    if ($("useinference").checked) words.push("useinference");
    if (besides.length) words.push("alsosearchmoves", ...besides);
    if (kind !== "gen" && kind !== "endgame") words.push("info 100");
    say("Analysing");
    let [leader, spoken, drawn] = ["", performance.now(), performance.now()];
    begun = await analysed(words.join(" "), (line) => {
      // The play made is added only if possible, so its refusal is not reported.
      const isNotice = /^info string (ignored|limit)/.test(line) && !(line.includes("alsosearchmoves") && !page.candidates.length);
      if (isNotice) say(inWords(line.replace("info string ", "")));
      ranking.hear(line);
      const now = performance.now();
      if (page.node === node && (line.startsWith("bestmove ") || now - drawn > CURVE_EVERY_MS)) {
        drawn = now;
        keepRanking();
        showGame();
        offerPlays();
      }
      const isDue = now - spoken > LEADER_EVERY_MS;
      if (!isDue || line.startsWith("info depth ")) return;
      spoken = now;
      const first = ranking.describe(1);
      if (first !== leader) speakLater((leader = first));
    }, ofRun);
    begun = { best: begun.best.then(() => then(() => tellWhy(node))) };
  }).then(() => begun);
}

/** Why one play of the last ranking is better than another, in sentences. Empty if the engine has no ranking of this position to explain it. */
export async function whyBetter(node, move, other) {
  const told = await page.wire.ask(`position cgp ${node.cgp}`, `why ${move} ${other}`).catch(() => []);
  return told.filter((line) => line.startsWith("why ")).map((line) => inWords(line.slice("why ".length)));
}

/** Shows why the best play is better than the play made or, if that is not ranked, than the next one. */
async function tellWhy(node) {
  const { ranking } = page;
  const [best, next] = ranking.moves;
  const made = node.children.at(-1)?.move;
  const other = made !== best && ranking.row(made) ? made : next;
  if (page.node !== node || !other || page.deal || page.quiz || page.wire.isSearching) return;
  ranking.tellWhy(await whyBetter(node, best, other));
  keepRanking();
}

function searching(is) {
  $("stop").disabled = !is;
  document.body.classList.toggle("searching", is);
}

export function infer() {
  return then(async () => {
    notPlaying();
    if (!page.node.parent) throw new Error("there is no turn before this position");
    const rows = [];
    const tiles = [];
    say("Guessing");
    $("inferred").replaceChildren();
    openTab("rank");
    $("infer-part").open = true;
    await analysed("go infer multipv 20", (line) => {
      if (line.startsWith("info string provenance")) rows.length = 0;
      if (/^info string (ignored|limit)/.test(line)) say(line.replace("info string ", ""));
      if (line.startsWith("info string infer tile ")) tiles.push(readRow(line.replace("info string ", "info ")));
      if (line.startsWith("info infer leave ")) rows.push(readRow(line));
      if (line.startsWith("bestmove")) $("inferred").replaceChildren(...inferredTables(rows.slice(-20), tiles));
    });
  });
}

export function evaluate() {
  return then(async () => {
    notPlaying();
    await page.wire.stop();
    const lines = await page.wire.ask(`position cgp ${page.node.cgp}`, "eval");
    const found = staticTerms(lines);
    if (!found) throw new Error("there is no play to evaluate");
    $("terms").replaceChildren(found);
    openTab("rank");
    $("terms-part").open = true;
  });
}

/** Stops the analysis. */
export function stop() {
  run = null;
  searches += 1;
  // The quiz awaits its search within a job, so a queued stop would come too late.
  return page.quiz ? page.wire.stop() : then(() => page.wire.stop());
}

/** Analyses every turn of the game that has no ranking, in order. A second call stops the analysis; so does showing another position. */
export async function analyseGame() {
  if (run) return stop();
  const mine = (run = {});
  const line = lineOf(page.node).filter(({ over }) => over === "no");
  const atMost = Number($("seconds").value) || SECONDS_A_TURN;
  $("analyse-game").textContent = "Stop";
  try {
    for (const at of line) {
      if (run !== mine || page.deal || page.quiz) break;
      if (chanceOf(at) !== null) continue;
      await then(() => show(at));
      if (run !== mine) break;
      // In some games the racks of the last turns are unknown.
      if (page.node !== at || !page.board.rack) continue;
      await (await analyse(null, atMost, mine))?.best;
      // Waits until the action that ended the search has shown its position.
      await then(() => {});
      if (page.node !== at || page.deal || page.quiz || page.isEditing) break;
    }
  } finally {
    if (run === mine) run = null;
    if (!run) $("analyse-game").textContent = "Analyse the game";
  }
}
