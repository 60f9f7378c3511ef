// A quiz from a game: it shows each turn without what followed, and compares the user's play with the ranking and with the play of the game.

import { search } from "./analysis.js";
import { complain, hand, say } from "./notices.js";
import { isSearchable } from "./position.js";
import { lossOf } from "./ranking.js";
import { keepRanking, offerPlays, show, showGame } from "./show.js";
import { $, page, then } from "./state.js";
import { openTab } from "./tabs.js";
import { lineOf, rootOf } from "./tree.js";
import { answer } from "./wire.js";
import { moveText } from "./words.js";

const BEST_SHOWN = 3;
const AS_GOOD = 0.05; // A smaller loss counts as none.

let course = null; // {turns, at, results, back}: the turns, the current one, the losses of the plays, the node to return to.

/** Begins a quiz, or ends the one in progress. */
export function toggleQuiz() {
  return course ? endQuiz() : beginQuiz();
}

function beginQuiz() {
  return then(async () => {
    if (page.deal) throw new Error("this is not possible in a game against the engine");
    const line = lineOf(page.node);
    const turns = line.slice(0, -1).filter((node, at) => node.over === "no" && line[at + 1].move !== "pass" && (node.rack || / [^ /]+\//.test(node.cgp)));
    if (!turns.length) throw new Error("there is no game with known racks: load one, or play one");
    course = { turns, at: -1, results: [], back: page.node };
    $("quiz").textContent = "End the quiz";
    openTab("study");
    await nextTurn();
  });
}

export function nextQuizTurn() {
  return then(nextTurn);
}

async function nextTurn() {
  if (isOfAnotherGame()) return leave();
  course.at += 1;
  if (course.at >= course.turns.length) return leave();
  await ask(course.turns[course.at]);
}

async function ask(turn) {
  page.quiz = turn;
  document.body.classList.add("in-quiz");
  await show(turn);
  $("quiz-next").hidden = true;
  $("quiz-reveal").hidden = false;
  tell(`Turn ${lineOf(turn).indexOf(turn) + 1}: what would you play? Place the tiles, and press Play. ${tellResults()}`);
  say(`${page.names[turn.seat]} to play: find the best play`);
}

function tell(...lines) {
  $("quiz-told").replaceChildren(...lines.map((textContent) => Object.assign(document.createElement("p"), { textContent })));
}

function tellResults() {
  const { results } = course;
  if (!results.length) return "";
  const best = results.filter((loss) => loss.by < AS_GOOD).length;
  // A static ranking has points and no chance of winning: they are averaged apart.
  const means = [" %", " points"].flatMap((unit) => {
    const losses = results.filter((loss) => loss.unit === unit);
    if (!losses.length) return [];
    const mean = losses.reduce((sum, loss) => sum + loss.by, 0) / losses.length;
    return [`${mean.toFixed(1)}${unit}`];
  });
  return `So far ${best} of ${results.length} plays were best; the average loss is ${means.join(" or ")} per turn.`;
}

/** Judges a guessed play, or shows the answer without one (null), by the ranking of the position. */
export function guess(move) {
  const place = hand();
  return then(async () => {
    const node = page.quiz;
    // The turn has been judged meanwhile.
    if (!node) return;
    const made = node.children.at(-1)?.move ?? null;
    if (move) {
      const told = answer(await page.wire.ask(`position cgp ${node.cgp}`, `score ${move}`), "score").split(" ");
      const invalid = told[told.indexOf("invalid") + 1];
      if (invalid !== "-") throw new Error(`not in ${$("lexicon").value}: ${invalid.replaceAll("|", ", ")}`);
    }
    const known = node.ranking && (!move || lossOf(node.ranking, move));
    if (known) return judge(node, move, made);
    const besides = [move, made].filter((each) => each && isSearchable(each));
    say("Analysing");
    const { ranking, board } = page;
    ranking.clear(board.position, page.rules, page.board.rack, made);
    const seconds = Math.max(Number($("quiz-seconds").value) || 2, 0.1);
    const words = `go auto movetime ${Math.round(seconds * 1000)}`;
    const hear = (line) => ranking.hear(line);
    const run = async (extra) => (await search(`${words}${extra}`, hear)).best;
    // The play of the game may be invalid in this lexicon.
    const done = run(besides.length ? ` alsosearchmoves ${[...new Set(besides)].join(" ")}` : "").catch(() => run(move ? ` alsosearchmoves ${move}` : ""));
    await done
      .then(() => {
        if (page.quiz !== node) return;
        keepRanking();
        judge(node, move, made);
      })
      .catch((error) => complain(error.message, place));
  });
}

function judge(node, move, made) {
  const kept = node.ranking;
  page.quiz = null;
  document.body.classList.remove("in-quiz");
  $("quiz-reveal").hidden = true;
  $("quiz-next").hidden = false;
  $("quiz-next").textContent = course.at + 1 < course.turns.length ? "Next turn" : "Finish";
  showGame();
  page.ranking.clear(page.board.position, page.rules, page.board.rack, made);
  if (!kept) return tell("No play could be ranked here.");
  page.ranking.showKept(kept);
  $("no-ranking").hidden = true;
  offerPlays();
  const lost = (each, who) => {
    const loss = each && lossOf(kept, each);
    if (!loss) return `${who}: ${moveText(each)}, which is not ranked.`;
    return `${who}: ${moveText(each)}, ${loss.by < AS_GOOD ? "as good as the best" : `${loss.by.toFixed(1)}${loss.unit} worse than the best`}.`;
  };
  const loss = move && lossOf(kept, move);
  if (loss) course.results.push(loss);
  const best = [...new Set(kept.order.map((key) => kept.rows.get(key).move))].slice(0, BEST_SHOWN);
  tell(...(move ? [lost(move, "Your play")] : []), ...(made ? [lost(made, "In the game")] : []), `Best: ${best.map(moveText).join("; ")}. The tab Analysis shows the whole ranking.`, tellResults());
  say(move ? lost(move, "Your play") : `Best: ${moveText(best[0])}`);
  $("quiz-next").focus();
}

/** Whether another game has been loaded meanwhile. */
function isOfAnotherGame() {
  return rootOf(course.back) !== rootOf(page.node);
}

function endQuiz() {
  return then(leave);
}

async function leave() {
  const { back, results } = course;
  const [told, isElsewhere] = [tellResults(), isOfAnotherGame()];
  course = null;
  page.quiz = null;
  document.body.classList.remove("in-quiz");
  $("quiz").textContent = "Begin the quiz";
  $("quiz-next").hidden = $("quiz-reveal").hidden = true;
  await show(isElsewhere ? page.node : back);
  tell(results.length ? told.replace("So far ", "") : "");
  say("The quiz is over");
}
