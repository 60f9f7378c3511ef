// The tree of positions. A node is {cgp, move, points, rack, parent, children, seat, over}: the position, the move that led to it and its points, the rack
// with which the next move is made, whose turn it is (0 or 1), and whether the game is over. A node of a game that was loaded also has its {event}, and its
// root the {record}. Nodes keep their {ranking}; the last one of a game keeps the points that
// were taken off for time: {late}, a number for each player.

import { Position, stated } from "./position.js";

/** A node below another one; `parent` is null for a root. */
export function child(parent, { cgp = "", move = null, points = null, rack = "", seat = 0, over = "no" }) {
  const made = { cgp, move, points, rack, parent, children: [], seat, over };
  parent?.children.push(made);
  return made;
}

/** The root of a new tree. */
export function root(position, seat = 0) {
  return child(null, { cgp: position.cgp(), seat });
}

export function rootOf(at) {
  return at.parent ? rootOf(at.parent) : at;
}

/** The game that a node is part of: from the root through the node to the end. */
export function lineOf(node) {
  const line = [];
  for (let at = node; at; at = at.parent) line.unshift(at);
  for (let at = node; at.children.length; ) line.push((at = at.children.at(-1)));
  return line;
}

/** The steps through a game. */
export const STEPS = {
  first: (at) => rootOf(at),
  back: (at) => at.parent ?? at,
  on: (at) => at.children.at(-1) ?? at,
  last: (at) => lineOf(at).at(-1),
};

/** The points of both players at a node: first player, second player. */
export function scoresAt(node) {
  const [own, other] = Position.read(node.cgp).scores;
  return node.seat === 0 ? [own, other] : [other, own];
}

/** The lines that set a position together with the turns before it, from which the engine infers. */
export function withHistory(at) {
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
