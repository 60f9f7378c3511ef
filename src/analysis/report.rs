//! The report of a game as plain values, from which text, JSON, GCG and HTML are made.
//! As JSON they are the documented schema (`docs/analysing.md`).
//!
//! Players are counted in the order in which they move, from 0. Chances of winning are probabilities from 0 to 1 from the side of the
//! player on turn, a tie counting half. Not here: how the values are found (`judge.rs`, `analyst.rs`). Start with [`GameReport`].

use crate::formats::gcg::FileNote;
use crate::rules::{BySeat, Seat};
use serde::{Deserialize, Serialize};

/// The number of the schema. It grows when a field changes its meaning or is removed, not when one is added.
pub const SCHEMA: u32 = 1;

/// Rounds a value to millionths, the digits of a report, so that it is read back as it was written.
pub fn rounded(value: f64) -> f64 {
    // Turns -0 into 0.
    (value * 1e6).round() / 1e6 + 0.0
}

/// A game with what each turn lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The game's file, as the caller names it.
    pub source: String,
    /// What the turns are of.
    pub kind: ReportKind,
    /// How it was analysed.
    pub run: RunCard,
    /// The players; the first one moved first. In a list of positions all turns belong to the first one.
    pub players: BySeat<PlayerReport>,
    /// What was wrong or unusual in the file.
    pub notes: Vec<FileNote>,
    /// All turns that could be read.
    pub turns: Vec<TurnReport>,
}

/// What the turns of a report are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportKind {
    /// A game.
    Game,
    /// Positions that need not be related.
    Positions,
}

/// How a game was analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCard {
    /// Program and version.
    pub engine: String,
    /// The words.
    pub lexicon: String,
    /// The leave values.
    pub leaves: String,
    /// The win % model.
    pub win_model: String,
    /// The budget of each turn, in words.
    pub budget: String,
    /// The model by which the opponent's tiles were inferred from their turns; `uniform` if they were not.
    pub opponent: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// The day, `2026-11-23`, if the caller knows it.
    pub date: Option<String>,
}

/// A player with their sums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerReport {
    /// The name on the player's turns.
    pub nick: String,
    /// The full name, empty if the file has none.
    pub name: String,
    /// Points at the end of what was read.
    pub score: i32,
    /// Sums over the turns.
    pub totals: PlayerTotals,
}

/// A file, or a game in a file, that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadSource {
    /// The name of the file, with the number of the game if the file has several.
    pub source: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GamePart {
    /// 80 or more tiles in the bag.
    Opening,
    /// 10 to 79 tiles.
    Middle,
    /// 5 to 9 tiles: every sample is played to the end of the game.
    Approach,
    /// 1 to 4 tiles.
    PreEndgame,
    /// An empty bag.
    Endgame,
}

impl GamePart {
    /// In the order of the game.
    pub const ALL: [GamePart; 5] = [GamePart::Opening, GamePart::Middle, GamePart::Approach, GamePart::PreEndgame, GamePart::Endgame];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            GamePart::Opening => "opening",
            GamePart::Middle => "middle",
            GamePart::Approach => "approach",
            GamePart::PreEndgame => "pre-endgame",
            GamePart::Endgame => "endgame",
        }
    }
}

/// Where a rack comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RackSource {
    /// The file states it.
    Stated,
    /// It follows from other lines of the file.
    Deduced,
    /// It is not known, or only in part.
    Unknown,
}

/// A turn and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnReport {
    /// The number of the turn, from 1.
    pub number: usize,
    /// Its line in the file, from 1; 0 if it was not read from a file.
    pub line: usize,
    /// The number of events of the record before it.
    pub event: usize,
    /// The player who moved.
    pub player: Seat,
    /// The position as the player saw it, in CGP.
    pub cgp: String,
    /// Points of each player before the turn.
    pub scores: BySeat<i32>,
    /// Tiles in the bag.
    pub in_bag: usize,
    /// The part of the game.
    pub part: GamePart,
    /// The rack, empty if it is unknown.
    pub rack: String,
    /// Where the rack comes from.
    pub rack_source: RackSource,
    /// The play made: `8D.WORD`, `ex.ABC`, `ex.3` or `pass`. A play that was challenged off is also
    /// written `8D.WORD`. Empty for a position of a list without a play.
    pub play: String,
    /// Points for it, without those for a challenge.
    pub score: i32,
    /// The value of the tiles drawn for this turn minus that of the average draw, if the tiles before are known.
    pub luck: Option<DrawLuck>,
    /// Remarks on the turn, each with its rule.
    pub labels: Vec<Label>,
    /// The loss of the turn; `None` if it was not judged.
    pub verdict: Option<TurnVerdict>,
    /// Why the turn was not judged.
    pub skipped: Option<String>,
}

impl TurnReport {
    /// The verdict, if a play was made. A position without a play can lose nothing.
    pub fn judged(&self) -> Option<&TurnVerdict> {
        self.verdict.as_ref().filter(|_| !self.play.is_empty())
    }
}

/// The luck of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawLuck {
    /// In points.
    pub points: f64,
    /// In chances of winning, by the win % model.
    pub win: f64,
}

/// A remark on a turn. [`LabelKind::rule`] says when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The kind of the remark.
    pub kind: LabelKind,
    /// The words or the play that it is about. May be empty.
    pub about: String,
}

/// The kinds of remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelKind {
    /// See [`LabelKind::rule`], here and below.
    MissedBingo,
    /// A phony.
    Phony,
    /// A phony that stood.
    MissedChallenge,
    /// A won or tied endgame given away.
    BlownEndgame,
    /// An exchange was best.
    MissedExchange,
    /// An exchange was made.
    NeedlessExchange,
}

impl LabelKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    /// The rule by which it is given.
    pub fn rule(self) -> &'static str {
        self.texts().1
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            LabelKind::MissedBingo => {
                ("bingo missed", "the best play places the whole rack, the play made does not, and the loss is beyond noise")
            }
            LabelKind::Phony => ("phony", "the play forms a word that is not in the lexicon; if it stood, it is valued like a valid play"),
            LabelKind::MissedChallenge => ("challenge missed", "the opponent's play before this turn was a phony, and stood"),
            LabelKind::BlownEndgame => {
                ("endgame blown", "with an empty bag the best play wins or ties, and the play made is proved to do worse")
            }
            LabelKind::MissedExchange => ("exchange missed", "an exchange is best, a placement was played, and the loss is beyond noise"),
            LabelKind::NeedlessExchange => ("needless exchange", "a placement is best, an exchange was made, and the loss is beyond noise"),
        }
    }
}

/// How a turn was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The best play and the play made were simulated again, with the same random numbers.
    Simulation,
    /// All draws were examined.
    PreEndgame,
    /// Both plays were solved to the end of the game.
    Endgame,
}

/// The certainty of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// Every draw was examined to the end of the game.
    Exact,
    /// Samples, with their standard errors.
    Sampled,
    /// The budget was too small to finish: take it as a hint.
    Unfinished,
}

/// A play with its value for the player on turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValuedPlay {
    /// The play.
    pub play: String,
    /// Points for it.
    pub score: i32,
    /// Chance of winning.
    pub win: f64,
    /// Its standard error, 0 if exact.
    pub win_error: f64,
    /// Points gained on the opponent: until the end of the samples, with the values of the leaves, or until the end of the game.
    pub points: f64,
    /// Their standard error, 0 if exact.
    pub points_error: f64,
}

/// The definition of a loss, in the words of every form of the report.
pub const LOSS_RULE: &str =
    "A loss is the win % that the best play would have kept. Where neither play can change the winner, it is counted in points.";

/// The unit of a loss ([`LOSS_RULE`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossMeasure {
    /// The chance of winning.
    Win,
    /// Points: both plays certainly or nearly certainly win, or both lose.
    Points,
}

/// The loss of the play made against the best one: the paired difference. It may be below 0 by noise, so that sums over a game are right
/// on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// In chances of winning.
    pub win: f64,
    /// Standard error of the paired difference.
    pub win_error: f64,
    /// In points.
    pub points: f64,
    /// Standard error of the paired difference.
    pub points_error: f64,
    /// The unit that counts.
    pub measure: LossMeasure,
    /// Whether it is within two standard errors, or based on too few samples.
    pub within_noise: bool,
}

impl Loss {
    /// No loss: the best play was made.
    pub const NOTHING: Loss =
        Loss { win: 0.0, win_error: 0.0, points: 0.0, points_error: 0.0, measure: LossMeasure::Win, within_noise: false };

    /// The loss in chances of winning and in points, of which one is 0.
    pub fn counted(&self) -> (f64, f64) {
        match self.measure {
            LossMeasure::Win => (self.win, 0.0),
            LossMeasure::Points => (0.0, self.points),
        }
    }

    /// Whether something was lost, beyond noise.
    pub fn is_real(&self) -> bool {
        let (win, points) = self.counted();
        win + points > 0.0 && !self.within_noise
    }
}

/// The size of a mistake, by the rule of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MistakeSize {
    /// No mistake.
    None,
    /// Small.
    Small,
    /// Medium.
    Medium,
    /// Large.
    Large,
}

/// A row of a turn's ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankingRow {
    /// The play.
    pub play: String,
    /// Points for it.
    pub score: i32,
    /// Tiles kept.
    pub leave: String,
    /// Chance of winning in the search. That of the first row is too high, since luck helped to make it first; the verdict's is not.
    pub win: Option<f64>,
    /// Its standard error.
    pub win_error: Option<f64>,
    /// Points gained, as in [`ValuedPlay::points`]; in an endgame, until the end.
    pub points: Option<f64>,
}

/// Which draws of the last tiles win, tie and lose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawResults {
    /// The play.
    pub play: String,
    /// Draws that win, each once, as tiles in the order of drawing.
    pub wins: Vec<String>,
    /// Draws that tie.
    pub ties: Vec<String>,
    /// Draws that lose.
    pub losses: Vec<String>,
}

/// What a turn lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnVerdict {
    /// How it was found.
    pub method: Method,
    /// How certain it is.
    pub certainty: Certainty,
    /// Samples of each of the two plays, if they were simulated.
    pub iterations: u64,
    /// The best play.
    pub best: ValuedPlay,
    /// The play made. A play that was challenged off is valued as the pass that it became;
    /// if no play was made, this is the best play.
    pub played: ValuedPlay,
    /// The loss.
    pub loss: Loss,
    /// The place of the play made in the search's ranking, from 1, if it ranks plays.
    pub rank: Option<usize>,
    /// The place of the play made among all legal plays by static equity, from 1; `None` for a phony.
    pub static_rank: Option<usize>,
    /// The number of legal plays.
    pub plays: usize,
    /// How many plays of the ranking are about as good as the best: within 1 % chance of winning, or 2 points where points count. The
    /// fewer, the harder the turn.
    pub near_best: usize,
    /// The mistake's size as the program macondo counts it.
    pub macondo: MistakeSize,
    /// The mistake's size as the program MAGPIE counts it.
    pub magpie: MistakeSize,
    /// The ranking: the best plays, and the play made.
    pub ranking: Vec<RankingRow>,
    /// With few tiles in the bag, the results of the best play and of the play made by draw, as far as they are known.
    pub draws: Vec<DrawResults>,
    /// Why the best play is better than the play made, in sentences; empty if that is unknown.
    #[serde(default)]
    pub why: Vec<String>,
}

/// Sums of some turns of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LossSum {
    /// Turns judged.
    pub turns: usize,
    /// Of these, turns that lost something beyond noise.
    pub mistakes: usize,
    /// Chances of winning lost, summed.
    pub win: f64,
    /// Standard error of the sum.
    pub win_error: f64,
    /// Points lost, summed over the turns on which points count.
    pub points: f64,
}

/// Sums over the turns of a player in a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerTotals {
    /// The number of turns taken.
    pub turns: usize,
    /// Turns that could not be judged.
    pub skipped: usize,
    /// All judged turns.
    pub all: LossSum,
    /// By part of the game, in its order.
    pub parts: Vec<PartTotals>,
    /// By turns of the game, [`RANGE_TURNS`] each.
    pub ranges: Vec<RangeTotals>,
    /// By size of the mistake as macondo counts it.
    pub macondo_sizes: SizeCounts,
    /// By size of the mistake as MAGPIE counts it.
    pub magpie_sizes: SizeCounts,
    /// By remark: how often it was made, and what these turns lost.
    pub kinds: Vec<KindTotals>,
    /// The luck of the draws, summed, in points.
    pub luck_points: f64,
    /// The luck of the draws, summed, in chances of winning.
    pub luck_win: f64,
    /// The mistake index as macondo counts it: the lower, the better.
    pub macondo_index: f64,
    /// The mistake index as MAGPIE counts it.
    pub magpie_index: f64,
}

/// Turns of a game, of both players, that are summed together.
pub const RANGE_TURNS: usize = 10;

/// Some turns of the game, one after the other, with their sums.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeTotals {
    /// The first of them, from 1.
    pub first: usize,
    /// The last of them.
    pub last: usize,
    /// The sums.
    pub sum: LossSum,
}

/// How many mistakes there were of each size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeCounts {
    /// Small ones.
    pub small: usize,
    /// Medium ones.
    pub medium: usize,
    /// Large ones.
    pub large: usize,
}

impl SizeCounts {
    /// Counts one more.
    pub fn add(&mut self, size: MistakeSize) {
        match size {
            MistakeSize::None => {}
            MistakeSize::Small => self.small += 1,
            MistakeSize::Medium => self.medium += 1,
            MistakeSize::Large => self.large += 1,
        }
    }

    /// Adds the counts of another one.
    pub fn add_all(&mut self, other: SizeCounts) {
        self.small += other.small;
        self.medium += other.medium;
        self.large += other.large;
    }
}

/// The turns with a remark.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindTotals {
    /// The remark.
    pub kind: LabelKind,
    /// Turns that have it, judged or not.
    pub count: usize,
    /// The losses of the judged turns. A turn with several remarks counts for each.
    pub sum: LossSum,
}

/// The sums and means of a player over several games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CareerReport {
    /// The name on the player's turns.
    pub nick: String,
    /// The number of games.
    pub games: usize,
    /// Chances of winning lost per game.
    pub win: MeanReport,
    /// Points lost per game, on the turns on which points count.
    #[serde(default)]
    pub points: MeanReport,
    /// Luck per game, in points.
    pub luck_points: MeanReport,
    /// The mistake index per game as macondo counts it.
    pub macondo_index: MeanReport,
    /// The mistake index per game as MAGPIE counts it.
    pub magpie_index: MeanReport,
    /// By part of the game, summed.
    pub parts: Vec<PartTotals>,
    /// By size as macondo counts it.
    pub macondo_sizes: SizeCounts,
    /// By size as MAGPIE counts it.
    pub magpie_sizes: SizeCounts,
    /// By remark.
    pub kinds: Vec<KindTotals>,
    /// How strong the player is; `None` with fewer than [`STRENGTH_GAMES`] games.
    pub strength: Option<Strength>,
}

/// A mean over games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanReport {
    /// The mean.
    pub mean: f64,
    /// Its standard error over the games; 0 with one game.
    pub error: f64,
}

/// The number of games from which on a player's strength is estimated.
pub const STRENGTH_GAMES: usize = 20;

/// How often a player would win against an opponent who always makes the best play of this analysis.
/// The losses of single turns add up to the loss of the game, since luck has mean 0,
/// so the share is one half minus the loss per game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The share of games won.
    pub win: f64,
    /// The ends of its 95 % interval, from the variation between games.
    pub interval: [f64; 2],
    /// The share as a difference of Elo.
    pub elo: f64,
    /// The ends of its 95 % interval.
    pub elo_interval: [f64; 2],
}

/// A part of the game with its sums.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartTotals {
    /// The part.
    pub part: GamePart,
    /// The sums.
    pub sum: LossSum,
}
