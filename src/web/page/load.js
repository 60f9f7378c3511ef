// Loads a game (GCG) or a position (CGP): pasted, from a file, or dropped on the page.

import { complain, say } from "./notices.js";
import { Position, readTurns } from "./position.js";
import { chooseLexicon, endGame, show } from "./show.js";
import { $, page, then } from "./state.js";
import { openTab } from "./tabs.js";
import { child, root } from "./tree.js";
import { answer } from "./wire.js";
import { inWords } from "./words.js";

/** Loads a text. A game is shown at its end, as its players left it. */
export function load(text) {
  return then(async () => {
    const trimmed = text.trim();
    if (page.deal) throw new Error("a game against the engine is in progress: give it up first");
    $("load-notes").replaceChildren();
    if (!trimmed) throw new Error("nothing to load: paste a game or a position, or choose a file");
    await page.wire.stop();
    if (/^[#>]/m.test(trimmed)) await loadGame(trimmed);
    else await loadPosition(trimmed);
  });
}

async function loadPosition(text) {
  const cgp = text.replace(/^position\s+cgp\s+/i, "").replace(/\s+/g, " ");
  const position = Position.read(cgp);
  const told = await page.wire.ask(`position cgp ${cgp}`, "cgp");
  const read = Position.read(answer(told, "cgp"));
  endGame();
  chooseLexicon(read.lexicon);
  page.names = ["Player 1", "Player 2"];
  await show(root(read));
  if (isOpen()) openTab("rank");
  const missing = told.find((line) => line.startsWith("ignored lex "));
  say(missing ?? `Position loaded${position.lexicon ? `, ${position.lexicon}` : ""}`);
}

async function loadGame(text) {
  const read = await page.wire.ask(`position record ${JSON.stringify(text)}`, "turns", "cgp", "d", "gcg");
  const turns = readTurns(read);
  const over = read.map((line) => /^onturn .* over (\w+)$/.exec(line)?.[1]).find(Boolean) ?? "no";
  const end = { cgp: answer(read, "cgp"), rack: "", seat: 1 - (turns.at(-1)?.seat ?? 1), event: null, over };
  const points = pointsOfTurns(read, turns);
  let [first, last] = [null, null];
  [...turns, end].forEach((turn, at) => {
    last = child(last, { ...turn, cgp: Position.read(turn.cgp).cgp(), move: turns[at - 1]?.move ?? null, points: points[at - 1] ?? null });
    last.event = turn.event;
    first ??= last;
  });
  first.record = text;
  const pragma = (key) => read.map((line) => new RegExp(`^#${key} (.+)$`).exec(line)?.[1]).find(Boolean);
  endGame();
  chooseLexicon(pragma("lexicon"));
  page.names = ["player1", "player2"].map((key) => pragma(key).replace(/^\S+ +(?=\S)/, ""));
  await show(last);
  const notes = read.filter((line) => /^(note|ignored lex) /.test(line)).map((line) => line.replace(/^note /, ""));
  $("load-notes").replaceChildren(...notes.map((note) => Object.assign(document.createElement("li"), { textContent: inWords(note) })));
  if (isOpen() && !notes.length) openTab("rank");
  say([`Game loaded: ${turns.length} turn${turns.length === 1 ? "" : "s"}`, ...notes].join("; "));
}

function isOpen() {
  return !$("panel-load").hidden;
}

/** The points of each turn, from the events of the record. Points for challenges are included, those at the end of the game are not. */
function pointsOfTurns(read, turns) {
  const events = read.filter((line) => line.startsWith(">"));
  return turns.map((turn, at) => {
    const own = events.slice(turn.event - 1, turns[at + 1] ? turns[at + 1].event - 1 : undefined).filter((line) => !/ \((?!challenge\))\S*\) /.test(line));
    return own.reduce((sum, line) => sum + Number(/ ([+-]\d+) -?\d+$/.exec(line)?.[1] ?? 0), 0);
  });
}

/** Loads a file, whose character set it guesses. */
export async function loadFile(file) {
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch (error) {
    return complain(`${file.name}: ${error.message}`);
  }
  const mark = new Uint8Array(bytes).subarray(0, 2).join(" ");
  const set = { "255 254": "utf-16le", "254 255": "utf-16be" }[mark] ?? "utf-8";
  let text;
  try {
    text = new TextDecoder(set, { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder("latin1").decode(bytes);
  }
  $("text").value = text;
  return load(text);
}

/** Loads a file or a text that is dropped anywhere on the page. */
export function wireDrop() {
  let depth = 0; // How many nested elements the pointer is in.
  const isWanted = (event) => !page.deal && [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
  const over = (is) => ($("drop").hidden = !is);
  document.addEventListener("dragenter", (event) => isWanted(event) && (depth++, over(true)));
  document.addEventListener("dragleave", (event) => isWanted(event) && --depth <= 0 && ((depth = 0), over(false)));
  document.addEventListener("dragover", (event) => isWanted(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!isWanted(event)) return;
    over(false);
    depth = 0;
    // A text that is dropped on a field belongs there.
    const [file] = event.dataTransfer.files;
    if (!file && /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    openTab("load");
    $("load").focus();
    if (file) loadFile(file);
    else load(($("text").value = event.dataTransfer.getData("text/plain")));
  });
}
