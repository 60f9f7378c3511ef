// The messages of the page: successes in the status line, errors next to the control that was used. Screen readers read all of them, since the status
// line and each place for errors are live regions. Start with `say` and `complain`.

import { inWords } from "./words.js";

const QUIET_MS = 700; // Typed text is spoken after a pause.

const find = (id) => document.getElementById(id);

let place = null; // The place for errors of the last action.

/** The place for errors that is nearest to an element. */
function placeOf(element) {
  for (let at = element; at?.querySelector; at = at.parentElement) {
    const found = at.querySelector(":scope > .problem, :scope > .lines > .problem");
    if (found) return found;
  }
  return null;
}

/** The place for errors of the action that begins now. */
export function hand() {
  return place;
}

/** Follows which control was used last. */
export function watchHand() {
  const used = ({ target }) => {
    if (!(target instanceof Element)) return;
    place = target.closest("#command-form") ? find("said") : target === document.body ? placeOf(find("board")) : placeOf(target);
  };
  for (const kind of ["pointerdown", "keydown", "click", "change", "submit", "drop"]) document.addEventListener(kind, used, { capture: true });
  // The new input may be right.
  document.addEventListener("input", ({ target }) => target instanceof Element && clear(placeOf(target)));
}

function clear(problem) {
  if (!problem || !problem.textContent) return;
  problem.textContent = "";
  problem.classList.remove("wrong");
  for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

function clearAll() {
  document.querySelectorAll(".problem").forEach(clear);
  if (find("said").classList.contains("wrong")) clear(find("said"));
}

/** Shows a message, which screen readers also read, and clears earlier errors. */
export function say(text) {
  clearAll();
  find("status").className = "";
  find("status").title = find("status").textContent = text;
}

/** Reports an error at a place for errors, or in the status line if that place is not visible. */
export function complain(text, where = place) {
  clearAll();
  const told = inWords(text);
  if (!where?.isConnected || !where.parentElement.getClientRects().length) {
    find("status").title = find("status").textContent = told;
    find("status").className = "wrong";
    return;
  }
  // The action has failed, so its status no longer holds.
  find("status").title = find("status").textContent = "";
  where.textContent = told;
  where.classList.add("wrong");
  const field = where.parentElement.querySelector("input:not([type=checkbox]):not([type=file]), textarea");
  if (field && where.parentElement.matches("form")) field.ariaInvalid = "true";
  where.scrollIntoView({ block: "nearest" });
}

let quiet = null;
/** Has a text read aloud without showing it, unless a newer one comes within a moment. */
export function speakLater(text) {
  clearTimeout(quiet);
  quiet = setTimeout(() => (find("spoken").textContent = text), QUIET_MS);
}
