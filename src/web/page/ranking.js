// The ranking: rows that are updated in place. Lines may come faster than the screen is drawn, so it is drawn once a frame, with the latest values.

import { readRow } from "./wire.js";
import { Position, leaveOf } from "./position.js";
import { lines } from "./tables.js";
import { moveText, tilesText } from "./words.js";

const ROWS_SHOWN = 200;

/** A table of candidates. `choose(move)` is called when a row is clicked or reached by keys. */
export class Ranking {
  #rows = new Map(); // key -> its latest values; the key is the move, or in an endgame the depth
  #order = [];
  #block = [];
  #elements = new Map();
  #isDue = false;
  #isMoving = false;
  #summary = "";
  #proof = "";
  #chosen = null;
  #made = null; // The play made from this position, which is marked.
  #why = []; // Sentences: why the best play is better than another one.

  constructor({ body, summary, detail, head, verdict = null, why = null }, choose) {
    this.body = body;
    this.summaryElement = summary;
    this.detailElement = detail;
    this.head = head;
    this.verdictElement = verdict;
    this.whyElement = why;
    const chosen = ({ target }) => {
      const key = target.closest("tr")?.dataset.key;
      if (!key || this.#isMoving || key === this.#chosen) return;
      this.#chosen = key;
      this.#ask();
      choose(this.#rows.get(key).move);
    };
    body.addEventListener("click", chosen);
    body.addEventListener("focusin", chosen);
  }

  /** Clears the ranking for a position and the play made from it, if there is one. */
  clear(position, rules, rack, made = null) {
    this.#made = made;
    Object.assign(this, { position, rules, rack });
    this.#rows.clear();
    this.#order = [];
    this.#block = [];
    this.#elements.clear();
    this.#summary = this.#proof = "";
    this.#chosen = null;
    this.body.replaceChildren();
    this.summaryElement.textContent = "";
    if (this.verdictElement) this.verdictElement.textContent = "";
    this.detailElement.replaceChildren();
    this.tellWhy([]);
  }

  /** The ranking, to be shown again; null if it is empty. */
  kept() {
    if (!this.#newest().length) return null;
    return { rows: new Map(this.#rows), order: [...this.#newest()], summary: this.#summary, proof: this.#proof, why: this.#why };
  }

  /** Shows a ranking that was kept, on its position. */
  showKept({ rows, order, summary, proof, why = [] }) {
    this.#rows = new Map(rows);
    [this.#order, this.#block, this.#summary, this.#proof] = [order, [], summary, proof];
    this.tellWhy(why);
    this.#ask();
  }

  /** The moves that are ranked, best first. */
  get moves() {
    return [...new Set(this.#newest().map((key) => this.#rows.get(key).move))];
  }

  /** The row of a move; null if it is not ranked. */
  row(move) {
    return this.#rows.get(move) ?? null;
  }

  /** Shows the sentences that explain why the best play is better than another one. */
  tellWhy(sentences) {
    this.#why = sentences;
    if (!this.whyElement) return;
    this.whyElement.replaceChildren(...lines(sentences));
    this.whyElement.parentElement.hidden = !sentences.length;
  }

  /** The best rows in words, to be read aloud. */
  describe(many) {
    const rows = this.#newest().slice(0, many).map((key) => this.#rows.get(key));
    return rows.map((row) => `${moveText(row.move)}${row.score === undefined ? "" : `, ${row.score} points`}, ${winText(row) || equityText(row)}`).join("; ") || "nothing is ranked yet";
  }

  /** Takes in a line of a search. */
  hear(line) {
    if (line.startsWith("info depth ")) {
      this.#endBlock();
      const { time, nps } = readRow(`info general ${line.slice(5)}`);
      this.#summary = `${(time / 1000).toFixed(1)} s, ${Number(nps).toLocaleString("en")} plays a second`;
    } else if (/^info (gen|sim|peg|endgame) /.test(line)) {
      const row = readRow(line);
      const key = row.kind === "endgame" ? `depth ${row.depth}` : row.move;
      if (row.kind === "endgame") this.#block = [key, ...this.#newest().filter((other) => other !== key)];
      else this.#block.push(key);
      this.#rows.set(key, row);
    } else if (line.startsWith("info string solved")) {
      this.#proof = "solved";
    } else if (line.startsWith("info string peg ")) {
      this.#proof = line.slice("info string peg ".length);
    } else if (line.startsWith("bestmove ")) {
      this.#endBlock();
    }
    this.#ask();
  }

  /** The last complete block, or the current one once it is as long. */
  #newest() {
    return this.#block.length >= this.#order.length ? this.#block : this.#order;
  }

  /** Ends a block, and drops the rows that it did not name. */
  #endBlock() {
    if (this.#block.length) this.#order = this.#block;
    this.#block = [];
    const named = new Set(this.#order);
    for (const key of this.#rows.keys()) if (!named.has(key)) this.#rows.delete(key);
  }

  #ask() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw() {
    const shown = this.#newest().slice(0, ROWS_SHOWN);
    const ranges = shown.map((key) => range(this.#rows.get(key))).filter(Boolean);
    const low = Math.min(...ranges.map(([from]) => from));
    const high = Math.max(...ranges.map(([, to]) => to));
    // A row that is moved loses the focus, which is restored below.
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.#isMoving = true;
    shown.forEach((key, at) => {
      const element = this.#elements.get(key) ?? this.#make(key);
      this.#fill(element, this.#rows.get(key), at, low, high);
      if (this.body.children[at] !== element) this.body.insertBefore(element, this.body.children[at] ?? null);
    });
    while (this.body.children.length > shown.length) {
      const last = this.body.lastElementChild;
      this.#elements.delete(last.dataset.key);
      last.remove();
    }
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
    this.#isMoving = false;
    const first = this.#rows.get(shown[0]);
    if (first) {
      this.head.textContent = { peg: "Draws", endgame: "Spread" }[first.kind] ?? "Win %";
      this.body.parentElement.className = first.kind;
    }
    this.#drawVerdict();
    const summary = [this.#summary, this.#proof].filter(Boolean).join("; ");
    if (this.summaryElement.textContent !== summary) this.summaryElement.textContent = summary;
    this.#drawDetail(this.#rows.get(this.#chosen) ?? first);
  }

  /** Draws how the play made compares with the best one. */
  #drawVerdict() {
    if (!this.verdictElement || !this.#made) return;
    const kept = this.kept();
    const loss = kept && lossOf(kept, this.#made);
    const made = moveText(this.#made);
    const best = kept && moveText(kept.rows.get(kept.order[0]).move);
    const text = !kept ? "" : !loss ? `Played: ${made}, which is not ranked` : loss.by < 0.05 ? `Played: ${made}, as good as the best` : `Played: ${made}, ${loss.by.toFixed(1)}${loss.unit} worse than ${best}`;
    if (this.verdictElement.textContent !== text) this.verdictElement.textContent = text;
  }

  /** Draws what a row has no room for: the draws of a pre-endgame, the line of an endgame. */
  #drawDetail(row) {
    const parts = row ? details(row) : [];
    const text = parts.map(([name, value]) => `${name} ${value}`).join("\n");
    if (this.detailElement.dataset.shown === text) return;
    this.detailElement.dataset.shown = text;
    const entries = parts.map(([name, value]) => {
      const entry = document.createElement("p");
      entry.append(Object.assign(document.createElement("b"), { textContent: name }), ` ${value}`);
      return entry;
    });
    this.detailElement.replaceChildren(...entries);
  }

  #make(key) {
    const element = document.createElement("tr");
    element.dataset.key = key;
    element.innerHTML = "<td></td><td><button type='button'></button></td><td></td><td class='bar'></td><td></td><td></td><td></td><td></td>";
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    bar.setAttribute("viewBox", "0 0 100 12");
    bar.setAttribute("preserveAspectRatio", "none");
    bar.ariaHidden = "true";
    for (const name of ["rect", "line"]) bar.append(document.createElementNS("http://www.w3.org/2000/svg", name));
    element.querySelector(".bar").append(bar);
    this.#elements.set(key, element);
    return element;
  }

  #fill(element, row, at, low, high) {
    const cells = element.children;
    const write = (part, text) => {
      if (part.textContent !== text) part.textContent = text;
    };
    const set = (cell, text) => write(cells[cell], text);
    set(0, String(at + 1));
    write(cells[1].firstElementChild, moveText(row.move));
    element.classList.toggle("made", row.move === this.#made);
    set(2, winText(row));
    set(4, row.score === undefined ? "" : String(row.score));
    set(5, equityText(row));
    if (row.eqse) cells[5].title = `± ${(2 * row.eqse).toFixed(1)}, two standard errors`;
    set(6, row.kind === "endgame" ? "" : tilesText(String(row.leave ?? leaveOf(this.rules, this.position, this.rack, row.move))));
    set(7, row.iters === undefined ? (row.depth ? `depth ${row.depth}` : "") : row.iters.toLocaleString("en"));
    element.classList.toggle("chosen", element.dataset.key === this.#chosen);
    const found = range(row);
    const [rect, line] = cells[3].firstElementChild.children;
    cells[3].firstElementChild.style.visibility = found && high > low ? "visible" : "hidden";
    if (!found || high <= low) return;
    const place = (value) => (((value - low) / (high - low)) * 96 + 2).toFixed(1);
    rect.setAttribute("x", place(found[0]));
    rect.setAttribute("width", Math.max(place(found[1]) - place(found[0]), 0.5).toFixed(1));
    rect.setAttribute("y", 3);
    rect.setAttribute("height", 6);
    line.setAttribute("x1", place(row.wp));
    line.setAttribute("x2", place(row.wp));
    line.setAttribute("y1", 1);
    line.setAttribute("y2", 11);
  }
}

/** The chance of winning at a node, in percent, by the best play of its ranking; null if it is unknown. */
export function chanceOf({ cgp, ranking }) {
  if (!ranking) return null;
  const best = ranking.rows.get(ranking.order[0]);
  if (best.kind === "endgame") {
    const [own, other] = Position.read(cgp).scores;
    // The row's spread is the change of the lead until the end.
    return best.proof !== "exact" ? null : 50 * (1 + Math.sign(own - other + Number(best.spread)));
  }
  const chance = best.kind === "sim" && !best.iters ? null : best.wp;
  return Number.isFinite(chance) ? chance : null;
}

/** How much worse a move is than the best one of a ranking that was kept: {by, unit}; null if that is unknown. */
export function lossOf({ rows, order }, move) {
  const [best, made] = [rows.get(order[0]), rows.get(move)];
  if (best.move === move) return { by: 0, unit: " %" };
  if (!made || made.kind === "endgame") return null;
  if (made.kind === "gen") return { by: best.eq - made.eq, unit: " points" };
  if (made.kind === "sim" && !(made.iters && best.iters)) return null;
  const by = best.wp - made.wp;
  return Number.isFinite(by) ? { by: Math.max(by, 0), unit: " %" } : null;
}

/** The ends of a row's bar: two standard errors on either side, or in a pre-endgame 0 and the chance. */
function range(row) {
  if (row.kind === "peg") return row.wp === undefined ? null : [0, row.wp];
  return row.wp === undefined || !row.iters ? null : [row.wp - 2 * row.wpse, row.wp + 2 * row.wpse];
}

function draws(list) {
  return list ? String(list).split("|") : [];
}

function winText(row) {
  if (row.kind === "sim") return row.wp === undefined ? "" : row.iters ? `${row.wp.toFixed(1)} ± ${(2 * row.wpse).toFixed(1)}` : "";
  if (row.kind === "endgame") return `${row.spread}${row.proof === "exact" ? "" : ` ${row.proof}`}`;
  if (row.kind !== "peg") return "";
  const counts = [[row.w, "won"], [row.d, "tied"], [row.l, "lost"]];
  return counts.filter(([list]) => list).map(([list, what]) => `${draws(list).length} ${what}`).join(", ");
}

function equityText(row) {
  if (row.kind === "endgame") return "";
  if (row.kind === "peg") return row.spread === undefined ? "" : `spread ${row.spread}`;
  return row.eq === undefined ? "" : row.eq.toFixed(1);
}

function details(row) {
  if (row.kind === "peg") {
    const named = [["wins with", row.w], ["ties with", row.d], ["loses with", row.l]];
    return [[moveText(row.move), "depending on the bag:"], ...named.filter(([, list]) => list).map(([name, list]) => [name, draws(list).join(" ")])];
  }
  return row.kind === "endgame" ? [["Expected to follow:", row.line.map(moveText).join(", ")]] : [];
}
