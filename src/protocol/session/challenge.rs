//! `go challenge`: whether to challenge the opponent's last play.
//!
//! The positions that a challenge may lead to are searched one after the other, each by the search of its phase, as by a `go` there.
//! The searches share the time. Not here: the arithmetic (`search/challenge.rs`), the lines (`protocol/challenge.rs`).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::challenge::{ChallengeAnswer, ValiditySource};
use crate::protocol::command::{GoParameters, Word};
use crate::protocol::parameters::Answerer;
use crate::protocol::ranking::ReplyStage;
use crate::protocol::reply::{ErrorCode, SessionReply};
use crate::protocol::session::events::{SearchOrder, SessionAction};
use crate::protocol::session::history::GameHistory;
use crate::protocol::session::refusal::{Refusal, error};
use crate::protocol::session::state::{ChallengeCourse, RunningSearch, SearchStage, Session, SessionState};
use crate::protocol::session::turns::{MoveValue, value};
use crate::rules::notation::{MoveText, play_text};
use crate::rules::{ChallengeRule, Placement, Play, Position, Turn};
use crate::search::challenge::{Challenge, ChallengeAsk, ChallengeEvent, WinChance};
use crate::search::report::Outcome;
use crate::search::{Knowledge, SearchKind, SearchPosition};
use std::collections::VecDeque;
use std::sync::Arc;

/// The rules that are compared if the position's own rule is `void`, which allows no challenge.
const COMPARED: [ChallengeRule; 5] =
    [ChallengeRule::Single, ChallengeRule::Double, ChallengeRule::Triple, ChallengeRule::FivePoint, ChallengeRule::TenPoint];

impl Session {
    /// Starts the searches of a challenge; they end in one `bestmove none`.
    pub(super) fn go_challenge(&mut self, parameters: &GoParameters, knowledge: &Knowledge) -> Result<(), Refusal> {
        let position = self.current()?.clone();
        let (before, made, placement) = self.last_play()?;
        let challenge = Challenge::new(&before, made.rack.as_ref(), &placement, &position);
        let challenge = challenge.or_else(|wrong| error(ErrorCode::BadPosition, wrong.to_string()))?;
        let MoveValue { words, invalid, .. } = value(&before, &made, &knowledge.lexicon);
        let mut parameters = parameters.clone();
        let unused = parameters.take_unused(Some(Answerer::Challenge), position.on_turn());
        let (valid, source) = match parameters.valid {
            Some(valid) => (valid, ValiditySource::Stated),
            None => (if invalid.is_empty() { 1.0 } else { 0.0 }, ValiditySource::Lexicon),
        };
        let rule = position.rules().challenge_rule;
        let rules = if rule == ChallengeRule::Void { COMPARED.to_vec() } else { vec![rule] };
        let events = [ChallengeEvent::Stands, ChallengeEvent::Off].into_iter().chain(rules.into_iter().map(ChallengeEvent::InVain));
        let asks: Vec<(ChallengeEvent, ChallengeAsk)> = events.map(|event| (event, challenge.ask(event))).collect();
        let waiting = self.challenge_orders(&parameters, &asks, knowledge)?;
        let known = |ask: &ChallengeAsk| if let ChallengeAsk::Known(win) = ask { Some(WinChance::known(*win)) } else { None };
        let answer = ChallengeAnswer {
            play: play_text(&Play::Place(placement), before.board(), &before.rules().distribution),
            words,
            invalid,
            lexicon: knowledge.lexicon.name().to_string(),
            valid,
            source,
            events: asks.iter().map(|(event, ask)| (*event, known(ask))).collect(),
            elapsed_ms: 0,
            stage: ReplyStage::Running,
        };
        let as_it_stands = asks.iter().filter(|(_, ask)| *ask == ChallengeAsk::AsItStands).map(|(event, _)| *event).collect();
        let mut course = Box::new(ChallengeCourse { answer, as_it_stands, searched: None, waiting });
        if let Some((_, stands)) = course.answer.events.first().copied() {
            course.found(ChallengeEvent::Stands, stands);
        }
        self.tell_unused(&parameters, &unused, None);
        if unused.has_uncounted_limit && !parameters.limits(SearchKind::Simulation) {
            let movetime_ms = self.movetime_ms(&parameters, SearchKind::Simulation, &position);
            self.print(SessionReply::Limit { movetime_ms });
        }
        self.tell_provenance(knowledge);
        let search = RunningSearch {
            rows: 0,
            position: Arc::new(position),
            is_infinite: false,
            stage: if self.is_quitting { SearchStage::Stopping } else { SearchStage::Running },
            held: None,
            challenge: None,
        };
        self.challenge_goes_on(Box::new(search), course);
        Ok(())
    }

    /// Returns the position before the opponent's last turn, and this turn, which must be a placement that nobody has challenged.
    fn last_play(&self) -> Result<(Position, MoveText, Placement), Refusal> {
        let Some((before, made)) = self.game.as_ref().and_then(GameHistory::last_turn) else {
            let text = "there is no play of the opponent to challenge: send position ... moves ..., or play <move>";
            return error(ErrorCode::BadPosition, text);
        };
        let refused = match &made.turn {
            _ if made.turn_loss || made.challenge_points != 0 => "the last play was already challenged in vain",
            Turn::Phony(_) => "the last play was already challenged off",
            Turn::Play(Play::Exchange(_) | Play::Pass) | Turn::ExchangeUnknown(_) => {
                "the last turn placed no tiles that could be challenged"
            }
            Turn::Play(Play::Place(placement)) => {
                let placement = *placement;
                return Ok((before, made, placement));
            }
        };
        error(ErrorCode::BadPosition, refused)
    }

    /// Returns the orders for the events that need a search. The searches share the time.
    fn challenge_orders(
        &self,
        parameters: &GoParameters,
        asks: &[(ChallengeEvent, ChallengeAsk)],
        knowledge: &Knowledge,
    ) -> Result<VecDeque<(ChallengeEvent, SearchOrder)>, Refusal> {
        let searched = asks.iter().filter_map(|(event, ask)| Some((*event, ask, ask.position()?)));
        let count = searched.clone().count() as u64;
        let order = |(event, ask, position): (ChallengeEvent, &ChallengeAsk, &SearchPosition)| {
            let pass = || vec![Word { text: "pass".to_string(), column: 1 }];
            let alone = GoParameters { search_moves: Some(pass()), plays: None, ..parameters.clone() };
            let kind = self.phase_kind(position);
            let parameters = if ask.only().is_some() { alone } else { parameters.clone() };
            // Of draws, only the share that wins counts, not by how much.
            let parameters = GoParameters { first_win: kind == SearchKind::PreEndgame, ..parameters };
            let order = self.search_order(&parameters, kind, position.clone(), knowledge.clone())?;
            let movetime_ms = order.movetime_ms.map(|ms| ms / count.max(1));
            Ok((event, SearchOrder { movetime_ms, sample_log: None, ..order }))
        };
        searched.map(order).collect()
    }

    /// Begins the next search. After the last one, or after `stop`, prints the result.
    fn challenge_goes_on(&mut self, mut search: Box<RunningSearch>, mut course: Box<ChallengeCourse>) {
        let next = if search.stage == SearchStage::Running { course.next() } else { None };
        let Some(order) = next else {
            self.print(course.reply(ReplyStage::Final));
            self.print(SessionReply::BestMove(None));
            self.state = SessionState::Idle;
            return;
        };
        self.print(course.reply(ReplyStage::Running));
        search.challenge = Some(course);
        self.state = SessionState::Searching(search);
        self.actions.push(SessionAction::StartSearch(Box::new(order)));
    }

    /// Records the result of one of the searches, which has ended.
    pub(super) fn challenge_searched(
        &mut self,
        search: Box<RunningSearch>,
        mut course: Box<ChallengeCourse>,
        outcome: &Outcome,
        elapsed_ms: u64,
    ) {
        course.answer.elapsed_ms += elapsed_ms;
        if let Some((event, position)) = course.searched.take() {
            course.found(event, WinChance::of_outcome(&position, outcome));
        }
        self.challenge_goes_on(search, course);
    }
}
