//! `go`, `stop`, and what a search answers.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use super::{Action, Refusal, SearchOrder, Session, State, error, error_at};
use crate::protocol::command::{Dialect, GoMode, GoParameters, Word};
use crate::protocol::options::OptionName;
use crate::protocol::reply::{ErrorCode, GenRow, PegRow, Progress, Reply, SimRow, Stage};
use crate::rules::game::Turn;
use crate::rules::notation::{parse_move, play_text};
use crate::rules::{Play, Position, Rack, Tile};
use crate::search::budget::{Clock, Limits};
use crate::search::endgame::{EndgameDeal, Solution};
use crate::search::phase::{self, SETTLED, auto_mode, move_time_ms, tiles_left};
use crate::search::pre_endgame::MOST_IN_BAG;
use crate::search::report::{Outcome, Report};
use crate::search::{Mode, SearchRequest};

/// The time of a simulation that nothing else limits, ms.
const DEFAULT_MOVETIME_MS: u64 = 5000;

/// Ms between reports, if the `go` does not say.
const INFO_MS: u64 = 500;

/// The same in ucgi.
const UCGI_INFO_MS: u64 = 1000;

/// Candidates of a player who looks at all of them.
const ALL_PLAYS: usize = 100_000;

/// Rows of a ranking by a player who does not search.
const PLAYER_ROWS: usize = 15;

/// Rows of a pre-endgame, if nobody says how many: they are long.
const PEG_ROWS: usize = 16;

/// What a session knows of the search under way.
pub(super) struct Search {
    /// Its position, for the texts of plays.
    position: Position,
    /// Rows of a ranking that are shown.
    rows: usize,
    order: Order,
    /// Whether only `stop` ends it.
    is_infinite: bool,
    pub(super) stage: SearchStage,
    /// The result of a search that has ended but waits for `stop`.
    held: Option<(Outcome, u64)>,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchStage {
    /// It runs, or waits for `stop`.
    Running,
    /// It was told to stop.
    Stopping,
}

/// What comes first in a static ranking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Equity,
    Score,
}

/// How a mode is carried out.
struct Plan {
    /// The mode whose parameters have a use.
    go_mode: GoMode,
    mode: Mode,
    order: Order,
}

impl Session {
    /// Starts a search; every one that is not refused ends in one `bestmove`.
    pub(super) fn go(&mut self, parameters: &GoParameters) -> Result<(), Refusal> {
        let position = self.current()?.clone();
        let mut ready = position.clone();
        ready.deduce_racks();
        let plan = self.plan(parameters.mode, &ready)?;
        let knowledge = self.knowledge()?;
        if position.end().is_none() && ready.mover_rack().is_empty() {
            return error(ErrorCode::BadPosition, "the rack of the player on turn is unknown: say rack <tiles>");
        }
        if plan.mode == Mode::Endgame && position.end().is_none() && EndgameDeal::of(&ready).is_none() {
            let found = match (ready.in_bag(), ready.unknown().len()) {
                (0, unknown) => format!("of {unknown} tiles it is not known who holds them"),
                (in_bag, _) => format!("{in_bag} tiles are in the bag"),
            };
            return error(ErrorCode::BadPosition, format!("an endgame needs an empty bag and at least one rack: {found}"));
        }
        if plan.mode == Mode::Peg && position.end().is_none() {
            may_be_pre_endgame(&ready)?;
        }
        let only = match &parameters.search_moves {
            Some(words) => Some(plays(words, &ready)?),
            None => None,
        };
        let also = parameters.also_search_moves.as_deref().map_or(Ok(Vec::new()), |words| plays(words, &ready))?;
        let ignored = ignored(parameters, plan.go_mode);
        for name in ignored {
            self.print(Reply::Ignored(name));
        }
        self.print(Reply::Provenance {
            leaves: knowledge.evaluator.leaves_id(),
            win: knowledge.evaluator.win_id().to_string(),
            lexicon: knowledge.lexicon.name().to_string(),
        });
        let shown = self.options.number(OptionName::MultiPv);
        let all = if plan.mode == Mode::Peg { PEG_ROWS } else { usize::MAX };
        let shown = usize::try_from(shown).ok().filter(|&rows| rows > 0).unwrap_or(all);
        let is_greedy = plan.order == Order::Score;
        let rows = parameters.rows.unwrap_or(shown);
        let is_over = position.end().is_some();
        let is_infinite = parameters.infinite.is_some();
        // On a clock time is worth more than a certainty beyond need.
        let settled = (plan.go_mode == GoMode::Auto && self.clock(parameters, &ready).is_some()).then_some(SETTLED);
        let limits = match is_infinite {
            true => Limits { infinite: true, ..Limits::default() },
            false => Limits {
                iterations: parameters.iterations,
                nodes: parameters.nodes,
                stop_condition: parameters.stop_condition.or(settled),
                infinite: false,
            },
        };
        let movetime_ms = if plan.mode == Mode::Gen || is_infinite { None } else { self.movetime_ms(parameters, plan.mode, &ready) };
        let request = SearchRequest {
            position: ready,
            mode: plan.mode,
            limits,
            plies: parameters.depth,
            candidates: match plan.mode {
                _ if is_greedy => Some(ALL_PLAYS),
                Mode::Gen if parameters.mode == GoMode::Gen => parameters.plays.or(parameters.rows).or(Some(ALL_PLAYS)),
                Mode::Gen => parameters.plays.or(parameters.rows).or(Some(PLAYER_ROWS)),
                Mode::Sim | Mode::Endgame | Mode::Peg => parameters.plays,
            },
            only,
            also,
            threads: parameters.threads.unwrap_or(self.positive_option(OptionName::Threads)),
            seed: parameters.seed.unwrap_or(self.options.number(OptionName::Seed).unsigned_abs()),
            first_win: parameters.first_win.is_some(),
            hash_megabytes: self.positive_option(OptionName::EndgameHash),
            opponent_passes: self.options.is_on(OptionName::OpponentPasses),
            log_samples: self.sample_log.is_some() && plan.mode != Mode::Gen,
            equally: false,
        };
        let stage = if self.is_quitting { SearchStage::Stopping } else { SearchStage::Running };
        self.state = State::Searching(Box::new(Search {
            position,
            rows: if is_greedy { rows.min(parameters.plays.unwrap_or(PLAYER_ROWS)) } else { rows },
            order: plan.order,
            is_infinite,
            stage,
            held: None,
        }));
        if is_over {
            self.finished(Outcome { best: None, last: None, solved: true }, 0);
            return Ok(());
        }
        let info_ms = parameters.info_ms.unwrap_or(if self.dialect == Dialect::Ucgi { UCGI_INFO_MS } else { INFO_MS });
        let sample_log = self.sample_log.clone().filter(|_| request.log_samples);
        let order = SearchOrder { knowledge, request, movetime_ms, info_ms, sample_log };
        self.actions.push(Action::StartSearch(Box::new(order)));
        if self.is_quitting {
            self.actions.push(Action::StopSearch);
        }
        Ok(())
    }

    /// `position` is the one to be searched.
    fn plan(&self, mode: GoMode, position: &Position) -> Result<Plan, Refusal> {
        let plan = |go_mode, mode, order| Ok(Plan { go_mode, mode, order });
        match (mode, self.options.text(OptionName::Player)) {
            (GoMode::Infer, _) => error(
                ErrorCode::UnsupportedMode,
                format!("{} is not among the capabilities: say go auto, go sim, go peg, go endgame or go gen", mode.word()),
            ),
            (GoMode::Endgame, _) => plan(GoMode::Endgame, Mode::Endgame, Order::Equity),
            (GoMode::Peg, _) => plan(GoMode::Peg, Mode::Peg, Order::Equity),
            (GoMode::Gen, _) | (GoMode::Auto, "static") => plan(GoMode::Gen, Mode::Gen, Order::Equity),
            (GoMode::Auto, "greedy") => plan(GoMode::Gen, Mode::Gen, Order::Score),
            (GoMode::Sim, _) => plan(GoMode::Sim, Mode::Sim, Order::Equity),
            (GoMode::Auto, _) if self.options.is_on(OptionName::OpponentPasses) => plan(GoMode::Auto, Mode::Sim, Order::Equity),
            (GoMode::Auto, _) => plan(GoMode::Auto, auto_mode(position), Order::Equity),
        }
    }

    fn positive_option(&self, option: OptionName) -> usize {
        usize::try_from(self.options.number(option)).unwrap_or(1).max(1)
    }

    /// The shortest time that the parameters give; [`DEFAULT_MOVETIME_MS`] where nothing limits the search.
    fn movetime_ms(&self, parameters: &GoParameters, mode: Mode, position: &Position) -> Option<u64> {
        let share = self
            .clock(parameters, position)
            .map(|clock| move_time_ms(&phase::TABLE, clock, tiles_left(position), self.options.number(OptionName::MoveOverhead)));
        let shortest = parameters.movetime_ms.into_iter().chain(share).min();
        shortest.or((!ends_by_itself(parameters, mode)).then_some(DEFAULT_MOVETIME_MS))
    }

    /// The clock of the player on turn, if there is one.
    fn clock(&self, parameters: &GoParameters, position: &Position) -> Option<Clock> {
        let of_seat = parameters.player_clocks.get(position.on_turn()).copied().unwrap_or_default();
        parameters.my_clock.clock().or_else(|| of_seat.clock())
    }

    /// `stop`: nothing when no search runs, and nothing the second time.
    pub(super) fn stop(&mut self) {
        if let State::Searching(search) = &mut self.state {
            if search.stage == SearchStage::Running {
                search.stage = SearchStage::Stopping;
                self.actions.push(Action::StopSearch);
            }
            self.release_held();
        }
    }

    /// Gives out the result of a search that only waited for `stop`.
    fn release_held(&mut self) {
        if let State::Searching(search) = &mut self.state
            && let Some((outcome, elapsed_ms)) = search.held.take()
        {
            self.finished(outcome, elapsed_ms);
        }
    }

    /// A report of the search under way. A static ranking is shown once, when it is complete.
    pub(super) fn report(&mut self, report: &Report, elapsed_ms: u64) {
        if let State::Searching(search) = &self.state
            && !matches!(report, Report::Gen { .. })
        {
            let reply = search.reply(report, elapsed_ms, Stage::Running);
            self.print(reply);
        }
    }

    /// The end of the search: its last ranking, then the best move; with `infinite` not before `stop`.
    pub(super) fn finished(&mut self, outcome: Outcome, elapsed_ms: u64) {
        let State::Searching(mut search) = std::mem::replace(&mut self.state, State::Idle) else {
            return;
        };
        let waits = search.is_infinite && search.stage == SearchStage::Running;
        let stage = if waits { Stage::Running } else { Stage::Final };
        if let Some(report) = &outcome.last {
            let reply = search.reply(report, elapsed_ms, stage);
            self.print(reply);
        }
        if waits {
            search.held = Some((outcome, elapsed_ms));
            self.state = State::Searching(search);
            return;
        }
        let best = match (search.order, &outcome.last) {
            (Order::Score, Some(Report::Gen { rows })) => by_score(rows).first().map(|row| row.play),
            _ => outcome.best,
        };
        self.print(Reply::BestMove(best.map(|play| search.text(&play))));
    }
}

impl Search {
    /// A draw: what the mover draws in alphabet order, then the others in the order of the bag.
    fn draw(&self, tiles: &[Tile], drawn: usize) -> String {
        let distribution = &self.position.rules().distribution;
        let (ours, others) = tiles.split_at_checked(drawn).unwrap_or((tiles, &[]));
        ours.iter().copied().collect::<Rack>().text(distribution) + &distribution.tiles_text(others.iter().copied())
    }

    fn text(&self, play: &Play) -> String {
        play_text(play, self.position.board(), &self.position.rules().distribution)
    }

    /// The plays of a line, each written on the board before it.
    fn line_texts(&self, solution: &Solution) -> Vec<String> {
        let mut position = self.position.clone();
        position.deduce_racks();
        let mut texts = Vec::new();
        for turn in &solution.line {
            texts.push(play_text(&turn.play, position.board(), &position.rules().distribution));
            match position.after(&Turn::Play(turn.play)) {
                Ok(next) => position = next,
                Err(_) => break,
            }
        }
        texts
    }

    fn reply(&self, report: &Report, elapsed_ms: u64, stage: Stage) -> Reply {
        let distribution = &self.position.rules().distribution;
        match report {
            Report::Gen { rows } => {
                let rows = if self.order == Order::Score { by_score(rows) } else { rows.iter().collect() };
                let row = |row: &&crate::search::report::RankedPlay| GenRow {
                    play: self.text(&row.play),
                    score: row.score,
                    equity_millipoints: row.equity_millipoints,
                    leave: row.leave.text(distribution),
                };
                Reply::Gen { rows: rows.iter().take(self.rows).map(row).collect(), stage }
            }
            Report::Sim { rows, plies, nodes } => {
                let row = |row: &crate::search::report::SimRow| SimRow {
                    play: self.text(&row.ranked.play),
                    score: row.ranked.score,
                    win: row.win,
                    win_error: row.win_error,
                    equity: row.equity,
                    equity_error: row.equity_error,
                    iterations: row.iterations,
                    is_pruned: row.pruned,
                    plies: row.plies.clone(),
                };
                let progress = Progress { depth: *plies, elapsed_ms, nodes: *nodes };
                Reply::Sim { rows: rows.iter().take(self.rows).map(row).collect(), progress, stage }
            }
            Report::Endgame { solution } => Reply::Endgame {
                value: solution.value,
                bound: solution.bound,
                is_solved: solution.solved,
                score: solution.line.first().map_or(0, |first| first.score),
                line: self.line_texts(solution),
                progress: Progress { depth: solution.depth, elapsed_ms, nodes: solution.nodes },
                hashfull: solution.hashfull,
                stage,
            },
            Report::Peg { rows, stage: depth, nodes, claim } => {
                let row = |row: &crate::search::report::PegRow| PegRow {
                    play: self.text(&row.ranked.play),
                    score: row.ranked.score,
                    draws: [&row.wins, &row.ties, &row.losses].map(|draws| draws.iter().map(|draw| self.draw(draw, row.drawn)).collect()),
                    win: row.win,
                    spread: row.spread,
                    basis: row.basis,
                };
                let progress = Progress { depth: *depth, elapsed_ms, nodes: *nodes };
                Reply::Peg { rows: rows.iter().take(self.rows).map(row).collect(), progress, claim: *claim, stage }
            }
        }
    }
}

/// The highest score first; equal scores in their order by equity.
fn by_score(rows: &[crate::search::report::RankedPlay]) -> Vec<&crate::search::report::RankedPlay> {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.score));
    rows
}

/// Whether a search of this mode ends without a time: by a limit that it counts, or because it was asked for a proof.
fn ends_by_itself(parameters: &GoParameters, mode: Mode) -> bool {
    let has_nodes = parameters.nodes.is_some();
    match mode {
        Mode::Gen => true,
        Mode::Sim => has_nodes || parameters.iterations.is_some() || parameters.stop_condition.is_some(),
        Mode::Peg => has_nodes,
        Mode::Endgame => has_nodes || parameters.depth.is_some() || parameters.mode == GoMode::Endgame,
    }
}

/// What of the parameters has no effect, in the order in which it is told.
fn ignored(parameters: &GoParameters, mode: GoMode) -> Vec<String> {
    let mut ignored: Vec<String> = parameters.unused(mode).into_iter().map(String::from).collect();
    if parameters.infinite.is_some() {
        let limits = [
            ("movetime", parameters.movetime_ms.is_some()),
            ("iterations", parameters.iterations.is_some()),
            ("nodes", parameters.nodes.is_some()),
            ("stopcondition", parameters.stop_condition.is_some()),
        ];
        for (name, _) in limits.iter().filter(|(_, given)| *given) {
            if !ignored.iter().any(|other| other == name) {
                ignored.push((*name).to_string());
            }
        }
    }
    ignored.extend(parameters.unknown.iter().map(|word| word.text.clone()));
    ignored
}

/// Whether a pre-endgame can be searched here.
fn may_be_pre_endgame(position: &Position) -> Result<(), Refusal> {
    let (in_bag, held, rack_size) = (position.in_bag(), position.mover_rack().len(), position.rules().rack_size);
    if !(1..=MOST_IN_BAG).contains(&in_bag) {
        let text = format!("a pre-endgame has 1 to {MOST_IN_BAG} tiles in the bag, here are {in_bag}: say go auto");
        return error(ErrorCode::BadPosition, text);
    }
    if held < rack_size {
        return error(ErrorCode::BadPosition, format!("with {in_bag} tiles in the bag the rack has {rack_size} tiles, {held} are known"));
    }
    Ok(())
}

/// Moves that can be played now, as plays.
fn plays(words: &[Word], position: &Position) -> Result<Vec<Play>, Refusal> {
    words.iter().map(|word| play(word, position)).collect()
}

fn play(word: &Word, position: &Position) -> Result<Play, Refusal> {
    let at = |error: &dyn std::fmt::Display| Refusal::Error(ErrorCode::BadMove, format!("column {}: {error}", word.column));
    let play = match parse_move(&word.text, position).map_err(|error| at(&error))?.turn {
        Turn::Play(play) => play,
        Turn::ExchangeUnknown(_) => return error_at(ErrorCode::BadMove, word, "say which tiles are exchanged: ex.ABC"),
        Turn::Phony(_) => return error_at(ErrorCode::BadMove, word, "a play that is challenged off cannot be searched"),
    };
    let rack = position.mover_rack();
    match rack.minus(&play.rack_tiles()) {
        Ok(_) => Ok(play),
        Err(tile) => {
            let distribution = &position.rules().distribution;
            let (tile, rack) = (distribution.tiles_text([tile]), rack.text(distribution));
            error_at(ErrorCode::BadMove, word, format!("there is no {tile} on the rack {rack}"))
        }
    }
}
