//! Plays games between two engines of a tournament under the arbiter. An engine is a player of this
//! program, or another program.
//!
//! The game is the same as in a match (`match_play/game.rs`), with the same bags, random numbers and views. This file adds clocks for both
//! engines, checks of their moves, and faults that end a game. Start with [`PairRunner::pair`].

use crate::arena::opening::OpenedTournament;
use crate::arena::program::{ProgramEngine, ProgramSurroundings};
use crate::engine::Engine;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::Lexicon;
use crate::match_play::LuckSetting;
use crate::match_play::bags::{GameDraw, shuffled_bag};
use crate::match_play::clocks::timed;
use crate::match_play::game::{ByPlayer, GameCompany, GameLoop, MatchPlayer};
use crate::match_play::luck::LuckJudge;
use crate::match_play::pairs::GameResult;
use crate::match_play::time_control::{DELIVERY_MS, PlayerClock};
use crate::match_play::turn_counts::TurnCounter;
use crate::movegen::LaneBoard;
use crate::players::{Clock, Player, Sight, View, clock};
use crate::rules::notation::play_text;
use crate::rules::{BySeat, ChallengeRule, GameRules, Placement, Seat};
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::tournament::arbiter::{Arbiter, JudgedMove};
use crate::tournament::configuration::{Competitor, CompetitorKind, EngineDialect};
use crate::tournament::dialogue::{ToldEvaluation, ToldGame, ToldTime, phony_text, question, whole_position};
use crate::tournament::fault::{Fault, FaultReason};
use crate::tournament::pairings::Pairing;
use crate::tournament::record::{FORFEIT_POINTS, FaultRecord, GameRecord, PairRecord, TurnRecord};
use cpu_time::ThreadTime;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The state that all games of a tournament share.
pub struct Hall<'a> {
    /// The tournament.
    pub opened: &'a OpenedTournament,
    /// How the luck of the draws is estimated, if it is.
    pub luck: Option<LuckSetting>,
    /// The settings with which processes are started.
    pub surroundings: ProgramSurroundings<'a>,
    /// Processor time of this program's players, nanoseconds. It does not count as the runner's own.
    pub thought_ns: AtomicU64,
    /// Time that games took outside of their engines' turns, nanoseconds.
    pub beyond_ns: AtomicU64,
}

impl<'a> Hall<'a> {
    fn competitors(&self) -> &'a [Competitor] {
        &self.opened.file.competitors
    }

    fn rules(&self) -> &'a Arc<GameRules> {
        &self.opened.game.rules
    }

    fn lexicon(&self) -> &'a Lexicon {
        self.opened.game.lexicon()
    }

    fn seed(&self) -> u64 {
        self.opened.file.setting.seed
    }
}

/// Plays pairs. Each thread has a runner, which owns its processes.
pub struct PairRunner<'a> {
    hall: &'a Hall<'a>,
    games: GameLoop<'a>,
    seated: Vec<SeatedEngine<'a>>,
    judge: Option<LuckJudge<'a>>,
    counter: Option<TurnCounter<'a>>,
}

/// An engine, ready to play.
enum SeatedEngine<'a> {
    Player { player: Box<dyn Player + 'a>, sight: Sight },
    Program(Box<ProgramEngine<'a>>),
}

impl<'a> PairRunner<'a> {
    /// Returns a runner without processes, which are started for their first game.
    ///
    /// # Panics
    /// If a player of this program has no tables.
    pub fn new(hall: &'a Hall<'a>) -> PairRunner<'a> {
        let seat = |(competitor, tables): (&'a Competitor, &'a Option<Engine>)| match &competitor.kind {
            CompetitorKind::Player(spec) => {
                let tables = tables.as_ref().expect("a player of this program has tables");
                SeatedEngine::Player { player: spec.player(hall.rules(), tables.knowledge()), sight: spec.sight() }
            }
            CompetitorKind::Program(program) => SeatedEngine::Program(Box::new(ProgramEngine::new(program, hall.surroundings))),
        };
        let seated = hall.competitors().iter().zip(&hall.opened.tables).map(seat).collect();
        let judge = hall.luck.as_ref().map(|luck| LuckJudge::new(hall.rules(), luck));
        let counter = hall.opened.file.setting.count_turns.then(|| TurnCounter::new(hall.rules(), hall.lexicon()));
        PairRunner { hall, games: GameLoop::new(hall.rules(), hall.lexicon().graph()), seated, judge, counter }
    }

    /// Plays a pair. Returns `None` if the run was interrupted.
    pub fn pair(&mut self, number: u64, pairing: Pairing) -> Option<PairRecord> {
        let first = self.game(pairing, MatchPlayer::A)?;
        let second = self.game(pairing, MatchPlayer::B)?;
        let plays = |game: &GameRecord| game.plays.iter().map(|turn| turn.play.clone()).collect::<Vec<_>>();
        let divergent = plays(&first) != plays(&second) || first.fault.is_some() || second.fault.is_some();
        let (rules, seed, start) = (self.hall.rules(), self.hall.seed(), self.hall.opened.start(pairing.deal));
        let bag = start.map_or_else(|| shuffled_bag(rules, seed, pairing.deal), |named| named.start.shuffled_bag(seed, pairing.deal));
        Some(PairRecord {
            pair: number,
            deal: pairing.deal,
            engines: pairing.engines,
            start: start.map(|named| named.text.clone()),
            bag: rules.distribution.tiles_text(bag),
            divergent,
            games: [first, second],
        })
    }

    /// Plays a game that this player begins.
    fn game(&mut self, pairing: Pairing, begins: MatchPlayer) -> Option<GameRecord> {
        let hall = self.hall;
        let engines = ByPlayer::new(|player| pairing.engines[player.index()]);
        let ended = Signals::default();
        let mut company = ContestCompany {
            hall,
            arbiter: Arbiter::new(hall.lexicon()),
            seated: &mut self.seated,
            engines,
            begins,
            clocks: ByPlayer::new(|player| PlayerClock::new(&hall.competitors()[engines[player]].time)),
            judge: self.judge.as_mut(),
            counter: self.counter.as_mut(),
            told: ByPlayer::default(),
            turns: Vec::new(),
            phony: None,
            fault: None,
            ended: &ended,
        };
        if let Some(judge) = &mut company.judge {
            judge.start(hall.seed(), pairing.deal);
        }
        if let Some(counter) = &mut company.counter {
            counter.start();
        }
        // The engine that begins gets ready first.
        for player in [begins, begins.other()] {
            if let SeatedEngine::Program(program) = &mut company.seated[engines[player]]
                && let Err(fault) = program.new_game()
            {
                company.fault = Some((player, fault));
                break;
            }
        }
        let is_played = company.fault.is_none();
        if is_played {
            let began = Instant::now();
            // A game that a fault ended has no summary.
            let start = hall.opened.start(pairing.deal).map(|named| &named.start);
            let _ = self.games.play_in(&mut company, start, hall.seed(), pairing.deal, &ended);
            let of_engines = Duration::from_micros(MatchPlayer::BOTH.map(|player| company.clocks[player].spent_us()).iter().sum());
            hall.beyond_ns.fetch_add(began.elapsed().saturating_sub(of_engines).as_nanos() as u64, Ordering::Relaxed);
        }
        let ContestCompany { clocks, judge, counter, turns, fault, .. } = company;
        if hall.surroundings.given_up.is_stopped() {
            return None;
        }
        let (scores, plays) = if is_played { (self.games.scores(), self.games.plays()) } else { (BySeat([0; 2]), &[][..]) };
        let mut result = GameResult::new(hall.rules(), scores, plays, begins, &clocks);
        result.luck = judge.filter(|_| fault.is_none()).map(|judge| judge.luck().of_players(begins));
        result.counts = counter.map(|counter| counter.counts());
        if let Some((loser, _)) = &fault {
            let scores = &mut result.scores;
            scores[loser.index()] = scores[loser.index()].min(scores[loser.other().index()] - FORFEIT_POINTS);
        }
        let fault = fault.map(|(player, fault)| FaultRecord { player: player.index(), reason: fault.reason, text: fault.text });
        let idle_us = pairing.engines.map(|engine| match &mut self.seated[engine] {
            SeatedEngine::Program(program) => u64::try_from(program.take_idle_time().as_micros()).unwrap_or(u64::MAX),
            SeatedEngine::Player { .. } => 0,
        });
        Some(GameRecord { result, plays: turns, idle_us, fault })
    }
}

/// The engines of one game, with their clocks.
struct ContestCompany<'w, 'a> {
    hall: &'a Hall<'a>,
    arbiter: Arbiter<'a>,
    seated: &'w mut Vec<SeatedEngine<'a>>,
    /// Places among all engines.
    engines: ByPlayer<usize>,
    /// The player who has the first turn.
    begins: MatchPlayer,
    clocks: ByPlayer<PlayerClock>,
    judge: Option<&'w mut LuckJudge<'a>>,
    counter: Option<&'w mut TurnCounter<'a>>,
    /// The moves that each player has received so far.
    told: ByPlayer<ToldGame>,
    turns: Vec<TurnRecord>,
    /// The placement that was challenged off on the last turn.
    phony: Option<Placement>,
    /// The player at fault, and the fault.
    fault: Option<(MatchPlayer, Fault)>,
    /// Raised when the game ends early.
    ended: &'w Signals,
}

/// A player's answer, with its time.
struct ContestAnswer {
    time: Duration,
    judged: Result<JudgedMove, Fault>,
    told: Option<ToldEvaluation>,
}

impl GameCompany for ContestCompany<'_, '_> {
    fn sight(&self, seat: Seat) -> Sight {
        match &self.seated[self.engines[MatchPlayer::at(seat, self.begins)]] {
            SeatedEngine::Player { sight, .. } => *sight,
            SeatedEngine::Program(_) => Sight::Fair,
        }
    }

    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let player = MatchPlayer::at(view.seat, self.begins);
        let ContestAnswer { time, judged, told } = match self.seated[self.engines[player]] {
            SeatedEngine::Player { .. } => self.ask_player(player, board, view),
            SeatedEngine::Program(_) => self.ask_program(player, view),
        };
        self.clocks[player].spend(time);
        // An interrupt ends the game without a fault.
        if self.hall.surroundings.given_up.is_stopped() {
            self.ended.stop();
        }
        self.phony = None;
        let time_us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        match judged {
            Ok(JudgedMove::Sound(play)) => {
                let text = play_text(&play.play, view.board, &view.rules.distribution);
                self.turns.push(TurnRecord { play: text, score: play.score, time_us, told });
                if let Some(counter) = &mut self.counter {
                    counter.add(board, view, player, &play);
                }
                play
            }
            // The arbiter challenges for the opponent, and is never wrong.
            Ok(JudgedMove::Phony { placement, .. }) if self.may_play_phonies(player) => {
                self.turns.push(TurnRecord { play: phony_text(&placement, &view.position()), score: 0, time_us, told });
                self.phony = Some(placement);
                EvaluatedPlay::PASS
            }
            Ok(JudgedMove::Phony { fault, .. }) | Err(fault) => {
                self.fault = Some((player, fault));
                self.ended.stop();
                EvaluatedPlay::PASS
            }
        }
    }

    fn phony(&self) -> Option<Placement> {
        self.phony
    }

    fn watches_draws(&self) -> bool {
        self.judge.is_some()
    }

    fn drew(&mut self, board: &mut LaneBoard, game: &DealtGame, draw: &GameDraw) {
        if let Some(judge) = &mut self.judge {
            judge.add(board, game, draw);
        }
    }
}

impl ContestCompany<'_, '_> {
    /// Whether an invalid word costs this player only the turn, and not the game.
    fn may_play_phonies(&self, player: MatchPlayer) -> bool {
        let is_declared = self.hall.competitors()[self.engines[player]].phonies;
        is_declared && self.hall.rules().challenge_rule != ChallengeRule::Void
    }

    fn ask_player(&mut self, player: MatchPlayer, board: &mut LaneBoard, view: &View<'_>) -> ContestAnswer {
        let given_up = self.hall.surroundings.given_up;
        let clock = &self.clocks[player];
        let SeatedEngine::Player { player: chooser, .. } = &mut self.seated[self.engines[player]] else {
            unreachable!("asked as what it is")
        };
        let pace = chooser.pace();
        let cpu = ThreadTime::try_now().ok();
        let choose = |told: Option<Clock>, signals: &Signals| chooser.choose(board, &view.timed(told, signals));
        let (play, time) = timed(clock, pace, view.tiles_left(), given_up, choose);
        // A player thinks only on this thread.
        let thought = cpu.and_then(|cpu| cpu.try_elapsed().ok()).unwrap_or_default();
        self.hall.thought_ns.fetch_add(thought.as_nanos() as u64, Ordering::Relaxed);
        let is_late = clock.patience().late_after.is_some_and(|late| time > late);
        let judged = if is_late {
            Err(Fault::new(FaultReason::Late, "the answer came after the time was over"))
        } else {
            self.arbiter.judge_play(&play.play, view)
        };
        let told = chooser.expected_win().map(ToldEvaluation::of_win);
        ContestAnswer { time, judged, told }
    }

    fn ask_program(&mut self, player: MatchPlayer, view: &View<'_>) -> ContestAnswer {
        let clock = &self.clocks[player];
        let competitor = &self.hall.competitors()[self.engines[player]];
        let (CompetitorKind::Program(setting), SeatedEngine::Program(program)) = (&competitor.kind, &mut self.seated[self.engines[player]])
        else {
            unreachable!("asked as what it is")
        };
        let move_ms = clock.move_time_ms(&clock::USUAL, view.tiles_left(), DELIVERY_MS);
        let clocks = [clock.clock(), self.clocks[player.other()].clock()];
        let time = ToldTime { move_ms, clocks, nodes: competitor.time.nodes };
        let opcodes = &self.hall.opened.opcodes;
        let answered = if setting.dialect == EngineDialect::Exec {
            let cgp = whole_position(view, opcodes);
            // Without a time limit, a program that is started for each turn gets the time at which it will be killed.
            program.ask_once(&cgp, move_ms.unwrap_or(competitor.time.ceiling_ms), clock.patience())
        } else {
            program.ask(&question(setting, view, opcodes, &time, &mut self.told[player]), clock.patience())
        };
        let judged = answered.text.and_then(|text| self.arbiter.judge_text(&text, view));
        ContestAnswer { time: answered.time, judged, told: answered.told }
    }
}
