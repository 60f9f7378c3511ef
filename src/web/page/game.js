// A game against the engine: the bag, both racks and the clock. The page deals, since the engine only plays what it is asked about.

import { leaveOf } from "./position.js";
import { split } from "./rules.js";

/** The cost of a failed challenge by the challenge rule of a position: in words, and as points or the turn. Under `void` there are no challenges. */
export const WRONG_CHALLENGE = {
  single: { text: "nothing" },
  double: { text: "your turn", turn: true },
  "5pt": { text: "5 points, which the engine gets", points: 5 },
  "10pt": { text: "10 points, which the engine gets", points: 10 },
};

/** A random number from 0 to below `many`, from the browser's cryptographic generator: nobody can foresee the tiles. */
function random(many) {
  return Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * many);
}

function shuffled(tiles) {
  const bag = [...tiles];
  for (let at = bag.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [bag[at], bag[other]] = [bag[other], bag[at]];
  }
  return bag;
}

/** The tiles of a game, between two turns. */
export class Deal {
  static begin(rules) {
    const deal = new Deal();
    deal.bag = shuffled([...rules.tiles].flatMap(([face, { count }]) => Array(count).fill(face)));
    deal.racks = [deal.bag.splice(0, rules.rackSize), deal.bag.splice(0, rules.rackSize)];
    deal.engineSeat = random(2);
    // The engine's seed, which determines the words that it knows on lower levels.
    deal.seed = random(2 ** 31);
    return deal;
  }

  rack(seat) {
    return this.racks[seat].join("");
  }

  /** The racks as the player of a seat sees them: the other rack is hidden until the bag is empty. */
  seenBy(seat) {
    return [this.rack(seat), this.bag.length ? "" : this.rack(1 - seat)];
  }

  /** The deal after a move of a seat: tiles are drawn before the exchanged ones go back. */
  after(rules, position, move, seat) {
    const kept = split(leaveOf(rules, position, this.rack(seat), move));
    const used = this.racks[seat].length - kept.length;
    const back = move.startsWith("ex.") ? split(move.split(".")[1]) : [];
    const next = new Deal();
    next.engineSeat = this.engineSeat;
    next.seed = this.seed;
    next.racks = [...this.racks];
    next.racks[seat] = [...kept, ...this.bag.slice(0, used)];
    next.bag = back.length ? shuffled([...this.bag.slice(used), ...back]) : this.bag.slice(used);
    return next;
  }
}
