//! The texts of `help` on commands and modes of `go`, and the names of all commands. Not here:
//! options (`options.rs`) and parameters of `go` (`parameters.rs`), which carry their own help.
//!
//! A new command is a line of [`HELP`] and an entry of [`COMMANDS`]. Start with [`CommandHelp`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

/// What `help` says, before it lists the options.
pub const HELP: &[&str] = &[
    "a first game: position startpos / rack AEINRST / go / play 8D.RETAINS / d",
    "help <command> tells more about one; help <option> about an option",
    "positions",
    "  position startpos | cgp <position> | gcg <file> [turn <n>] | record <text> [turn <n>]   [moves <move>... [rack.<tiles>]]",
    "  rack <tiles>            the rack of the player on turn, ? for a blank",
    "  opprack <tiles>         the other player's rack, in part or whole",
    "  score <move>            what a move scores, the words it makes, the tiles it keeps: nothing is played",
    "  play <move>             8D.WORD across, D8.WORD down, small letters for blanks, ex.ABC, pass",
    "  dead                    whether any rack at all has a play here, and which tiles it takes",
    "  undo                    take the last move back",
    "  d | board               draw the position",
    "  cgp                     the position as a CGP",
    "  gcg [<file>]            the game so far as a GCG, here or in a new file",
    "  turns                   the turns so far, each with its position",
    "  rules                   the numbers of the game, the squares of its board, its tiles",
    "searching",
    "  go [auto|gen|sim|peg|endgame|infer|challenge|replies] [movetime <ms>] [iterations <n>] [depth <plies>] [plays <n>] [infinite] ...",
    "  stop                    end the search and get its best move",
    "  eval [<move>...]        static equity term by term, of the best plays or of these",
    "  why [<move> [<move>]]   why one play of the last ranking is better than another",
    "  leave <tiles>...        what these tiles are worth when they are kept",
    "words",
    "  check <word>...         are these words?",
    "  anagram <tiles>         words of exactly these tiles, ? for any letter",
    "  hooks <word>            letters that go in front and behind",
    "  pattern <pattern>       words like C?R*, ? or . for one letter, * for any number",
    "  lexicons | layouts | distributions              the lexicons, the boards, the letters that there are",
    "  ghost solve | <letters> | play [first|second]   [minlen <n>]   the game of Ghost on the lexicon",
    "  ghost add <letter> | challenge                  a turn in a game of Ghost",
    "  ghost super solve | <letters>   [minlen <n>]    Superghost: letters are added to both ends",
    "talking to programs",
    "  siu | ucgi | uci | tilefish                     the handshake, which chooses the form of the answers",
    "  history <event> | <event>...                    the game that leads to the next position cgp, as events of a GCG",
    "  isready  siunewgame  debug on|off  gameover <win|loss|tie> spread <n>  bench  quit | exit | q",
];

/// What `help <command>` says of a command, or of several that belong together.
#[derive(Clone, Copy, Debug)]
pub struct CommandHelp {
    /// The words for it.
    pub words: &'static [&'static str],
    /// How it is written, then what it does, line by line.
    pub lines: &'static [&'static str],
}

impl CommandHelp {
    /// That of a word, in any case.
    pub fn find(word: &str) -> Option<&'static CommandHelp> {
        COMMANDS.iter().find(|help| help.is_for(word))
    }

    /// That of a mode of `go`, in any case.
    pub fn find_mode(word: &str) -> Option<&'static CommandHelp> {
        MODES.iter().find(|help| help.is_for(word))
    }

    fn is_for(&self, word: &str) -> bool {
        self.words.iter().any(|known| known.eq_ignore_ascii_case(word))
    }
}

const fn entry(words: &'static [&'static str], lines: &'static [&'static str]) -> CommandHelp {
    CommandHelp { words, lines }
}

/// All commands. A word that is not here is not understood: `parse.rs` asks [`is_command`] first.
pub const COMMANDS: &[CommandHelp] = &[
    entry(
        &["siu", "ucgi", "uci", "tilefish"],
        &[
            "siu | ucgi | uci | tilefish",
            "the handshake: the engine's name and options, then siuok, ucgiok, uciok or tilefishok; chooses the form of the answers",
        ],
    ),
    entry(
        &["history"],
        &[
            "history <event> | <event>...",
            "the game that leads to the next position cgp, as lines of a GCG with | between them; only at the beginning of a line",
            "what the opponent's exchanges and passes state of their rack is not used: the other player did not see it",
        ],
    ),
    entry(&["isready"], &["isready", "answered readyok, when everything before it is done; during a search at once"]),
    entry(&["debug"], &["debug on|off", "tells every line as it is received, with the time since the start"]),
    entry(&["siunewgame", "ucginewgame", "ucinewgame"], &["siunewgame", "the next position is of another game"]),
    entry(
        &["setoption"],
        &[
            "setoption name <Name> value <value>",
            "for example setoption name Threads value 2; help <Name> tells what an option does",
            "<empty> is the empty text",
        ],
    ),
    entry(
        &["position"],
        &[
            "position startpos | cgp <position> | gcg <file> [turn <n>]   [moves <move>... [rack.<tiles>]]",
            "for example position startpos moves 8D.RETAINS rack.EIORSTV",
            "moves are checked against the rules, not against the lexicon",
        ],
    ),
    entry(&["rack"], &["rack <tiles>", "the rack of the player on turn, ? for a blank: rack AEINRS?"]),
    entry(
        &["opprack"],
        &["opprack <tiles>", "the rack of the other player, ? for a blank, as many tiles as are known: opprack QZ; searches deal the rest"],
    ),
    entry(
        &["go"],
        &[
            "go [auto|gen|sim|peg|endgame|infer|challenge|replies] [<parameter>...]",
            "auto picks the search by the tiles in the bag, gen ranks by static equity, sim simulates, peg searches 1 to 4 tiles in the bag,",
            "endgame an empty bag, infer tells what the opponent kept, challenge whether to challenge their last play,",
            "replies what they may reply to a play;",
            "without a limit it takes 5 seconds; the first limit reached ends the search",
        ],
    ),
    entry(&["stop"], &["stop", "ends the search and gets its best move"]),
    entry(&["quit", "exit", "q"], &["quit | exit | q", "ends the program; exit and q only alone on a line"]),
    entry(
        &["gameover"],
        &["gameover <win|loss|tie> spread <n>", "a match runner tells that the game has ended; the next go is answered bestmove none"],
    ),
    entry(
        &["help", "?"],
        &["help [<command>|<option>]", "the commands and options, or what one of them does; ? is the same at the beginning of a line"],
    ),
    entry(&["d", "board"], &["d | board", "draws the position: board, racks, scores, bag; board only alone on a line"]),
    entry(&["cgp"], &["cgp", "the position as a CGP, which position cgp takes; only at the beginning of a line"]),
    entry(
        &["gcg"],
        &[
            "gcg [<file>]",
            "the game so far as a GCG, from an empty board on: here, or in a new file; only at the beginning of a line",
            "position gcg <file> reads it",
        ],
    ),
    entry(
        &["score"],
        &[
            "score <move>",
            "its score, the tiles it keeps, the words it makes, and the invalid ones; nothing is played; only at the beginning of a line",
        ],
    ),
    entry(
        &["dead"],
        &[
            "dead",
            "whether any rack at all, of the tiles that are not on the board, has a play; if so the plays of the fewest tiles, if not the plays",
            "that lack the fewest; only at the beginning of a line",
        ],
    ),
    entry(&["lexicons"], &["lexicons", "the lexicons that there are: the built-in one, and the files in the folders of DataPath"]),
    entry(&["layouts"], &["layouts", "the boards that there are: the built-in ones, and the files in the folders of DataPath"]),
    entry(
        &["distributions"],
        &["distributions", "the letter distributions that there are: the built-in ones, and the files in the folders of DataPath"],
    ),
    entry(&["turns"], &["turns", "the turns so far, each with the position in which it was taken; only at the beginning of a line"]),
    entry(
        &["rules"],
        &[
            "rules",
            "what a board is drawn with: the numbers of the game, the premium squares row by row, each tile with its number and points;",
            "only at the beginning of a line",
        ],
    ),
    entry(
        &["eval"],
        &[
            "eval [<move>...]",
            "static equity, term by term, of the best plays or of these, whatever their words: score, leave, adjustments",
        ],
    ),
    entry(&["leave"], &["leave <tiles>...", "the leave value of these tiles, in points: leave ERS QU ?; only at the beginning of a line"]),
    entry(
        &["why"],
        &[
            "why [<move> [<move>]]",
            "compares two plays of the last ranking: the best one with the second, or with this one, or the first of two moves with the other;",
            "wins, points, and what the points are made of: own score, reply, the player's next turn, the rest; only at the beginning of a line",
        ],
    ),
    entry(&["check"], &["check <word>...", "whether these are words: check QI ZA"]),
    entry(&["anagram"], &["anagram <tiles>", "words of exactly these tiles, ? for any letter: anagram AEINRS?"]),
    entry(&["hooks"], &["hooks <word>", "letters that make a word in front and behind: hooks CARE"]),
    entry(&["pattern"], &["pattern <pattern>", "words like C?R*, ? or . for one letter, * for any number"]),
    entry(
        &["ghost"],
        &[
            "ghost solve [minlen <n>] | ghost <letters> [minlen <n>] | ghost play [first|second] [minlen <n>] | ghost add <letter> | ghost challenge",
            "ghost super solve [minlen <n>] | ghost super <letters> [minlen <n>]",
            "Ghost: players add letters to a fragment in turn; whoever completes a word of at least minlen letters loses, and so does whoever",
            "adds a letter after which no word begins with the fragment; only at the beginning of a line",
            "solve tells who wins and how, <letters> what a fragment is worth, play begins a game against the engine, in which you add letters",
            "or challenge the engine to name a word; super is the same for Superghost, in which letters are added to either end",
        ],
    ),
    entry(
        &["play"],
        &[
            "play <move>",
            "8D.WORD runs across from row 8, column D; D8.WORD runs down from there; small letters are blanks; letters on the board are",
            "written, too; ex.ABC exchanges, pass passes",
        ],
    ),
    entry(&["undo"], &["undo", "takes the last move back"]),
    entry(&["bench"], &["bench [<threads> [<seconds>]]", "the signature of the engine's results, then how fast it is"]),
];

/// The modes of `go`.
pub const MODES: &[CommandHelp] = &[
    entry(&["auto"], &["go auto", "picks the search by the tiles in the bag; without a limit it takes 5 seconds; no mode means auto"]),
    entry(&["gen"], &["go gen", "ranks all plays by static equity: score, value of the tiles kept, adjustments"]),
    entry(
        &["sim"],
        &["go sim", "simulates the best plays: deals the unseen tiles and plays on, again and again; ranks by the share of games won"],
    ),
    entry(&["peg"], &["go peg", "searches a pre-endgame, with 1 to 4 tiles in the bag: which draws win, tie and lose after each play"]),
    entry(&["endgame"], &["go endgame", "searches an endgame, with an empty bag, until its result is proved"]),
    entry(
        &["challenge"],
        &[
            "go challenge [prob <0 to 1>]",
            "whether to challenge the opponent's last play, if it is valid with this probability: the chance of winning with a challenge and",
            "without one, and below which probability to challenge; without prob the lexicon says whether it is valid",
            "the rule is that of the position (option ChallengeRule, opcode cr); under void, where nothing is challenged, each other rule is shown",
        ],
    ),
    entry(
        &["replies"],
        &[
            "go replies [move <play>]",
            "what may come after a play, or on the board as it is: the chance of a bingo on your next turn and in reply, the opponent's best",
            "replies by static equity with their mean score, and the squares that they cover; exact where few racks are possible",
        ],
    ),
    entry(&["infer"], &["go infer", "infers from the opponent's last turns which tiles the opponent kept; there is no best move"]),
];

/// The words of all commands.
pub fn command_words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().flat_map(|help| help.words.iter().copied())
}

/// Whether a word, in any case, is a command.
pub fn is_command(word: &str) -> bool {
    CommandHelp::find(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::GoMode;

    #[test]
    fn every_mode_has_help() {
        for (_, word) in GoMode::ALL {
            assert!(CommandHelp::find_mode(word).is_some(), "{word}");
        }
    }
}
