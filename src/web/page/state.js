// The state that the parts of the page share: the position that is shown, the game that is played, the engine, and the order of work with it.

import { complain, hand } from "./notices.js";

export const $ = (id) => document.getElementById(id);

/** The state of the page. `app.js` adds the actions that `commands.js` uses. */
export const page = {
  wire: null, // The conversation with the engine.
  board: null,
  ranking: null,
  rules: null, // Those of the position that is shown.
  node: null, // The position that is shown; `tree.js` says what it has.
  names: ["Player 1", "Player 2"],
  candidates: [], // Moves that are analysed beside the engine's own.
  deal: null, // The tiles of a game against the engine, while it is played.
  clock: null,
  quiz: null, // The turn that the quiz asks about.
  shownNames: null, // The names as they were shown last.
  dropped: null, // The game that a new one has taken the place of: {node, names}.
  isEditing: false, // Whether a position is set up by hand.
};

/** Refuses what would help in a game against the engine, or in the quiz. */
export function notPlaying() {
  if (page.deal) throw new Error("not while a game against the engine is played");
  if (page.quiz) throw new Error("not while the quiz asks: find a play, or end the quiz");
}

let work = Promise.resolve(); // The jobs that talk to the engine, one after another.

/** Does something that talks to the engine, after all that was begun before; what goes wrong is told beside the control that was used. */
export function then(job) {
  const place = hand();
  work = work.then(job).catch((error) => complain(error.message, place));
  return work;
}
