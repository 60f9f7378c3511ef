// The curve of a game: the first player's chance of winning at each analysed turn. Analysing adds points to it, and each point leads to its turn.

import { chanceOf } from "./ranking.js";
import { lineOf, scoresAt } from "./tree.js";
import { moveText } from "./words.js";

const [WIDTH, HEIGHT] = [300, 90];

function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The first player's chance at a node, in percent; null where it is not known. */
function chanceAt(node) {
  if (node.over !== "no") {
    const [own, other] = scoresAt(node);
    const isWon = /\bvar misere;/.test(node.cgp) ? own < other : own > other;
    return own === other ? 50 : isWon ? 100 : 0;
  }
  const chance = chanceOf(node);
  return chance === null ? null : node.seat === 0 ? chance : 100 - chance;
}

/** Draws the curve of a node's game if at least one turn was analysed, and returns whether it did. Calls `go(node)` for a turn that is clicked
 *  or reached by the arrow keys. */
export function drawCurve(place, node, names, go) {
  const line = lineOf(node);
  const points = line.map((at, turn) => ({ at, turn, chance: chanceAt(at) }));
  const known = points.filter(({ chance }) => chance !== null);
  // A result alone is no curve.
  if (!known.some(({ at }) => at.over === "no")) {
    place.replaceChildren();
    return false;
  }
  const step = WIDTH / Math.max(line.length - 1, 1);
  const [x, y] = [(turn) => (turn * step).toFixed(1), (chance) => (HEIGHT - (chance / 100) * HEIGHT).toFixed(1)];
  const current = points.find(({ at }) => at === node);
  const last = known.at(-1);
  // The picture may have the focus when it is redrawn, so its element stays.
  const kept = place.querySelector("svg");
  const picture = kept ?? shape("svg", { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, preserveAspectRatio: "none", role: "slider", tabindex: 0, "aria-valuemin": 0 });
  picture.ariaLabel = `${names[0]}'s chance of winning, turn by turn`;
  picture.ariaValueMax = line.length - 1;
  picture.ariaValueNow = current.turn;
  picture.ariaValueText = `${current.turn ? `after turn ${current.turn}` : "at the start"}: ${current.chance === null ? "not analysed" : `${Math.round(current.chance)} %`}`;
  picture.onkeydown = (event) => {
    const next = { ArrowLeft: current.turn - 1, ArrowDown: current.turn - 1, ArrowRight: current.turn + 1, ArrowUp: current.turn + 1, Home: 0, End: line.length - 1 }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (line[next] && next !== current.turn) go(line[next]);
  };
  picture.replaceChildren();
  picture.append(shape("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  // Turns that were not analysed leave a gap.
  let path = "";
  points.forEach(({ turn, chance }, index) => {
    if (chance !== null) path += `${index && points[index - 1].chance !== null ? "L" : "M"}${x(turn)} ${y(chance)}`;
  });
  picture.append(shape("path", { class: "line", d: path }));
  picture.append(shape("line", { class: "now", x1: x(current.turn), x2: x(current.turn), y1: 0, y2: HEIGHT }));
  for (const { at, turn, chance } of known) picture.append(shape("path", { class: at === node ? "dot current" : "dot", d: `M${x(turn)} ${y(chance)}h0` }));
  for (const { at, turn, chance } of points) {
    const target = shape("rect", { class: "turn", x: (turn * step - step / 2).toFixed(1), width: step.toFixed(1), y: -4, height: HEIGHT + 8, "data-turn": turn });
    const title = shape("title", {});
    title.textContent = `${moveText(at.move)}${chance === null ? "" : `: ${names[0]} ${chance.toFixed(1)} %`}`;
    target.append(title);
    target.addEventListener("click", () => go(at));
    picture.append(target);
  }
  const caption = place.querySelector("p") ?? Object.assign(document.createElement("p"), { className: "note" });
  const now = current.chance ?? last.chance;
  caption.textContent = `${names[0]} ${now.toFixed(1)} % — ${names[1]} ${(100 - now).toFixed(1)} %${current.chance === null ? " at the last analysed turn" : ""}`;
  if (!kept) place.replaceChildren(picture, caption);
  return true;
}
