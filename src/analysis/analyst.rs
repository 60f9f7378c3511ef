//! Analyses a whole game turn by turn, from its record to a report.
//!
//! Each turn is judged by what its player could know: the board, their rack, the tiles of a phony that the opponent had to take back, the
//! other rack if the bag is empty, and, with a model of the opponent, what the opponent's turns reveal about their tiles. Turns with an
//! unknown rack are reported and skipped. The budget of a turn, and turns judged before, come from an [`AnalysisCourse`]. Remarks on a turn
//! are given here, each by the rule that [`LabelKind::rule`] states.
//!
//! Not here: how a turn is judged (`judge.rs`), files and clocks (`cli/analyse/`). Start with [`GameAnalyst::analyse`].

use crate::analysis::draws::turn_lucks;
use crate::analysis::judge::{JudgeBudget, JudgeQuestion, Judgement, TurnJudge};
use crate::analysis::known_racks::{KnownRack, deduce};
use crate::analysis::mistakes::{BlownEndgame, MistakeRule, size_of};
use crate::analysis::position_list::{ListedPosition, PositionList};
use crate::analysis::report::{
    Certainty, GamePart, GameReport, Label, LabelKind, PlayerReport, RackSource, ReportKind, RunCard, SCHEMA, TurnReport, TurnVerdict,
};
use crate::analysis::totals;
use crate::engine::Engine;
use crate::formats::cgp::{self, Opcodes};
use crate::formats::gcg::{FileNote, Gcg, ReadGame};
use crate::lexicon::Lexicon;
use crate::rules::notation::play_text;
use crate::rules::{BySeat, Placement, Play, Position, Rack, Seat, Turn, scoring};
use crate::search::phase::Phase;
use crate::search::randomness::mix;
use crate::search::{ObservedTurn, OpponentModel, Signals};

/// Analyses games.
#[derive(Clone, Copy, Debug)]
pub struct GameAnalyst<'a> {
    /// The words, tables and threads.
    pub engine: &'a Engine,
    /// How the opponent's tiles are inferred from their turns; not at all with [`OpponentModel::Uniform`].
    pub opponent: OpponentModel,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Stops everything.
    pub given_up: &'a Signals,
}

/// The facts that a report states about itself, in addition to the game.
#[derive(Clone, Debug, Default)]
pub struct ReportHeading {
    /// The game's file, as the caller names it.
    pub source: String,
    /// The budget of the analysis, in words.
    pub budget: String,
    /// The day, if the caller knows it.
    pub date: Option<String>,
}

impl From<Phase> for GamePart {
    fn from(phase: Phase) -> GamePart {
        match phase {
            Phase::Opening => GamePart::Opening,
            Phase::Midgame | Phase::LateMidgame => GamePart::Middle,
            Phase::Approach => GamePart::Approach,
            Phase::PreEndgame => GamePart::PreEndgame,
            Phase::Endgame => GamePart::Endgame,
        }
    }
}

impl GameAnalyst<'_> {
    /// Analyses a game. Returns `None` if the analysis was stopped meanwhile.
    pub fn analyse(&self, mended: &ReadGame, heading: &ReportHeading, course: &mut dyn AnalysisCourse) -> Option<GameReport> {
        let (game, replay) = (&mended.game, &mended.replay);
        let known = deduce(replay, &game.events);
        let lucks = turn_lucks(self.engine, replay, &known, self.seed);
        let mut notes = mended.notes.clone();
        notes.extend(self.lexicon_note(game));
        let mut turns = Vec::new();
        for (index, known) in known.iter().enumerate() {
            notes.extend(rack_note(mended, index, known));
            let turn = match course.judged_before(index) {
                Some(turn) => turn,
                None => TurnReport { luck: lucks[index], ..self.turn(mended, index, known, course)? },
            };
            course.done(index, &turn);
            turns.push(turn);
        }
        let of_record = |seat| &game.players[usize::from(replay.seats[0] != seat)];
        let end = replay.positions.last();
        let player = |seat| PlayerReport {
            nick: of_record(seat).nick.clone(),
            name: of_record(seat).name.clone(),
            score: end.map_or(0, |end| end.score(seat)),
            totals: totals::of_player(seat, &turns),
        };
        Some(self.report(heading, ReportKind::Game, BySeat(Seat::BOTH.map(player)), notes, turns))
    }

    /// Notes that a record was played with other words than those of the analysis.
    fn lexicon_note(&self, game: &Gcg) -> Option<FileNote> {
        let (theirs, ours) = (game.lexicon()?, self.engine.lexicon().name());
        let text = || format!("played with {theirs} but judged by {ours}: valid words may be labelled as phonies, and phonies missed");
        (!theirs.eq_ignore_ascii_case(ours)).then(|| FileNote { line: None, text: text() })
    }

    /// Analyses positions, each on its own. Returns `None` if the analysis was stopped meanwhile.
    pub fn analyse_positions(&self, list: &PositionList, heading: &ReportHeading, course: &mut dyn AnalysisCourse) -> Option<GameReport> {
        let mut turns = Vec::new();
        for (index, listed) in list.positions.iter().enumerate() {
            let turn = match course.judged_before(index) {
                Some(turn) => turn,
                None => self.listed(listed, index, course)?,
            };
            course.done(index, &turn);
            turns.push(turn);
        }
        let player = |seat, nick: &str| PlayerReport {
            nick: nick.to_string(),
            name: String::new(),
            score: 0,
            totals: totals::of_player(seat, &turns),
        };
        let players = BySeat([player(Seat::First, "on turn"), player(Seat::Second, "opponent")]);
        Some(self.report(heading, ReportKind::Positions, players, list.notes.clone(), turns))
    }

    fn report(
        &self,
        heading: &ReportHeading,
        kind: ReportKind,
        players: BySeat<PlayerReport>,
        mut notes: Vec<FileNote>,
        turns: Vec<TurnReport>,
    ) -> GameReport {
        notes.sort_by_key(|note| note.line);
        GameReport { schema: SCHEMA, source: heading.source.clone(), kind, run: self.run_card(heading), players, notes, turns }
    }

    fn run_card(&self, heading: &ReportHeading) -> RunCard {
        let evaluator = &self.engine.knowledge().evaluator;
        RunCard {
            engine: format!("tilewright {}", env!("CARGO_PKG_VERSION")),
            lexicon: self.engine.lexicon().name().to_string(),
            leaves: evaluator.leaves_id(),
            win_model: evaluator.win_id().to_string(),
            budget: heading.budget.clone(),
            opponent: self.opponent.name().to_string(),
            seed: self.seed,
            date: heading.date.clone(),
        }
    }

    /// A turn, judged if its rack is known.
    fn turn(&self, mended: &ReadGame, index: usize, known: &KnownRack, course: &mut dyn AnalysisCourse) -> Option<TurnReport> {
        let ReadGame { game, replay, .. } = mended;
        let recorded = replay.turns[index];
        let event = &game.events[recorded.event];
        let before = index.checked_sub(1).map(|before| &replay.turns[before]);
        let mut position = replay.positions[recorded.event].clone();
        let seat = position.on_turn();
        if let Some(rack) = &known.rack {
            show_rack(&mut position, rack);
        }
        let distribution = &position.rules().distribution;
        let before = before.map(|turn| (&replay.positions[turn.event], &turn.turn)).filter(|(earlier, _)| earlier.on_turn() != seat);
        let mut report = TurnReport {
            number: index + 1,
            line: event.line,
            event: recorded.event,
            player: seat,
            cgp: cgp::print(&position, &Opcodes::default()),
            scores: position.scores(),
            in_bag: known.in_bag,
            part: Phase::of(known.in_bag).into(),
            rack: known.rack.unwrap_or(event.rack).text(distribution),
            rack_source: known.source,
            play: turn_text(&recorded.turn, &position),
            score: if matches!(recorded.turn, Turn::Phony(_)) { 0 } else { event.points },
            luck: None,
            labels: word_labels(&position, &recorded.turn, before, self.engine.lexicon()),
            verdict: None,
            skipped: None,
        };
        if known.rack.is_none() {
            report.skipped = Some(unknown_rack(event.known_rack().len(), known.held));
            return Some(report);
        }
        let earlier = replay.turns[..index].iter().map(|turn| (&replay.positions[turn.event], turn.turn));
        let turns = ObservedTurn::of_game(seat.opponent(), earlier).unwrap_or_default();
        self.judged(report, &position, Some(&recorded.turn), &turns, course)
    }

    /// A position of a list, judged if the rack is known.
    fn listed(&self, listed: &ListedPosition, index: usize, course: &mut dyn AnalysisCourse) -> Option<TurnReport> {
        let ListedPosition { line, position, made } = listed;
        let (seat, in_bag, rack) = (position.on_turn(), position.in_bag(), position.mover_rack());
        let points = |turn: &Turn| match turn {
            Turn::Play(play) => play
                .placement()
                .and_then(|placement| scoring::score_placement(position.rules(), position.board(), placement).ok())
                .map_or(0, |scored| scored.score),
            Turn::Phony(_) | Turn::ExchangeUnknown(_) => 0,
        };
        let mut report = TurnReport {
            number: index + 1,
            line: *line,
            event: index,
            player: seat,
            cgp: cgp::print(position, &Opcodes::default()),
            scores: position.scores(),
            in_bag,
            part: Phase::of(in_bag).into(),
            rack: rack.text(&position.rules().distribution),
            rack_source: if rack.is_empty() { RackSource::Unknown } else { RackSource::Stated },
            play: made.as_ref().map_or_else(String::new, |turn| turn_text(turn, position)),
            score: made.as_ref().map_or(0, points),
            luck: None,
            labels: made.as_ref().map_or_else(Vec::new, |turn| word_labels(position, turn, None, self.engine.lexicon())),
            verdict: None,
            skipped: None,
        };
        if rack.is_empty() {
            report.skipped = Some(unknown_rack(0, position.rules().rack_size));
            return Some(report);
        }
        self.judged(report, position, made.as_ref(), &[], course)
    }

    /// A report with its verdict on the play made, or on the position alone.
    fn judged(
        &self,
        mut report: TurnReport,
        position: &Position,
        made: Option<&Turn>,
        opponent_turns: &[ObservedTurn],
        course: &mut dyn AnalysisCourse,
    ) -> Option<TurnReport> {
        let played = match made {
            Some(Turn::Play(play)) => Some(*play),
            // The play was challenged off, so the turn was lost.
            Some(Turn::Phony(_)) => Some(Play::Pass),
            Some(Turn::ExchangeUnknown(_)) => {
                report.skipped = Some("the exchanged tiles are unknown".to_string());
                return Some(report);
            }
            None => None,
        };
        let Some(budget) = course.budget(report.number - 1) else { return Some(report) };
        let judge = TurnJudge { engine: self.engine, budget, opponent: self.opponent, given_up: self.given_up };
        let question = JudgeQuestion { position, played: played.as_ref(), opponent_turns };
        match judge.judge(&question, mix(self.seed ^ mix(report.number as u64 - 1))) {
            Ok(judgement) => {
                let judgement = judgement?;
                if let Some(played) = &played {
                    report.labels.extend(judged_labels(position, played, report.part, &judgement));
                }
                let is_blown = report.labels.iter().any(|label| label.kind == LabelKind::BlownEndgame);
                let blown = if is_blown { BlownEndgame::Yes } else { BlownEndgame::No };
                let [macondo, magpie] =
                    [MistakeRule::Macondo, MistakeRule::Magpie].map(|rule| size_of(rule, report.part, &judgement.verdict.loss, blown));
                report.verdict = Some(TurnVerdict { macondo, magpie, ..judgement.verdict });
            }
            Err(error) => report.skipped = Some(error.to_string()),
        }
        Some(report)
    }
}

/// Why a turn with an unknown rack is not judged.
fn unknown_rack(stated: usize, held: usize) -> String {
    match stated {
        0 => "the rack is unknown".to_string(),
        _ => format!("the rack is known in part: {stated} of {held} tiles"),
    }
}

/// The note on a turn with an unknown rack.
fn rack_note(mended: &ReadGame, index: usize, known: &KnownRack) -> Option<FileNote> {
    let turn = mended.replay.turns[index];
    if known.rack.is_some() || matches!(turn.turn, Turn::ExchangeUnknown(_)) {
        return None;
    }
    let event = &mended.game.events[turn.event];
    Some(FileNote {
        line: Some(event.line),
        text: format!("{}: the turn is not judged", unknown_rack(event.known_rack().len(), known.held)),
    })
}

/// Sets the rack of the player on turn in a position of a record. The position keeps the tiles of the other rack that were shown, or
/// all of them if the bag is empty.
pub(crate) fn show_rack(position: &mut Position, rack: &Rack) {
    let mover = position.on_turn();
    // The racks of the record are possible with the board. If they contradict the tiles that were shown, the racks count.
    if position.set_rack(mover, rack).is_err() {
        let _ = position.set_rack(mover.opponent(), &Rack::EMPTY).and_then(|()| position.set_rack(mover, rack));
    }
    position.deduce_racks();
}

fn turn_text(turn: &Turn, position: &Position) -> String {
    let text = |play: &Play| play_text(play, position.board(), &position.rules().distribution);
    match turn {
        Turn::Play(play) => text(play),
        Turn::Phony(placement) => text(&Play::Place(*placement)),
        Turn::ExchangeUnknown(count) => format!("ex.{count}"),
    }
}

/// The course of an analysis: the budget of each turn, turns judged before, and a listener. A [`JudgeBudget`] is the simplest course: all
/// turns get the same budget.
pub trait AnalysisCourse {
    /// The budget of a turn, by its index. With `None` the turn is not judged, and its report has no verdict.
    fn budget(&mut self, turn: usize) -> Option<JudgeBudget>;

    /// A turn, by its index, that was judged before.
    fn judged_before(&mut self, turn: usize) -> Option<TurnReport> {
        let _ = turn;
        None
    }

    /// Called when a turn is done.
    fn done(&mut self, turn: usize, report: &TurnReport) {
        let _ = (turn, report);
    }
}

impl AnalysisCourse for JudgeBudget {
    fn budget(&mut self, _: usize) -> Option<JudgeBudget> {
        Some(*self)
    }
}

/// The words of a placement that are not in a lexicon, as text; empty for an impossible placement.
pub fn unknown_words(position: &Position, placement: &Placement, lexicon: &Lexicon) -> Vec<String> {
    let Ok(scored) = scoring::score_placement(position.rules(), position.board(), placement) else { return Vec::new() };
    let words = scored.words.iter().map(scoring::FormedWord::letters);
    words.filter(|word| !lexicon.contains(word)).map(|word| position.rules().distribution.word_text(&word)).collect()
}

/// The labels that need no search: phonies made or left unchallenged. `before` is the opponent's turn before this one with its position.
pub fn word_labels(position: &Position, turn: &Turn, before: Option<(&Position, &Turn)>, lexicon: &Lexicon) -> Vec<Label> {
    let label = |kind, words: Vec<String>| (!words.is_empty()).then(|| Label { kind, about: words.join(", ") });
    let phony = |position: &Position, turn: &Turn| match turn {
        Turn::Play(Play::Place(placement)) | Turn::Phony(placement) => unknown_words(position, placement, lexicon),
        Turn::Play(Play::Exchange(_) | Play::Pass) | Turn::ExchangeUnknown(_) => Vec::new(),
    };
    let own = label(LabelKind::Phony, phony(position, turn));
    let stood = before.filter(|(_, turn)| matches!(turn, Turn::Play(_)));
    let missed = stood.and_then(|(position, turn)| label(LabelKind::MissedChallenge, phony(position, turn)));
    own.into_iter().chain(missed).collect()
}

/// The labels that follow from a judgement.
pub fn judged_labels(position: &Position, played: &Play, part: GamePart, judgement: &Judgement) -> Vec<Label> {
    let is_bingo = |play: &Play| play.is_bingo(position.rules().rack_size);
    let Judgement { best_play: best, verdict } = judgement;
    let mut labels = Vec::new();
    let mut add = |kind| labels.push(Label { kind, about: verdict.best.play.clone() });
    let is_real = verdict.loss.is_real();
    if is_real && is_bingo(best) && !is_bingo(played) {
        add(LabelKind::MissedBingo);
    }
    match (best, played) {
        (Play::Exchange(_), Play::Place(_)) if is_real => add(LabelKind::MissedExchange),
        (Play::Place(_), Play::Exchange(_)) if is_real => add(LabelKind::NeedlessExchange),
        _ => {}
    }
    if part == GamePart::Endgame && verdict.certainty == Certainty::Exact && verdict.played.win < verdict.best.win {
        add(LabelKind::BlownEndgame);
    }
    labels
}
