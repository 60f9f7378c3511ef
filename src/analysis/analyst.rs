//! A whole game: from the record to a report, turn by turn.
//!
//! Each turn is judged by what its player could know: the board, their rack, the tiles of a phony that the opponent had to take back, and
//! with an empty bag the other rack. Turns whose rack is not known are told and skipped. Not here: how a turn is judged (`judge.rs`), files
//! and clocks. Start with [`GameAnalyst::analyse`].

use crate::analysis::draws::turn_lucks;
use crate::analysis::judge::{JudgeBudget, TurnJudge};
use crate::analysis::known_racks::{KnownRack, deduce};
use crate::analysis::labels::{judged_labels, word_labels};
use crate::analysis::mending::MendedGame;
use crate::analysis::mistakes::{BlownEndgame, MistakeRule, size_of};
use crate::analysis::report::{FileNote, GamePart, GameReport, LabelKind, PlayerReport, RunCard, SCHEMA, TurnReport, TurnVerdict};
use crate::analysis::totals;
use crate::engine::Engine;
use crate::formats::cgp::{self, Opcodes};
use crate::rules::notation::play_text;
use crate::rules::{Play, Position, Rack, Turn};
use crate::search::Signals;
use crate::search::phase::Phase;
use crate::search::randomness::mix;

/// Analyses games.
#[derive(Clone, Copy, Debug)]
pub struct GameAnalyst<'a> {
    /// Words, tables, threads.
    pub engine: &'a Engine,
    /// For each turn.
    pub budget: JudgeBudget,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Ends everything.
    pub given_up: &'a Signals,
}

/// What a report says of itself beside the game.
#[derive(Clone, Debug, Default)]
pub struct ReportHeading {
    /// The game's file, as the caller names it.
    pub source: String,
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
    /// Analyses a game; `on_turn` hears how many of its turns are done. `None` if it was given up meanwhile.
    pub fn analyse(&self, mended: &MendedGame, heading: &ReportHeading, on_turn: &mut dyn FnMut(usize)) -> Option<GameReport> {
        let (game, replay) = (&mended.game, &mended.replay);
        let known = deduce(replay, &game.events);
        let lucks = turn_lucks(self.engine, replay, &known, self.seed);
        let mut notes = mended.notes.clone();
        let mut turns = Vec::new();
        for (index, known) in known.iter().enumerate() {
            let mut turn = self.turn(mended, index, known, &mut notes)?;
            turn.luck = lucks[index];
            turns.push(turn);
            on_turn(index + 1);
        }
        let by_seat = |seat: usize| if replay.seats == [0, 1] { seat } else { 1 - seat };
        let end = replay.positions.last();
        let player = |seat: usize| PlayerReport {
            nick: game.players[by_seat(seat)].nick.clone(),
            name: game.players[by_seat(seat)].name.clone(),
            score: end.map_or(0, |end| end.score(seat)),
            totals: totals::of_player(seat, &turns),
        };
        notes.sort_by_key(|note| note.line);
        let players = [player(0), player(1)];
        Some(GameReport { schema: SCHEMA, source: heading.source.clone(), run: self.run_card(heading), players, notes, turns })
    }

    fn run_card(&self, heading: &ReportHeading) -> RunCard {
        let evaluator = &self.engine.knowledge().evaluator;
        RunCard {
            engine: format!("tilewright {}", env!("CARGO_PKG_VERSION")),
            lexicon: self.engine.lexicon().name().to_string(),
            leaves: evaluator.leaves_id(),
            win_model: evaluator.win_id().to_string(),
            budget: self.budget.text(),
            seed: self.seed,
            date: heading.date.clone(),
        }
    }

    /// A turn, judged if its rack is known.
    fn turn(&self, mended: &MendedGame, index: usize, known: &KnownRack, notes: &mut Vec<FileNote>) -> Option<TurnReport> {
        let MendedGame { game, replay, .. } = mended;
        let recorded = replay.turns[index];
        let event = &game.events[recorded.event];
        let before = index.checked_sub(1).map(|before| &replay.turns[before]);
        let mut position = replay.positions[recorded.event].clone();
        let seat = position.on_turn();
        if let Some(rack) = &known.rack {
            show_rack(&mut position, rack, before.map(|turn| &turn.turn));
        }
        let distribution = &position.rules().distribution;
        let before = before.map(|turn| (&replay.positions[turn.event], &turn.turn)).filter(|(earlier, _)| earlier.on_turn() != seat);
        let mut report = TurnReport {
            number: index + 1,
            line: event.line,
            event: recorded.event,
            player: seat,
            cgp: cgp::print(&position, &Opcodes::default()),
            scores: [position.score(0), position.score(1)],
            in_bag: known.in_bag,
            part: Phase::of(known.in_bag).into(),
            rack: known.rack.unwrap_or(event.rack).text(distribution),
            rack_source: known.source,
            play: turn_text(&recorded.turn, &position),
            score: if matches!(recorded.turn, Turn::Phony(_)) { 0 } else { event.points + recorded.challenge_points },
            luck: None,
            labels: word_labels(&position, &recorded.turn, before, self.engine.lexicon()),
            verdict: None,
            skipped: None,
        };
        let played = match recorded.turn {
            Turn::Play(play) => play,
            // It came to nothing: the turn was lost.
            Turn::Phony(_) => Play::Pass,
            Turn::ExchangeUnknown(_) => {
                report.skipped = Some("which tiles were exchanged is unknown".to_string());
                return Some(report);
            }
        };
        if known.rack.is_none() {
            let (line, stated) = (Some(event.line), event.rack.len());
            let text = match stated {
                0 => "the rack is unknown".to_string(),
                _ => format!("the rack is known in part: {stated} of {} tiles", known.held),
            };
            notes.push(FileNote { line, text: format!("{text}: the turn is not judged") });
            report.skipped = Some(text);
            return Some(report);
        }
        let judge = TurnJudge { engine: self.engine, budget: self.budget, given_up: self.given_up };
        match judge.judge(&position, &played, mix(self.seed ^ mix(index as u64))) {
            Ok(judgement) => {
                let judgement = judgement?;
                report.labels.extend(judged_labels(&position, &played, report.part, &judgement));
                let is_blown = report.labels.iter().any(|label| label.kind == LabelKind::BlownEndgame);
                let blown = if is_blown { BlownEndgame::Yes } else { BlownEndgame::No };
                let size = |rule| size_of(rule, report.part, &judgement.loss, blown);
                report.verdict = Some(TurnVerdict {
                    macondo: size(MistakeRule::Macondo),
                    magpie: size(MistakeRule::Magpie),
                    method: judgement.method,
                    certainty: judgement.certainty,
                    iterations: judgement.iterations,
                    best: judgement.best,
                    played: judgement.played,
                    loss: judgement.loss,
                    rank: judgement.rank,
                    static_rank: judgement.static_rank,
                    plays: judgement.plays,
                    near_best: judgement.near_best,
                    ranking: judgement.ranking,
                    draws: judgement.draws,
                });
            }
            Err(error) => report.skipped = Some(error.to_string()),
        }
        Some(report)
    }
}

/// Puts into a position what its player knows: their rack, the opponent's tiles that were shown by a withdrawn phony, and with an empty bag
/// all others.
fn show_rack(position: &mut Position, rack: &Rack, before: Option<&Turn>) {
    let (mover, other) = (position.on_turn(), 1 - position.on_turn());
    // The record's racks are possible together with the board; what is not stays unknown.
    let _ = position.set_rack(mover, &Rack::EMPTY).and_then(|()| position.set_rack(other, &Rack::EMPTY));
    let _ = position.set_rack(mover, rack);
    if let Some(Turn::Phony(placement)) = before {
        let _ = position.set_rack(other, &placement.rack_tiles());
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
