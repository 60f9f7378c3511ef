//! The parameters of `go`: names, values, help, and their use by the search or player that answers.
//! The parser, the session, the tests and a table in `protocol/searches.md` all follow one table.
//!
//! A new parameter is a field of [`GoParameters`], a [`GoKey`] and a row of [`TABLE`].
//!
//! A parameter that a search does not use is removed from the `go` before the search is planned.
//! Therefore it cannot have an effect, and the engine names exactly the removed ones as ignored. Not
//! here: how a number or a move is written (`parse.rs`). Start with [`TABLE`] and
//! [`GoParameters::take_unused`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::{GoMode, GoParameters, Word};
use crate::rules::{Objective, Seat};
use crate::search::SearchKind;
use crate::search::budget::StopCondition;
use crate::search::limits::{MOST_DEPTH, MOST_ROWS, MOST_THREADS, SEEDS};
use Answerer::{Challenge, Endgame, Inference, MisereSimulation, Player, PreEndgame, Replies, Simulation, Static};
use std::ops::RangeInclusive;

/// What answers a `go`: a search of a kind, or the player that the options name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answerer {
    /// [`SearchKind::Static`].
    Static,
    /// [`SearchKind::Simulation`] where the higher score wins.
    Simulation,
    /// The same where the lower one wins: playouts to the end of the game.
    MisereSimulation,
    /// [`SearchKind::PreEndgame`].
    PreEndgame,
    /// [`SearchKind::Endgame`].
    Endgame,
    /// [`SearchKind::Inference`].
    Inference,
    /// The searches that decide whether to challenge.
    Challenge,
    /// [`SearchKind::Replies`].
    Replies,
    /// A player.
    Player,
}

impl Answerer {
    /// Returns the answerer for a search of this kind.
    pub fn search(kind: SearchKind, objective: Objective) -> Answerer {
        match kind {
            SearchKind::Static => Static,
            SearchKind::Simulation if objective == Objective::FewestPoints => MisereSimulation,
            SearchKind::Simulation => Simulation,
            SearchKind::PreEndgame => PreEndgame,
            SearchKind::Endgame => Endgame,
            SearchKind::Inference => Inference,
            SearchKind::Replies => Replies,
        }
    }
}

/// The name of a `go` parameter in code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the table says what each is")]
pub enum GoKey {
    MoveTime,
    MyTime,
    MyIncrement,
    OpponentTime,
    OpponentIncrement,
    FirstTime,
    FirstIncrement,
    SecondTime,
    SecondIncrement,
    Depth,
    Nodes,
    Iterations,
    StopCondition,
    FirstWin,
    UseInference,
    SearchMoves,
    AlsoSearchMoves,
    Plays,
    MultiPv,
    Threads,
    Info,
    Seed,
    Valid,
    Infinite,
}

/// Where a parameter is kept.
pub type ParameterPlace<T> = fn(&mut GoParameters) -> &mut T;

/// What follows a parameter, and where it is kept.
#[derive(Clone)]
pub enum ParameterValue {
    /// Nothing.
    Switch(ParameterPlace<bool>),
    /// A whole number within bounds.
    Number(RangeInclusive<i64>, ParameterPlace<Option<u64>>),
    /// The same, of things in memory.
    Count(RangeInclusive<i64>, ParameterPlace<Option<usize>>),
    /// A time to think, ms: 0 or less is no time, and more than a year is a year.
    Time(ParameterPlace<Option<u64>>),
    /// A time on a clock, ms, which may be overdrawn. More than a year is a year.
    Clock(ParameterPlace<Option<i64>>),
    /// One move or more.
    Moves(ParameterPlace<Option<Vec<Word>>>),
    /// How certain the best play must be.
    Certainty(ParameterPlace<Option<StopCondition>>),
    /// A probability from 0 to 1.
    Chance(ParameterPlace<Option<f64>>),
}

/// A parameter of `go`.
pub struct ParameterRow {
    /// Its name in code.
    pub key: GoKey,
    /// Its words. Messages use the first.
    pub words: &'static [&'static str],
    /// What follows it, as `help` shows it: `<ms>`.
    pub follows: &'static str,
    /// What follows it, as it is read.
    pub value: ParameterValue,
    /// Its effect on the length of a search.
    pub role: ParameterRole,
    /// What uses it. Other parameters may still leave it without use:
    /// see [`GoParameters::take_unused`].
    pub used_by: &'static [Answerer],
    /// Its effect, for `help`.
    pub help: &'static str,
}

/// The effect of a parameter on the length of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterRole {
    /// A search that uses it ends when the limit is reached.
    Limit,
    /// It may make a search shorter or longer, but does not end it.
    Other,
}

impl ParameterRow {
    /// Returns its first word.
    pub fn name(&self) -> &'static str {
        self.words.first().copied().unwrap_or_default()
    }

    /// Returns the parameter with this word, in any case.
    pub fn find(word: &str) -> Option<&'static ParameterRow> {
        TABLE.iter().find(|row| row.words.iter().any(|known| known.eq_ignore_ascii_case(word)))
    }

    /// Returns the line of `help`: `depth <plies> (or plies), from 1 to 100: how far to look ahead`.
    pub fn line(&self) -> String {
        let follows = if self.follows.is_empty() { String::new() } else { format!(" {}", self.follows) };
        let aliases = match self.words {
            [_, aliases @ ..] if !aliases.is_empty() => format!(" (or {})", aliases.join(", ")),
            _ => String::new(),
        };
        let range = match &self.value {
            ParameterValue::Number(bounds, _) | ParameterValue::Count(bounds, _) => format!(", {}", range_text(bounds)),
            _ => String::new(),
        };
        format!("{}{follows}{aliases}{range}: {}", self.name(), self.help)
    }

    /// Removes the parameter. Returns whether it was given.
    fn take(&self, go: &mut GoParameters) -> bool {
        match &self.value {
            ParameterValue::Switch(place) => std::mem::take(place(go)),
            ParameterValue::Number(_, place) | ParameterValue::Time(place) => place(go).take().is_some(),
            ParameterValue::Count(_, place) => place(go).take().is_some(),
            ParameterValue::Clock(place) => place(go).take().is_some(),
            ParameterValue::Moves(place) => place(go).take().is_some(),
            ParameterValue::Certainty(place) => place(go).take().is_some(),
            ParameterValue::Chance(place) => place(go).take().is_some(),
        }
    }
}

/// `a whole number from 1 to 100`
pub(super) fn whole_number_of(bounds: &RangeInclusive<i64>) -> String {
    format!("a whole number {}", range_text(bounds))
}

/// `from 1 to 100`, or `from 1` if only the type of the number limits it.
fn range_text(bounds: &RangeInclusive<i64>) -> String {
    match (*bounds.start(), *bounds.end()) {
        (least, i64::MAX) => format!("from {least}"),
        (least, most) => format!("from {least} to {most}"),
    }
}

/// Returns the words with a meaning after `go`: parameters and modes.
pub fn go_words() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|row| row.words.iter().copied()).chain(GoMode::ALL.iter().map(|(_, word)| *word))
}

/// Times beyond a year are as good as a year.
pub const MAX_MS: i64 = 1000 * 60 * 60 * 24 * 365;

const ALL: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame, Endgame, Inference, Replies, Player];
const TIMED_BY_CLOCK: &[Answerer] = &[Simulation, MisereSimulation, PreEndgame, Endgame, Inference, Player];
const PLAYS: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame, Endgame, Replies];
const TIMED: &[Answerer] = &[Simulation, MisereSimulation, PreEndgame, Endgame, Inference, Challenge, Replies, Player];
const THREADED: &[Answerer] = &[Simulation, MisereSimulation, PreEndgame, Endgame, Challenge];
const RANKING: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame];

const NUMBER: RangeInclusive<i64> = 1..=i64::MAX;
const INFO_MS: RangeInclusive<i64> = 1..=MAX_MS;
const DEPTHS: RangeInclusive<i64> = 1..=MOST_DEPTH;
const ROWS: RangeInclusive<i64> = 1..=MOST_ROWS;
const THREADS: RangeInclusive<i64> = 1..=MOST_THREADS;

const SAMPLED: &[Answerer] = &[Simulation, MisereSimulation];
const COUNTED: &[Answerer] = &[Simulation, MisereSimulation, Inference, Challenge, Replies];
const SHOWN: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame, Inference, Replies];
const TOLD: &[Answerer] = &[Simulation, MisereSimulation, PreEndgame, Inference, Replies];
const DRAWN: &[Answerer] = &[Simulation, MisereSimulation, PreEndgame, Inference, Challenge, Replies, Player];
const CANDIDATES: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame, Challenge];

/// The parameters, in the order in which they are named when they are ignored.
///
/// - A static ranking has no limits to obey: it is complete before any of them is reached.
/// - An inference works on one thread and examines no plays.
/// - A player has its own limits, and a clock.
/// - A challenge needs several searches, which share the time. Each of them must end, and only its best candidate counts.
/// - Replies are those to one play.
/// - Pre-endgames and endgames are not sampled, and an endgame has no randomness.
/// - Where the lower score wins, playouts go to the end of the game, and the opponent's turns are
///   always used for inference.
/// - The time that the other player has left changes nothing.
#[rustfmt::skip]
pub const TABLE: &[ParameterRow] = {
    use GoKey as Key;
    use ParameterRole::{Limit, Other};
    use ParameterValue::{Certainty, Chance, Clock, Count, Moves, Number, Switch, Time};
    &[
        row(Key::MoveTime, &["movetime"], "<ms>", "think for this long; 0 or less ends the search at once",
            Time(|go| &mut go.movetime_ms), Limit, TIMED),
        row(Key::MyTime, &["mytime"], "<ms>", "time left on the clock of the player on turn",
            Clock(|go| &mut go.my_clock.left_ms), Limit, TIMED_BY_CLOCK),
        row(Key::MyIncrement, &["myinc"], "<ms>", "added to it after each move",
            Clock(|go| &mut go.my_clock.increment_ms), Other, TIMED_BY_CLOCK),
        row(Key::OpponentTime, &["opptime"], "<ms>", "time left on the other clock",
            Clock(|go| &mut go.opponent_clock.left_ms), Other, &[]),
        row(Key::OpponentIncrement, &["oppinc"], "<ms>", "added to it after each move",
            Clock(|go| &mut go.opponent_clock.increment_ms), Other, &[]),
        row(Key::FirstTime, &["1time"], "<ms>", "time left on the clock of the player whom a CGP lists first",
            Clock(|go| &mut go.player_clocks[Seat::First].left_ms), Limit, TIMED_BY_CLOCK),
        row(Key::FirstIncrement, &["1inc"], "<ms>", "added to it after each move",
            Clock(|go| &mut go.player_clocks[Seat::First].increment_ms), Other, TIMED_BY_CLOCK),
        row(Key::SecondTime, &["2time"], "<ms>", "time left on the clock of the other player",
            Clock(|go| &mut go.player_clocks[Seat::Second].left_ms), Limit, TIMED_BY_CLOCK),
        row(Key::SecondIncrement, &["2inc"], "<ms>", "added to it after each move",
            Clock(|go| &mut go.player_clocks[Seat::Second].increment_ms), Other, TIMED_BY_CLOCK),
        row(Key::Depth, &["depth", "plies"], "<plies>", "how far to look ahead",
            Count(DEPTHS, |go| &mut go.depth), Other, &[Simulation, Endgame, Challenge]),
        row(Key::Nodes, &["nodes"], "<n>", "plays generated in all",
            Number(NUMBER, |go| &mut go.nodes), Limit, THREADED),
        row(Key::Iterations, &["iterations", "i"], "<n>", "samples of the leading candidate; in infer, racks compared with a turn; in replies, racks dealt",
            Number(NUMBER, |go| &mut go.iterations), Limit, COUNTED),
        row(Key::StopCondition, &["stopcondition"], "95|98|99", "stop when the leader is best with this certainty, in percent",
            Certainty(|go| &mut go.stop_condition), Limit, SAMPLED),
        row(Key::FirstWin, &["firstwin"], "", "only find out who wins",
            Switch(|go| &mut go.first_win), Other, &[PreEndgame, Endgame]),
        row(Key::UseInference, &["useinference"], "", "use the last inference of the opponent's tiles",
            Switch(|go| &mut go.use_inference), Other, &[Simulation, PreEndgame, Replies]),
        row(Key::SearchMoves, &["searchmoves", "move"], "<move>...", "only these plays; in replies, the play that is replied to",
            Moves(|go| &mut go.search_moves), Other, PLAYS),
        row(Key::AlsoSearchMoves, &["alsosearchmoves"], "<move>...", "also these plays",
            Moves(|go| &mut go.also_search_moves), Other, RANKING),
        row(Key::Plays, &["plays"], "<n>", "candidates",
            Count(ROWS, |go| &mut go.plays), Other, CANDIDATES),
        row(Key::MultiPv, &["multipv"], "<n>", "rows shown",
            Count(ROWS, |go| &mut go.rows), Other, SHOWN),
        row(Key::Threads, &["threads"], "<n>", "workers",
            Count(THREADS, |go| &mut go.threads), Other, THREADED),
        row(Key::Info, &["info"], "<ms>", "time between rankings",
            Number(INFO_MS, |go| &mut go.info_ms), Other, TOLD),
        row(Key::Seed, &["seed"], "<n>", "seed of all randomness",
            Number(SEEDS, |go| &mut go.seed), Other, DRAWN),
        row(Key::Valid, &["prob"], "<0 to 1>", "the probability that the play in question is valid",
            Chance(|go| &mut go.valid), Other, &[Challenge]),
        row(Key::Infinite, &["infinite"], "", "search until stop",
            Switch(|go| &mut go.infinite), Other, ALL),
    ]
};

const fn row(
    key: GoKey,
    words: &'static [&'static str],
    follows: &'static str,
    help: &'static str,
    value: ParameterValue,
    role: ParameterRole,
    used_by: &'static [Answerer],
) -> ParameterRow {
    ParameterRow { key, words, follows, help, value, role, used_by }
}

/// The parameters that a search does not use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnusedParameters {
    /// The parameters, by name.
    pub names: Vec<&'static str>,
    /// Whether one of them is a [limit](ParameterRole::Limit) that this kind of search does not count.
    pub has_uncounted_limit: bool,
}

impl GoParameters {
    /// Removes the parameters that a search does not use, by the table or because of other parameters. Without a search, when the
    /// game is over, that is everything but `infinite`.
    ///
    /// `on_turn` is the seat of the player on turn, whose clock counts.
    pub fn take_unused(&mut self, answerer: Option<Answerer>, on_turn: Seat) -> UnusedParameters {
        let mut unused = UnusedParameters::default();
        for row in TABLE {
            let is_used = match answerer {
                Some(answerer) => row.used_by.contains(&answerer),
                None => row.key == GoKey::Infinite,
            };
            if !is_used && row.take(self) {
                unused.names.push(row.name());
                unused.has_uncounted_limit |= row.role == ParameterRole::Limit;
            }
        }
        for row in TABLE {
            if self.is_without_use_here(row, answerer, on_turn) && row.take(self) {
                unused.names.push(row.name());
            }
        }
        unused
    }

    /// Whether a search of this kind ends when something given here is reached.
    pub fn limits(&self, kind: SearchKind) -> bool {
        let mut go = self.clone();
        let has_limit = TABLE.iter().any(|row| row.role == ParameterRole::Limit && row.take(&mut go));
        has_limit || kind == SearchKind::Endgame && self.depth.is_some()
    }

    /// Whether the other parameters make a parameter useless that this kind of search could use.
    fn is_without_use_here(&self, row: &ParameterRow, answerer: Option<Answerer>, on_turn: Seat) -> bool {
        if self.infinite && row.role == ParameterRole::Limit {
            return true;
        }
        let has_clock = |seat| self.player_clocks[seat].left_ms.is_some();
        let counts = |seat| seat == on_turn && self.my_clock.left_ms.is_none();
        match row.key {
            GoKey::MyIncrement => self.my_clock.left_ms.is_none(),
            GoKey::FirstTime => !counts(Seat::First),
            GoKey::SecondTime => !counts(Seat::Second),
            GoKey::FirstIncrement => !(counts(Seat::First) && has_clock(Seat::First)),
            GoKey::SecondIncrement => !(counts(Seat::Second) && has_clock(Seat::Second)),
            // `searchmoves` names the candidates, however many there are.
            GoKey::Plays => self.search_moves.is_some(),
            // With a counted limit an endgame is searched by one thread, so that its answer is always the same.
            GoKey::Threads => answerer == Some(Endgame) && (self.depth.is_some() || self.nodes.is_some()) && self.threads != Some(1),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::{ClockWords, Command};
    use crate::protocol::parse::parse;
    use crate::rules::BySeat;

    fn go(line: &str) -> GoParameters {
        match parse(line) {
            Ok(Some(Command::Go(parameters))) => *parameters,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// A parameter as it is written, with a value.
    fn written(row: &ParameterRow) -> String {
        let name = row.name();
        match row.value {
            ParameterValue::Switch(_) => name.to_string(),
            ParameterValue::Moves(_) => format!("{name} pass"),
            ParameterValue::Certainty(_) => format!("{name} 95"),
            ParameterValue::Chance(_) => format!("{name} 0.5"),
            _ => format!("{name} 3"),
        }
    }

    #[test]
    fn every_parameter_that_can_be_written_stands_in_the_table_once() {
        let line: Vec<String> = TABLE.iter().map(written).collect();
        let mut parameters = go(&format!("go {}", line.join(" ")));
        let given = parameters.clone();
        for row in TABLE {
            let mut alone = go(&format!("go {}", written(row)));
            assert_ne!(alone, GoParameters::default(), "{}", row.name());
            assert!(row.take(&mut alone) && !row.take(&mut alone), "{}", row.name());
            assert_eq!(alone, GoParameters::default(), "{}", row.name());
            assert!(row.take(&mut parameters), "{}", row.name());
        }
        assert_eq!(parameters, GoParameters::default());
        // A new parameter needs a row: without one, this no longer compiles.
        let GoParameters {
            mode: GoMode::Auto,
            search_moves: Some(_),
            also_search_moves: Some(_),
            depth: Some(_),
            iterations: Some(_),
            movetime_ms: Some(_),
            my_clock: ClockWords { left_ms: Some(_), increment_ms: Some(_) },
            opponent_clock: ClockWords { left_ms: Some(_), increment_ms: Some(_) },
            player_clocks:
                BySeat([ClockWords { left_ms: Some(_), increment_ms: Some(_) }, ClockWords { left_ms: Some(_), increment_ms: Some(_) }]),
            nodes: Some(_),
            stop_condition: Some(_),
            first_win: true,
            use_inference: true,
            threads: Some(_),
            plays: Some(_),
            rows: Some(_),
            info_ms: Some(_),
            seed: Some(_),
            valid: Some(_),
            infinite: true,
            unknown,
        } = given
        else {
            panic!("{given:?} lacks a parameter");
        };
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn the_protocol_shows_this_table() {
        let text = include_str!("../../protocol/searches.md");
        let header = "| parameter | gen | sim | sim, misere | peg | endgame | infer | challenge | replies | player |";
        let (_, table) = text.split_once(header).expect("protocol/searches.md lacks the table");
        let shown: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
        let cell = |row: &ParameterRow, kind| if row.used_by.contains(&kind) { "used" } else { "ignored" };
        let line = |row: &ParameterRow| {
            let cells = [Static, Simulation, MisereSimulation, PreEndgame, Endgame, Inference, Challenge, Replies, Player]
                .map(|kind| cell(row, kind));
            format!("| `{}` | {} |", row.name(), cells.join(" | "))
        };
        assert_eq!(shown, TABLE.iter().map(line).collect::<Vec<_>>());
    }

    #[test]
    fn a_parameter_may_lose_its_use_by_another_one() {
        let unused = |line: &str, kind, on_turn| go(line).take_unused(Some(kind), on_turn).names;
        let clocks = "go mytime 9 myinc 1 opptime 9 oppinc 1 1time 9 1inc 1 2time 9 2inc 1";
        assert_eq!(unused(clocks, Simulation, Seat::First), ["opptime", "oppinc", "1time", "1inc", "2time", "2inc"]);
        let seats = "go 1time 9 1inc 1 2time 9 2inc 1";
        assert_eq!(unused(seats, Endgame, Seat::First), ["2time", "2inc"]);
        assert_eq!(unused(seats, Endgame, Seat::Second), ["1time", "1inc"]);
        assert_eq!(unused(seats, Static, Seat::Second), ["1time", "1inc", "2time", "2inc"]);
        assert_eq!(unused("go myinc 5 1inc 5", Simulation, Seat::First), ["myinc", "1inc"]);
        assert_eq!(unused("go infinite mytime 9 myinc 1 nodes 8 depth 4", Simulation, Seat::First), ["mytime", "myinc", "nodes"]);
        assert_eq!(unused("go plays 3 searchmoves pass", Simulation, Seat::First), ["plays"]);
        assert_eq!(unused("go plays 3 alsosearchmoves pass", Simulation, Seat::First), [""; 0]);
        for (line, expected) in [("threads 2", &[] as &[&str]), ("threads 2 depth 3", &["threads"]), ("threads 1 nodes 3", &[])] {
            assert_eq!(unused(&format!("go {line}"), Endgame, Seat::First), expected, "{line}");
        }
        assert_eq!(unused("go threads 2 nodes 3", PreEndgame, Seat::First), [""; 0]);
    }

    #[test]
    fn a_limit_that_is_not_counted_is_told_apart_from_one_that_infinite_lifts() {
        let has = |line: &str, kind| go(line).take_unused(kind, Seat::First).has_uncounted_limit;
        assert!(has("go iterations 100", Some(PreEndgame)) && has("go movetime 9", Some(Static)));
        assert!(!has("go infinite movetime 9", Some(PreEndgame)) && !has("go seed 3", Some(Endgame)));
        let mut all = go("go movetime 3 seed 4 infinite");
        assert_eq!(all.take_unused(None, Seat::First).names, ["movetime", "seed"]);
        assert_eq!(all, go("go infinite"));
    }
}
