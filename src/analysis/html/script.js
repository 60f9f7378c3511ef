// The report's page: one turn at a time, plays shown on the board, the quiz. Without it the page shows all turns, one below the other.
"use strict";
(() => {
  const turns = [...document.querySelectorAll("section.turn")];
  if (turns.length === 0) return;
  const root = document.documentElement;
  root.classList.add("live");
  let now = 0;

  // Shows a turn and puts it into the address. The first turn shown does not do so, and the page stays at its top.
  const go = (index) => {
    show(index);
    history.replaceState(null, "", "#" + turns[now].id);
  };

  const show = (index) => {
    now = Math.max(0, Math.min(turns.length - 1, index));
    turns.forEach((turn, at) => turn.classList.toggle("current", at === now));
    const id = "#" + turns[now].id;
    document.querySelectorAll("[data-turn]").forEach((mark) => mark.classList.toggle("current", mark.dataset.turn === id));
    document.getElementById("where").textContent = turns[now].querySelector("h2").textContent;
  };

  const indexOf = (hash) => turns.findIndex((turn) => "#" + turn.id === hash);

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#t']");
    if (link && indexOf(link.getAttribute("href")) >= 0) {
      event.preventDefault();
      go(indexOf(link.getAttribute("href")));
      document.getElementById("turn").scrollIntoView({ block: "nearest" });
    }
    const step = event.target.closest("button[data-step]");
    if (step) {
      go({ first: 0, back: now - 1, on: now + 1, last: turns.length - 1, worst: worst() }[step.dataset.step]);
    }
    const reveal = event.target.closest("button.reveal");
    if (reveal) {
      turns[now].classList.add("revealed");
      turns[now].querySelector("h2").focus();
    }
  });

  // The next turn that lost something; after the last one, the first.
  const worst = () => {
    const order = turns.map((_, at) => (now + 1 + at) % turns.length);
    return order.find((at) => turns[at].dataset.lost === "yes") ?? now;
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const steps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: turns.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      go(steps[event.key]);
    } else if (event.key === "m") {
      go(worst());
    } else if (event.key === "q") {
      quiz.click();
    }
  });

  // A play of the ranking is drawn on its board while the pointer is on it or it has the focus.
  const draw = (row, isOn) => {
    const board = row.closest("section").querySelector("svg.board");
    board.querySelectorAll(".candidate").forEach((play) => play.classList.toggle("on", isOn && play.dataset.play === row.dataset.play));
    board.classList.toggle("showing", isOn);
  };
  document.querySelectorAll("tr[data-play]").forEach((row) => {
    row.addEventListener("pointerenter", () => draw(row, true));
    row.addEventListener("pointerleave", () => draw(row, false));
    row.addEventListener("focusin", () => draw(row, true));
    row.addEventListener("focusout", () => draw(row, false));
  });

  const quiz = document.getElementById("quiz");
  quiz.addEventListener("change", () => {
    root.classList.toggle("quiz", quiz.checked);
    turns.forEach((turn) => turn.classList.remove("revealed"));
  });

  window.addEventListener("hashchange", () => indexOf(location.hash) >= 0 && show(indexOf(location.hash)));
  show(Math.max(0, indexOf(location.hash)));
})();
