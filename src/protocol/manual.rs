//! What `help <command>` says: the words of all commands and of the parameters of `go`, with their use.
//!
//! A word that is not here is not understood: `parse.rs` asks [`is_command`] and [`is_go_parameter`] first. So nothing stays undescribed.
//! The short list of `help` is in `command.rs`; options have their own table. Start with [`COMMANDS`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

/// A command, or several that belong together.
#[derive(Clone, Copy, Debug)]
pub struct ManualEntry {
    /// The words for it.
    pub words: &'static [&'static str],
    /// How it is written, then what it does, line by line.
    pub lines: &'static [&'static str],
}

const fn entry(words: &'static [&'static str], lines: &'static [&'static str]) -> ManualEntry {
    ManualEntry { words, lines }
}

/// All commands.
pub const COMMANDS: &[ManualEntry] = &[
    entry(
        &["siu", "ucgi", "uci"],
        &["siu | ucgi | uci", "the handshake: the engine's name and options, then siuok, ucgiok or uciok; chooses the form of the answers"],
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
        &["go"],
        &[
            "go [auto|gen|sim|peg|endgame] [<parameter>...]",
            "auto picks the search by the tiles in the bag, gen ranks by static equity, sim simulates, peg searches 1 to 4 tiles in the bag,",
            "endgame an empty bag; without a limit it takes 5 seconds; the first limit reached ends the search",
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
    entry(&["eval"], &["eval", "the best plays by static equity, term by term: score, leave, adjustments"]),
    entry(&["check"], &["check <word>...", "whether these are words: check QI ZA"]),
    entry(&["anagram"], &["anagram <tiles>", "words of exactly these tiles, ? for any letter: anagram AEINRS?"]),
    entry(&["hooks"], &["hooks <word>", "letters that make a word in front and behind: hooks CARE"]),
    entry(&["pattern"], &["pattern <pattern>", "words like C?R*, ? for one letter, * for any number"]),
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

/// The parameters of `go`: their words, then what they do.
pub const GO_PARAMETERS: &[ManualEntry] = &[
    entry(&["movetime"], &["<ms>: think for this long"]),
    entry(&["iterations", "i"], &["<n>: samples of the leading candidate"]),
    entry(&["depth", "plies"], &["<plies>: how far to look ahead"]),
    entry(&["nodes"], &["<n>: plays generated, in all"]),
    entry(&["stopcondition"], &["95|98|99: stop when the leader is best with this certainty, in percent"]),
    entry(&["infinite"], &["until stop"]),
    entry(&["mytime", "opptime", "myinc", "oppinc"], &["<ms>: the clocks of the player on turn and of the other, and what a move adds"]),
    entry(&["1time", "2time", "1inc", "2inc"], &["<ms>: the same by the order of the players"]),
    entry(&["plays"], &["<n>: candidates"]),
    entry(&["multipv"], &["<n>: rows shown"]),
    entry(&["info"], &["<ms>: time between rankings"]),
    entry(&["searchmoves"], &["<move>...: only these plays"]),
    entry(&["alsosearchmoves"], &["<move>...: these plays, too"]),
    entry(&["firstwin"], &["only find out who wins: peg, endgame"]),
    entry(&["useinference"], &["use what is inferred of the opponent's tiles"]),
    entry(&["threads"], &["<n>: workers"]),
    entry(&["seed"], &["<n>: seed of all randomness"]),
];

/// The words of some entries.
pub fn words(entries: &'static [ManualEntry]) -> impl Iterator<Item = &'static str> {
    entries.iter().flat_map(|entry| entry.words.iter().copied())
}

/// The entry of a word, in any case.
pub fn find(entries: &'static [ManualEntry], word: &str) -> Option<&'static ManualEntry> {
    entries.iter().find(|entry| entry.words.iter().any(|known| known.eq_ignore_ascii_case(word)))
}

/// Whether a word, in any case, is a command.
pub fn is_command(word: &str) -> bool {
    find(COMMANDS, word).is_some()
}

/// Whether a word, in any case, is a parameter of `go`.
pub fn is_go_parameter(word: &str) -> bool {
    find(GO_PARAMETERS, word).is_some()
}
