// The ranking: rows that get better in place. Lines may come faster than the screen is drawn: it is drawn once a frame, from what is known then.

import { readRow } from "./wire.js";
import { leaveOf } from "./position.js";

/** A table of candidates. `choose(move)` is called when a row is clicked. */
export class Ranking {
  #rows = new Map(); // move -> what is known of it
  #order = [];
  #block = [];
  #elements = new Map();
  #isDue = false;
  #summary = "";

  constructor(body, summary, choose) {
    this.body = body;
    this.summaryElement = summary;
    body.addEventListener("click", ({ target }) => {
      const move = target.closest("tr")?.dataset.move;
      if (move) choose(move);
    });
  }

  /** Begins anew, for a position. */
  clear(position) {
    this.position = position;
    this.#rows.clear();
    this.#order = [];
    this.#block = [];
    this.#elements.clear();
    this.#summary = "";
    this.body.replaceChildren();
    this.summaryElement.textContent = "";
  }

  /** A line of a search. */
  hear(line) {
    if (line.startsWith("info depth ")) {
      this.#endBlock();
      const { time, nps } = readRow(`info general ${line.slice(5)}`);
      this.#summary = `${(time / 1000).toFixed(1)} s, ${Number(nps).toLocaleString("en")} plays a second`;
    } else if (/^info (gen|sim|peg|endgame) /.test(line)) {
      const row = readRow(line);
      if (row.kind === "endgame") this.#block = [];
      this.#block.push(row.move);
      this.#rows.set(row.move, row);
    } else if (line.startsWith("info string solved")) {
      this.#summary += ", solved";
    } else if (line.startsWith("bestmove ")) {
      this.#endBlock();
    }
    this.#order = this.#block.length >= this.#order.length ? [...this.#block] : this.#order;
    this.#ask();
  }

  /** A block is over: what it did not name is not ranked any more. */
  #endBlock() {
    if (this.#block.length) this.#order = this.#block;
    this.#block = [];
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
    const shown = this.#order.slice(0, 200);
    const ranges = shown.map((move) => range(this.#rows.get(move))).filter(Boolean);
    const low = Math.min(...ranges.map(([from]) => from));
    const high = Math.max(...ranges.map(([, to]) => to));
    shown.forEach((move, at) => {
      const element = this.#elements.get(move) ?? this.#make(move);
      this.#fill(element, this.#rows.get(move), at, low, high);
      if (this.body.children[at] !== element) this.body.insertBefore(element, this.body.children[at] ?? null);
    });
    while (this.body.children.length > shown.length) {
      const last = this.body.lastElementChild;
      this.#elements.delete(last.dataset.move);
      last.remove();
    }
    if (this.summaryElement.textContent !== this.#summary) this.summaryElement.textContent = this.#summary;
  }

  #make(move) {
    const element = document.createElement("tr");
    element.dataset.move = move;
    element.innerHTML = "<td></td><td><button type='button'></button></td><td></td><td class='bar'></td><td></td><td></td><td></td><td></td>";
    element.querySelector("button").textContent = move;
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    bar.setAttribute("viewBox", "0 0 100 12");
    bar.setAttribute("preserveAspectRatio", "none");
    bar.ariaHidden = "true";
    for (const name of ["rect", "line"]) bar.append(document.createElementNS("http://www.w3.org/2000/svg", name));
    element.querySelector(".bar").append(bar);
    this.#elements.set(move, element);
    return element;
  }

  #fill(element, row, at, low, high) {
    const cells = element.children;
    const set = (cell, text) => {
      if (cells[cell].textContent !== text) cells[cell].textContent = text;
    };
    set(0, String(at + 1));
    set(2, winText(row));
    set(4, row.score === undefined ? "" : String(row.score));
    set(5, equityText(row));
    if (row.eqse) cells[5].title = `± ${(2 * row.eqse).toFixed(1)}, two standard errors`;
    set(6, row.leave ?? leaveOf(this.position, this.position.racks[0], row.move));
    set(7, row.iters === undefined ? (row.depth ? `depth ${row.depth}` : "") : row.iters.toLocaleString("en"));
    const found = range(row);
    const [rect, line] = cells[3].firstElementChild.children;
    cells[3].firstElementChild.style.visibility = found && high > low ? "visible" : "hidden";
    if (!found || high <= low) return;
    const place = (value) => ((value - low) / (high - low)) * 96 + 2;
    rect.setAttribute("x", place(found[0]));
    rect.setAttribute("width", Math.max(place(found[1]) - place(found[0]), 0.5));
    rect.setAttribute("y", 3);
    rect.setAttribute("height", 6);
    line.setAttribute("x1", place(row.wp));
    line.setAttribute("x2", place(row.wp));
    line.setAttribute("y1", 1);
    line.setAttribute("y2", 11);
  }
}

function range(row) {
  return row.wp === undefined || !row.iters ? null : [row.wp - 2 * row.wpse, row.wp + 2 * row.wpse];
}

function winText(row) {
  if (row.wp !== undefined) return row.iters ? `${row.wp.toFixed(1)} ± ${(2 * row.wpse).toFixed(1)}` : "";
  if (row.kind !== "peg") return "";
  const count = (draws) => (draws ? String(draws).split("|").length : 0);
  return `${count(row.w)} won, ${count(row.d)} tied, ${count(row.l)} lost`;
}

function equityText(row) {
  if (row.kind === "endgame") return `${row.spread}${row.proof === "exact" ? "" : ` ${row.proof}`}`;
  if (row.kind === "peg") return row.spread === undefined ? "" : `spread ${row.spread}`;
  return row.eq === undefined ? "" : row.eq.toFixed(1);
}
