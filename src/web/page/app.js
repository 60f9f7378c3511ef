// The page: a tree of positions, an analysis of the one that is shown, a game against the engine. Every fact comes from the engine through the protocol.
//
// `connection.js` is the way to the engine and `wire.js` the conversation, `rules.js` the numbers and tiles of the game, `position.js` the notation, `board.js`, `ranking.js` and `tables.js` what is seen,
// `game.js` and `clock.js` a game, `report.js` what is said of it, `commands.js` the command line. Start with `start`.

import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { carryOut, helpText } from "./commands.js";
import { addFile, connect, linkTo, linkedPosition, reportSecret } from "./connection.js";
import { Deal, WRONG_CHALLENGE } from "./game.js";
import { keep, kept } from "./memory.js";
import { Position, challengeRule, readTurns, squaresOf, stated, writeMove } from "./position.js";
import { Ranking } from "./ranking.js";
import { Hands } from "./hands.js";
import { makeReport, withNames } from "./report.js";
import { Rules, plain, split } from "./rules.js";
import { inferredTables, staticTerms } from "./tables.js";
import { answer, readRow } from "./wire.js";

const $ = (id) => document.getElementById(id);
const LINES_SHOWN = 500;
const QUIET_MS = 700; // What is typed is spoken when the fingers rest.
const LEADER_EVERY_MS = 15_000;
const RESTART_MS = 10_000; // An engine that ends twice within this time is not started a third time.

let node; // The position shown: {cgp, move, text, rack, parent, children, seat, over}, and {event} in a game that was loaded: its root has the {record}.
let names = ["Player 1", "Player 2"];
let candidates = []; // Moves that are analysed beside the engine's own.
let deal = null; // The tiles of a game against the engine, while it is played.
let clock = null;
let work = Promise.resolve(); // What talks to the engine, one thing after another.
const known = new Map(); // Rules by the opcodes of a position and its size.

/** Does something that talks to the engine, after all that was begun before; what goes wrong is told. */
function then(job) {
  work = work.then(job).catch((error) => say(error.message));
  return work;
}

/** Tells something, to the eye and to the ear. */
function say(text) {
  $("status").textContent = text;
}

let quiet = null;
/** Tells the ear alone, once nothing newer has come for a moment. */
function speakLater(text) {
  clearTimeout(quiet);
  quiet = setTimeout(() => ($("spoken").textContent = text), QUIET_MS);
}

// Positions.

function child(parent, { cgp = "", move = null, text = "Start", rack = "", seat = 0, over = "no" }) {
  const made = { cgp, move, text, rack, parent, children: [], seat, over };
  parent?.children.push(made);
  return made;
}

function rootOf(at) {
  return at.parent ? rootOf(at.parent) : at;
}

function root(position) {
  return child(null, { cgp: position.cgp() });
}

/** The lines that set a position together with the turns before it, from which the engine infers. */
function withHistory(at) {
  const turns = [];
  let first = at;
  for (; first.parent && first.event === undefined; first = first.parent) turns.unshift(stated(first.move, first.parent.rack || Position.read(first.parent.cgp).racks[0]));
  if (!turns.length && first.event === undefined) return [`position cgp ${at.cgp}`];
  const [own, other] = Position.read(at.cgp).racks;
  const moves = [...turns, ...(own ? [`rack.${own}`] : [])];
  return [`position ${beginning(first)}${moves.length ? ` moves ${moves.join(" ")}` : ""}`, ...(other ? [`opprack ${other}`] : [])];
}

/** Where the turns before a position begin, for `position`: in a game that was loaded, before one of its events. */
function beginning(at) {
  if (at.event === undefined) return `cgp ${Position.read(at.cgp).cgp(["", ""])}`;
  return `record ${JSON.stringify(rootOf(at).record)}${at.event ? ` turn ${at.event}` : ""}`;
}

/** The rules of a position that is set. */
async function rulesOf(position) {
  const key = `${position.size} ${position.opcodes}`;
  if (!known.has(key)) known.set(key, Rules.read(await page.wire.ask("rules")));
  return known.get(key);
}

/** Shows a position of the tree. */
async function show(next) {
  await page.wire.stop();
  await page.wire.ask(`position cgp ${next.cgp}`);
  const position = Position.read(next.cgp);
  const rules = await rulesOf(position);
  if (node && node !== next) node.ranking = page.ranking.kept() ?? node.ranking;
  node = next;
  page.rules = rules;
  candidates = [];
  // In a game the own rack is shown, whoever is on turn.
  const rack = deal ? deal.rack(1 - deal.engineSeat) : position.racks[0];
  const last = node.move ? squaresOf(node.move, position.size).map(([at]) => at) : [];
  page.board.show(position, rules, rack, last.filter((at) => position.squares[at]));
  page.ranking.clear(position, rules, rack);
  if (node.ranking && !deal) page.ranking.showKept(node.ranking);
  $("rack-text").value = position.racks[0];
  $("other-text").value = deal ? "" : position.racks[1];
  for (const seat of [0, 1]) {
    $(`name-${seat + 1}`).textContent = names[seat];
    $(`score-${seat + 1}`).textContent = position.scores[seat === node.seat ? 0 : 1];
    $(`player-${seat + 1}`).classList.toggle("on-turn", seat === node.seat);
  }
  showUnseen(position, rack);
  showMoves();
  for (const id of ["terms", "inferred"]) $(id).replaceChildren();
  $("try").textContent = "";
  $("infer").disabled = !node.parent;
  $("doubt").hidden = challengeRule(node.cgp) === "void";
  $("doubt").disabled = !canBeDoubted();
  keepState();
}

/** What is set in the page and belongs to its games. */
const SETTINGS = ["lexicon", "letters", "layout", "variant", "challenge", "game-challenge", "level", "engine-seconds", "threads"];

/** Keeps what is shown for the case that the page is loaded again. */
function keepState() {
  if (!node) return;
  const settings = Object.fromEntries(SETTINGS.map((id) => [id, $(id).value]));
  keep({ root: rootOf(node), shown: node, names, settings, deal, clock: clock?.state() });
}

/** Sets a new engine up for a position and shows it. In a game the engine's turn comes after this, so that the page can be used meanwhile. */
async function goOnAt(at) {
  await page.wire.ask(...setUp(challengeRule(at.cgp)));
  await show(at);
  if (deal && node.seat === deal.engineSeat) then(engineTurn);
}

/** Goes on with the state that was kept. */
function goOnWith(state) {
  return then(async () => {
    for (const [id, value] of Object.entries(state.settings)) {
      // The names of lists that the engine has not told yet.
      if ($(id).tagName === "SELECT" && ![...$(id).options].some((option) => option.value === value)) $(id).append(new Option(value));
      $(id).value = value;
    }
    names = state.names;
    deal = state.deal && Object.assign(new Deal(), state.deal);
    document.body.classList.toggle("in-game", Boolean(deal));
    await goOnAt(state.shown);
    clock = deal && state.clock ? Clock.of(state.clock, drawClock) : null;
    clock?.press(node.seat);
    say("Ready: the page is as it was");
  });
}

function showUnseen(position, rack) {
  const left = [...position.unseen(page.rules, rack)].filter(([, many]) => many > 0);
  const count = left.reduce((sum, [, many]) => sum + many, 0);
  const entries = left.map(([face, many]) => {
    const entry = document.createElement("span");
    entry.textContent = plain(face).repeat(many);
    return entry;
  });
  $("unseen").replaceChildren(...entries.flatMap((entry) => [entry, " "]));
  $("unseen-count").textContent = count;
  $("bag").textContent = `bag ${Math.max(count - page.rules.rackSize, 0)}`;
}

function showMoves() {
  const line = [];
  for (let at = node; at; at = at.parent) line.unshift(at);
  for (let at = node; at.children.length; ) line.push((at = at.children.at(-1)));
  const button = (at, text) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.disabled = Boolean(deal);
    made.onclick = () => then(() => show(at));
    return made;
  };
  const entries = line.map((at) => {
    const entry = document.createElement("li");
    entry.append(button(at, at.text));
    if (at === node) entry.firstElementChild.ariaCurrent = "true";
    for (const other of (at.parent?.children ?? []).filter((other) => other !== at)) {
      entry.append(button(other, `or ${other.text}`));
      entry.lastElementChild.className = "branch";
    }
    return entry;
  });
  $("moves").replaceChildren(...entries);
  const current = $("moves").querySelector("[aria-current]");
  // Only this list is to scroll, not the page.
  if (current) $("moves").scrollTop = current.offsetTop - $("moves").clientHeight / 2;
}

/** Plays a move on the position shown, and shows what follows. */
async function play(move, racksAfter = null, text = null) {
  const earlier = node.children.find((child) => child.move === move);
  if (earlier && !deal) return show(earlier);
  await page.wire.stop();
  const told = answer(await page.wire.ask(`position cgp ${node.cgp}`, `play ${move}`), "play").split(" ");
  const value = (key) => told[told.indexOf(key) + 1];
  const position = Position.read(answer(await page.wire.ask("cgp"), "cgp"));
  if (racksAfter) position.racks = racksAfter;
  node.rack = Position.read(node.cgp).racks[0];
  const made = child(node, { cgp: position.cgp(), move, text: text ?? `${move} ${value("score")}`, seat: 1 - node.seat, over: value("over") });
  await show(made);
  if (made.over !== "no") say(`The game is over: ${tellScores()}`);
  else say(value("invalid") === "-" ? `${move} for ${value("score")}` : `${move}: not in the lexicon: ${value("invalid")}`);
  return made;
}

function tellScores() {
  return [1, 2].map((seat) => `${$(`name-${seat}`).textContent} ${$(`score-${seat}`).textContent}`).join(", ");
}

function tryChanged(message) {
  const { board } = page;
  const tell = (text) => {
    $("try").textContent = text;
    speakLater(text);
  };
  if (message || !board.placed.size) return tell(message ?? "");
  let move;
  try {
    move = writeMove(board.position, board.placed, board.isDown);
  } catch (error) {
    return tell(error.message);
  }
  then(async () => {
    const told = await page.wire.ask(`score ${move}`).catch((error) => [`${move}: ${error.message}`]);
    const found = /^score (\S+) score (\S+) leave (\S+) words (\S+) invalid (\S+)/.exec(told.at(-1));
    // The columns within a message are also for who wrote the line.
    const why = told.at(-1).replace(/ ?column \d+:/g, "");
    // Where phonies may be played, the player is to know the words.
    const isTold = found && found[5] !== "-" && !(deal && challengeRule(node.cgp) !== "void");
    tell(found ? `${found[1]} scores ${found[2]}${isTold ? `, not in the lexicon: ${found[5]}` : ""}` : why);
  });
}

function setUp(challenge) {
  const chosen = { LetterDistribution: $("letters").value, Layout: $("layout").value, Variant: $("variant").value, ChallengeRule: challenge, Lexicon: $("lexicon").value };
  return Object.entries(chosen).filter(([, value]) => value).map(([name, value]) => `setoption name ${name} value ${value}`);
}

/** An empty board of the chosen letters, board and words. */
async function emptyBoard(challenge = $("challenge").value) {
  endGame();
  await page.wire.stop();
  return Position.read(answer(await page.wire.ask(...setUp(challenge), "position startpos", "cgp"), "cgp"));
}

// Analysis.

async function analysed(words, hear) {
  await page.wire.stop();
  const options = { Threads: $("threads").value || 1, OpponentPasses: $("passes").checked, OpponentModel: $("model").value, Lexicon: $("lexicon").value, Level: 10 };
  await page.wire.ask(...Object.entries(options).filter(([, value]) => value !== "").map(([name, value]) => `setoption name ${name} value ${value}`));
  // A rack that was changed may not go with the turns before.
  await page.wire.ask(...withHistory(node)).catch(() => page.wire.ask(`position cgp ${node.cgp}`));
  searching(true);
  // Not waited for: meanwhile other things may be asked.
  page.wire
    .go(words, hear)
    .then((best) => say(best === "none" ? "Done" : `Best: ${best}`))
    .catch((error) => say(error.message))
    .finally(() => searching(false));
}

function analyse(mode = null) {
  return then(async () => {
    if (mode) $("mode").value = mode;
    const { value: kind } = $("mode");
    if (!kind) throw new Error(`${mode}: expected auto, gen, sim, peg or endgame`);
    if (deal) throw new Error("not while a game against the engine is played");
    const { ranking, board } = page;
    ranking.clear(board.position, page.rules, board.rack);
    const words = ["go", kind];
    if (kind !== "gen") words.push(Number($("seconds").value) > 0 ? `movetime ${Math.round($("seconds").value * 1000)}` : "infinite");
    if ($("plies").value) words.push(`depth ${$("plies").value}`);
    if ($("plays").value) words.push(`plays ${$("plays").value}`);
    if ($("useinference").checked) words.push("useinference");
    if (candidates.length) words.push("alsosearchmoves", ...candidates);
    if (kind !== "gen" && kind !== "endgame") words.push("info 100");
    say("Analysing");
    let [leader, spoken] = ["", performance.now()];
    await analysed(words.join(" "), (line) => {
      if (/^info string (ignored|limit)/.test(line)) say(line.replace("info string ", ""));
      ranking.hear(line);
      const isDue = performance.now() - spoken > LEADER_EVERY_MS;
      if (!isDue || line.startsWith("info depth ")) return;
      spoken = performance.now();
      const now = ranking.describe(1);
      if (now !== leader) speakLater((leader = now));
    });
  });
}

function searching(is) {
  $("stop").disabled = !is;
  document.body.classList.toggle("searching", is);
}

function infer() {
  return then(async () => {
    if (!node.parent) throw new Error("there is no turn before this position");
    const rows = [];
    const tiles = [];
    say("Inferring");
    $("inferred").replaceChildren();
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

function evaluate() {
  return then(async () => {
    await page.wire.stop();
    const lines = await page.wire.ask(`position cgp ${node.cgp}`, "eval");
    const found = staticTerms(lines);
    if (!found) throw new Error("nothing to take apart");
    $("terms").replaceChildren(found);
    $("terms-part").open = true;
  });
}

// A game against the engine.

function startGame() {
  return then(async () => {
    const position = await emptyBoard($("game-challenge").value);
    await page.wire.ask(`position cgp ${position.cgp()}`);
    judge("");
    deal = Deal.begin(await rulesOf(position));
    names = deal.engineSeat === 0 ? ["Engine", "You"] : ["You", "Engine"];
    position.racks = deal.seenBy(0);
    document.body.classList.add("in-game");
    const minutes = Number($("minutes").value);
    clock = minutes > 0 ? new Clock(minutes * 60_000, Number($("increment").value) * 1000, drawClock) : null;
    await show(root(position));
    clock?.press(0);
    say(deal.engineSeat === 0 ? "The engine begins" : "You begin");
    if (deal.engineSeat === 0) await engineTurn();
  });
}

function drawClock(seat, text, ms) {
  const element = $(`clock-${seat + 1}`);
  if (element.textContent !== text) element.textContent = text;
  element.classList.toggle("late", ms < 0);
  if (deal && seat !== deal.engineSeat && text === "1:00") speakLater("One minute left");
}

/** Tells what came of a challenge, until the player's next move. */
function judge(text) {
  $("judgement").textContent = text;
}

/** The words that a move makes, and those of them that are not in the lexicon. */
async function wordsOf(move, cgp) {
  const told = answer(await page.wire.ask(`position cgp ${cgp}`, `score ${move}`), "score").split(" ");
  const list = (key) => told[told.indexOf(key) + 1].split("|").filter((word) => word !== "-");
  return { words: list("words"), invalid: list("invalid") };
}

/** The player's move, or what is left of it: the engine challenges what is not in the lexicon, wherever the rules let that be played. */
async function challenged(move) {
  judge("");
  if (challengeRule(node.cgp) === "void") return move;
  const { invalid } = await wordsOf(move, node.cgp);
  if (!invalid.length) return move;
  judge(`The engine challenges: not in ${$("lexicon").value}: ${invalid.join(", ")}. The tiles go back to your rack, and your turn is over`);
  return `phony.${move}`;
}

/** Whether the move before is a play of the engine that the player may challenge: once, and before the game is over. */
function canBeDoubted() {
  const isEngines = Boolean(deal && node.parent) && node.seat !== deal.engineSeat;
  return isEngines && !node.isDoubted && challengeRule(node.cgp) !== "void" && squaresOf(node.move, page.rules.size).length > 0;
}

/** The player challenges the engine's play. The engine plays words of the lexicon alone, so this is in vain, and costs what the rule says. */
function doubt() {
  return then(async () => {
    if (!canBeDoubted()) throw new Error("there is no play of the engine to challenge");
    const { words } = await wordsOf(node.move, node.parent.cgp);
    const { text, points, turn } = WRONG_CHALLENGE[challengeRule(node.cgp)];
    const told = `Your challenge fails: ${words.join(", ")} ${words.length === 1 ? "is" : "are"} in ${$("lexicon").value}. It costs ${text}`;
    node.isDoubted = true;
    if (turn) {
      await playInGame("pass", `challenge in vain`);
    } else {
      if (points) await payFor(points);
      else await show(node);
      say("Your turn");
    }
    judge(told);
  });
}

/** The engine's play, once more with the points that a challenge in vain is worth. */
async function payFor(points) {
  const move = `${node.move}..${points}`;
  const told = answer(await page.wire.ask(`position cgp ${node.parent.cgp}`, `play ${move}`), "play").split(" ");
  const position = Position.read(answer(await page.wire.ask("cgp"), "cgp"));
  position.racks = deal.seenBy(node.seat);
  Object.assign(node, { cgp: position.cgp(), move, text: `${node.move} ${told[told.indexOf("score") + 1]}+${points}` });
  await show(node);
}

/** Plays a move of a game, draws, and lets the engine answer. `text` stands for the move in the list. */
async function playInGame(move, text = null) {
  const seat = node.seat;
  const position = Position.read(node.cgp);
  const before = { deal, cgp: node.cgp };
  // What the end of the game pays depends on both racks.
  node.cgp = position.cgp([deal.rack(seat), deal.rack(1 - seat)]);
  deal = deal.after(page.rules, position, move, seat);
  let made;
  try {
    made = await play(move, deal.seenBy(1 - seat), text);
  } catch (error) {
    deal = before.deal;
    node.cgp = before.cgp;
    throw error;
  }
  // Given up while the engine answered.
  if (!deal) return;
  if (made.over !== "no") return gameOver();
  clock?.press(node.seat);
  if (node.seat === deal.engineSeat) await engineTurn();
}

/** A whole number of a field, within its limits. */
function whole(id, usual) {
  const { value, min, max } = $(id);
  return Math.min(Math.max(Math.round(Number(value)) || usual, Number(min)), Number(max) || usual);
}

async function engineTurn() {
  const playing = deal;
  say("The engine thinks");
  const seconds = Math.max(Number($("engine-seconds").value) || 1, 0.1);
  const me = deal.engineSeat;
  const left = (seat) => Math.max(Math.round(clock.left(seat)), 1);
  const time = clock ? `mytime ${left(me)} myinc ${clock.increment}` : `movetime ${Math.round(seconds * 1000)}`;
  await page.wire.ask(`setoption name Level value ${whole("level", 10)}`, `setoption name Threads value ${whole("threads", 1)}`);
  await page.wire.ask(`position cgp ${node.cgp}`);
  if (deal !== playing) return;
  const move = await page.wire.go(`go auto ${time}`, () => {});
  // Meanwhile the game may have been given up.
  if (playing && deal === playing) await playInGame(move);
}

function gameOver() {
  const late = clock ? [0, 1].map((seat) => clock.penalty(seat)) : [0, 0];
  endGame();
  showMoves();
  keepState();
  for (const seat of [0, 1]) {
    if (late[seat]) $(`score-${seat + 1}`).textContent = Number($(`score-${seat + 1}`).textContent) - late[seat];
  }
  say(`The game is over: ${tellScores()}${late[0] + late[1] ? ", points for time taken off" : ""}. A report shows where it was won and lost.`);
}

function endGame() {
  clock?.stop();
  clock = null;
  deal = null;
  for (const seat of [1, 2]) $(`clock-${seat}`).textContent = "";
  document.body.classList.remove("in-game");
}

// A report of the game.

/** The game up to its last turn, as GCG. */
async function recordOfGame() {
  if (deal) throw new Error("the game is not over");
  if (!node.parent && !node.children.length) throw new Error("there is no game yet");
  let last = node;
  while (last.children.length) last = last.children.at(-1);
  await page.wire.stop();
  const ended = () => page.wire.ask(...withHistory(last.parent), `play ${stated(last.move, last.parent.rack)}`, "gcg");
  const lines = last.event !== undefined ? await page.wire.ask(...withHistory(last), "gcg") : await ended().catch(() => page.wire.ask(...withHistory(last), "gcg"));
  await page.wire.ask(`position cgp ${node.cgp}`);
  return withNames(lines.slice(lines.findIndex((line) => line.startsWith("gcg lines ")) + 1).join("\n"), names);
}

function saveGame() {
  return then(async () => {
    const record = await recordOfGame();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${record}\n`], { type: "text/plain" }));
    link.download = `${names.join(" - ").replace(/[^\p{L}\p{N} -]+/gu, "_")}.gcg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(`Saved as ${link.download}`);
  });
}

async function report() {
  if (reportSecret === null) throw new Error("there is no program that makes reports: save the game as GCG for tilewright analyse");
  let record = "";
  await then(async () => {
    record = await recordOfGame();
  });
  if (!record) return;
  const opcode = (name, usual) => new RegExp(`${name} ([^;\\s]+);`).exec(node.cgp)?.[1] ?? usual;
  const movetime = Math.round(Math.max(Number($("report-seconds").value) || 0.5, 0.05) * 1000);
  const settings = `movetime ${movetime} lexicon ${$("lexicon").value} letters ${opcode("ld", "english")} layout ${opcode("bdn", "standard15")} variant ${opcode("var", "classic")}`;
  $("report-part").open = true;
  const tell = (text) => $("report-state").replaceChildren(text);
  try {
    const address = await makeReport(reportSecret, settings, record, tell);
    tell("Done. ");
    $("report-state").append(Object.assign(document.createElement("a"), { href: address, target: "_blank", rel: "noopener", textContent: "Open the report" }));
    say("The report is done");
  } catch (error) {
    tell(error.message);
    say(`No report: ${error.message}`);
  }
}

// Loading.

function load(text) {
  return then(async () => {
    const trimmed = text.trim();
    if (!trimmed) throw new Error("nothing to load");
    if (!/^[#>]/m.test(trimmed)) {
      const cgp = trimmed.replace(/^position\s+cgp\s+/i, "").replace(/\s+/g, " ");
      const position = Position.read(cgp);
      const told = await page.wire.stop().then(() => page.wire.ask(`position cgp ${cgp}`, "cgp"));
      const read = Position.read(answer(told, "cgp"));
      endGame();
      chooseLexicon(read.lexicon);
      names = ["Player 1", "Player 2"];
      await show(root(read));
      const missing = told.find((line) => line.startsWith("ignored lex "));
      return say(missing ?? `Position loaded${position.lexicon ? `, ${position.lexicon}` : ""}`);
    }
    await page.wire.stop();
    const read = await page.wire.ask(`position record ${JSON.stringify(trimmed)}`, "turns", "cgp", "d", "gcg");
    const turns = readTurns(read);
    const over = read.map((line) => /^onturn .* over (\w+)$/.exec(line)?.[1]).find(Boolean) ?? "no";
    const end = { cgp: answer(read, "cgp"), rack: "", seat: 1 - (turns.at(-1)?.seat ?? 1), event: null, over };
    let [first, last] = [null, null];
    [...turns, end].forEach((turn, at) => {
      const move = turns[at - 1]?.move ?? null;
      last = child(last, { ...turn, cgp: Position.read(turn.cgp).cgp(), move, text: move ?? "Start" });
      last.event = turn.event;
      first ??= last;
    });
    first.record = trimmed;
    const pragma = (key) => read.map((line) => new RegExp(`^#${key} (.+)$`).exec(line)?.[1]).find(Boolean);
    endGame();
    chooseLexicon(pragma("lexicon"));
    names = ["player1", "player2"].map((key) => pragma(key).replace(/^\S+ +(?=\S)/, ""));
    await show(first);
    const notes = read.filter((line) => /^(note|ignored lex) /.test(line)).map((line) => line.replace(/^note /, ""));
    say([`Game loaded: ${turns.length} turn${turns.length === 1 ? "" : "s"}`, ...notes].join("; "));
  });
}

/** Chooses a lexicon that a game names, if it is there. */
function chooseLexicon(name) {
  const option = [...$("lexicon").options].find((option) => option.value.toLowerCase() === name?.toLowerCase());
  if (option) $("lexicon").value = option.value;
}

// The lines of the protocol.

const lines = []; // The last ones, sent and received.
let linesDue = false;

function noteLine(line, way) {
  lines.push([line.startsWith("bridge hello token") ? "bridge hello token …" : line, way]);
  if (lines.length > LINES_SHOWN) lines.shift();
  // Drawn only where somebody looks.
  if (linesDue || !$("lines-part").open) return;
  linesDue = true;
  requestAnimationFrame(drawLines);
}

function drawLines() {
  linesDue = false;
  $("lines").textContent = lines.map(([line, way]) => `${way === "sent" ? ">" : "<"} ${line}\n`).join("");
  $("lines").scrollTop = $("lines").scrollHeight;
}

// What can be done: by buttons, keys and the command line.

const STEPS = {
  first: (at) => (at.parent ? STEPS.first(at.parent) : at),
  back: (at) => at.parent ?? at,
  on: (at) => at.children.at(-1) ?? at,
  last: (at) => (at.children.length ? STEPS.last(at.children.at(-1)) : at),
};

/** The page's actions; those of `commands.js` use them, too. */
const page = {
  wire: null,
  board: null,
  ranking: null,
  rules: null,
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
  stop: () => then(() => page.wire.stop()),
  readRack: (text) => page.rules.rack(text),
  readMove: (text) => {
    const [first, ...rest] = text.trim().split(/[.\s]+/);
    if (/^pass$/i.test(first)) return "pass";
    return /^ex$/i.test(first) ? `ex.${page.rules.rack(rest.join(""))}` : `${first.toUpperCase()}.${rest.join("")}`;
  },
  commit: async (move = null) => {
    // Said at once: what waits for the engine's turn would else be played after it.
    if (deal && node.seat === deal.engineSeat) return say("the engine is on turn");
    await then(async () => {
      const made = move ?? writeMove(page.board.position, page.board.placed, page.board.isDown);
      if (!deal) return play(made);
      const left = await challenged(made);
      // Meanwhile the game may have been given up.
      if (deal) await playInGame(left);
    });
  },
  tryMove: (move) => page.board.tryOut(squaresOf(move, page.board.position.size)),
  add: (move = null) => then(async () => {
    const added = move ?? writeMove(page.board.position, page.board.placed, page.board.isDown);
    if (!candidates.includes(added)) candidates.push(added);
    say(`${added} will be analysed, too`);
    page.board.recall();
    if (!page.wire.isSearching) return;
    await page.wire.stop();
    analyse();
  }),
  undo: () => then(async () => {
    if (deal) throw new Error("not in a game against the engine");
    if (!node.parent) throw new Error("nothing to undo");
    const { parent } = node;
    parent.children = parent.children.filter((child) => child !== node);
    await show(parent);
    say("Taken back");
  }),
  step: (way) => then(async () => {
    if (deal) throw new Error("not in a game against the engine");
    await show(STEPS[way](node));
    speakLater(node.text);
  }),
  setRacks: (own, other) => then(async () => {
    if (deal) throw new Error("in a game the racks are dealt");
    const position = Position.read(node.cgp);
    const old = node.cgp;
    position.racks = [own === null ? position.racks[0] : page.rules.rack(own), other === null ? position.racks[1] : page.rules.rack(other)];
    node.cgp = position.cgp();
    node.rack = position.racks[0];
    node.ranking = null;
    try {
      await show(node);
      say("Racks set");
    } catch (error) {
      node.cgp = old;
      throw error;
    }
  }),
  askWords: async (question, words) => {
    let told = "";
    await then(async () => {
      told = (await page.wire.ask(`${question} ${words}`)).join("\n");
    });
    return told;
  },
  newGame: () => then(async () => {
    const position = await emptyBoard();
    names = ["Player 1", "Player 2"];
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
  tellState: () => `${tellScores()}; ${$("bag").textContent}; ${names[node.seat]} on turn`,
  tellUnseen: () => `${$("unseen-count").textContent} unseen: ${$("unseen").textContent}`,
  tellTime: () => (clock ? [0, 1].map((seat) => `${names[seat]} ${$(`clock-${seat + 1}`).textContent}`).join(", ") : "no clock runs"),
};

/** Keys that are no letters, so that they work while tiles are typed: they press a button, or go to a field. */
const KEYS = { PageUp: "back", PageDown: "on", "+": "pass", "-": "exchange", "*": "copy", ".": "go-or-stop", "/": "command" };

/** A letter that is typed where nothing has the focus: the first ones make the rack, later ones a play. */
function typeAnywhere(event) {
  if (event.target !== document.body || !/^[\p{L}?·]$/u.test(event.key)) return;
  // The letter goes into the field, since that has the focus when the key is worked off.
  if (!page.board.rack && !deal) return $("rack-text").focus();
  page.board.grid.querySelector("[tabindex='0']").focus();
  page.board.key(event);
}

function pressKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const id = KEYS[event.key];
  if (!id) return typeAnywhere(event);
  event.preventDefault();
  if (id === "command") $("command").focus();
  else $(id === "go-or-stop" ? (page.wire.isSearching ? "stop" : "go") : id).click();
}

/** The letter that a blank is to be: one of the buttons of a dialogue, or its key; null if there is none. */
function askLetter() {
  const dialog = $("letter-dialog");
  const faces = [...page.rules.tiles.keys()].filter((face) => face !== "?");
  const buttons = faces.map((face) => Object.assign(document.createElement("button"), { value: page.rules.tiles.get(face).small, textContent: plain(face) }));
  $("letters-of-blank").replaceChildren(...buttons);
  dialog.returnValue = "";
  dialog.showModal();
  dialog.onkeydown = (event) => {
    // Not for the page behind it.
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "?") return;
    const chosen = page.rules.tiles.get(event.key.toUpperCase())?.small;
    if (!chosen) return;
    event.preventDefault();
    dialog.close(chosen);
  };
  return new Promise((resolve) => (dialog.onclose = () => resolve(dialog.returnValue || null)));
}

function openExchange() {
  $("exchange-form").hidden = false;
  $("exchange-text").value = page.board.rack.replaceAll("?", "");
  $("exchange-text").select();
  $("exchange-text").focus();
}

function wireForms() {
  const submit = (id, job) => {
    $(id).onsubmit = (event) => {
      event.preventDefault();
      job();
    };
  };
  submit("rack-form", () => page.setRacks($("rack-text").value, $("other-text").value));
  submit("word-form", async () => {
    $("answer").textContent = await page.askWords($("question").value, $("word").value.trim());
  });
  submit("line-form", () => {
    page.wire.send($("line").value);
    $("line").value = "";
  });
  submit("exchange-form", () => {
    $("exchange-form").hidden = true;
    $("exchange").focus();
    page.commit(`ex.${page.rules.rack($("exchange-text").value)}`);
  });
  submit("command-form", async () => {
    const text = $("command").value;
    $("command").value = "";
    try {
      const said = await carryOut(page, text);
      if (typeof said === "string" && said) $("said").textContent = said;
      else $("said").textContent = "";
    } catch (error) {
      $("said").textContent = error.message;
    }
  });
  $("exchange-form").onkeydown = (event) => {
    if (event.key !== "Escape") return;
    $("exchange-form").hidden = true;
    $("exchange").focus();
  };
}

function wireButtons() {
  for (const way of Object.keys(STEPS)) $(way).onclick = () => page.step(way);
  const actions = {
    go: () => analyse(),
    stop: page.stop,
    play: () => page.commit(),
    add: () => page.add(),
    recall: () => page.board.recall(),
    pass: () => page.commit("pass"),
    exchange: openExchange,
    undo: page.undo,
    new: page.newGame,
    copy: page.copy,
    link: page.copyLink,
    save: saveGame,
    game: startGame,
    doubt,
    "give-up": () => {
      // Not behind what waits: the engine may be thinking.
      endGame();
      page.wire.stop();
      then(() => show(node)).then(() => say("The game is given up"));
    },
    load: () => load($("text").value),
    eval: evaluate,
    infer,
    report: () => then(() => {}).then(report).catch((error) => say(error.message)),
  };
  for (const [id, action] of Object.entries(actions)) $(id).onclick = action;
  $("word-file").onchange = ({ target }) => then(async () => {
    const [file] = target.files;
    if (!file) return;
    target.value = "";
    await addFile(file.name, new Uint8Array(await file.arrayBuffer()));
    say(`${file.name} is kept in this browser`);
  }).then(listLexicons);
  $("file").onchange = async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    const bytes = await file.arrayBuffer();
    target.value = "";
    const mark = new Uint8Array(bytes).subarray(0, 2).join(" ");
    const set = { "255 254": "utf-16le", "254 255": "utf-16be" }[mark] ?? "utf-8";
    let text;
    try {
      text = new TextDecoder(set, { fatal: true }).decode(bytes);
    } catch {
      text = new TextDecoder("latin1").decode(bytes);
    }
    $("text").value = text;
    load(text);
  };
  $("lexicon").onchange = () => then(() => page.wire.stop().then(() => page.wire.ask(`setoption name Lexicon value ${$("lexicon").value}`)).then(() => say(`${$("lexicon").value} is used`)));
  $("letters").onchange = () => page.newGame().then(listLexicons);
  $("layout").onchange = $("variant").onchange = $("challenge").onchange = page.newGame;
  $("lines-part").ontoggle = drawLines;
  $("commands-help").textContent = helpText();
  document.addEventListener("keydown", pressKey);
  // A game that is played is not left by a slip.
  window.addEventListener("beforeunload", (event) => {
    if (deal) event.preventDefault();
  });
  window.addEventListener("pagehide", keepState);
  document.addEventListener("visibilitychange", keepState);
}

/** Fills a choice with the names that the engine lists. */
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

/** Connects with the engine. Gives the lines of the handshake. */
async function engage() {
  const { wire, handshake } = await connect(noteLine, goOn);
  page.wire = wire;
  return handshake;
}

let startedAgain = -Infinity; // When the engine was last started again.

/** Starts the engine again after it has ended for this reason, and goes on where the page is. */
async function goOn(reason) {
  say(reason);
  if (performance.now() - startedAgain < RESTART_MS) return say(`${reason}. It has ended again at once: load the page again`);
  startedAgain = performance.now();
  try {
    await engage();
  } catch {
    return;
  }
  await then(async () => {
    // Both are done after this.
    if (!node) return void page.newGame();
    await goOnAt(node);
    say("The engine had ended, and was started again");
  });
}

async function start() {
  page.board = new Board($("frame"), $("rack"), { changed: tryChanged, commit: () => page.commit(), add: () => page.add() });
  new Hands(page.board, askLetter);
  const parts = { body: $("ranking"), summary: $("summary"), detail: $("detail"), head: $("chance-head") };
  page.ranking = new Ranking(parts, page.tryMove);
  wireButtons();
  wireForms();
  $("report-part").hidden = reportSecret === null;
  $("files-row").hidden = addFile === null;
  $("link").hidden = linkTo === null;
  // Nothing can be done until the engine is there.
  document.querySelector("main").inert = true;
  let handshake;
  try {
    handshake = await engage();
  } catch (error) {
    return say(error.message);
  }
  const threads = handshake.find((line) => line.startsWith("option name Threads "))?.match(/max (\d+)/)?.[1];
  if (threads) $("threads").max = $("threads").value = threads;
  const state = linkedPosition ? null : kept();
  if (state) await goOnWith(state);
  // The state that was kept may need words that are not there any more.
  if (!node) {
    endGame();
    $("lexicon").value = "ENABLE";
    await page.newGame();
    say("Ready: type a rack, or click a square and type a play");
  }
  if (linkedPosition) {
    await load(linkedPosition);
    history.replaceState(null, "", location.pathname + location.search);
  }
  document.querySelector("main").inert = false;
  performance.mark("ready");
  // What is only offered comes when the board is there.
  await then(async () => {
    const told = await page.wire.ask("distributions", "layouts", "lexicons");
    offer("letters", told, "distribution", "english");
    offer("layout", told, "layout", "standard15");
    offer("lexicon", told, "lexicon", "ENABLE");
  });
}

start();
