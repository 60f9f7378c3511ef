// The page: a tree of positions, an analysis of the one that is shown, a game against the engine. Every fact comes from the engine through the protocol;
// `wire.js` is the connection, `position.js` the notation, `board.js` and `ranking.js` what is seen. Start with `start`.

import { Board } from "./board.js";
import { Position, TILES, leaveOf, readGcg, squaresOf, writeMove } from "./position.js";
import { Ranking } from "./ranking.js";
import { Wire } from "./wire.js";

const $ = (id) => document.getElementById(id);
const LINES_SHOWN = 500;

let wire;
let board;
let ranking;
let node; // The position shown: {cgp, move, text, parent, children, seat}.
let names = ["Player 1", "Player 2"];
let candidates = []; // Moves that are analysed beside the engine's own.
let game = null; // A game against the engine: {racks, bag, engineSeat}.
let work = Promise.resolve(); // What talks to the engine, one thing after another.

/** Does something that talks to the engine, after all that was begun before; what goes wrong is told. */
function then(job) {
  work = work.then(job).catch((error) => say(error.message));
  return work;
}

function say(text) {
  $("status").textContent = text;
}

// Positions.

function root(position) {
  return { cgp: position.cgp(), move: null, text: "Start", parent: null, children: [], seat: 0 };
}

/** Shows a position of the tree. */
async function show(next) {
  await wire.stop();
  await wire.ask(`position cgp ${next.cgp}`);
  node = next;
  candidates = [];
  const position = Position.read(node.cgp);
  board.show(position);
  ranking.clear(position);
  $("rack-text").value = position.racks[0];
  $("other-text").value = game ? "" : position.racks[1];
  for (const seat of [0, 1]) {
    const score = position.scores[seat === node.seat ? 0 : 1];
    $(`score-${seat + 1}`).textContent = `${names[seat]} ${score}`;
    $(`score-${seat + 1}`).classList.toggle("on-turn", seat === node.seat);
  }
  showUnseen(position);
  showMoves();
  $("try").textContent = "";
}

function showUnseen(position) {
  const own = game ? game.racks[1 - game.engineSeat].join("") : position.racks[0];
  const left = position.unseen([own]);
  const count = Object.values(left).reduce((sum, many) => sum + Math.max(many, 0), 0);
  const tiles = Object.keys(TILES).map((tile) => tile.repeat(Math.max(left[tile], 0))).filter(Boolean);
  $("unseen").textContent = `${count}: ${tiles.join(" ")}`;
  $("bag").textContent = `bag ${Math.max(count - 7, 0)}`;
}

function showMoves() {
  const line = [];
  for (let at = node; at; at = at.parent) line.unshift(at);
  for (let at = node; at.children.length; ) line.push((at = at.children.at(-1)));
  const entries = line.map((at) => {
    const entry = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = at.text;
    button.onclick = () => then(() => show(at));
    if (at === node) button.setAttribute("aria-current", "true");
    entry.append(button);
    const others = (at.parent?.children ?? []).filter((other) => other !== at);
    others.forEach((other) => {
      const branch = document.createElement("button");
      branch.className = "branch";
      branch.textContent = `or ${other.text}`;
      branch.onclick = () => then(() => show(other));
      entry.append(branch);
    });
    return entry;
  });
  $("moves").replaceChildren(...entries);
}

/** Plays a move on the position shown, and shows what follows. */
async function play(move, rackAfter) {
  const earlier = node.children.find((child) => child.move === move);
  if (earlier && !game) return show(earlier);
  await wire.stop();
  const [told] = await wire.ask(`position cgp ${node.cgp}`, `play ${move}`);
  const words = told.split(" ");
  const value = (key) => words[words.indexOf(key) + 1];
  const [cgp] = await wire.ask("cgp");
  const position = Position.read(cgp.replace(/^cgp /, ""));
  if (rackAfter) position.racks = rackAfter;
  const child = { cgp: position.cgp(), move, text: `${move} ${value("score")}`, parent: node, children: [], seat: 1 - node.seat, over: value("over") };
  const invalid = value("invalid");
  node.children.push(child);
  await show(child);
  if (child.over !== "no") say(`The game is over: ${$("score-1").textContent}, ${$("score-2").textContent}`);
  else say(invalid === "-" ? `${move} for ${value("score")}` : `${move}: not in the lexicon: ${invalid}`);
  return child;
}

/** The move on the board, or why there is none. */
function tried() {
  return writeMove(board.position, board.placed, board.isDown);
}

function tryChanged(message) {
  if (message || !board.placed.size) {
    $("try").textContent = message ?? "";
    return;
  }
  let move;
  try {
    move = tried();
  } catch (error) {
    $("try").textContent = error.message;
    return;
  }
  then(async () => {
    const [told] = await wire.ask(`score ${move}`).catch((error) => [`${move}: ${error.message}`]);
    const found = /^score (\S+) score (\S+) leave (\S+) words (\S+) invalid (\S+)/.exec(told);
    $("try").textContent = found ? `${found[1]} scores ${found[2]}${found[5] === "-" ? "" : `, not in the lexicon: ${found[5]}`}` : told;
  });
}

function commit(move = null) {
  then(async () => {
    const made = move ?? tried();
    if (game) await playInGame(made);
    else await play(made);
  });
}

function addCandidate() {
  then(async () => {
    const move = tried();
    if (!candidates.includes(move)) candidates.push(move);
    say(`${move} will be analysed, too`);
    board.recall();
    if (wire.isSearching) {
      await wire.stop();
      analyse();
    }
  });
}

// Analysis.

function analyse() {
  then(async () => {
    await wire.stop();
    const options = { Threads: $("threads").value || 1, OpponentPasses: $("passes").checked, Lexicon: $("lexicon").value || "ENABLE", Level: 10 };
    await wire.ask(...Object.entries(options).map(([name, value]) => `setoption name ${name} value ${value}`), `position cgp ${node.cgp}`);
    ranking.clear(board.position);
    const mode = $("mode").value;
    const words = ["go", mode];
    if (mode !== "gen") words.push(Number($("seconds").value) > 0 ? `movetime ${Math.round($("seconds").value * 1000)}` : "infinite");
    if ($("plies").value) words.push(`depth ${$("plies").value}`);
    if ($("plays").value) words.push(`plays ${$("plays").value}`);
    if (candidates.length) words.push("alsosearchmoves", ...candidates);
    if (mode !== "gen") words.push("info 100");
    searching(true);
    say("Analysing");
    // Not waited for: meanwhile other things may be asked.
    wire
      .go(words.join(" "), (line) => {
        if (/^info string (ignored|limit|peg)/.test(line)) say(line.replace("info string ", ""));
        ranking.hear(line);
      })
      .then((best) => say(`Best: ${best}`))
      .catch((error) => say(error.message))
      .finally(() => searching(false));
  });
}

function searching(is) {
  $("stop").disabled = !is;
  document.body.classList.toggle("searching", is);
}

// A game against the engine.

function startGame() {
  then(async () => {
    const bag = Object.entries(TILES).flatMap(([tile, [count]]) => Array(count).fill(tile));
    for (let at = bag.length - 1; at > 0; at--) {
      const other = Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * (at + 1));
      [bag[at], bag[other]] = [bag[other], bag[at]];
    }
    const engineSeat = Math.random() < 0.5 ? 0 : 1;
    game = { bag, engineSeat, racks: [bag.splice(0, 7), bag.splice(0, 7)] };
    names = engineSeat === 0 ? ["Engine", "You"] : ["You", "Engine"];
    const position = Position.empty();
    position.racks = racksFor(0);
    document.body.classList.add("in-game");
    await show(root(position));
    say(engineSeat === 0 ? "The engine begins" : "You begin");
    if (engineSeat === 0) await engineTurn();
  });
}

/** The racks of a CGP for the player of a seat: the other one is hidden until the bag is empty. */
function racksFor(seat) {
  const hidden = game.bag.length > 0;
  return [game.racks[seat].join(""), hidden ? "" : game.racks[1 - seat].join("")];
}

/** Plays a move of a game, draws, and lets the engine answer. */
async function playInGame(move) {
  const seat = node.seat;
  const rack = game.racks[seat].join("");
  const before = Position.read(node.cgp);
  const used = [...rack].length - [...leaveOf(before, rack, move)].length;
  const kept = [...leaveOf(before, rack, move)];
  const back = move.startsWith("ex.") ? [...move.split(".")[1]] : [];
  // What the end of the game pays depends on both racks.
  node = { ...node, cgp: before.cgp([rack, game.racks[1 - seat].join("")]) };
  const drawn = game.bag.slice(0, used);
  const racks = [...game.racks];
  racks[seat] = [...kept, ...drawn];
  const bag = [...game.bag.slice(used), ...back];
  const old = { bag: game.bag, racks: game.racks };
  [game.bag, game.racks] = [bag, racks];
  let child;
  try {
    child = await play(move, racksFor(1 - seat));
  } catch (error) {
    Object.assign(game, old);
    throw error;
  }
  if (back.length) game.bag.sort(() => Math.random() - 0.5);
  if (child.over !== "no") endGame();
  else if (node.seat === game.engineSeat) await engineTurn();
}

async function engineTurn() {
  say("The engine thinks");
  const seconds = Math.max(Number($("engine-seconds").value) || 1, 0.1);
  await wire.ask(`setoption name Level value ${$("level").value || 10}`, `setoption name Threads value ${$("threads").value || 1}`);
  await wire.ask(`position cgp ${node.cgp}`);
  const move = await wire.go(`go auto movetime ${Math.round(seconds * 1000)}`, () => {});
  await playInGame(move);
}

function endGame() {
  game = null;
  document.body.classList.remove("in-game");
}

// Loading.

async function load(text) {
  const trimmed = text.trim();
  if (!trimmed) throw new Error("nothing to load");
  endGame();
  if (!/^[#>]/m.test(trimmed)) {
    names = ["Player 1", "Player 2"];
    const before = node;
    try {
      await show(root(Position.read(trimmed.replace(/^position\s+cgp\s+/i, ""))));
    } catch (error) {
      await show(before);
      throw error;
    }
    return say("Position loaded");
  }
  const read = readGcg(trimmed);
  await wire.stop();
  const nodes = [];
  for (let at = 0; at <= read.turns.length; at++) {
    const moves = read.turns.slice(0, at).map((turn) => turn.move);
    const rack = read.turns[at]?.rack ? `rack.${read.turns[at].rack}` : "";
    const [told] = await wire.ask(`position startpos${moves.length || rack ? ` moves ${moves.join(" ")} ${rack}` : ""}`, "cgp");
    const { seat = 1 - (read.turns[at - 1]?.seat ?? 1), move, text } = { ...read.turns[at], move: moves.at(-1) ?? null };
    const parent = nodes.at(-1) ?? null;
    nodes.push({ cgp: told.replace(/^cgp /, ""), move, text: text ?? move ?? "Start", parent, children: [], seat });
    parent?.children.push(nodes.at(-1));
  }
  names = read.names;
  await show(nodes[0]);
  say(`Game loaded: ${read.turns.length} turns`);
}

// Wiring.

function noteLine(line, way) {
  const lines = $("lines");
  const entry = document.createElement("span");
  entry.textContent = `${way === "sent" ? ">" : "<"} ${line.startsWith("bridge hello token") ? "bridge hello token …" : line}\n`;
  entry.className = way;
  pending.push(entry);
  if (pending.length > LINES_SHOWN) pending.shift();
  if (pending.length === 1) {
    requestAnimationFrame(() => {
      lines.append(...pending.splice(0));
      while (lines.children.length > LINES_SHOWN) lines.firstElementChild.remove();
      lines.scrollTop = lines.scrollHeight;
    });
  }
}
const pending = [];

function setRacks(event) {
  event.preventDefault();
  then(async () => {
    if (game) throw new Error("in a game the racks are dealt");
    const position = Position.read(node.cgp);
    const old = node.cgp;
    position.racks = [$("rack-text").value.toUpperCase().trim(), $("other-text").value.toUpperCase().trim()];
    node.cgp = position.cgp();
    try {
      await show(node);
    } catch (error) {
      node.cgp = old;
      throw error;
    }
  });
}

function askWords(event) {
  event.preventDefault();
  then(async () => {
    $("answer").textContent = (await wire.ask(`${$("question").value} ${$("word").value.trim()}`)).join("\n");
  });
}

function undo() {
  then(async () => {
    if (!node.parent) throw new Error("nothing to undo");
    if (game) throw new Error("not in a game against the engine");
    const { parent } = node;
    parent.children = parent.children.filter((child) => child !== node);
    await show(parent);
    say("Taken back");
  });
}

const STEPS = {
  first: (at) => (at.parent ? STEPS.first(at.parent) : at),
  back: (at) => at.parent ?? at,
  on: (at) => at.children.at(-1) ?? at,
  last: (at) => (at.children.length ? STEPS.last(at.children.at(-1)) : at),
};

function wireButtons() {
  for (const [id, step] of Object.entries(STEPS)) $(id).onclick = () => then(() => (game ? null : show(step(node))));
  const actions = {
    go: analyse,
    stop: () => then(() => wire.stop()),
    play: () => commit(),
    add: addCandidate,
    recall: () => board.recall(),
    pass: () => commit("pass"),
    exchange: () => {
      const tiles = prompt("Which tiles go back into the bag?")?.toUpperCase().replace(/[^A-Z?]/g, "");
      if (tiles) commit(`ex.${tiles}`);
    },
    undo,
    new: () => then(async () => {
      endGame();
      names = ["Player 1", "Player 2"];
      await show(root(Position.empty()));
      say("New game");
    }),
    copy: () => then(async () => {
      await navigator.clipboard.writeText(node.cgp);
      say("Copied");
    }),
    game: startGame,
    load: () => then(() => load($("text").value)),
  };
  for (const [id, action] of Object.entries(actions)) $(id).onclick = action;
  $("file").onchange = async ({ target }) => {
    const bytes = await target.files[0].arrayBuffer();
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      text = new TextDecoder("latin1").decode(bytes);
    }
    $("text").value = text;
    then(() => load(text));
  };
  $("rack-form").onsubmit = setRacks;
  $("word-form").onsubmit = askWords;
  $("line-form").onsubmit = (event) => {
    event.preventDefault();
    wire.send($("line").value);
    $("line").value = "";
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const button = { PageUp: "back", PageDown: "on" }[event.key];
    if (!button) return;
    event.preventDefault();
    $(button).click();
  });
}

/** The secret of the run: from the address, where it does not stay. */
function secret() {
  const found = location.hash.slice(1);
  if (found) {
    sessionStorage.setItem("secret", found);
    history.replaceState(null, "", location.pathname);
  }
  return found || sessionStorage.getItem("secret") || "";
}

async function start() {
  board = new Board($("board"), $("rack"), { changed: tryChanged, commit, add: addCandidate });
  ranking = new Ranking($("ranking"), $("summary"), (move) => board.tryOut(squaresOf(move, board.position.size)));
  wireButtons();
  try {
    wire = await Wire.open(`ws://${location.host}/siu`, secret(), noteLine, () => say("The program has ended: start it again, and open the address that it prints"));
  } catch (error) {
    return say(`No connection: ${error.message}. Open the address that tilewright board has printed.`);
  }
  const threads = wire.handshake.find((line) => line.startsWith("option name Threads "))?.match(/max (\d+)/)?.[1];
  if (threads) $("threads").max = $("threads").value = threads;
  await then(() => show(root(Position.empty())));
  say("Ready: type a rack, or click a square and type a play");
}

start();
