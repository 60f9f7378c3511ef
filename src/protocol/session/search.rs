//! The commands `go` and `stop`, and the answers of searches.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::Engine;
use crate::formats::suggest::{did_you_mean, nearest};
use crate::players::clock::{self, CLOCK_STOP, Clock, move_time_ms, tiles_left};
use crate::players::{PlayerSpec, PlayerTurn};
use crate::protocol::command::{Dialect, GoMode, GoParameters, Word};
use crate::protocol::options::{FULL_LEVEL, OptionName};
use crate::protocol::parameters::{Answerer, UnusedParameters, go_words};
use crate::protocol::parse::shown;
use crate::protocol::ranking::{ReplyStage, marked_text};
use crate::protocol::reply::{ErrorCode, SessionReply};
use crate::protocol::session::events::{OrderedWork, SearchOrder, SessionAction};
use crate::protocol::session::refusal::{Refusal, error, error_at, move_at};
use crate::protocol::session::state::{Audience, RunningSearch, SearchStage, Session, SessionState, named_player};
use crate::rules::notation::play_text;
use crate::rules::{Objective, Play, Position, Turn};
use crate::search::candidates::ALL_PLAYS;
use crate::search::report::{Outcome, Report};
use crate::search::threads;
use crate::search::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, Knowledge, OpponentModel, OpponentTiles, PlaySelection, PreEndgameOptions,
    RepliesOptions, RequestError, RunSettings, SearchKind, SearchPosition, SearchRequest, SimulationOptions, StaticOptions, StaticReport,
};
use std::sync::Arc;

/// The time of a search that nothing else limits, ms.
const DEFAULT_MOVETIME_MS: u64 = 5000;

/// Time between reports, unless the `go` states it, ms.
const INFO_MS: u64 = 500;

/// The same in ucgi.
const UCGI_INFO_MS: u64 = 1000;

/// Rows of a static ranking that `auto` makes in games that it does not search.
const AUTO_ROWS: usize = 15;

/// Rows of a pre-endgame that are shown by default: few, since the rows are long.
const PEG_ROWS: usize = 16;

/// Replies that are shown by default: all others are rare.
const REPLY_ROWS: usize = 10;

/// Rows of a simulation that are shown by default: a block of tens of thousands would take longer to read than to make.
const SIM_ROWS: usize = 1000;

/// Rows of a static ranking that are shown to a person by default: those that fit on a screen.
const TERMINAL_ROWS: usize = 20;

/// The most racks that an inference compares with a turn, even if more are requested.
const MOST_RACKS: usize = 200_000;

/// The most racks of an inference with which another search begins: they take a tenth of a second or two.
const RACKS_BESIDE: u64 = 5_000;

/// The most racks that such an inference simulates, and the milliseconds of the search that allow one more: a tenth of its time.
const SIMULATED_BESIDE: usize = 40;
const MS_A_SIMULATED: u64 = 250;

/// Racks of such an inference for each millisecond of the search: about a tenth of its time.
const RACKS_A_MS: u64 = 4;

/// How a `go` is answered.
enum GoPlan {
    /// By a search.
    Search(SearchKind),
    /// By a player.
    Player(PlayerSpec),
}

impl GoPlan {
    fn answerer(&self, objective: Objective) -> Answerer {
        match self {
            GoPlan::Search(kind) => Answerer::search(*kind, objective),
            GoPlan::Player(_) => Answerer::Player,
        }
    }
}

impl Session {
    /// Starts a search. Every search that is not refused ends in one `bestmove`.
    pub(super) fn go(&mut self, parameters: &GoParameters) -> Result<(), Refusal> {
        refuse_mistyped_limit(parameters)?;
        let most_threads = usize::try_from(self.options.caps().threads).unwrap_or(usize::MAX);
        if parameters.threads.is_some_and(|threads| threads > most_threads) {
            return error(ErrorCode::BadOption, format!("too many threads, expected a whole number from 1 to {most_threads}"));
        }
        let position = self.current()?.clone();
        let knowledge = self.knowledge()?;
        if !threads::has_room_for_search(0) {
            return error(ErrorCode::BadOption, "there is not enough memory for a search: allow more address space (ulimit -v)");
        }
        self.find_preceding_turn(parameters.mode, &knowledge)?;
        if parameters.mode == GoMode::Challenge {
            return self.go_challenge(parameters, &knowledge);
        }
        let searchable = match SearchPosition::new(position.clone()) {
            Ok(searchable) => Some(searchable),
            Err(RequestError::GameOver) => None,
            Err(refused) => return not_searchable(&refused),
        };
        let asked = searchable.map(|searchable| (self.plan(parameters.mode, &searchable), searchable));
        let answerer = asked.as_ref().map(|(plan, _)| plan.answerer(position.rules().objective()));
        // Parameters that the answerer does not use are removed at once, so that they cannot have an effect.
        let mut parameters = parameters.clone();
        let mut unused = parameters.take_unused(answerer, position.on_turn());
        if parameters.use_inference && !self.belief.as_ref().is_some_and(|belief| belief.fits(&position)) {
            parameters.use_inference = false;
            unused.names.push("useinference");
        }
        let parameters = &parameters;
        let order = match asked {
            Some((GoPlan::Search(kind), searchable)) => Some(self.search_order(parameters, kind, searchable, knowledge.clone())?),
            Some((GoPlan::Player(player), searchable)) => Some(self.turn_order(parameters, player, searchable)?),
            None => None,
        };
        self.tell_unused(parameters, &unused, order.as_ref());
        let knowledge = order.as_ref().map_or(&knowledge, |order| order.engine.knowledge());
        self.tell_provenance(knowledge);
        self.state = SessionState::Searching(Box::new(RunningSearch {
            rows: self.rows(parameters, answerer),
            // The position that is searched, with the racks that follow from an empty bag.
            position: Arc::new(order.as_ref().map_or(position, |order| order.position().clone())),
            is_infinite: parameters.infinite,
            stage: if self.is_quitting { SearchStage::Stopping } else { SearchStage::Running },
            held: None,
            challenge: None,
        }));
        let Some(order) = order else {
            self.finished(Outcome { best: None, last: None, solved: true }, 0);
            return Ok(());
        };
        self.actions.push(SessionAction::StartSearch(Box::new(order)));
        if self.is_quitting {
            self.actions.push(SessionAction::StopSearch);
        }
        Ok(())
    }

    /// Works out which turn the position named as the last one, if it did. This is the one change that
    /// `go` makes before it has all of its resources: carried out again, it finds the same.
    ///
    /// If the turn cannot be worked out, `go infer` and `go challenge` are refused with the reason; for other
    /// modes the `lm` is ignored.
    fn find_preceding_turn(&mut self, mode: GoMode, knowledge: &Knowledge) -> Result<(), Refusal> {
        let found = self.game.as_mut().map_or(Ok(()), |game| game.find_preceding_turn(&knowledge.lexicon));
        let Err(text) = found.map_err(|(text, why)| format!("lm {text}: {why}")) else { return Ok(()) };
        if matches!(mode, GoMode::Infer | GoMode::Challenge) {
            return error(ErrorCode::BadPosition, text);
        }
        self.print(SessionReply::Ignored(text));
        Ok(())
    }

    fn plan(&self, mode: GoMode, position: &SearchPosition) -> GoPlan {
        GoPlan::Search(match mode {
            GoMode::Infer => SearchKind::Inference,
            GoMode::Replies => SearchKind::Replies,
            GoMode::Endgame => SearchKind::Endgame,
            GoMode::Peg => SearchKind::PreEndgame,
            GoMode::Gen => SearchKind::Static,
            GoMode::Sim => SearchKind::Simulation,
            GoMode::Auto | GoMode::Challenge => match self.player() {
                Some(player) => return GoPlan::Player(player),
                None => self.phase_kind(position),
            },
        })
    }

    /// Returns the kind of search that the engine picks in a position.
    pub(super) fn phase_kind(&self, position: &SearchPosition) -> SearchKind {
        if self.options.is_on(OptionName::OpponentPasses) { SearchKind::Simulation } else { position.phase_search() }
    }

    /// Prints the tables and the lexicon that a search uses.
    pub(super) fn tell_provenance(&mut self, knowledge: &Knowledge) {
        let (leaves, win) = (knowledge.evaluator.leaves_id(), knowledge.evaluator.win_id().to_string());
        self.print(SessionReply::Provenance { leaves, win, lexicon: knowledge.lexicon.name().to_string() });
    }

    /// The player that the options name, if it is not the engine.
    fn player(&self) -> Option<PlayerSpec> {
        let level = self.options.number(OptionName::Level);
        // Only texts that can be read become values.
        let player = named_player(self.options.text(OptionName::Player)).ok().flatten();
        player.or_else(|| format!("level:{level}").parse().ok().filter(|_| level < FULL_LEVEL))
    }

    /// Returns the order for a search.
    pub(super) fn search_order(
        &self,
        parameters: &GoParameters,
        kind: SearchKind,
        position: SearchPosition,
        knowledge: Knowledge,
    ) -> Result<SearchOrder, Refusal> {
        let request = self.request(parameters, kind, position)?;
        let engine = Engine::of_parts(Arc::clone(request.position().rules()), knowledge, request.settings());
        Ok(SearchOrder {
            engine: engine.with_memory(Arc::clone(&self.memory)),
            movetime_ms: self.movetime_ms(parameters, request.kind(), request.position()),
            info_ms: parameters.info_ms.unwrap_or(if self.dialect == Dialect::Ucgi { UCGI_INFO_MS } else { INFO_MS }),
            sample_log: self.sample_log.clone().filter(|_| request.kind() == SearchKind::Simulation),
            work: OrderedWork::Search(request),
        })
    }

    /// Returns the order for a player's turn. The player uses the leave values and the win % table that its text names, else those of the
    /// options.
    fn turn_order(&self, parameters: &GoParameters, player: PlayerSpec, position: SearchPosition) -> Result<SearchOrder, Refusal> {
        let rules = Arc::clone(position.position().rules());
        if let Err(refused) = player.require(rules.variant) {
            return error(ErrorCode::UnsupportedMode, refused.to_string());
        }
        let knowledge = self.knowledge_by(&self.options_of(&player))?;
        let clock = self.clock(parameters, position.position()).filter(|_| !parameters.infinite);
        let movetime_ms = parameters.movetime_ms.filter(|_| !parameters.infinite);
        let share = clock.map(|clock| self.share_ms(clock, position.position()));
        let turns = self.game.as_ref().map_or(Vec::new(), |game| game.turns_against(position.position().on_turn()));
        let turn = PlayerTurn::new(player, position, self.seed(parameters)).and_then(|turn| turn.with_opponents_turns(turns));
        let turn = turn.or_else(|refused| not_searchable(&refused))?;
        let work = OrderedWork::Turn(turn.with_clock(clock));
        let engine = Engine::of_parts(rules, knowledge, RunSettings::default());
        Ok(SearchOrder { engine, work, movetime_ms: movetime_ms.into_iter().chain(share).min(), info_ms: INFO_MS, sample_log: None })
    }

    /// Returns the request to the engine.
    pub(super) fn request(&self, parameters: &GoParameters, kind: SearchKind, position: SearchPosition) -> Result<SearchRequest, Refusal> {
        let settings = RunSettings {
            threads: parameters.threads.unwrap_or(self.positive_option(OptionName::Threads)),
            seed: self.seed(parameters),
            hash_megabytes: self.positive_option(OptionName::EndgameHash),
            memory_megabytes: self.positive_option(OptionName::Memory),
        };
        // A position that does not fit the search is reported before wrong plays.
        position.check(kind).or_else(|refused| not_searchable(&refused))?;
        let analysis = self.analysis(parameters, kind, position.position())?;
        SearchRequest::new(position, analysis, settings).or_else(|refused| not_searchable(&refused))
    }

    /// Returns the search of this kind that the parameters describe.
    fn analysis(&self, parameters: &GoParameters, kind: SearchKind, position: &Position) -> Result<Analysis, Refusal> {
        let GoParameters { depth: plies, nodes, iterations, first_win, .. } = *parameters;
        // On a clock, time is worth more than additional certainty.
        let is_timed = parameters.mode == GoMode::Auto && self.clock(parameters, position).is_some();
        let stop_condition = parameters.stop_condition.or(is_timed.then_some(CLOCK_STOP));
        let skip_if_forced = is_timed;
        let only = parameters.search_moves.as_deref().map(|words| plays(words, position)).transpose()?;
        let also = parameters.also_search_moves.as_deref().map_or(Ok(Vec::new()), |words| plays(words, position))?;
        let plays = PlaySelection { most: most_plays(parameters, kind), only, also };
        Ok(match kind {
            SearchKind::Static => Analysis::Static(StaticOptions { plays }),
            SearchKind::Simulation => Analysis::Simulation(SimulationOptions {
                plays,
                plies,
                iterations,
                nodes,
                stop_condition,
                allocation: Allocation::Adaptive,
                equity_weight: None,
                static_samples: None,
                opponent_passes: self.options.is_on(OptionName::OpponentPasses),
                opponent_tiles: self.opponent_tiles(parameters, kind, position),
                rows: Some(self.rows(parameters, Some(Answerer::search(kind, position.rules().objective())))),
                log_samples: self.sample_log.is_some(),
            }),
            SearchKind::PreEndgame => {
                let opponent_tiles = self.opponent_tiles(parameters, kind, position);
                Analysis::PreEndgame(PreEndgameOptions { plays, nodes, first_win, skip_if_forced, opponent_tiles })
            }
            SearchKind::Endgame => Analysis::Endgame(EndgameOptions { plays, plies, nodes, first_win, skip_if_forced }),
            SearchKind::Inference => Analysis::Inference(self.inference(iterations, position)),
            SearchKind::Replies => {
                let play = match plays.only.as_deref() {
                    None => Play::Pass,
                    Some([play]) => *play,
                    Some(_) => {
                        let text = "there are several moves, expected one: go replies shows the replies to one play";
                        let second = parameters.search_moves.as_deref().and_then(|words| words.get(1));
                        return second.map_or_else(|| error(ErrorCode::BadOption, text), |word| error_at(ErrorCode::BadOption, word, text));
                    }
                };
                Analysis::Replies(RepliesOptions { play, iterations, opponent_tiles: self.opponent_tiles(parameters, kind, position) })
            }
        })
    }

    /// Returns the options of an inference from at most `racks` racks.
    fn inference(&self, racks: Option<u64>, position: &Position) -> InferenceOptions {
        let model = OpponentModel::from_name(self.options.text(OptionName::OpponentModel)).unwrap_or_default();
        let turns = self.game.as_ref().map_or(Vec::new(), |game| game.turns_leading_to(position));
        let usual = InferenceOptions::new(model, turns);
        let most_racks = racks.map_or(usual.most_racks, |racks| usize::try_from(racks).unwrap_or(usize::MAX).min(MOST_RACKS));
        InferenceOptions { most_racks, ..usual }
    }

    /// Returns the source of the opponent's tiles in a search: the last inference of this position, if it is requested, or an inference
    /// that is made first, if the opponent has a model.
    fn opponent_tiles(&self, parameters: &GoParameters, kind: SearchKind, position: &Position) -> OpponentTiles {
        if parameters.use_inference
            && let Some(belief) = self.belief.as_ref().filter(|belief| belief.fits(position))
        {
            return OpponentTiles::Believed(Arc::clone(belief));
        }
        let movetime = self.movetime_ms(parameters, kind, position);
        let racks = movetime.map_or(RACKS_BESIDE, |time| time.saturating_mul(RACKS_A_MS).clamp(RACKS_A_MS * 50, RACKS_BESIDE));
        let most_simulated =
            movetime.map_or(usize::MAX, |time| usize::try_from(time / MS_A_SIMULATED).unwrap_or(usize::MAX)).min(SIMULATED_BESIDE);
        let options = InferenceOptions { most_simulated, ..self.inference(Some(racks), position) };
        // Where the lower score wins, the opponent's exchanges are interpreted without a model.
        let is_misere = position.rules().objective() == Objective::FewestPoints;
        let is_asked = (is_misere || options.model != OpponentModel::Uniform) && !options.turns.is_empty();
        if is_asked { OpponentTiles::Inferred(options) } else { OpponentTiles::Uniform }
    }

    /// Names the parameters that have no effect. If limits are among them and none is left,
    /// also states what ends the search.
    pub(super) fn tell_unused(&mut self, parameters: &GoParameters, unused: &UnusedParameters, order: Option<&SearchOrder>) {
        let unknown = parameters.unknown.iter().map(ignored_go_word);
        for name in unused.names.iter().map(|name| (*name).to_string()).chain(unknown) {
            self.print(SessionReply::Ignored(name));
        }
        let Some(OrderedWork::Search(request)) = order.map(|order| &order.work) else { return };
        let kind = request.kind();
        if unused.has_uncounted_limit && kind != SearchKind::Static && !parameters.infinite && !parameters.limits(kind) {
            self.print(SessionReply::Limit { movetime_ms: self.movetime_ms(parameters, kind, request.position()) });
        }
    }

    /// Returns the number of rows of a ranking that are shown.
    fn rows(&self, parameters: &GoParameters, answerer: Option<Answerer>) -> usize {
        let all = match answerer {
            Some(Answerer::PreEndgame) => PEG_ROWS,
            Some(Answerer::Replies) => REPLY_ROWS,
            Some(Answerer::Simulation | Answerer::MisereSimulation) => SIM_ROWS,
            Some(Answerer::Static) if self.audience == Audience::Person => TERMINAL_ROWS,
            _ => usize::MAX,
        };
        let by_option = usize::try_from(self.options.number(OptionName::MultiPv)).ok().filter(|&rows| rows > 0);
        parameters.rows.or(by_option).unwrap_or(all)
    }

    /// Returns the memory for words and tables that are loaded but not in use, bytes.
    pub(super) fn cache_bytes(&self) -> usize {
        let (hash_megabytes, memory_megabytes) = (self.positive_option(OptionName::EndgameHash), self.positive_option(OptionName::Memory));
        RunSettings { hash_megabytes, memory_megabytes, ..RunSettings::default() }.cache_bytes()
    }

    fn positive_option(&self, option: OptionName) -> usize {
        usize::try_from(self.options.number(option)).unwrap_or(1).max(1)
    }

    /// Returns the shortest time that the parameters give; [`DEFAULT_MOVETIME_MS`] if nothing limits the search.
    pub(super) fn movetime_ms(&self, parameters: &GoParameters, kind: SearchKind, position: &Position) -> Option<u64> {
        if kind == SearchKind::Static || parameters.infinite {
            return None;
        }
        let share = self.clock(parameters, position).map(|clock| self.share_ms(clock, position));
        let shortest = parameters.movetime_ms.into_iter().chain(share).min();
        shortest.or((!ends_by_itself(parameters, kind)).then_some(DEFAULT_MOVETIME_MS))
    }

    /// This turn's share of a clock, ms.
    fn share_ms(&self, clock: Clock, position: &Position) -> u64 {
        move_time_ms(&clock::USUAL, clock, tiles_left(position), self.options.number(OptionName::MoveOverhead))
    }

    fn seed(&self, parameters: &GoParameters) -> u64 {
        parameters.seed.unwrap_or(self.options.number(OptionName::Seed).unsigned_abs())
    }

    /// The clock of the player on turn, if there is one.
    fn clock(&self, parameters: &GoParameters, position: &Position) -> Option<Clock> {
        let of_seat = parameters.player_clocks[position.on_turn()];
        parameters.my_clock.clock().or_else(|| of_seat.clock())
    }

    /// `stop`: stops a search or a bench. A second `stop` has no effect.
    pub(super) fn stop(&mut self) {
        if let SessionState::Measuring = &self.state {
            self.actions.push(SessionAction::StopBench);
        }
        if let SessionState::Searching(search) = &mut self.state {
            if search.stage == SearchStage::Running {
                search.stage = SearchStage::Stopping;
                self.actions.push(SessionAction::StopSearch);
            }
            self.release_held();
        }
    }

    /// Prints the result of a search that only waited for `stop`.
    fn release_held(&mut self) {
        if let SessionState::Searching(search) = &mut self.state
            && let Some((outcome, elapsed_ms)) = search.held.take()
        {
            self.finished(outcome, elapsed_ms);
        }
    }

    /// Prints a report of the search under way. A static ranking is shown once, when it is complete.
    pub(super) fn report(&mut self, report: Report, elapsed_ms: u64) {
        if let SessionState::Searching(search) = &self.state
            && search.challenge.is_none()
            && !matches!(report, Report::Static(_))
        {
            let ranking = search.ranking(report, elapsed_ms, ReplyStage::Running);
            self.tell_ranking(ranking);
        }
    }

    /// Tells a person how to see the rows of a static ranking that are not shown.
    fn tell_hidden_rows(&mut self, report: &Report, search: &RunningSearch) {
        if let Report::Static(StaticReport { rows }) = report
            && self.audience == Audience::Person
            && self.dialect != Dialect::Ucgi
            && rows.len() > search.rows
        {
            self.say(format!("the best {} of {} plays: go gen multipv {} shows all", search.rows, rows.len(), rows.len()));
        }
    }

    /// Ends the search: prints its last ranking, then the best move; with `infinite` not before `stop`.
    pub(super) fn finished(&mut self, mut outcome: Outcome, elapsed_ms: u64) {
        let SessionState::Searching(mut search) = std::mem::replace(&mut self.state, SessionState::Idle) else {
            return;
        };
        if let Some(course) = search.challenge.take() {
            return self.challenge_searched(search, course, &outcome, elapsed_ms);
        }
        let waits = search.is_infinite && search.stage == SearchStage::Running;
        let stage = if waits { ReplyStage::Running } else { ReplyStage::Final };
        // The report is shown again when the wait is over.
        let last = if waits { outcome.last.clone() } else { outcome.last.take() };
        if let Some(report) = last {
            if let Report::Inference(belief) = &report
                && !waits
            {
                self.belief = Some(Arc::clone(belief));
            }
            self.tell_hidden_rows(&report, &search);
            self.tell_ranking(search.ranking(report, elapsed_ms, stage));
        }
        if waits {
            search.held = Some((outcome, elapsed_ms));
            self.state = SessionState::Searching(search);
            return;
        }
        let text = |play: Play| match self.dialect {
            Dialect::Tilefish => marked_text(&play, &search.position),
            _ => play_text(&play, search.position.board(), &search.position.rules().distribution),
        };
        self.print(SessionReply::BestMove(outcome.best.map(text)));
    }
}

/// Refuses a `go` that nothing limits, if one of its unknown words is close to a known one. The protocols demand that unknown words
/// are skipped, but here a slip would lead to a search of five seconds instead of one.
fn refuse_mistyped_limit(parameters: &GoParameters) -> Result<(), Refusal> {
    let meant = |word: &Word| nearest(&word.text, go_words());
    match parameters.unknown.iter().find_map(|word| Some((word, meant(word)?))) {
        Some((word, meant)) if !is_limited(parameters) => {
            let message = format!("{} is not a parameter, did you mean {meant}? Nothing else limits the search", shown(&word.text));
            error_at(ErrorCode::BadOption, word, message)
        }
        _ => Ok(()),
    }
}

/// Returns an unknown word of a `go`, with the word that was probably meant.
fn ignored_go_word(word: &Word) -> String {
    format!("{}{}", word.text, did_you_mean(&word.text, go_words()))
}

/// Whether a `go` states how it ends.
fn is_limited(parameters: &GoParameters) -> bool {
    let clocks = std::iter::once(&parameters.my_clock).chain(&parameters.player_clocks.0);
    let has_time = parameters.movetime_ms.is_some() || clocks.into_iter().any(|clock| clock.left_ms.is_some());
    let is_counted = parameters.iterations.is_some() || parameters.nodes.is_some() || parameters.stop_condition.is_some();
    let by_mode = match parameters.mode {
        GoMode::Gen => true,
        GoMode::Endgame => parameters.depth.is_some(),
        _ => false,
    };
    has_time || is_counted || by_mode || parameters.infinite
}

/// Whether a search of this kind ends without a time: by a limit that it counts, or because a proof is requested.
fn ends_by_itself(parameters: &GoParameters, kind: SearchKind) -> bool {
    let has_nodes = parameters.nodes.is_some();
    match kind {
        SearchKind::Static | SearchKind::Inference => true,
        SearchKind::Simulation => has_nodes || parameters.iterations.is_some() || parameters.stop_condition.is_some(),
        SearchKind::PreEndgame => has_nodes,
        SearchKind::Replies => parameters.iterations.is_some(),
        SearchKind::Endgame => has_nodes || parameters.depth.is_some() || parameters.mode == GoMode::Endgame,
    }
}

/// Returns the number of candidates, or of rows of a static ranking; `None` if the kind of search has its own number.
fn most_plays(parameters: &GoParameters, kind: SearchKind) -> Option<usize> {
    match kind {
        SearchKind::Static if parameters.mode == GoMode::Gen => parameters.plays.or(parameters.rows).or(Some(ALL_PLAYS)),
        SearchKind::Static => parameters.plays.or(parameters.rows).or(Some(AUTO_ROWS)),
        SearchKind::Simulation | SearchKind::Endgame | SearchKind::PreEndgame | SearchKind::Inference | SearchKind::Replies => {
            parameters.plays
        }
    }
}

/// Refuses a search, with the reason and a remedy.
pub(super) fn not_searchable<T>(refused: &RequestError) -> Result<T, Refusal> {
    match refused {
        RequestError::RackUnknown | RequestError::RackIncomplete { .. } => {
            error(ErrorCode::BadPosition, format!("{refused}: send rack <tiles> first"))
        }
        RequestError::NoPreEndgame { .. } => error(ErrorCode::BadPosition, format!("{refused}: send go auto instead")),
        RequestError::Variant(_) => error(ErrorCode::UnsupportedMode, refused.to_string()),
        RequestError::Play { .. } | RequestError::EndsGame => error(ErrorCode::BadMove, refused.to_string()),
        RequestError::NothingToInfer => error(ErrorCode::BadPosition, format!("{refused}: send position ... moves ..., or play <move>")),
        _ => error(ErrorCode::BadPosition, refused.to_string()),
    }
}

/// Reads moves that can be played now, as plays.
pub(super) fn plays(words: &[Word], position: &Position) -> Result<Vec<Play>, Refusal> {
    words.iter().map(|word| play(word, position)).collect()
}

fn play(word: &Word, position: &Position) -> Result<Play, Refusal> {
    let play = match move_at(position, word)?.turn {
        Turn::Play(play) => play,
        Turn::ExchangeUnknown(_) => return error_at(ErrorCode::BadMove, word, "the exchanged tiles are not named, expected ex.<tiles>"),
        Turn::Phony(_) => {
            return error_at(ErrorCode::BadMove, word, "a play that is challenged off cannot be searched, expected a play that stands");
        }
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
