//! The commands to the engine, as data. How commands are written is in `parse.rs`,
//! what they do in `session/`.
//!
//! A new command begins here: a variant of [`Command`], its [word](Command::word), and whether it
//! [needs an idle engine](Command::needs_idle). The compiler leads to the rest. Its help text is in `help.rs`.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::players::clock::Clock;
use crate::rules::BySeat;
use crate::search::budget::StopCondition;

/// A piece of a line with its place, so that a later error can point at it.
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
    /// \[SIU\], the default.
    #[default]
    Siu,
    /// \[UCGI\], in the form that engines printed from 2023 to 2025.
    Ucgi,
    /// \[SIU\] after the handshake of chess.
    Uci,
    /// The protocol of Tilefish's match referee, which has no handshake of its own.
    Tilefish,
    /// The Crossword Game Protocol 0.2 (`crossword_game.rs`), not to be confused with the position format of the same initials.
    CrosswordGame,
}

impl Dialect {
    /// The handshake word: `siu`.
    pub const fn word(self) -> &'static str {
        match self {
            Dialect::Siu => "siu",
            Dialect::Ucgi => "ucgi",
            Dialect::Uci => "uci",
            Dialect::Tilefish => "tilefish",
            Dialect::CrosswordGame => "cgp",
        }
    }
}

/// A line that was parsed.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `siu`, `ucgi`, `uci`, `tilefish`; `cgp` in the Crossword Game Protocol.
    Handshake(Dialect),
    /// `isready`.
    IsReady,
    /// `debug on`, `debug off`.
    Debug(Debugging),
    /// `siunewgame`, `ucginewgame`, `ucinewgame`: the word.
    NewGame(&'static str),
    /// `setoption name <Name> [value <v>]`.
    SetOption {
        /// The option's name as written.
        name: Word,
        /// The rest of the line after `value`.
        value: Option<Word>,
    },
    /// `position ...`.
    Position(PositionCommand),
    /// `history <events>`: the game that leads to the next position.
    History(Word),
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
    /// `lexicons`: the available ones.
    Lexicons,
    /// `layouts`: the available ones.
    Layouts,
    /// `distributions`: the available letter distributions.
    Distributions,
    /// `eval [<move>...]`: the static equity of the best plays, or of these, term by term.
    Eval(Vec<Word>),
    /// `check <word>...`.
    Check(Vec<Word>),
    /// `anagram <tiles>`.
    Anagram(Word),
    /// `hooks <word>`.
    Hooks(Word),
    /// `pattern <p>`.
    Pattern(Word),
    /// `leave <tiles>...`: leave values.
    Leave(Vec<Word>),
    /// `why [<move> [<move>]]`: two plays of the last ranking, compared.
    Why(Vec<Word>),
    /// `ghost ...`.
    Ghost(GhostCommand),
    /// `dead`: whether any rack at all has a play.
    Dead,
    /// `score <move>`: the value of a move, without playing it.
    Score(Word),
    /// `play <move>`.
    Play(Word),
    /// `undo`: take the last move back.
    Undo,
    /// `bench [<words>]`.
    Bench(Vec<String>),
    /// A command of the Crossword Game Protocol.
    CrosswordGame(CrosswordGameCommand),
}

impl Command {
    /// Returns its word.
    pub fn word(&self) -> &'static str {
        match self {
            Command::Handshake(dialect) => dialect.word(),
            Command::IsReady => "isready",
            Command::Debug(_) => "debug",
            Command::NewGame(word) => word,
            Command::SetOption { .. } => "setoption",
            Command::Position(_) => "position",
            Command::History(_) => "history",
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
            Command::Leave(_) => "leave",
            Command::Why(_) => "why",
            Command::Ghost(_) => "ghost",
            Command::Dead => "dead",
            Command::Score(_) => "score",
            Command::Play(_) => "play",
            Command::Undo => "undo",
            Command::Bench(_) => "bench",
            Command::CrosswordGame(command) => command.word(),
        }
    }

    /// Whether it changes or needs what a search works on. During a search, such a command is refused as `busy`.
    pub fn needs_idle(&self) -> bool {
        match self {
            Command::SetOption { .. }
            | Command::Position(_)
            | Command::History(_)
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
            | Command::Leave(_)
            | Command::Why(_)
            | Command::Ghost(_) => false,
            Command::CrosswordGame(command) => command.needs_idle(),
        }
    }
}

/// A command that only the Crossword Game Protocol has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CrosswordGameCommand {
    /// `setup variant <name> lexicon <name> tileset <name>`. Its hashes are ignored.
    Setup {
        /// The variant.
        variant: Option<Word>,
        /// The words.
        lexicon: Option<Word>,
        /// The letters.
        tileset: Option<Word>,
    },
    /// `ready`.
    Ready,
    /// `ping`.
    Ping,
    /// `rack` without tiles: the player on turn has none.
    NoRack,
    /// `unseen <counts>`: the tiles that the player on turn does not see.
    Unseen(Option<Word>),
    /// `lexicons`.
    Lexicons,
    /// `variants`.
    Variants,
    /// `tilesets`.
    Tilesets,
    /// `lexiconsample <lexicon> <count>`.
    LexiconSample {
        /// The lexicon.
        lexicon: Word,
        /// The most words to list.
        count: usize,
    },
    /// `lexiconcheck <lexicon> <word>...`.
    LexiconCheck {
        /// The lexicon.
        lexicon: Word,
        /// The words.
        words: Vec<Word>,
    },
    /// `tileset <tileset or lexicon>`.
    Tileset(Word),
    /// `tilesetcheck <tileset or lexicon> <letter>:<count>:<score>...`.
    TilesetCheck {
        /// The tile set.
        tileset: Word,
        /// The tiles.
        tiles: Vec<Word>,
    },
}

impl CrosswordGameCommand {
    /// Returns its word.
    pub fn word(&self) -> &'static str {
        match self {
            CrosswordGameCommand::Setup { .. } => "setup",
            CrosswordGameCommand::Ready => "ready",
            CrosswordGameCommand::Ping => "ping",
            CrosswordGameCommand::NoRack => "rack",
            CrosswordGameCommand::Unseen(_) => "unseen",
            CrosswordGameCommand::Lexicons => "lexicons",
            CrosswordGameCommand::Variants => "variants",
            CrosswordGameCommand::Tilesets => "tilesets",
            CrosswordGameCommand::LexiconSample { .. } => "lexiconsample",
            CrosswordGameCommand::LexiconCheck { .. } => "lexiconcheck",
            CrosswordGameCommand::Tileset(_) => "tileset",
            CrosswordGameCommand::TilesetCheck { .. } => "tilesetcheck",
        }
    }

    /// Whether it needs an idle engine, as [`Command::needs_idle`].
    fn needs_idle(&self) -> bool {
        match self {
            CrosswordGameCommand::Setup { .. }
            | CrosswordGameCommand::NoRack
            | CrosswordGameCommand::Unseen(_)
            | CrosswordGameCommand::Lexicons
            | CrosswordGameCommand::Tilesets => true,
            CrosswordGameCommand::Ready
            | CrosswordGameCommand::Ping
            | CrosswordGameCommand::Variants
            | CrosswordGameCommand::LexiconSample { .. }
            | CrosswordGameCommand::LexiconCheck { .. }
            | CrosswordGameCommand::Tileset(_)
            | CrosswordGameCommand::TilesetCheck { .. } => false,
        }
    }
}

/// A question about, or an action in, the game of Ghost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GhostCommand {
    /// `solve [minlen <n>]`: who wins, and how.
    Solve {
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `<letters> [minlen <n>]`: the value of a fragment.
    Fragment {
        /// The fragment.
        letters: Word,
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `super solve|<letters> [minlen <n>]`: the winner from a fragment on in Superghost, in which letters are added at either end.
    Super {
        /// The fragment; `None` for the start.
        letters: Option<Word>,
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `play [first|second] [minlen <n>]`: a game against the engine.
    Play {
        /// The player who begins.
        opener: GhostSide,
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// `add <letter>`: the person's turn.
    Add(Word),
    /// `challenge`: the person asks for a word that begins with the fragment.
    Challenge,
}

/// The sides of a game of Ghost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GhostSide {
    /// The person.
    Person,
    /// The engine.
    Engine,
}

impl GhostSide {
    /// Returns the word for it in answers.
    pub const fn word(self) -> &'static str {
        match self {
            GhostSide::Person => "you",
            GhostSide::Engine => "engine",
        }
    }
}

/// Whether the engine reports what it receives.
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
    /// The position before the moves.
    pub base: PositionBase,
    /// The moves, in order.
    pub moves: Vec<Word>,
    /// Unknown words between the base and `moves`.
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
    /// The text of a game record, before one of its events (after the last one if none is given).
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
    /// Whether to challenge the opponent's last play.
    Challenge,
    /// The replies to a play.
    Replies,
    /// The engine picks.
    #[default]
    Auto,
}

impl GoMode {
    /// All modes with their words.
    pub const ALL: [(GoMode, &'static str); 8] = [
        (GoMode::Gen, "gen"),
        (GoMode::Sim, "sim"),
        (GoMode::Infer, "infer"),
        (GoMode::Endgame, "endgame"),
        (GoMode::Peg, "peg"),
        (GoMode::Challenge, "challenge"),
        (GoMode::Replies, "replies"),
        (GoMode::Auto, "auto"),
    ];

    /// Returns the mode of a word, in any case.
    pub fn from_word(text: &str) -> Option<GoMode> {
        GoMode::ALL.iter().find(|(_, word)| word.eq_ignore_ascii_case(text)).map(|(mode, _)| *mode)
    }

    /// Returns its word.
    pub fn word(self) -> &'static str {
        GoMode::ALL.iter().find(|(mode, _)| *mode == self).map_or("auto", |(_, word)| word)
    }
}

/// One player's clock, as stated by a `go` line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockWords {
    /// Time left, ms.
    pub left_ms: Option<i64>,
    /// Added after each move, ms.
    pub increment_ms: Option<i64>,
}

impl ClockWords {
    /// Returns the clock, if a time is given.
    pub fn clock(self) -> Option<Clock> {
        Some(Clock { left_ms: self.left_ms?, increment_ms: self.increment_ms.unwrap_or(0) })
    }
}

/// The parameters after `go`, `None` or `false` if not given.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GoParameters {
    /// The mode, `auto` if none is given.
    pub mode: GoMode,
    /// `searchmoves`: only these.
    pub search_moves: Option<Vec<Word>>,
    /// `alsosearchmoves`: also these.
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
    pub player_clocks: BySeat<ClockWords>,
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
    /// `prob`: how likely the play that may be challenged is valid, 0 to 1.
    pub valid: Option<f64>,
    /// `infinite`.
    pub infinite: bool,
    /// Unknown words.
    pub unknown: Vec<Word>,
}
