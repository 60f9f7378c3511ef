//! The texts of `help` on commands and modes of `go`, and the names of all commands. Not here:
//! options (`options.rs`) and parameters of `go` (`parameters.rs`), which carry their own help.
//!
//! A new command is a line of [`HELP`] and an entry of [`COMMANDS`]. Start with [`CommandHelp`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

/// The lines of `help` above the list of options.
pub const HELP: &[&str] = &[
    "a first game: position startpos / rack AEINRST / go / play 8D.RETAINS / d",
    "help <command> explains a command, help <option> an option",
    "positions",
    "  position startpos | cgp <position> | gcg <file> [turn <n>] | record <text> [turn <n>]   [moves <move>... [rack.<tiles>]]",
    "  rack <tiles>            the rack of the player on turn, ? for a blank",
    "  opprack <tiles>         the other player's rack, in part or whole",
    "  score <move>            a move's score, words and leave, without playing it",
    "  play <move>             8D.WORD across, D8.WORD down, small letters for blanks, ex.ABC, pass",
    "  dead                    whether any possible rack has a play here, and with which tiles",
    "  undo                    take the last move back",
    "  d | board               draw the position",
    "  cgp                     the position as a CGP",
    "  gcg [<file>]            the game so far as a GCG, here or in a new file",
    "  turns                   the turns so far, each with its position",
    "  rules                   the rules: numbers of the game, squares of the board, tiles",
    "searching",
    "  go [auto|gen|sim|peg|endgame|infer|challenge|replies] [movetime <ms>] [iterations <n>] [depth <plies>] [plays <n>] [infinite] ...",
    "  stop                    end the search and get its best move",
    "  eval [<move>...]        the static equity of the best plays, or of these, term by term",
    "  why [<move> [<move>]]   why one play of the last ranking is better than another",
    "  leave <tiles>...        the leave values of these tiles",
    "words",
    "  check <word>...         whether these words are valid",
    "  anagram <tiles>         words of exactly these tiles, ? for any letter",
    "  hooks <word>            letters that can be added in front and at the end",
    "  pattern <pattern>       words like C?R*, ? or . for one letter, * for any number",
    "  lexicons | layouts | distributions              list the available lexicons, boards and letter distributions",
    "  ghost solve | <letters> | play [first|second]   [minlen <n>]   the game of Ghost, with the words of the lexicon",
    "  ghost add <letter> | challenge                  a turn in a game of Ghost",
    "  ghost super solve | <letters>   [minlen <n>]    Superghost: letters are added at either end",
    "talking to programs",
    "  siu | ucgi | uci | tilefish                     the handshake, which chooses the form of the answers",
    "  history <event> | <event>...                    the game that leads to the next position cgp, as events of a GCG",
    "  isready  siunewgame  debug on|off  gameover <win|loss|tie> spread <n>  bench  quit | exit | q",
];

/// The text of `help <command>` for a command, or for several related ones.
#[derive(Clone, Copy, Debug)]
pub struct CommandHelp {
    /// The words of the commands.
    pub words: &'static [&'static str],
    /// The form of the command, then its effect, line by line.
    pub lines: &'static [&'static str],
}

impl CommandHelp {
    /// Returns the help for a command's word, in any case.
    pub fn find(word: &str) -> Option<&'static CommandHelp> {
        COMMANDS.iter().find(|help| help.is_for(word))
    }

    /// Returns the help for a mode of `go`, in any case.
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

/// All commands. `parse.rs` understands only words that are in this table, by [`is_command`].
pub const COMMANDS: &[CommandHelp] = &[
    entry(
        &["siu", "ucgi", "uci", "tilefish"],
        &[
            "siu | ucgi | uci | tilefish",
            "the handshake: prints the engine's name and options, then siuok, ucgiok, uciok or tilefishok, and chooses the form of the answers",
        ],
    ),
    entry(
        &["history"],
        &[
            "history <event> | <event>...",
            "the game that leads to the next position cgp, as lines of a GCG with | between them; must begin its line",
            "tiles stated for the opponent's exchanges and passes are ignored, since the player on turn has not seen them",
        ],
    ),
    entry(&["isready"], &["isready", "answers readyok when all earlier commands are done; during a search, at once"]),
    entry(&["debug"], &["debug on|off", "reports every line that is received, with the time since the start"]),
    entry(&["siunewgame", "ucginewgame", "ucinewgame"], &["siunewgame", "the next position belongs to another game"]),
    entry(
        &["setoption"],
        &[
            "setoption name <Name> value <value>",
            "for example setoption name Threads value 2; help <Name> explains an option",
            "<empty> stands for the empty text",
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
        &["opprack <tiles>", "the known tiles of the other player's rack, ? for a blank: opprack QZ; searches deal the rest"],
    ),
    entry(
        &["go"],
        &[
            "go [auto|gen|sim|peg|endgame|infer|challenge|replies] [<parameter>...]",
            "auto picks the search by the tiles in the bag; gen ranks by static equity; sim simulates; peg searches with 1 to 4 tiles in the bag,",
            "endgame with an empty bag; infer shows what the opponent may have kept; challenge decides whether to challenge their last play;",
            "replies shows their replies to a play;",
            "a search without a limit takes 5 seconds; the first limit reached ends a search",
        ],
    ),
    entry(&["stop"], &["stop", "ends the search and gets its best move"]),
    entry(&["quit", "exit", "q"], &["quit | exit | q", "ends the program; exit and q must be alone on their line"]),
    entry(
        &["gameover"],
        &["gameover <win|loss|tie> spread <n>", "for match runners: the game has ended; the next go is answered bestmove none"],
    ),
    entry(
        &["help", "?"],
        &["help [<command>|<option>]", "the commands and options, or what one of them does; ? is the same at the beginning of a line"],
    ),
    entry(&["d", "board"], &["d | board", "draws the position: board, racks, scores, bag; board must be alone on its line"]),
    entry(&["cgp"], &["cgp", "prints the position as a CGP, for position cgp; must begin its line"]),
    entry(
        &["gcg"],
        &[
            "gcg [<file>]",
            "prints the game so far, from an empty board on, as a GCG, or writes it to a new file; must begin its line",
            "position gcg <file> reads it",
        ],
    ),
    entry(
        &["score"],
        &[
            "score <move>",
            "shows the move's score, leave and words, and the invalid ones among them, without playing it; must begin its line",
        ],
    ),
    entry(
        &["dead"],
        &[
            "dead",
            "whether any rack of tiles that are not on the board has a play; must begin its line",
            "if so, shows the plays with the fewest tiles; if not, the plays that lack the fewest tiles",
        ],
    ),
    entry(&["lexicons"], &["lexicons", "lists the available lexicons: the built-in one, and the files in the folders of DataPath"]),
    entry(&["layouts"], &["layouts", "lists the available boards: the built-in ones, and the files in the folders of DataPath"]),
    entry(
        &["distributions"],
        &["distributions", "lists the available letter distributions: the built-in ones, and the files in the folders of DataPath"],
    ),
    entry(&["turns"], &["turns", "the turns so far, each with the position before it; must begin its line"]),
    entry(
        &["rules"],
        &[
            "rules",
            "all that is needed to draw the board: the numbers of the game, the premium squares row by row, each tile with its count and points;",
            "must begin its line",
        ],
    ),
    entry(
        &["eval"],
        &[
            "eval [<move>...]",
            "the static equity of the best plays, or of these (even with invalid words), term by term: score, leave, adjustments",
        ],
    ),
    entry(&["leave"], &["leave <tiles>...", "the leave value of these tiles, in points: leave ERS QU ?; must begin its line"]),
    entry(
        &["why"],
        &[
            "why [<move> [<move>]]",
            "compares two plays of the last ranking: the best with the second, the best with this one, or the two that are named:",
            "wins, points, and the parts of the points (own score, reply, the player's next turn, the rest); must begin its line",
        ],
    ),
    entry(&["check"], &["check <word>...", "whether these words are valid: check QI ZA"]),
    entry(&["anagram"], &["anagram <tiles>", "words of exactly these tiles, ? for any letter: anagram AEINRS?"]),
    entry(&["hooks"], &["hooks <word>", "letters that make another word in front of a word or at its end: hooks CARE"]),
    entry(&["pattern"], &["pattern <pattern>", "words like C?R*, ? or . for one letter, * for any number"]),
    entry(
        &["ghost"],
        &[
            "ghost solve [minlen <n>] | ghost <letters> [minlen <n>] | ghost play [first|second] [minlen <n>] | ghost add <letter> | ghost challenge",
            "ghost super solve [minlen <n>] | ghost super <letters> [minlen <n>]",
            "Ghost: players add letters to a fragment in turn; a player who completes a word of at least minlen letters loses, and so does a player",
            "who adds a letter after which no word begins with the fragment; must begin its line",
            "solve shows who wins and how; <letters> shows the value of a fragment; play begins a game against the engine, in which you add letters",
            "or challenge the engine to name a word; super does the same for Superghost, in which letters are added at either end",
        ],
    ),
    entry(
        &["play"],
        &[
            "play <move>",
            "8D.WORD runs across from row 8, column D; D8.WORD runs down from there; small letters are blanks; include the",
            "letters that are already on the board; ex.ABC exchanges ABC, pass passes",
        ],
    ),
    entry(&["undo"], &["undo", "takes the last move back"]),
    entry(&["bench"], &["bench [<threads> [<seconds>]]", "the signature of the engine's results, then its speed"]),
];

/// The modes of `go`.
pub const MODES: &[CommandHelp] = &[
    entry(&["auto"], &["go auto", "picks the search by the tiles in the bag; without a limit it takes 5 seconds; go alone means go auto"]),
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
            "whether to challenge the opponent's last play, which is valid with this probability: your chance of winning with a challenge and",
            "without one, and the probability below which to challenge; without prob the lexicon decides whether the play is valid",
            "the challenge rule is the position's (option ChallengeRule, opcode cr); under void, which has no challenges, all other rules are shown",
        ],
    ),
    entry(
        &["replies"],
        &[
            "go replies [move <play>]",
            "what may follow a play, or a pass: the chances of a bingo on your next turn and in reply, the opponent's best replies by",
            "static equity with their mean score, and the squares that they cover; exact if few racks are possible",
        ],
    ),
    entry(&["infer"], &["go infer", "infers from the opponent's last turns which tiles they kept; ends with bestmove none"]),
];

/// Returns the words of all commands.
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
