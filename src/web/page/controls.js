// The controls of the page: buttons, forms and keys, each bound to what it does. Start with `wireControls`.

import { analyseGame } from "./analysis.js";
import { giveUp } from "./against.js";
import { carryOut, helpText } from "./commands.js";
import { addFile } from "./connection.js";
import { loadFile, wireDrop } from "./load.js";
import { complain, say, watchHand } from "./notices.js";
import { guess, nextQuizTurn, toggleQuiz } from "./quiz.js";
import { plain } from "./rules.js";
import { beginEditing, clearBoard, countTiles, endEditing, leaveEditing } from "./setup.js";
import { keepState } from "./show.js";
import { $, page, then } from "./state.js";
import { clearHeat, compare, replies } from "./study.js";
import { openTab, wireTabs } from "./tabs.js";
import { STEPS } from "./tree.js";

/** Keys that are not letters, so that they work while tiles are typed. Each presses a button or goes to a field. */
const KEYS = { PageUp: "back", PageDown: "on", "+": "pass", "-": "exchange", "*": "copy", ".": "go-or-stop", "/": "command" };

/** Handles a letter that is typed while nothing has the focus: the first letters become the rack, later ones a play. */
function typeAnywhere(event) {
  if (event.target !== document.body || !/^[\p{L}?·]$/u.test(event.key)) return;
  // The browser puts the letter into the field, which has the focus by then.
  if (!page.board.rack && !page.deal && !page.isEditing) return $("rack-text").focus();
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

/** Asks in a dialogue for the letter of a blank, chosen by a button or a key; null if the user cancels. */
export function askLetter() {
  const dialog = $("letter-dialog");
  const faces = [...page.rules.tiles.keys()].filter((face) => face !== "?");
  const buttons = faces.map((face) => Object.assign(document.createElement("button"), { value: page.rules.tiles.get(face).small, textContent: plain(face) }));
  $("letters-of-blank").replaceChildren(...buttons);
  dialog.returnValue = "";
  dialog.showModal();
  dialog.onkeydown = (event) => {
    // The key is not for the page behind the dialogue.
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

async function runCommand() {
  const text = $("command").value;
  const said = $("said");
  $("command").value = said.textContent = "";
  said.classList.remove("wrong");
  try {
    const told = await carryOut(page, text);
    // Errors have been reported already.
    if (typeof told === "string" && told) said.textContent = told;
  } catch (error) {
    complain(error.message, said);
  }
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
    $("answer").textContent = "";
    $("answer").textContent = await page.askWords($("question").value, $("word").value.trim());
  });
  submit("line-form", () => {
    then(async () => page.wire.send($("line").value)).then(() => ($("line").value = ""));
  });
  submit("exchange-form", () => {
    $("exchange-form").hidden = true;
    $("exchange").focus();
    page.commit(`ex.${page.rules.rack($("exchange-text").value)}`);
  });
  submit("command-form", runCommand);
  submit("edit-form", endEditing);
  $("exchange-form").onkeydown = (event) => {
    if (event.key !== "Escape") return;
    $("exchange-form").hidden = true;
    $("exchange").focus();
  };
  for (const id of ["edit-rack-1", "edit-rack-2"]) $(id).oninput = countTiles;
  // A number beyond its limits becomes the nearest limit.
  document.addEventListener("change", ({ target }) => {
    if (target.type !== "number" || target.value === "" || target.checkValidity() || !(target.validity.rangeUnderflow || target.validity.rangeOverflow)) return;
    target.value = target.validity.rangeUnderflow ? target.min : target.max;
    const name = target.labels[0]?.childNodes[0].textContent.trim() ?? target.ariaLabel;
    complain(target.max ? `${name}: from ${target.min} to ${target.max}` : `${name}: ${target.min} or more`);
  });
}

/** Enables the fields that apply: the increment with a clock, the engine's seconds without one. */
function chooseTime() {
  const hasClock = Number($("minutes").value) > 0;
  $("engine-seconds").disabled = hasClock;
  $("increment").disabled = !hasClock;
}

function wireButtons(listLexicons) {
  for (const way of Object.keys(STEPS)) $(way).onclick = () => page.step(way);
  const actions = {
    go: () => page.analyse(),
    stop: page.stop,
    play: () => page.commit(),
    add: () => page.add(),
    recall: () => page.board.recall(),
    shuffle: () => page.board.shuffle(),
    pass: () => page.commit("pass"),
    exchange: openExchange,
    undo: page.undo,
    new: page.newGame,
    copy: page.copy,
    link: page.copyLink,
    save: page.saveGame,
    game: page.startGame,
    doubt: page.doubt,
    "give-up": giveUp,
    load: () => page.load($("text").value),
    eval: page.evaluate,
    infer: page.infer,
    report: () => page.report(),
    replies,
    "heat-off": clearHeat,
    compare,
    quiz: toggleQuiz,
    "quiz-next": nextQuizTurn,
    "quiz-reveal": () => guess(null),
    edit: () => beginEditing(false),
    "edit-empty": () => beginEditing(true),
    "edit-clear": clearBoard,
    "edit-cancel": leaveEditing,
    "analyse-game": analyseGame,
    "open-load": () => {
      openTab("load");
      $("text").focus();
    },
    "open-play": () => {
      openTab("play");
      $("game").focus();
    },
  };
  for (const [id, action] of Object.entries(actions)) $(id).onclick = action;
  $("word-file").onchange = ({ target }) => then(async () => {
    const [file] = target.files;
    if (!file) return;
    target.value = "";
    await addFile(file.name, new Uint8Array(await file.arrayBuffer()));
    say(`${file.name} is kept in this browser`);
  }).then(listLexicons);
  $("file").onchange = ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    loadFile(file);
    target.value = "";
  };
  $("minutes").addEventListener("input", chooseTime);
  chooseTime();
  $("lexicon").onchange = () => then(async () => {
    await page.wire.stop();
    await page.wire.ask(`setoption name Lexicon value ${$("lexicon").value}`);
    say(`The word list is now ${$("lexicon").value}`);
  });
  $("letters").onchange = () => page.newGame().then(listLexicons);
  $("layout").onchange = $("variant").onchange = $("challenge").onchange = page.newGame;
}

/** Binds all controls. `listLexicons` lists the word lists again. */
export function wireControls(listLexicons) {
  watchHand();
  wireTabs();
  wireButtons(listLexicons);
  wireForms();
  wireDrop();
  $("commands-help").textContent = helpText();
  document.addEventListener("keydown", pressKey);
  // A game in progress is not left by accident.
  window.addEventListener("beforeunload", (event) => {
    if (page.deal) event.preventDefault();
  });
  window.addEventListener("pagehide", keepState);
  document.addEventListener("visibilitychange", keepState);
}
