// The game as a file, and a report of it.

import { reportSecret } from "./connection.js";
import { say } from "./notices.js";
import { Position, stated } from "./position.js";
import { makeReport, withNames } from "./report.js";
import { $, page, then } from "./state.js";
import { openTab } from "./tabs.js";
import { lineOf, scoresAt, withHistory } from "./tree.js";
import { inWords } from "./words.js";

/** The game up to its last turn, as GCG. */
async function recordOfGame() {
  const { node } = page;
  if (page.deal) throw new Error("the game is not over");
  if (!node.parent && !node.children.length) throw new Error("there is no game yet");
  const last = lineOf(node).at(-1);
  await page.wire.stop();
  const ended = () => page.wire.ask(...withHistory(last.parent), `play ${stated(last.move, last.parent.rack)}`, "gcg");
  let lines;
  try {
    lines = last.event !== undefined ? await page.wire.ask(...withHistory(last), "gcg") : await ended().catch(() => page.wire.ask(...withHistory(last), "gcg"));
  } finally {
    await page.wire.ask(`position cgp ${node.cgp}`);
  }
  const record = lines.slice(lines.findIndex((line) => line.startsWith("gcg lines ")) + 1);
  return withNames([...record, ...timeLines(last)].join("\n"), page.names);
}

/** The lines of the record for time penalties. */
function timeLines(node) {
  const { racks } = Position.read(node.cgp);
  const totals = scoresAt(node);
  const late = node.late ?? [0, 0];
  const line = (player) => [`>player${player + 1}:`, racks[player === node.seat ? 0 : 1], "(time)", `-${late[player]}`, totals[player]].filter((word) => word !== "").join(" ");
  return [0, 1].filter((player) => late[player]).map(line);
}

export function saveGame() {
  return then(async () => {
    const record = await recordOfGame();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${record}\n`], { type: "text/plain" }));
    link.download = `${page.names.join(" - ").replace(/[^\p{L}\p{N} -]+/gu, "_")}.gcg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(`Saved as ${link.download}`);
  });
}

export async function report() {
  let record = "";
  await then(async () => {
    if (reportSecret === null) throw new Error("this site cannot make reports: save the game as GCG, and run tilewright analyse on it");
    record = await recordOfGame();
  });
  if (!record) return;
  const opcode = (name, usual) => new RegExp(`${name} ([^;\\s]+);`).exec(page.node.cgp)?.[1] ?? usual;
  const movetime = Math.round(Math.max(Number($("report-seconds").value) || 0.5, 0.05) * 1000);
  const settings = `movetime ${movetime} lexicon ${$("lexicon").value} letters ${opcode("ld", "english")} layout ${opcode("bdn", "standard15")} variant ${opcode("var", "classic")}`;
  openTab("study");
  const tell = (text) => $("report-state").replaceChildren(text);
  try {
    const address = await makeReport(reportSecret, settings, record, tell);
    tell("Done. ");
    $("report-state").append(Object.assign(document.createElement("a"), { href: address, target: "_blank", rel: "noopener", textContent: "Open the report" }));
    say("The report is done");
  } catch (error) {
    tell(inWords(error.message));
  }
}
