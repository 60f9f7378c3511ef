//! The parameters of `go`: the words for them, what `help` says, and what whoever answers does with them. One table, which the session
//! obeys, tests go through and `protocol/README.md` shows. A word that is not there is not understood: `parse.rs` asks [`is_go_parameter`].
//!
//! A parameter that a search has no use for is taken out of the `go` before the search is planned. So it cannot have an effect, and
//! what was taken out is what the engine names as ignored. Not here: how parameters are written (`parse.rs`). Start with [`TABLE`]
//! and [`GoParameters::take_unused`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::{ClockWords, GoParameters};
use crate::rules::Objective;
use crate::search::SearchKind;
use Answerer::{Endgame, Inference, MisereSimulation, Player, PreEndgame, Simulation, Static};

/// Who answers a `go`: a search of a kind, or the player that the options name.
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
    /// A player.
    Player,
}

impl Answerer {
    /// A search of this kind.
    pub fn search(kind: SearchKind, objective: Objective) -> Answerer {
        match kind {
            SearchKind::Static => Static,
            SearchKind::Simulation if objective == Objective::FewestPoints => MisereSimulation,
            SearchKind::Simulation => Simulation,
            SearchKind::PreEndgame => PreEndgame,
            SearchKind::Endgame => Endgame,
            SearchKind::Inference => Inference,
        }
    }
}

/// A parameter of `go`.
pub struct ParameterRow {
    /// The words for it; it is named by the first.
    pub words: &'static [&'static str],
    /// What `help` says: the value that follows, and what it does.
    pub help: &'static str,
    /// What it does to the length of a search.
    pub role: ParameterRole,
    /// Who uses it. Parameters beside it may still leave it without use, see [`GoParameters::take_unused`].
    pub used_by: &'static [Answerer],
    /// Takes it out; whether it was given.
    take: fn(&mut GoParameters) -> bool,
}

/// What a parameter does to the length of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterRole {
    /// A search that uses it ends when it is reached.
    Limit,
    /// It makes a search shorter or longer, but does not end it; or has nothing to do with its length.
    Other,
}

impl ParameterRow {
    /// Its first word.
    pub fn name(&self) -> &'static str {
        self.words.first().copied().unwrap_or_default()
    }

    /// That of a word, in any case.
    pub fn find(word: &str) -> Option<&'static ParameterRow> {
        TABLE.iter().find(|row| row.words.iter().any(|known| known.eq_ignore_ascii_case(word)))
    }
}

/// The words of all parameters.
pub fn parameter_words() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|row| row.words.iter().copied())
}

/// Whether a word, in any case, is a parameter of `go`.
pub fn is_go_parameter(word: &str) -> bool {
    ParameterRow::find(word).is_some()
}

const ALL: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame, Endgame, Inference, Player];
const PLAYS: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame, Endgame];
const TIMED: &[Answerer] = &[Simulation, MisereSimulation, PreEndgame, Endgame, Inference, Player];
const THREADED: &[Answerer] = &[Simulation, MisereSimulation, PreEndgame, Endgame];
const RANKING: &[Answerer] = &[Static, Simulation, MisereSimulation, PreEndgame];

/// The parameters, in the order in which they are told to be ignored. A static ranking has no limits to obey: it is complete before any
/// of them is reached. An inference works on one thread and looks at no plays. A player goes by limits of its own, and by a clock. A pre-endgame and an endgame sample nothing; an endgame leaves nothing to chance.
/// Where the lower score wins, playouts go to the end of the game, and what the opponent's turns tell is used without asking. How much the other player has
/// left on the clock changes nothing.
pub const TABLE: &[ParameterRow] = &[
    limit(&["movetime"], "<ms>: think for this long", TIMED, |go| go.movetime_ms.take().is_some()),
    limit(&["mytime"], "<ms>: what the clock of the player on turn has left", TIMED, |go| go.my_clock.left_ms.take().is_some()),
    other(&["myinc"], "<ms>: what each move adds to it", TIMED, |go| go.my_clock.increment_ms.take().is_some()),
    other(&["opptime"], "<ms>: the same for the other player", &[], |go| go.opponent_clock.left_ms.take().is_some()),
    other(&["oppinc"], "<ms>: the same for the other player", &[], |go| go.opponent_clock.increment_ms.take().is_some()),
    limit(&["1time"], "<ms>: the clock of the player whom a CGP lists first", TIMED, |go| {
        seat(go, 0).is_some_and(|clock| clock.left_ms.take().is_some())
    }),
    other(&["1inc"], "<ms>: what each move adds to it", TIMED, |go| seat(go, 0).is_some_and(|clock| clock.increment_ms.take().is_some())),
    limit(&["2time"], "<ms>: the clock of the other one", TIMED, |go| seat(go, 1).is_some_and(|clock| clock.left_ms.take().is_some())),
    other(&["2inc"], "<ms>: what each move adds to it", TIMED, |go| seat(go, 1).is_some_and(|clock| clock.increment_ms.take().is_some())),
    other(&["depth", "plies"], "<plies>: how far to look ahead", &[Simulation, Endgame], |go| go.depth.take().is_some()),
    limit(&["nodes"], "<n>: plays generated, in all", THREADED, |go| go.nodes.take().is_some()),
    limit(
        &["iterations", "i"],
        "<n>: samples of the leading candidate; of infer, racks held against a turn",
        &[Simulation, MisereSimulation, Inference],
        |go| go.iterations.take().is_some(),
    ),
    limit(
        &["stopcondition"],
        "95|98|99: stop when the leader is best with this certainty, in percent",
        &[Simulation, MisereSimulation],
        |go| go.stop_condition.take().is_some(),
    ),
    other(&["firstwin"], "only find out who wins", &[PreEndgame, Endgame], |go| std::mem::take(&mut go.first_win)),
    other(&["useinference"], "use what is inferred of the opponent's tiles", &[Simulation, PreEndgame], |go| {
        std::mem::take(&mut go.use_inference)
    }),
    other(&["searchmoves"], "<move>...: only these plays", PLAYS, |go| go.search_moves.take().is_some()),
    other(&["alsosearchmoves"], "<move>...: these plays, too", RANKING, |go| go.also_search_moves.take().is_some()),
    other(&["plays"], "<n>: candidates", RANKING, |go| go.plays.take().is_some()),
    other(&["multipv"], "<n>: rows shown", &[Static, Simulation, MisereSimulation, PreEndgame, Inference], |go| go.rows.take().is_some()),
    other(&["threads"], "<n>: workers", THREADED, |go| go.threads.take().is_some()),
    other(&["info"], "<ms>: time between rankings", &[Simulation, MisereSimulation, PreEndgame, Inference], |go| {
        go.info_ms.take().is_some()
    }),
    other(&["seed"], "<n>: seed of all randomness", &[Simulation, MisereSimulation, PreEndgame, Inference, Player], |go| {
        go.seed.take().is_some()
    }),
    other(&["infinite"], "until stop", ALL, |go| std::mem::take(&mut go.infinite)),
];

const fn limit(
    words: &'static [&'static str],
    help: &'static str,
    used_by: &'static [Answerer],
    take: fn(&mut GoParameters) -> bool,
) -> ParameterRow {
    ParameterRow { words, help, role: ParameterRole::Limit, used_by, take }
}

const fn other(
    words: &'static [&'static str],
    help: &'static str,
    used_by: &'static [Answerer],
    take: fn(&mut GoParameters) -> bool,
) -> ParameterRow {
    ParameterRow { words, help, role: ParameterRole::Other, used_by, take }
}

fn seat(go: &mut GoParameters, seat: usize) -> Option<&mut ClockWords> {
    go.player_clocks.get_mut(seat)
}

/// What a search had no use for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnusedParameters {
    /// The parameters, by name.
    pub names: Vec<&'static str>,
    /// Whether a [limit](ParameterRole::Limit) that this kind of search does not count is one of them.
    pub has_uncounted_limit: bool,
}

impl GoParameters {
    /// Takes out what a search has no use for: by the table, and because of what is given beside it. Without a search, when the game is
    /// over, that is everything but `infinite`.
    ///
    /// `on_turn` is the seat of the player on turn, whose clock counts.
    pub fn take_unused(&mut self, answerer: Option<Answerer>, on_turn: usize) -> UnusedParameters {
        let mut unused = UnusedParameters::default();
        for row in TABLE {
            let is_used = match answerer {
                Some(answerer) => row.used_by.contains(&answerer),
                None => row.name() == "infinite",
            };
            if !is_used && (row.take)(self) {
                unused.names.push(row.name());
                unused.has_uncounted_limit |= row.role == ParameterRole::Limit;
            }
        }
        for row in TABLE {
            if self.is_without_use_here(row, answerer, on_turn) && (row.take)(self) {
                unused.names.push(row.name());
            }
        }
        unused
    }

    /// Whether a search of this kind ends when something given here is reached.
    pub fn limits(&self, kind: SearchKind) -> bool {
        let mut go = self.clone();
        let has_limit = TABLE.iter().any(|row| row.role == ParameterRole::Limit && (row.take)(&mut go));
        has_limit || kind == SearchKind::Endgame && self.depth.is_some()
    }

    /// Whether a parameter that the search uses is left without use by what is given beside it.
    fn is_without_use_here(&self, row: &ParameterRow, answerer: Option<Answerer>, on_turn: usize) -> bool {
        if self.infinite && row.role == ParameterRole::Limit {
            return true;
        }
        let has_clock = |seat: usize| self.player_clocks.get(seat).is_some_and(|clock| clock.left_ms.is_some());
        let counts = |seat: usize| seat == on_turn && self.my_clock.left_ms.is_none();
        match row.name() {
            "myinc" => self.my_clock.left_ms.is_none(),
            "1time" => !counts(0),
            "2time" => !counts(1),
            "1inc" => !(counts(0) && has_clock(0)),
            "2inc" => !(counts(1) && has_clock(1)),
            // These are the candidates, however many.
            "plays" => self.search_moves.is_some(),
            // With a counted limit an endgame is searched by one thread, so that its answer is always the same.
            "threads" => answerer == Some(Endgame) && (self.depth.is_some() || self.nodes.is_some()) && self.threads != Some(1),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::{Command, GoMode};
    use crate::protocol::parse::parse;

    fn go(line: &str) -> GoParameters {
        match parse(line) {
            Ok(Some(Command::Go(parameters))) => *parameters,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// A parameter as it is written, with a value.
    fn written(name: &str) -> String {
        match name {
            "firstwin" | "useinference" | "infinite" => name.to_string(),
            "searchmoves" | "alsosearchmoves" => format!("{name} pass"),
            "stopcondition" => format!("{name} 95"),
            _ => format!("{name} 3"),
        }
    }

    #[test]
    fn every_parameter_that_can_be_written_stands_in_the_table_once() {
        let line: Vec<String> = TABLE.iter().map(|row| written(row.name())).collect();
        let mut parameters = go(&format!("go {}", line.join(" ")));
        let given = parameters.clone();
        for row in TABLE {
            let mut alone = go(&format!("go {}", written(row.name())));
            assert_ne!(alone, GoParameters::default(), "{}", row.name());
            assert!((row.take)(&mut alone) && !(row.take)(&mut alone), "{}", row.name());
            assert_eq!(alone, GoParameters::default(), "{}", row.name());
            assert!((row.take)(&mut parameters), "{}", row.name());
        }
        assert_eq!(parameters, GoParameters::default());
        // A parameter more needs a row: this stops to compile when there is one.
        let GoParameters {
            mode: GoMode::Auto,
            search_moves: Some(_),
            also_search_moves: Some(_),
            depth: Some(_),
            iterations: Some(_),
            movetime_ms: Some(_),
            my_clock: ClockWords { left_ms: Some(_), increment_ms: Some(_) },
            opponent_clock: ClockWords { left_ms: Some(_), increment_ms: Some(_) },
            player_clocks: [ClockWords { left_ms: Some(_), increment_ms: Some(_) }, ClockWords { left_ms: Some(_), increment_ms: Some(_) }],
            nodes: Some(_),
            stop_condition: Some(_),
            first_win: true,
            use_inference: true,
            threads: Some(_),
            plays: Some(_),
            rows: Some(_),
            info_ms: Some(_),
            seed: Some(_),
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
        let text = include_str!("../../protocol/README.md");
        let header = "| parameter | gen | sim | sim, misere | peg | endgame | infer | player |";
        let (_, table) = text.split_once(header).expect("protocol/README.md lacks the table");
        let shown: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
        let cell = |row: &ParameterRow, kind| if row.used_by.contains(&kind) { "used" } else { "ignored" };
        let line = |row: &ParameterRow| {
            let cells = [Static, Simulation, MisereSimulation, PreEndgame, Endgame, Inference, Player].map(|kind| cell(row, kind));
            format!("| `{}` | {} |", row.name(), cells.join(" | "))
        };
        assert_eq!(shown, TABLE.iter().map(line).collect::<Vec<_>>());
    }

    #[test]
    fn a_parameter_may_lose_its_use_by_another_one() {
        let unused = |line: &str, kind, on_turn| go(line).take_unused(Some(kind), on_turn).names;
        let clocks = "go mytime 9 myinc 1 opptime 9 oppinc 1 1time 9 1inc 1 2time 9 2inc 1";
        assert_eq!(unused(clocks, Simulation, 0), ["opptime", "oppinc", "1time", "1inc", "2time", "2inc"]);
        let seats = "go 1time 9 1inc 1 2time 9 2inc 1";
        assert_eq!(unused(seats, Endgame, 0), ["2time", "2inc"]);
        assert_eq!(unused(seats, Endgame, 1), ["1time", "1inc"]);
        assert_eq!(unused(seats, Static, 1), ["1time", "1inc", "2time", "2inc"]);
        assert_eq!(unused("go myinc 5 1inc 5", Simulation, 0), ["myinc", "1inc"]);
        assert_eq!(unused("go infinite mytime 9 myinc 1 nodes 8 depth 4", Simulation, 0), ["mytime", "myinc", "nodes"]);
        assert_eq!(unused("go plays 3 searchmoves pass", Simulation, 0), ["plays"]);
        assert_eq!(unused("go plays 3 alsosearchmoves pass", Simulation, 0), [""; 0]);
        for (line, expected) in [("threads 2", &[] as &[&str]), ("threads 2 depth 3", &["threads"]), ("threads 1 nodes 3", &[])] {
            assert_eq!(unused(&format!("go {line}"), Endgame, 0), expected, "{line}");
        }
        assert_eq!(unused("go threads 2 nodes 3", PreEndgame, 0), [""; 0]);
    }

    #[test]
    fn a_limit_that_is_not_counted_is_told_apart_from_one_that_infinite_lifts() {
        let has = |line: &str, kind| go(line).take_unused(kind, 0).has_uncounted_limit;
        assert!(has("go iterations 100", Some(PreEndgame)) && has("go movetime 9", Some(Static)));
        assert!(!has("go infinite movetime 9", Some(PreEndgame)) && !has("go seed 3", Some(Endgame)));
        let mut all = go("go movetime 3 seed 4 infinite");
        assert_eq!(all.take_unused(None, 0).names, ["movetime", "seed"]);
        assert_eq!(all, go("go infinite"));
    }
}
