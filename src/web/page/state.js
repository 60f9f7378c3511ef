// The state that the parts of the page share: the position that is shown, the game in progress, the engine, and the queue of jobs for it.

import { complain, hand } from "./notices.js";

export const $ = (id) => document.getElementById(id);

/** The state of the page. `app.js` adds the actions that `commands.js` uses. */
export const page = {
  wire: null, // The conversation with the engine.
  board: null,
  ranking: null,
  rules: null, // Those of the position that is shown.
  node: null, // The position that is shown; `tree.js` describes its fields.
  names: ["Player 1", "Player 2"],
  candidates: [], // Moves that are analysed in addition to the engine's own.
  deal: null, // The tiles of a game against the engine, while one is in progress.
  clock: null,
  quiz: null, // The turn that the quiz asks about.
  shownNames: null, // The names that were shown last.
  dropped: null, // The game that a new one has replaced: {node, names}.
  isEditing: false, // Whether a position is being set up by hand.
};

/** Throws in a game against the engine and in the quiz, where help from the engine would be cheating. */
export function notPlaying() {
  if (page.deal) throw new Error("this is not possible in a game against the engine");
  if (page.quiz) throw new Error("the quiz waits for your play: find one, or end the quiz");
}

let work = Promise.resolve(); // The jobs that talk to the engine, one after another.

/** Runs a job that talks to the engine, after all earlier jobs. Errors are reported next to the control that was used. */
export function then(job) {
  const place = hand();
  work = work.then(job).catch((error) => complain(error.message, place));
  return work;
}
