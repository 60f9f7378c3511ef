// A game against the engine: moves, challenges, the clock and the end. `game.js` has the tiles.

import { Clock } from "./clock.js";
import { Deal, WRONG_CHALLENGE } from "./game.js";
import { say, speakLater } from "./notices.js";
import { Position, challengeRule } from "./position.js";
import { canBeDoubted, emptyBoard, endGame, play, rulesOf, show, tellScores } from "./show.js";
import { $, page, then } from "./state.js";
import { openTab } from "./tabs.js";
import { root } from "./tree.js";
import { answer } from "./wire.js";

export function startGame() {
  return then(async () => {
    if (page.deal) throw new Error("a game against the engine is in progress: give it up first");
    const position = await emptyBoard($("game-challenge").value);
    await page.wire.ask(`position cgp ${position.cgp()}`);
    judge("");
    const deal = Deal.begin(await rulesOf(position));
    page.deal = deal;
    page.names = deal.engineSeat === 0 ? ["Engine", "You"] : ["You", "Engine"];
    position.racks = deal.seenBy(0);
    document.body.classList.add("in-game");
    openTab("play");
    const minutes = Number($("minutes").value);
    page.clock = minutes > 0 ? new Clock(minutes * 60_000, Number($("increment").value) * 1000, drawClock) : null;
    await show(root(position));
    page.clock?.press(0);
    say(deal.engineSeat === 0 ? "The engine begins" : "You begin");
    if (deal.engineSeat === 0) await engineTurn();
  });
}

export function drawClock(seat, text, ms) {
  const element = $(`clock-${seat + 1}`);
  if (element.textContent !== text) element.textContent = text;
  element.classList.toggle("late", ms < 0);
  if (page.deal && seat !== page.deal.engineSeat && text === "1:00") speakLater("One minute left");
}

/** Shows the outcome of a challenge until the player's next move. */
function judge(text) {
  $("judgement").textContent = text;
}

/** The words that a move makes, and those of them that are not in the lexicon. */
async function wordsOf(move, cgp) {
  const told = answer(await page.wire.ask(`position cgp ${cgp}`, `score ${move}`), "score").split(" ");
  const list = (key) => told[told.indexOf(key) + 1].split("|").filter((word) => word !== "-");
  return { words: list("words"), invalid: list("invalid") };
}

/** The player's move, as a phony if the engine challenges it off: it does so with every invalid word, where the rules let one be played. */
export async function challenged(move) {
  judge("");
  if (challengeRule(page.node.cgp) === "void") return move;
  const { invalid } = await wordsOf(move, page.node.cgp);
  if (!invalid.length) return move;
  judge(`The engine challenges. Not in ${$("lexicon").value}: ${invalid.join(", ")}. The tiles go back to your rack, and your turn is over`);
  return `phony.${move}`;
}

/** The player challenges the engine's play. The engine plays only valid words, so the challenge fails and costs what the rule says. */
export function doubt() {
  return then(async () => {
    if (!canBeDoubted()) throw new Error("there is no play of the engine to challenge");
    const { node } = page;
    const { words } = await wordsOf(node.move, node.parent.cgp);
    const { text, points, turn } = WRONG_CHALLENGE[challengeRule(node.cgp)];
    const told = `Your challenge fails: ${words.join(", ")} ${words.length === 1 ? "is" : "are"} in ${$("lexicon").value}. It costs ${text}`;
    node.isDoubted = true;
    if (turn) {
      await playInGame("pass", "Failed challenge");
    } else {
      if (points) await payFor(points);
      else await show(node);
      say("Your turn");
    }
    judge(told);
  });
}

/** Adds the points of a failed challenge to the engine's play. */
async function payFor(points) {
  const { node, deal } = page;
  const move = `${node.move}..${points}`;
  await page.wire.ask(`position cgp ${node.parent.cgp}`, `play ${move}`);
  const position = Position.read(answer(await page.wire.ask("cgp"), "cgp"));
  position.racks = deal.seenBy(node.seat);
  Object.assign(node, { cgp: position.cgp(), move });
  await show(node);
}

/** Plays a move of a game, draws tiles, and lets the engine answer. `note` replaces the move in the list. */
export async function playInGame(move, note = null) {
  const { node, deal } = page;
  const { seat, cgp } = node;
  const position = Position.read(cgp);
  // The points at the end of the game depend on both racks.
  node.cgp = position.cgp([deal.rack(seat), deal.rack(1 - seat)]);
  page.deal = deal.after(page.rules, position, move, seat);
  let made;
  try {
    made = await play(move, page.deal.seenBy(1 - seat), note);
  } catch (error) {
    page.deal = deal;
    node.cgp = cgp;
    throw error;
  }
  // The game was given up while the engine answered.
  if (!page.deal) return;
  if (made.over !== "no") return gameOver();
  page.clock?.press(page.node.seat);
  if (page.node.seat === page.deal.engineSeat) await engineTurn();
}

/** The number in a field, rounded and within its limits. */
function whole(id, usual) {
  const { value, min, max } = $(id);
  return Math.min(Math.max(Math.round(Number(value)) || usual, Number(min)), Number(max) || usual);
}

export async function engineTurn() {
  const { deal: playing, clock, node } = page;
  say("The engine is thinking");
  const seconds = Math.max(Number($("engine-seconds").value) || 1, 0.1);
  const me = playing.engineSeat;
  const left = (seat) => Math.max(Math.round(clock.left(seat)), 1);
  const time = clock ? `mytime ${left(me)} myinc ${clock.increment}` : `movetime ${Math.round(seconds * 1000)}`;
  const options = { Level: whole("level", 10), Threads: whole("threads", 1), Seed: playing.seed };
  await page.wire.ask(...Object.entries(options).map(([name, value]) => `setoption name ${name} value ${value}`));
  await page.wire.ask(`position cgp ${node.cgp}`);
  if (page.deal !== playing) return;
  const move = await page.wire.go(`go auto ${time}`, () => {});
  // Meanwhile the game may have been given up.
  if (playing && page.deal === playing) await playInGame(move);
}

async function gameOver() {
  const { clock, node } = page;
  const late = clock ? [0, 1].map((seat) => clock.penalty(seat)) : [0, 0];
  const isLate = late[0] + late[1] > 0;
  endGame();
  if (isLate) takeOff(node, late);
  await show(node);
  openTab("rank");
  say(`The game is over: ${tellScores()}${isLate ? ", after the penalty for time" : ""}. Press Analyse the game to see where it was won and lost.`);
}

/** Takes points for time off the scores at the end of a game. */
function takeOff(node, late) {
  const position = Position.read(node.cgp);
  position.scores = [node.seat, 1 - node.seat].map((seat, at) => position.scores[at] - late[seat]);
  Object.assign(node, { cgp: position.cgp(), late });
}

export function giveUp() {
  // Not queued, since the engine may be thinking.
  endGame();
  page.wire.stop();
  then(() => show(page.node)).then(() => {
    openTab("rank");
    say("You gave up the game");
  });
}
