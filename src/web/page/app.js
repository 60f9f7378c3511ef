// The page: a tree of positions, an analysis of the one that is shown, a game against the engine. Every fact comes from the engine through the protocol.
//
// `connection.js` connects to the engine, and `wire.js` talks to it; all parts share `state.js`. `show.js` shows a position of the tree
// (`tree.js`), with `board.js`, `ranking.js`, `turns.js` and `curve.js`. The user's actions are in `analysis.js`, `study.js`, `quiz.js`,
// `against.js`, `setup.js`, `load.js` and `saving.js`; `controls.js` binds buttons and keys to them, and `commands.js` the command line.
// `notices.js` reports the results, in the words of `words.js`. Start with `start`.

import { challenged, doubt, drawClock, engineTurn, playInGame, startGame } from "./against.js";
import { analyse, evaluate, infer, stop } from "./analysis.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { addFile, connect, linkTo, linkedPosition, reportSecret } from "./connection.js";
import { askLetter, wireControls } from "./controls.js";
import { Deal } from "./game.js";
import { Hands } from "./hands.js";
import { load } from "./load.js";
import { kept } from "./memory.js";
import { complain, hand, say, speakLater } from "./notices.js";
import { Position, challengeRule, squaresOf, writeMove } from "./position.js";
import { guess, toggleQuiz } from "./quiz.js";
import { Ranking } from "./ranking.js";
import { plain, split } from "./rules.js";
import { report, saveGame } from "./saving.js";
import { beginEditing, countTiles, endEditing } from "./setup.js";
import { emptyBoard, endGame, offerPlays, play, setUp, show, tellScores, tryChanged } from "./show.js";
import { $, page, then } from "./state.js";
import { compare, replies } from "./study.js";
import { openTab } from "./tabs.js";
import { STEPS, root } from "./tree.js";
import { answer } from "./wire.js";
import { answerText, moveText } from "./words.js";

const LINES_SHOWN = 500;
const RESTART_MS = 10_000; // An engine that ends twice within this time is not started a third time.

/** Prepares a new engine for a position and shows it. In a game the engine's turn is a job of its own, so that the page can be used meanwhile. */
async function goOnAt(at) {
  await page.wire.ask(...setUp(challengeRule(at.cgp)));
  await show(at);
  if (page.deal && page.node.seat === page.deal.engineSeat) then(engineTurn);
}

/** Restores the state that was kept. */
function goOnWith(state) {
  return then(async () => {
    for (const [id, value] of Object.entries(state.settings)) {
      // The engine has not listed the names for this choice yet.
      if ($(id).tagName === "SELECT" && ![...$(id).options].some((option) => option.value === value)) $(id).append(new Option(value));
      $(id).value = value;
    }
    page.names = state.names;
    page.deal = state.deal && Object.assign(new Deal(), state.deal);
    document.body.classList.toggle("in-game", Boolean(page.deal));
    if (page.deal) openTab("play");
    await goOnAt(state.shown);
    page.clock = page.deal && state.clock ? Clock.of(state.clock, drawClock) : null;
    page.clock?.press(page.node.seat);
    say("Ready: the page is as you left it");
  });
}

// The lines of the protocol.

const lines = []; // The latest lines, sent and received.
let linesDue = false;

function noteLine(line, way) {
  lines.push([line.startsWith("bridge hello token") ? "bridge hello token …" : line, way]);
  if (lines.length > LINES_SHOWN) lines.shift();
  // Drawn only while the list is open.
  if (linesDue || !$("lines-part").open) return;
  linesDue = true;
  requestAnimationFrame(drawLines);
}

function drawLines() {
  linesDue = false;
  $("lines").textContent = lines.map(([line, way]) => `${way === "sent" ? ">" : "<"} ${line}\n`).join("");
  $("lines").scrollTop = $("lines").scrollHeight;
}

// The actions of the page, which `commands.js` and `controls.js` use.

const notInGame = () => {
  if (page.deal) throw new Error("this is not possible in a game against the engine");
  if (page.quiz) throw new Error("the quiz waits for your play: find one, or end the quiz");
};

/** The move that the tried tiles form. */
const moveTried = () => writeMove(page.board.position, page.board.placed, page.board.isDown);

Object.assign(page, {
  analyse,
  evaluate: async () => {
    await evaluate();
    const heads = [...$("terms").querySelectorAll("thead th")].map((head) => head.textContent.toLowerCase());
    const told = (row) => [...row.cells].map((cell, at) => (at ? `${heads[at]} ${cell.textContent}` : cell.textContent)).join(" ");
    return [...$("terms").querySelectorAll("tbody tr")].slice(0, 3).map(told).join("; ");
  },
  infer,
  load,
  report,
  saveGame,
  startGame,
  doubt,
  replies,
  compare,
  quizzes: toggleQuiz,
  setUpByHand: (rest) => (rest === "done" ? endEditing() : beginEditing(rest === "empty")),
  stop,
  readRack: (text) => page.rules.rack(text),
  readMove: (text) => {
    const [first, ...rest] = text.trim().split(/[.\s]+/);
    if (/^pass$/i.test(first)) return "pass";
    return /^ex$/i.test(first) ? `ex.${page.rules.rack(rest.join(""))}` : `${first.toUpperCase()}.${rest.join("")}`;
  },
  commit: async (move = null) => {
    const { deal, node } = page;
    if (page.isEditing) return endEditing();
    // Reported at once: a queued move would be played after the engine's turn.
    if (deal && node.seat === deal.engineSeat) return complain("it is the engine's turn", hand());
    if (page.quiz) {
      let guessed = move;
      await then(async () => (guessed ??= moveTried()));
      return guessed && guess(guessed);
    }
    await then(async () => {
      const made = move ?? moveTried();
      if (!page.deal) return play(made);
      const left = await challenged(made);
      // Meanwhile the game may have been given up.
      if (page.deal) await playInGame(left);
    });
  },
  tryMove: (move) => page.board.tryOut(squaresOf(move, page.board.position.size)),
  add: (move = null) => then(async () => {
    notInGame();
    const added = move ?? moveTried();
    if (!page.candidates.includes(added)) page.candidates.push(added);
    offerPlays();
    say(`${moveText(added)} will also be analysed`);
    page.board.recall();
    if (!page.wire.isSearching) return;
    await page.wire.stop();
    analyse();
  }),
  undo: () => then(async () => {
    notInGame();
    const { node, dropped } = page;
    if (!node.parent && dropped) {
      page.names = dropped.names;
      await show(dropped.node);
      return say("The previous game is restored");
    }
    if (!node.parent) throw new Error("nothing to undo");
    const { parent } = node;
    parent.children = parent.children.filter((child) => child !== node);
    await show(parent);
    say("Taken back");
  }),
  step: (way) => then(async () => {
    notInGame();
    await show(STEPS[way](page.node));
    speakLater(moveText(page.node.move));
  }),
  setRacks: (own, other) => then(async () => {
    if (page.deal) throw new Error("racks cannot be set in a game: they are dealt");
    notInGame();
    // The search still running is about the old rack.
    await page.wire.stop();
    const { node } = page;
    const position = Position.read(node.cgp);
    const { cgp, rack, ranking } = node;
    position.racks = [own === null ? position.racks[0] : page.rules.rack(own), other === null ? position.racks[1] : page.rules.rack(other)];
    node.cgp = position.cgp();
    node.rack = position.racks[0];
    node.ranking = null;
    try {
      await show(node);
      say("Racks set");
    } catch (error) {
      Object.assign(node, { cgp, rack, ranking });
      throw error;
    }
  }),
  askWords: async (question, words) => {
    let told = "";
    await then(async () => {
      told = answerText(await page.wire.ask(`${question} ${words}`));
    });
    return told;
  },
  newGame: () => then(async () => {
    if (page.deal) throw new Error("a game against the engine is in progress: give it up first");
    const position = await emptyBoard();
    page.names = ["Player 1", "Player 2"];
    await show(root(position));
    say("New game");
  }),
  copy: () => then(async () => {
    const cgp = answer(await page.wire.ask("cgp"), "cgp");
    await navigator.clipboard.writeText(cgp);
    say("Copied");
  }),
  copyLink: () => then(async () => {
    await navigator.clipboard.writeText(linkTo(answer(await page.wire.ask("cgp"), "cgp")));
    say("Link copied");
  }),
  tellRack: () => `Rack: ${split(page.board.rack).map((tile) => (tile === "?" ? "blank" : plain(tile))).join(" ") || "unknown"}`,
  tellState: () => `${tellScores()}; ${$("bag").textContent}; ${page.names[page.node.seat]} on turn`,
  tellUnseen: () => `${$("unseen-count").textContent} unseen: ${[...$("unseen").children].map((entry) => [...entry.children].map((part) => part.textContent).join(" ")).join(", ")}; ${$("unseen-kinds").textContent}`,
  tellTime: () => (page.clock ? [0, 1].map((seat) => `${page.names[seat]} ${$(`clock-${seat + 1}`).textContent}`).join(", ") : "no clock is running"),
});

/** Fills a list of choices with the names that the engine has. */
function offer(id, told, what, usual) {
  const pattern = new RegExp(`^${what} (?:("(?:[^"\\\\]|\\\\.)*")|(\\S+)) `);
  const names = told.map((line) => pattern.exec(line)).filter((found) => found).map(([, quoted, plain]) => plain ?? JSON.parse(quoted));
  const old = $(id).value || usual;
  $(id).replaceChildren(...names.map((name) => new Option(name)));
  if (names.includes(old)) $(id).value = old;
}

function listLexicons() {
  return then(async () => offer("lexicon", await page.wire.ask("lexicons"), "lexicon", "ENABLE"));
}

/** Connects to the engine. Returns the lines of the handshake. */
async function engage() {
  const { wire, handshake } = await connect(noteLine, goOn);
  page.wire = wire;
  return handshake;
}

let startedAgain = -Infinity; // When the engine was last restarted.

/** Restarts the engine after it has ended for this reason, at the position that is shown. */
async function goOn(reason) {
  say(reason);
  if (performance.now() - startedAgain < RESTART_MS) return complain(`${reason}. It stopped again at once: reload the page`, null);
  startedAgain = performance.now();
  try {
    await engage();
  } catch {
    return;
  }
  await then(async () => {
    // Both start jobs of their own, which run after this one.
    if (!page.node) return void page.newGame();
    await goOnAt(page.node);
    say("The engine ended and was restarted");
  });
}

async function start() {
  const changed = (message) => (page.isEditing ? countTiles() : tryChanged(message));
  page.board = new Board($("frame"), $("rack"), { changed, commit: () => page.commit(), add: () => page.add() });
  new Hands(page.board, askLetter);
  const parts = { body: $("ranking"), summary: $("summary"), detail: $("detail"), head: $("chance-head"), verdict: $("verdict"), why: $("why") };
  page.ranking = new Ranking(parts, page.tryMove);
  wireControls(listLexicons);
  $("lines-part").ontoggle = drawLines;
  $("report-part").hidden = reportSecret === null;
  $("files-row").hidden = addFile === null;
  $("link").hidden = linkTo === null;
  // Nothing can be used until the engine is ready.
  const parted = [document.querySelector("main"), document.querySelector(".header-tools")];
  parted.forEach((part) => (part.inert = true));
  let handshake;
  try {
    handshake = await engage();
  } catch (error) {
    return complain(error.message, null);
  }
  const threads = handshake.find((line) => line.startsWith("option name Threads "))?.match(/max (\d+)/)?.[1];
  if (threads) $("threads").max = $("threads").value = threads;
  const state = linkedPosition ? null : kept();
  if (state) await goOnWith(state);
  // The kept state may need a word list that is no longer available.
  if (!page.node) {
    endGame();
    $("lexicon").value = "ENABLE";
    await page.newGame();
    say("Ready: type a rack, or click a square and type a play");
  }
  if (linkedPosition) {
    await load(linkedPosition);
    history.replaceState(null, "", location.pathname + location.search);
  }
  parted.forEach((part) => (part.inert = false));
  performance.mark("ready");
  // The lists of choices are filled after the board is ready.
  await then(async () => {
    const told = await page.wire.ask("distributions", "layouts", "lexicons");
    offer("letters", told, "distribution", "english");
    offer("layout", told, "layout", "standard15");
    offer("lexicon", told, "lexicon", "ENABLE");
  });
}

start();
