//! The dialogue between runner and engine as lines, without a process.
//!
//! An engine receives only what its [`View`] shows. Not here: the process and its times (`arena/`). Start with [`question`].

use crate::formats::cgp::{self, Opcodes};
use crate::players::View;
use crate::players::clock::Clock;
use crate::rules::notation::play_text;
use crate::rules::{Placement, Play, Position, Turn};
use crate::tournament::configuration::{EngineDialect, PositionForm, ProgramSetting};
use serde::{Deserialize, Serialize};

/// The time of a turn, as the engine receives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToldTime {
    /// How long to think, ms: the runner's share of a clock, or the time of each move.
    pub move_ms: Option<u64>,
    /// The clocks of the engine and of its opponent, if there are any.
    pub clocks: [Option<Clock>; 2],
    /// Nodes to search.
    pub nodes: Option<u64>,
}

/// The two lines that ask an engine for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineQuestion {
    /// The line with the position.
    pub position: String,
    /// The line that starts the search.
    pub go: String,
}

impl EngineDialect {
    /// Returns the handshake, and the line that ends its answer.
    pub fn handshake(self) -> (&'static str, &'static str) {
        match self {
            EngineDialect::Ucgi => ("ucgi", "ucgiok"),
            EngineDialect::Siu | EngineDialect::Exec => ("siu", "siuok"),
        }
    }

    /// Returns the command that announces a new game.
    pub fn new_game(self) -> &'static str {
        match self {
            EngineDialect::Ucgi => "ucginewgame",
            EngineDialect::Siu | EngineDialect::Exec => "siunewgame",
        }
    }
}

/// The moves of a game that an engine has already received, for one seat of one game. With it, each move is played and written
/// once, and not again on every turn.
#[derive(Clone, Debug, Default)]
pub struct ToldGame {
    so_far: Option<MovesTold>,
}

/// The moves that were sent.
#[derive(Clone, Debug)]
struct MovesTold {
    /// Their number.
    turns: usize,
    /// The position after them.
    position: Position,
    /// The line up to them.
    line: String,
}

/// Returns the question to a program on this turn.
pub fn question(program: &ProgramSetting, view: &View<'_>, opcodes: &Opcodes, time: &ToldTime, told: &mut ToldGame) -> EngineQuestion {
    let position = match program.positions {
        PositionForm::Whole => format!("position cgp {}", whole_position(view, opcodes)),
        PositionForm::Moves => told.position_with_moves(view, opcodes),
    };
    EngineQuestion { position, go: go_line(program, time) }
}

/// Returns the position as the mover sees it, as a CGP.
pub fn whole_position(view: &View<'_>, opcodes: &Opcodes) -> String {
    cgp::print(&view.position(), opcodes)
}

impl ToldGame {
    /// Returns the start of the game, all moves, and the mover's rack. The opponent's exchanges have only
    /// their number of tiles.
    fn position_with_moves(&mut self, view: &View<'_>, opcodes: &Opcodes) -> String {
        let MovesTold { turns, position, line } = self.so_far.get_or_insert_with(|| {
            let position = view.start();
            let line = format!("position cgp {} moves", cgp::print(&position, opcodes));
            MovesTold { turns: 0, position, line }
        });
        for (turn, _) in view.history().skip(*turns) {
            line.push(' ');
            line.push_str(&match &turn {
                Turn::Play(play) => play_text(play, position.board(), &view.rules.distribution),
                Turn::ExchangeUnknown(count) => format!("ex.{count}"),
                Turn::Phony(placement) => phony_text(placement, position),
            });
            *position = position.after(&turn).expect("the game was played");
            *turns += 1;
        }
        format!("{line} rack.{}", view.tiles.rack.text(&view.rules.distribution))
    }
}

/// Writes a play that was challenged off, as in a list of moves.
pub fn phony_text(placement: &Placement, before: &Position) -> String {
    format!("phony.{}", play_text(&Play::Place(*placement), before.board(), &before.rules().distribution))
}

fn go_line(program: &ProgramSetting, time: &ToldTime) -> String {
    let mut line = String::from("go");
    if let Some(words) = &program.keys.go {
        line.push(' ');
        line.push_str(words.trim());
    }
    let [own, other] = time.clocks;
    match (program.dialect, own, time.move_ms, time.nodes) {
        (EngineDialect::Ucgi, Some(own), ..) => {
            // An opponent without a clock gets the engine's own.
            let other = other.unwrap_or(own);
            line.push_str(&format!(
                " mytime {} opptime {} myinc {} oppinc {}",
                own.left_ms, other.left_ms, own.increment_ms, other.increment_ms
            ));
        }
        (_, _, Some(ms), _) => line.push_str(&format!(" movetime {ms}")),
        (_, _, None, Some(nodes)) => line.push_str(&format!(" nodes {nodes}")),
        (_, _, None, None) => {}
    }
    line
}

/// The meaning of an engine's line for the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineLine<'a> {
    /// The end of the handshake.
    HandshakeOver,
    /// `readyok`.
    Ready,
    /// The answer to a `go`.
    BestMove(&'a str),
    /// A refusal, with code and text.
    Refusal(&'a str),
    /// `id name`.
    Name(&'a str),
    /// An option by its name.
    Option(&'a str),
    /// Modes of `go` and other capabilities, separated by spaces.
    Capabilities(&'a str),
    /// The tables and words of a search.
    Provenance(&'a str),
    /// Anything else.
    Other,
}

impl<'a> EngineLine<'a> {
    /// Reads a line. An unclear line is [`EngineLine::Other`].
    pub fn read(line: &'a str) -> EngineLine<'a> {
        let (first, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim_start();
        match first {
            "siuok" | "ucgiok" | "uciok" => EngineLine::HandshakeOver,
            "readyok" => EngineLine::Ready,
            "bestmove" => EngineLine::BestMove(rest.split_whitespace().next().unwrap_or("")),
            "capability" => EngineLine::Capabilities(rest),
            "id" => rest.strip_prefix("name ").map_or(EngineLine::Other, |name| EngineLine::Name(name.trim())),
            "option" => match rest.strip_prefix("name ") {
                // A name may contain spaces.
                Some(name) => EngineLine::Option(name.split(" type ").next().unwrap_or(name).trim()),
                None => EngineLine::Other,
            },
            "info" => match rest.strip_prefix("string ").map(str::trim_start) {
                Some(said) if said.starts_with("error ") => EngineLine::Refusal(said["error ".len()..].trim()),
                Some(said) if said.starts_with("provenance ") => EngineLine::Provenance(said["provenance ".len()..].trim()),
                _ => EngineLine::Other,
            },
            _ => EngineLine::Other,
        }
    }
}

/// Returns the value of a key in a provenance line, such as `lexicon` in `engine=x lexicon=ENABLE`.
pub fn provenance_value<'a>(provenance: &'a str, key: &str) -> Option<&'a str> {
    provenance.split_whitespace().find_map(|word| word.split_once('=').filter(|(found, _)| *found == key).map(|(_, value)| value))
}

/// An engine's evaluation of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToldEvaluation {
    /// Chance of winning, percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wp: Option<f64>,
    /// Equity, points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eq: Option<f64>,
}

impl ToldEvaluation {
    /// Returns the evaluation of a player in this process with this win chance, 0 to 1, rounded to a hundredth of a percent.
    pub fn of_win(win: f64) -> ToldEvaluation {
        ToldEvaluation { wp: Some((10_000.0 * win).round() / 100.0), eq: None }
    }
}

/// Reads the move and its evaluation from a line of a search:
/// `info sim move 8D.DOG wp 51.2 eq 14.1`, or `info currmove 8d.DOG ...`.
pub fn told_evaluation(line: &str) -> Option<(&str, ToldEvaluation)> {
    let mut words = line.split_whitespace();
    let mut before = words.next().filter(|&first| first == "info")?;
    let (mut of, mut wp, mut eq) = (None, None, None);
    for word in words {
        // If a key comes twice, the first one counts.
        match before {
            "move" | "currmove" => drop(of.get_or_insert(word)),
            "wp" => drop(wp.get_or_insert(word)),
            "eq" => drop(eq.get_or_insert(word)),
            _ => {}
        }
        before = word;
    }
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<f64>().ok()).filter(|number| number.is_finite());
    let told = ToldEvaluation { wp: number(wp), eq: number(eq) };
    of.filter(|_| told.wp.is_some() || told.eq.is_some()).map(|of| (of, told))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::static_eval::EvaluatedPlay;
    use crate::players::{GameSoFar, PastTurns, Sight};
    use crate::rules::notation::parse_move;
    use crate::rules::units::Millipoints;
    use crate::rules::{BySeat, Countdown, GameRules, Rack};
    use crate::search::budget::Signals;
    use crate::tournament::configuration::EngineSetting;
    use std::sync::Arc;

    fn program(dialect: EngineDialect, positions: PositionForm) -> ProgramSetting {
        ProgramSetting { dialect, positions, keys: EngineSetting::default() }
    }

    const TIME: ToldTime = ToldTime { move_ms: Some(700), clocks: [None; 2], nodes: None };

    /// Returns the question after DOG and the opponent's exchange of two tiles, in both forms.
    fn asked(in_bag: usize) -> [EngineQuestion; 2] {
        let rules = Arc::new(GameRules::english());
        let start = Position::start(Arc::clone(&rules));
        let Turn::Play(dog) = parse_move("8G.DOG", &start).unwrap().turn else { panic!("a placement") };
        let rack = |text: &str| Rack::parse(text, &rules.distribution).unwrap();
        let taken = |play, score| EvaluatedPlay { play, score, equity: Millipoints::ZERO };
        let past = [taken(dog, 10), taken(Play::Exchange(rack("QV")), 0)];
        let after = start.after(&Turn::Play(dog)).unwrap();
        let racks = BySeat([rack("AEINRST"), rack("UUVVWWX")]);
        let past = PastTurns { plays: &past, ..PastTurns::default() };
        let game = GameSoFar {
            scores: BySeat([10, 0]),
            countdown: Countdown::of_zero_turns(1),
            past,
            ..GameSoFar::without_turns(&rules, after.board(), &racks, in_bag)
        };
        let signals = Signals::default();
        let view = View::new(&game, Sight::Fair, 0, &signals);
        let opcodes = Opcodes { lexicon: Some("ENABLE".to_string()), ..Opcodes::default() };
        let mut told = ToldGame::default();
        if in_bag > 80 {
            // The engine was also asked two turns before.
            let game = GameSoFar { past: PastTurns::default(), ..game };
            let before = View::new(&game, Sight::Fair, 0, &signals);
            question(&program(EngineDialect::Siu, PositionForm::Moves), &before, &opcodes, &TIME, &mut told);
        }
        [PositionForm::Moves, PositionForm::Whole]
            .map(|form| question(&program(EngineDialect::Siu, form), &view, &opcodes, &TIME, &mut told))
    }

    #[test]
    fn an_engine_is_told_what_it_may_see() {
        let [moves, whole] = asked(80);
        let empty = ["15"; 15].join("/");
        assert_eq!(moves.position, format!("position cgp {empty} / 0/0 0 lex ENABLE; moves 8G.DOG ex.2 rack.AEINRST"));
        assert_eq!(whole.position, "position cgp 15/15/15/15/15/15/15/6DOG6/15/15/15/15/15/15/15 AEINRST/ 10/0 1 lex ENABLE;");
        assert_eq!((moves.go.as_str(), whole.go.as_str()), ("go movetime 700", "go movetime 700"));
        // Moves that were sent on an earlier turn are still there on a later one.
        assert_eq!(asked(81)[0], moves);
        // With an empty bag, the opponent's rack is no secret.
        let [_, whole] = asked(0);
        assert!(whole.position.contains(" AEINRST/UUVVWWX 10/0 1 "), "{}", whole.position);
    }

    #[test]
    fn a_clock_is_told_to_those_who_know_clocks() {
        let clock = |left_ms| Some(Clock { left_ms, increment_ms: 50 });
        let time = ToldTime { move_ms: Some(700), clocks: [clock(9_000), clock(-20)], nodes: None };
        let go = |dialect, time: &ToldTime| go_line(&program(dialect, PositionForm::Moves), time);
        assert_eq!(go(EngineDialect::Siu, &time), "go movetime 700");
        assert_eq!(go(EngineDialect::Ucgi, &time), "go mytime 9000 opptime -20 myinc 50 oppinc 50");
        let nodes = ToldTime { move_ms: None, clocks: [None; 2], nodes: Some(1_000) };
        assert_eq!(go(EngineDialect::Ucgi, &nodes), "go nodes 1000");
        let keys = EngineSetting { go: Some("sim plies 2".to_string()), ..EngineSetting::default() };
        let with_mode = ProgramSetting { keys, ..program(EngineDialect::Siu, PositionForm::Moves) };
        assert_eq!(go_line(&with_mode, &ToldTime { nodes: None, ..nodes }), "go sim plies 2");
    }

    #[test]
    fn lines_are_understood() {
        let check = |line: &str, expected: EngineLine<'_>| assert_eq!(EngineLine::read(line), expected, "{line}");
        check("siuok", EngineLine::HandshakeOver);
        check("readyok ", EngineLine::Ready);
        check("bestmove 8D.DOG ponder x", EngineLine::BestMove("8D.DOG"));
        check("bestmove", EngineLine::BestMove(""));
        check("id name An engine 1.0", EngineLine::Name("An engine 1.0"));
        check("option name Opponent Model type string default x", EngineLine::Option("Opponent Model"));
        check("capability gen sim", EngineLine::Capabilities("gen sim"));
        check("info string error bad-move column 3: x", EngineLine::Refusal("bad-move column 3: x"));
        check("info string provenance engine=x lexicon=ENABLE", EngineLine::Provenance("engine=x lexicon=ENABLE"));
        for other in ["", "info", "info string", "bestmoves", "id author x", "info string hello"] {
            check(other, EngineLine::Other);
        }
        assert_eq!(provenance_value("engine=x lexicon=ENABLE", "lexicon"), Some("ENABLE"));
        assert_eq!(provenance_value("engine=x", "lexicon"), None);
    }

    #[test]
    fn evaluations_are_read_where_they_are_told() {
        let told = |wp, eq| ToldEvaluation { wp, eq };
        let sim = "info sim move 8D.DOG wp 51.25 wpse 0.5 eq -3.5 eqse 0.1 iters 100 score 12";
        assert_eq!(told_evaluation(sim), Some(("8D.DOG", told(Some(51.25), Some(-3.5)))));
        assert_eq!(told_evaluation("info currmove 8d.DOG sc 12 eq 14.100 it 0"), Some(("8d.DOG", told(None, Some(14.1)))));
        for none in ["info depth 2 time 10", "info sim move 8D.DOG", "sim move x wp 1", "info sim move x wp NaN"] {
            assert_eq!(told_evaluation(none), None, "{none}");
        }
    }
}
