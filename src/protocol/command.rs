//! What can be said to the engine, as data. How it is written is in `parse.rs`, what it does in `session/`.
//!
//! A new command begins here: a variant of [`Command`], whether it [needs](Command::needs_idle) that no search runs, a line of
//! [`HELP`] and an entry of [`COMMANDS`]. The compiler leads to the rest.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::players::clock::Clock;
use crate::search::budget::StopCondition;

/// A piece of a line with the place where it stands, so that a later error can point at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The text.
    pub text: String,
    /// 1-based column of its first character in the line, in characters.
    pub column: usize,
}

/// The form of the answers. The handshake word chooses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// That of \[SIU\], the default.
    #[default]
    Siu,
    /// That of \[UCGI\], in the form that engines printed from 2023 to 2025.
    Ucgi,
    /// That of \[SIU\], behind the handshake of chess.
    Uci,
}

impl Dialect {
    /// The handshake word: `siu`.
    pub const fn word(self) -> &'static str {
        match self {
            Dialect::Siu => "siu",
            Dialect::Ucgi => "ucgi",
            Dialect::Uci => "uci",
        }
    }

    /// The word for a new game: `siunewgame`.
    pub const fn new_game_word(self) -> &'static str {
        match self {
            Dialect::Siu => "siunewgame",
            Dialect::Ucgi => "ucginewgame",
            Dialect::Uci => "ucinewgame",
        }
    }
}

/// One line, understood.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `siu`, `ucgi`, `uci`.
    Handshake(Dialect),
    /// `isready`.
    IsReady,
    /// `debug on`, `debug off`.
    Debug(Debugging),
    /// `siunewgame`, `ucginewgame`, `ucinewgame`.
    NewGame(Dialect),
    /// `setoption name <Name> [value <v>]`.
    SetOption {
        /// The option's name as written.
        name: Word,
        /// The rest of the line after `value`.
        value: Option<Word>,
    },
    /// `position ...`.
    Position(PositionCommand),
    /// `rack <tiles>`: the rack of the player on turn.
    Rack(Word),
    /// `opprack <tiles>`: the rack of the other player.
    OpponentRack(Word),
    /// `go ...`.
    Go(Box<GoParameters>),
    /// `stop`.
    Stop,
    /// `quit`.
    Quit,
    /// `gameover <win|loss|tie> spread <n>`.
    GameOver,
    /// `help [<command or option>]`.
    Help(Option<Word>),
    /// `d`: draw the position.
    Display,
    /// `cgp`: the position as CGP.
    Cgp,
    /// `gcg [<file>]`: the game so far as GCG.
    Gcg(Option<Word>),
    /// `turns`: the turns so far, each with its position.
    Turns,
    /// `rules`: the numbers of the game, its board and its tiles.
    Rules,
    /// `lexicons`: which ones there are.
    Lexicons,
    /// `layouts`: which ones there are.
    Layouts,
    /// `distributions`: which letter distributions there are.
    Distributions,
    /// `eval [<move>...]`: static equity term by term, of the best plays or of these.
    Eval(Vec<Word>),
    /// `check <word>...`.
    Check(Vec<Word>),
    /// `anagram <tiles>`.
    Anagram(Word),
    /// `hooks <word>`.
    Hooks(Word),
    /// `pattern <p>`.
    Pattern(Word),
    /// `ghost ...`.
    Ghost(GhostCommand),
    /// `dead`: whether any rack at all has a play.
    Dead,
    /// `score <move>`: what it would be to play it.
    Score(Word),
    /// `play <move>`.
    Play(Word),
    /// `undo`: take the last move back.
    Undo,
    /// `bench [<words>]`.
    Bench(Vec<String>),
}

impl Command {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Command::Handshake(dialect) => dialect.word(),
            Command::IsReady => "isready",
            Command::Debug(_) => "debug",
            Command::NewGame(dialect) => dialect.new_game_word(),
            Command::SetOption { .. } => "setoption",
            Command::Position(_) => "position",
            Command::Rack(_) => "rack",
            Command::OpponentRack(_) => "opprack",
            Command::Go(_) => "go",
            Command::Stop => "stop",
            Command::Quit => "quit",
            Command::GameOver => "gameover",
            Command::Help(_) => "help",
            Command::Display => "d",
            Command::Cgp => "cgp",
            Command::Gcg(_) => "gcg",
            Command::Turns => "turns",
            Command::Rules => "rules",
            Command::Lexicons => "lexicons",
            Command::Layouts => "layouts",
            Command::Distributions => "distributions",
            Command::Eval(_) => "eval",
            Command::Check(_) => "check",
            Command::Anagram(_) => "anagram",
            Command::Hooks(_) => "hooks",
            Command::Pattern(_) => "pattern",
            Command::Ghost(_) => "ghost",
            Command::Dead => "dead",
            Command::Score(_) => "score",
            Command::Play(_) => "play",
            Command::Undo => "undo",
            Command::Bench(_) => "bench",
        }
    }

    /// Whether it changes, or competes with, what a search works on. While one runs, such a command is refused as `busy`.
    pub fn needs_idle(&self) -> bool {
        match self {
            Command::SetOption { .. }
            | Command::Position(_)
            | Command::Rack(_)
            | Command::OpponentRack(_)
            | Command::Go(_)
            | Command::NewGame(_)
            | Command::GameOver
            | Command::Play(_)
            | Command::Undo
            | Command::Eval(_)
            | Command::Gcg(Some(_))
            | Command::Lexicons
            | Command::Layouts
            | Command::Distributions
            | Command::Bench(_) => true,
            Command::Handshake(_)
            | Command::IsReady
            | Command::Debug(_)
            | Command::Stop
            | Command::Quit
            | Command::Help(_)
            | Command::Display
            | Command::Cgp
            | Command::Turns
            | Command::Rules
            | Command::Gcg(None)
            | Command::Dead
            | Command::Score(_)
            | Command::Check(_)
            | Command::Anagram(_)
            | Command::Hooks(_)
            | Command::Pattern(_)
            | Command::Ghost(_) => false,
        }
    }
}

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
    "  go [auto|gen|sim|peg|endgame|infer] [movetime <ms>] [iterations <n>] [depth <plies>] [plays <n>] [infinite] ...",
    "  stop                    end the search and get its best move",
    "  eval [<move>...]        static equity term by term, of the best plays or of these",
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
    "  siu | ucgi | uci        the handshake, which chooses the form of the answers",
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
        COMMANDS.iter().find(|help| help.words.iter().any(|known| known.eq_ignore_ascii_case(word)))
    }
}

const fn entry(words: &'static [&'static str], lines: &'static [&'static str]) -> CommandHelp {
    CommandHelp { words, lines }
}

/// All commands. A word that is not here is not understood: `parse.rs` asks [`is_command`] first.
pub const COMMANDS: &[CommandHelp] = &[
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
        &["opprack"],
        &["opprack <tiles>", "the rack of the other player, ? for a blank, as many tiles as are known: opprack QZ; searches deal the rest"],
    ),
    entry(
        &["go"],
        &[
            "go [auto|gen|sim|peg|endgame|infer] [<parameter>...]",
            "auto picks the search by the tiles in the bag, gen ranks by static equity, sim simulates, peg searches 1 to 4 tiles in the bag,",
            "endgame an empty bag, infer tells what the opponent kept; without a limit it takes 5 seconds; the first limit reached ends the search",
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
            "its score, the tiles it keeps, the words it makes, and those that are none; nothing is played; only at the beginning of a line",
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

/// The words of all commands.
pub fn command_words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().flat_map(|help| help.words.iter().copied())
}

/// Whether a word, in any case, is a command.
pub fn is_command(word: &str) -> bool {
    CommandHelp::find(word).is_some()
}

/// What is asked of, or done in, the game of Ghost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GhostCommand {
    /// `solve [minlen <n>]`: who wins, and how.
    Solve {
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `<letters> [minlen <n>]`: what a fragment is worth.
    Fragment {
        /// The fragment.
        letters: Word,
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `super solve|<letters> [minlen <n>]`: Superghost, with letters at both ends; who wins from a fragment on.
    Super {
        /// The fragment; `None` for the start.
        letters: Option<Word>,
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `play [first|second] [minlen <n>]`: a game against the engine.
    Play {
        /// Who begins.
        opener: GhostOpener,
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `add <letter>`: the person's turn.
    Add(Word),
    /// `challenge`: the person asks for a word that begins with the fragment.
    Challenge,
}

/// Who begins a game of Ghost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GhostOpener {
    /// The person.
    Person,
    /// The engine.
    Engine,
}

/// Whether the engine tells what it receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Debugging {
    /// Yes.
    On,
    /// No.
    Off,
}

/// `position <base> [moves <move>... [rack.<tiles>]]`.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionCommand {
    /// Where it begins.
    pub base: PositionBase,
    /// The moves from there, in order.
    pub moves: Vec<Word>,
    /// Words between the base and `moves` that mean nothing.
    pub unknown: Vec<Word>,
}

/// Where a position begins.
#[derive(Clone, PartialEq, Debug)]
pub enum PositionBase {
    /// An empty board.
    Start,
    /// A CGP.
    Cgp(Word),
    /// A game file, before one of its events (after the last one if none is given).
    Gcg {
        /// The file.
        path: Word,
        /// The event, from 1.
        turn: Option<usize>,
    },
    /// The text of a game, in the same way.
    Record {
        /// The text.
        text: Word,
        /// The event, from 1.
        turn: Option<usize>,
    },
}

/// The kind of search asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GoMode {
    /// Rank statically.
    Gen,
    /// Simulate.
    Sim,
    /// Infer the opponent's leave.
    Infer,
    /// Solve with an empty bag.
    Endgame,
    /// Solve with a few tiles in the bag.
    Peg,
    /// The engine picks.
    #[default]
    Auto,
}

impl GoMode {
    /// All, with the words for them.
    pub const ALL: [(GoMode, &'static str); 6] = [
        (GoMode::Gen, "gen"),
        (GoMode::Sim, "sim"),
        (GoMode::Infer, "infer"),
        (GoMode::Endgame, "endgame"),
        (GoMode::Peg, "peg"),
        (GoMode::Auto, "auto"),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        GoMode::ALL.iter().find(|(mode, _)| *mode == self).map_or("auto", |(_, word)| word)
    }
}

/// What a `go` line says about one player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockWords {
    /// Time left, ms.
    pub left_ms: Option<i64>,
    /// Added after each move, ms.
    pub increment_ms: Option<i64>,
}

impl ClockWords {
    /// The clock, if a time is given.
    pub fn clock(self) -> Option<Clock> {
        Some(Clock { left_ms: self.left_ms?, increment_ms: self.increment_ms.unwrap_or(0) })
    }
}

/// Everything after `go`. `None` and `false` where nothing is said.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GoParameters {
    /// The mode, `auto` if none is given.
    pub mode: GoMode,
    /// `searchmoves`: only these.
    pub search_moves: Option<Vec<Word>>,
    /// `alsosearchmoves`: these too.
    pub also_search_moves: Option<Vec<Word>>,
    /// `depth`, `plies`.
    pub depth: Option<usize>,
    /// `iterations`, `i`.
    pub iterations: Option<u64>,
    /// `movetime`, ms.
    pub movetime_ms: Option<u64>,
    /// `mytime`, `myinc`.
    pub my_clock: ClockWords,
    /// `opptime`, `oppinc`.
    pub opponent_clock: ClockWords,
    /// `1time`, `1inc`, `2time`, `2inc`: the players as a CGP lists them.
    pub player_clocks: [ClockWords; 2],
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `stopcondition`.
    pub stop_condition: Option<StopCondition>,
    /// `firstwin`.
    pub first_win: bool,
    /// `useinference`.
    pub use_inference: bool,
    /// `threads`.
    pub threads: Option<usize>,
    /// `plays`: candidates.
    pub plays: Option<usize>,
    /// `multipv`: rows shown.
    pub rows: Option<usize>,
    /// `info`: ms between reports.
    pub info_ms: Option<u64>,
    /// `seed`.
    pub seed: Option<u64>,
    /// `infinite`.
    pub infinite: bool,
    /// Words that mean nothing here.
    pub unknown: Vec<Word>,
}
