// The command line of the page: everything that can be done, in words, for people who would rather type or listen than look.

/** The commands: a word, an example of what follows it, a description, and a function of the page and the rest of the line that returns the answer. */
const COMMANDS = [
  ["play", "8D WORD", "plays a move; the word play can be left out", (page, rest) => page.commit(page.readMove(rest))],
  ["try", "8D WORD", "shows a move on the board with its score", (page, rest) => page.tryMove(page.readMove(rest))],
  ["add", "8D WORD", "adds a move to the analysis", (page, rest) => page.add(page.readMove(rest))],
  ["pass", "", "passes", (page) => page.commit("pass")],
  ["ex", "ABC", "exchanges tiles", (page, rest) => page.commit(`ex.${page.readRack(rest)}`)],
  ["challenge", "", "challenges the engine's last play", (page) => page.doubt()],
  ["undo", "", "takes the last move back", (page) => page.undo()],
  ["rack", "AEINRST", "sets the rack; without letters, reads it out", (page, rest) => (rest ? page.setRacks(rest, null) : page.tellRack())],
  ["other", "QZ", "sets the known tiles of the opponent's rack", (page, rest) => page.setRacks(null, rest)],
  ["row", "8", "reads out the tiles of a row", (page, rest) => page.board.describeRow(Number(rest))],
  ["score", "", "reads out the scores, the bag and whose turn it is", (page) => page.tellState()],
  ["unseen", "", "reads out the unseen tiles", (page) => page.tellUnseen()],
  ["go", "sim", "analyses: auto, gen, sim, peg or endgame", (page, rest) => page.analyse(rest || null)],
  ["stop", "", "ends the analysis", (page) => page.stop()],
  ["best", "3", "reads out the best plays so far", (page, rest) => page.ranking.describe(Number(rest) || 3)],
  ["eval", "", "shows the static values term by term", (page) => page.evaluate()],
  ["infer", "", "guesses which tiles the opponent kept", (page) => page.infer()],
  ["check", "WORD", "looks up a word; also anagram, hooks, pattern", (page, rest) => page.askWords("check", rest)],
  ["anagram", null, null, (page, rest) => page.askWords("anagram", rest)],
  ["hooks", null, null, (page, rest) => page.askWords("hooks", rest)],
  ["pattern", null, null, (page, rest) => page.askWords("pattern", rest)],
  ["replies", "", "shows where the opponent's replies fall", (page) => page.replies()],
  ["compare", "", "compares the two plays chosen under Study", (page) => page.compare()],
  ["quiz", "", "begins a quiz from the game, or ends it", (page) => page.quizzes()],
  ["setup", "", "begins a position by hand; setup done ends it", (page, rest) => page.setUpByHand(rest)],
  ["back", "", "goes to the previous position; also on, first, last", (page) => page.step("back")],
  ["on", null, null, (page) => page.step("on")],
  ["first", null, null, (page) => page.step("first")],
  ["last", null, null, (page) => page.step("last")],
  ["new", "", "starts a new game on an empty board", (page) => page.newGame()],
  ["game", "", "starts a game against the engine", (page) => page.startGame()],
  ["time", "", "reads out the clocks", (page) => page.tellTime()],
  ["report", "", "makes a report of the game", (page) => page.report()],
  ["save", "", "saves the game as a GCG file", (page) => page.saveGame()],
  ["load", "<CGP>", "sets a position", (page, rest) => page.load(rest)],
  ["copy", "", "copies the position as CGP", (page) => page.copy()],
];

/** Carries out a typed command. Returns the answer, or nothing if the page reports it elsewhere. */
export async function carryOut(page, text) {
  const line = text.trim();
  if (!line) return "";
  if (line.startsWith(">")) {
    page.wire.send(line.slice(1).trim());
    return "Sent";
  }
  const [word, ...rest] = line.split(/\s+/);
  if (word.toLowerCase() === "help" || word === "?") return helpText();
  const found = COMMANDS.find(([name]) => name === word.toLowerCase());
  if (found) return found[3](page, rest.join(" "));
  if (/^(\d{1,2}[a-u]|[a-u]\d{1,2})([.\s]|$)/i.test(line)) return page.commit(page.readMove(line));
  throw new Error(`there is no command ${word}: type help for a list`);
}

/** All commands, one a line. */
export function helpText() {
  const lines = COMMANDS.filter(([, , does]) => does).map(([word, behind, does]) => `${word}${behind ? ` ${behind}` : ""}: ${does}`);
  return [...lines, "> line: sends a line of the protocol"].join("\n");
}
