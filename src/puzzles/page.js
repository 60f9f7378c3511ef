// The page of puzzles: one puzzle at a time, and the player's answer. Without it the page shows all puzzles, one below the other.
"use strict";
(() => {
  const puzzles = [...document.querySelectorAll("section.puzzle")];
  if (puzzles.length === 0) return;
  document.documentElement.classList.add("live");
  const solved = new Set();
  let now = 0;

  const show = (index) => {
    now = Math.max(0, Math.min(puzzles.length - 1, index));
    puzzles.forEach((puzzle, at) => puzzle.classList.toggle("current", at === now));
  };

  // The heading gets the focus, so that a screen reader reads it.
  const go = (index) => {
    show(index);
    history.replaceState(null, "", "#" + puzzles[now].id);
    puzzles[now].querySelector("h2").focus();
  };

  // Parses a play for comparison: its square, and its tiles in either case. Tiles of several characters are in brackets. `null` is not a play.
  const tiles = (text) => text.replace(/[()]/g, "").toUpperCase().match(/\[[^\]]*\]|./gu) ?? [];
  const read = (text) => {
    const play = text.trim();
    if (/^pass$/i.test(play)) return { square: "pass", tiles: [] };
    const exchange = /^(?:ex(?:ch(?:ange)?)?[.\s]\s*|-)(\S+)$/i.exec(play);
    if (exchange) return { square: "ex", tiles: tiles(exchange[1]).sort() };
    const placed = /^(\d{1,2}[a-z]{1,2}|[a-z]{1,2}\d{1,2})[.\s]\s*(\S+)$/i.exec(play);
    return placed && { square: placed[1].toUpperCase(), tiles: tiles(placed[2]) };
  };

  // A dot stands for a tile on the board.
  const isSame = (typed, known) =>
    typed.square === known.square &&
    typed.tiles.length === known.tiles.length &&
    typed.tiles.every((tile, at) => tile === known.tiles[at] || (tile === "." && typed.square !== "ex"));

  const judge = (puzzle, text) => {
    const typed = read(text);
    if (!typed) return ["wrong", "Write a play as the square of the first letter and the whole word, like 8D NASTIER; or write ex ABC or pass."];
    const right = JSON.parse(puzzle.dataset.right);
    if (right.some((play) => isSame(typed, read(play)))) {
      solved.add(puzzle.id);
      document.getElementById("solved").textContent = `${solved.size} of ${puzzles.length} solved`;
      puzzle.querySelector("details.solution").open = true;
      return ["right", `Right: the solution is ${right[0]}.`];
    }
    const rival = Object.entries(JSON.parse(puzzle.dataset.lost)).find(([play]) => isSame(typed, read(play)));
    return ["wrong", rival ? `${rival[0]} is not the best play: it loses ${rival[1]}.` : "This is not the best play."];
  };

  puzzles.forEach((puzzle) => {
    const [typed, chosen] = [puzzle.querySelector("input"), puzzle.querySelector("select")];
    puzzle.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      const [kind, text] = judge(puzzle, typed.value);
      const result = puzzle.querySelector(".result");
      result.className = `result ${kind}`;
      result.textContent = text;
    });
    // Choosing a play from the list only types it. The button answers, so that keys can move through the list.
    chosen.addEventListener("change", () => (typed.value = chosen.value));
    const solution = puzzle.querySelector("details.solution");
    solution.addEventListener("toggle", () => puzzle.classList.toggle("open", solution.open));
  });

  document.querySelectorAll("button[data-step]").forEach((button) => {
    button.addEventListener("click", () => go(button.dataset.step === "on" ? now + 1 : now - 1));
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const steps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: puzzles.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      go(steps[event.key]);
    }
  });

  const named = () => puzzles.findIndex((puzzle) => "#" + puzzle.id === location.hash);
  window.addEventListener("hashchange", () => named() >= 0 && show(named()));
  show(named());
})();
