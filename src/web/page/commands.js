// The command line of the page: all that can be done, in words, for whoever would rather type or listen than look.

/** The commands: a word, what follows it, what it does. `run` gets the page's actions and the rest of the line, and gives what is said. */
const COMMANDS = [
  ["play", "8D WORD", "plays a move; also without the word play", (page, rest) => page.commit(page.readMove(rest))],
  ["try", "8D WORD", "shows a move on the board, and what it scores", (page, rest) => page.tryMove(page.readMove(rest))],
  ["add", "8D WORD", "has a move analysed, too", (page, rest) => page.add(page.readMove(rest))],
  ["pass", "", "passes", (page) => page.commit("pass")],
  ["ex", "ABC", "exchanges tiles", (page, rest) => page.commit(`ex.${page.readRack(rest)}`)],
  ["challenge", "", "challenges the engine's last play", (page) => page.doubt()],
  ["undo", "", "takes the last move back", (page) => page.undo()],
  ["rack", "AEINRST", "sets the rack; alone, tells it", (page, rest) => (rest ? page.setRacks(rest, null) : page.tellRack())],
  ["other", "QZ", "sets what is known of the opponent's rack", (page, rest) => page.setRacks(null, rest)],
  ["row", "8", "tells what lies in a row", (page, rest) => page.board.describeRow(Number(rest))],
  ["score", "", "tells the scores, the bag and whose turn it is", (page) => page.tellState()],
  ["unseen", "", "tells the tiles that are not seen", (page) => page.tellUnseen()],
  ["go", "sim", "analyses: auto, gen, sim, peg or endgame", (page, rest) => page.analyse(rest || null)],
  ["stop", "", "ends the analysis", (page) => page.stop()],
  ["best", "3", "tells the best plays so far", (page, rest) => page.ranking.describe(Number(rest) || 3)],
  ["eval", "", "takes the static values apart", (page) => page.evaluate()],
  ["infer", "", "what the opponent may have kept", (page) => page.infer()],
  ["check", "WORD", "asks about words; also anagram, hooks, pattern", (page, rest) => page.askWords("check", rest)],
  ["anagram", null, null, (page, rest) => page.askWords("anagram", rest)],
  ["hooks", null, null, (page, rest) => page.askWords("hooks", rest)],
  ["pattern", null, null, (page, rest) => page.askWords("pattern", rest)],
  ["replies", "", "shows where the opponent's replies fall", (page) => page.replies()],
  ["compare", "", "compares the two plays chosen under Study", (page) => page.compare()],
  ["quiz", "", "begins a quiz from the game, or ends it", (page) => page.quizzes()],
  ["setup", "", "a position by hand; setup done ends it", (page, rest) => page.setUpByHand(rest)],
  ["back", "", "to the position before; also on, first, last", (page) => page.step("back")],
  ["on", null, null, (page) => page.step("on")],
  ["first", null, null, (page) => page.step("first")],
  ["last", null, null, (page) => page.step("last")],
  ["new", "", "a new game on an empty board", (page) => page.newGame()],
  ["game", "", "a game against the engine", (page) => page.startGame()],
  ["time", "", "tells the clocks", (page) => page.tellTime()],
  ["report", "", "makes a report of the game", (page) => page.report()],
  ["save", "", "saves the game as a GCG file", (page) => page.saveGame()],
  ["load", "<CGP>", "sets a position", (page, rest) => page.load(rest)],
  ["copy", "", "copies the position as CGP", (page) => page.copy()],
];

/** What is typed, carried out. Gives what is to be said, or nothing where the page says it itself. */
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
  throw new Error(`${word}: no such command; help lists them`);
}

/** All commands, a line each. */
export function helpText() {
  const lines = COMMANDS.filter(([, , does]) => does).map(([word, behind, does]) => `${word}${behind ? ` ${behind}` : ""}: ${does}`);
  return [...lines, "> line: a line of the protocol"].join("\n");
}
