// Shows a position of the tree, and all that belongs to it: board, rack, scores, turns, curve, unseen tiles. Start with `show`.

import { drawCurve } from "./curve.js";
import { keep } from "./memory.js";
import { say, speakLater } from "./notices.js";
import { Position, challengeRule, squaresOf, writeMove } from "./position.js";
import { Rules, plain, split } from "./rules.js";
import { $, page, then } from "./state.js";
import { child, lineOf, rootOf } from "./tree.js";
import { drawTurns } from "./turns.js";
import { answer } from "./wire.js";
import { inWords, moveText } from "./words.js";

const known = new Map(); // Rules by the size and the opcodes of a position.

/** The rules of a position that the engine has been given. */
export async function rulesOf(position) {
  const key = `${position.size} ${position.opcodes}`;
  if (!known.has(key)) known.set(key, Rules.read(await page.wire.ask("rules")));
  return known.get(key);
}

/** Shows a position of the tree. */
export async function show(next) {
  await page.wire.stop();
  await page.wire.ask(`position cgp ${next.cgp}`);
  const position = Position.read(next.cgp);
  const rules = await rulesOf(position);
  if (page.node && page.node !== next) keepRanking();
  leaveEditing();
  if (page.node && rootOf(next) !== rootOf(page.node) && lineOf(page.node).length > 1) page.dropped = { node: page.node, names: page.shownNames };
  page.shownNames = page.names;
  page.node = next;
  page.rules = rules;
  page.candidates = [];
  const { board, ranking, deal, node } = page;
  // In a game the player's rack is shown, whoever is on turn.
  const rack = deal ? deal.rack(1 - deal.engineSeat) : position.racks[0];
  const last = node.move ? squaresOf(node.move, position.size).map(([at]) => at) : [];
  board.show(position, rules, rack, last.filter((at) => position.squares[at]));
  ranking.clear(position, rules, rack, madeFrom(node));
  if (node.ranking && !deal && !page.quiz) ranking.showKept(node.ranking);
  $("rack-text").value = position.racks[0];
  $("other-text").value = deal ? "" : position.racks[1];
  for (const seat of [0, 1]) {
    $(`name-${seat + 1}`).textContent = page.names[seat];
    $(`score-${seat + 1}`).textContent = position.scores[seat === node.seat ? 0 : 1];
    $(`player-${seat + 1}`).classList.toggle("on-turn", seat === node.seat);
  }
  showUnseen(position, rack);
  showGame();
  offerPlays();
  for (const id of ["terms", "inferred", "replies-told", "compared"]) $(id).replaceChildren();
  $("heat-off").hidden = true;
  $("no-ranking").hidden = Boolean(node.ranking) && !page.quiz;
  $("try").textContent = "";
  $("infer").disabled = !node.parent;
  $("undo").disabled = !node.parent && !page.dropped;
  $("doubt").hidden = challengeRule(node.cgp) === "void";
  $("doubt").disabled = !canBeDoubted();
  keepState();
}

function leaveEditing() {
  page.isEditing = false;
  document.body.classList.remove("editing");
  $("edit-form").hidden = true;
  $("edit-begin").hidden = false;
}

/** The play that was made from a node, for the ranking. */
function madeFrom(node) {
  return page.deal || page.quiz ? null : (node.children.at(-1)?.move ?? null);
}

/** Keeps the ranking with its position. */
export function keepRanking() {
  page.node.ranking = page.ranking.kept() ?? page.node.ranking;
}

/** Draws the list of turns and the curve. */
export function showGame() {
  const go = page.deal || page.quiz ? null : (at) => then(() => show(at));
  drawTurns($("moves"), [$("moves-1"), $("moves-2")], page.node, page.names, go, Boolean(page.quiz));
  const hasCurve = !page.deal && !page.quiz && drawCurve($("curve"), page.node, page.names, go);
  if (!hasCurve) $("curve").replaceChildren();
  $("analyse-game").disabled = !page.node.parent && !page.node.children.length;
}

/** The plays of the ranking, to be chosen for replies and for a comparison. */
export function offerPlays() {
  const { ranking, node, candidates } = page;
  const moves = [...new Set([...ranking.moves.slice(0, 30), ...candidates, ...(page.quiz ? [] : node.children.map(({ move }) => move))])].filter((move) => !/^phony\.|\.\./.test(move));
  ["replies-play", "compare-1", "compare-2"].forEach((id, at) => {
    const select = $(id);
    const old = select.value;
    const nothing = id === "replies-play" ? "the board as it is" : "no play yet";
    const offered = id === "replies-play" || !moves.length ? ["", ...moves] : moves;
    if (select.options.length === offered.length && offered.every((move, at) => select.options[at].value === move)) return;
    select.replaceChildren(...offered.map((move) => new Option(move ? moveText(move) : nothing, move)));
    const made = node.children.at(-1)?.move;
    const usual = at === 0 ? "" : at === 1 ? offered[0] : offered.includes(made) && made !== offered[0] ? made : (offered[1] ?? offered[0]);
    select.value = offered.includes(old) && old !== "" ? old : (usual ?? "");
  });
  // Chooses two different plays, if there are two.
  const [one, other] = [$("compare-1"), $("compare-2")];
  if (one.value === other.value) one.value = moves.find((move) => move !== other.value) ?? other.value;
}

/** The settings that are kept with the games. */
const SETTINGS = ["lexicon", "letters", "layout", "variant", "challenge", "game-challenge", "level", "engine-seconds", "threads"];

/** Keeps the state of the page, so that it survives a reload. */
export function keepState() {
  if (!page.node) return;
  if (!page.deal && !page.quiz) keepRanking();
  const settings = Object.fromEntries(SETTINGS.map((id) => [id, $(id).value]));
  keep({ root: rootOf(page.node), shown: page.node, names: page.names, settings, deal: page.deal, clock: page.clock?.state() });
}

/** Shows the tiles that are neither on the board nor on this rack, each with its number, and how many of each kind there are. */
export function showUnseen(position, rack) {
  const left = [...position.unseen(page.rules, rack)].filter(([, many]) => many > 0);
  const count = left.reduce((sum, [, many]) => sum + many, 0);
  const entries = left.map(([face, many]) => {
    const entry = document.createElement("span");
    entry.append(Object.assign(document.createElement("b"), { textContent: plain(face) }), Object.assign(document.createElement("span"), { textContent: many }));
    return entry;
  });
  $("unseen").replaceChildren(...entries.flatMap((entry) => [entry, " "]));
  $("unseen-count").textContent = count;
  const kinds = ["vowel", "consonant", "blank"].map((kind) => {
    const many = left.filter(([face]) => page.rules.tiles.get(face)?.kind === kind).reduce((sum, [, many]) => sum + many, 0);
    return `${many} ${kind}${many === 1 ? "" : "s"}`;
  });
  $("unseen-kinds").textContent = kinds.join(", ");
  // The unknown tiles of a rack are among the unseen tiles.
  const inBag = Math.max(count - page.rules.rackSize - (page.rules.rackSize - split(rack).length), 0);
  $("bag").textContent = `bag ${inBag}`;
}

/** Plays a move on the position shown, and shows the new position. `note` replaces the move in the list. */
export async function play(move, racksAfter = null, note = null) {
  const { node } = page;
  const earlier = node.children.find((child) => child.move === move);
  if (earlier && !page.deal) return show(earlier);
  await page.wire.stop();
  const told = answer(await page.wire.ask(`position cgp ${node.cgp}`, `play ${move}`), "play").split(" ");
  const value = (key) => told[told.indexOf(key) + 1];
  const position = Position.read(answer(await page.wire.ask("cgp"), "cgp"));
  if (racksAfter) position.racks = racksAfter;
  node.rack = Position.read(node.cgp).racks[0];
  const made = child(node, { cgp: position.cgp(), move, points: Number(value("score")), seat: 1 - node.seat, over: value("over") });
  if (note) made.note = note;
  await show(made);
  if (made.over !== "no") say(`The game is over: ${tellScores()}`);
  else say(value("invalid") === "-" ? `${moveText(move)} for ${value("score")}` : `${moveText(move)} (not in the lexicon: ${value("invalid")})`);
  return made;
}

export function tellScores() {
  return [1, 2].map((seat) => `${$(`name-${seat}`).textContent} ${$(`score-${seat}`).textContent}`).join(", ");
}

/** Shows the score of the tried tiles after a change, or why they are not a play. */
export function tryChanged(message) {
  const { board } = page;
  const tell = (text, isWrong = false) => {
    $("try").textContent = text;
    $("try").classList.toggle("wrong", isWrong);
    speakLater(text);
  };
  if (message || !board.placed.size) return tell(message ?? "", Boolean(message));
  let move;
  try {
    move = writeMove(board.position, board.placed, board.isDown);
  } catch (error) {
    return tell(inWords(error.message));
  }
  then(async () => {
    const told = await page.wire.ask(`score ${move}`).catch((error) => [`${move}: ${error.message}`]);
    const found = /^score (\S+) score (\S+) leave (\S+) words (\S+) invalid (\S+)/.exec(told.at(-1));
    // The other columns in a message are also for the author of the line.
    const why = inWords(told.at(-1).replace(/ ?column \d+:/g, ""));
    // In a game where phonies may be played, it is up to the player to know the words.
    const isTold = found && found[5] !== "-" && !(page.deal && challengeRule(page.node.cgp) !== "void");
    tell(found ? `${moveText(found[1])} scores ${found[2]}${isTold ? `, not in the lexicon: ${found[5]}` : ""}` : why, !found || isTold);
  });
}

export function setUp(challenge) {
  const chosen = { LetterDistribution: $("letters").value, Layout: $("layout").value, Variant: $("variant").value, ChallengeRule: challenge, Lexicon: $("lexicon").value };
  return Object.entries(chosen).filter(([, value]) => value).map(([name, value]) => `setoption name ${name} value ${value}`);
}

/** An empty board of the chosen letters, board and words. */
export async function emptyBoard(challenge = $("challenge").value) {
  endGame();
  await page.wire.stop();
  return Position.read(answer(await page.wire.ask(...setUp(challenge), "position startpos", "cgp"), "cgp"));
}

/** Leaves a game against the engine, and a quiz. */
export function endGame() {
  page.clock?.stop();
  page.clock = null;
  page.deal = null;
  page.quiz = null;
  for (const seat of [1, 2]) $(`clock-${seat}`).textContent = "";
  document.body.classList.remove("in-game", "in-quiz");
}

/** Whether the last move is a play of the engine that the player may challenge: once, and before the game is over. */
export function canBeDoubted() {
  const { node, deal } = page;
  const isEngines = Boolean(deal && node.parent) && node.seat !== deal.engineSeat;
  return isEngines && !node.isDoubted && challengeRule(node.cgp) !== "void" && squaresOf(node.move, page.rules.size).length > 0;
}

/** Chooses the lexicon that a game names, if it is available. */
export function chooseLexicon(name) {
  const option = [...$("lexicon").options].find((option) => option.value.toLowerCase() === name?.toLowerCase());
  if (option) $("lexicon").value = option.value;
}
