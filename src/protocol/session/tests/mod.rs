//! Conversations as text: lines as input, the session's answers and requests as output.
//!
//! `< line` is a line that comes in, `! word` something else that happens. Everything else is the expected output, in order: printed
//! lines, and in parentheses what is to be done outside. `...` stands for any number of printed lines.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod loading;
mod queue;
mod errors;
mod searches;

use crate::formats::{klv2, leave_table};
use crate::host::logging::LogTarget;
use crate::host::resources::FileResources;
use crate::protocol::reply::SessionReply;
use crate::protocol::resources::{Loading, ResourceRequest, Resources};
use crate::protocol::session::state::SessionState;
use crate::protocol::session::{OrderedWork, Session, SessionAction, SessionEvent};
use crate::rules::multisets::MultisetRanks;
use crate::rules::units::Millipoints;
use crate::search::report::{Outcome, PreEndgameBasis, PreEndgameClaim, PreEndgameRow, Report, SimulationRow};
use crate::search::{PreEndgameReport, SearchKind, SimulationReport, StaticReport};
use std::collections::VecDeque;

/// A session, its answers as text, and the last thing asked for.
struct Conversation {
    session: Session,
    resources: FileResources,
    load: Option<(ResourceRequest, Loading)>,
    work: Option<OrderedWork>,
    info_ms: Option<u64>,
    /// Whether what is asked for is loaded at once.
    is_loading_at_once: bool,
}

impl Conversation {
    fn new() -> Conversation {
        let resources = FileResources::new(LogTarget::default());
        Conversation { session: Session::default(), resources, load: None, work: None, info_ms: None, is_loading_at_once: true }
    }

    fn happen(&mut self, event: SessionEvent) -> Vec<String> {
        let mut lines = Vec::new();
        let mut actions: VecDeque<SessionAction> = self.session.handle(event).into();
        while let Some(action) = actions.pop_front() {
            match action {
                SessionAction::Print(reply, dialect) => {
                    if let SessionReply::Error(error) = &reply {
                        assert!(!error.message.starts_with("column"), "the column is a part of its own: {error:?}");
                    }
                    lines.extend(reply.lines(dialect));
                }
                SessionAction::Load { request, data_path } if self.is_loading_at_once => {
                    actions
                        .extend(self.session.handle(SessionEvent::Loaded(self.resources.load(request, &Loading::from_path(&data_path)))));
                }
                SessionAction::Load { request, data_path } => {
                    self.load = Some((request, Loading::from_path(&data_path)));
                    lines.push("(load)".to_string());
                }
                SessionAction::StartSearch(order) => {
                    let kind = match &order.work {
                        OrderedWork::Search(request) => match request.kind() {
                            SearchKind::Static => "gen".to_string(),
                            SearchKind::Simulation => "sim".to_string(),
                            SearchKind::PreEndgame => "peg".to_string(),
                            SearchKind::Endgame => "endgame".to_string(),
                            SearchKind::Inference => "infer".to_string(),
                            SearchKind::Replies => "replies".to_string(),
                        },
                        OrderedWork::Turn(turn) => turn.player().to_string(),
                    };
                    lines.push(match order.movetime_ms {
                        Some(ms) => format!("(search {kind} for {ms} ms)"),
                        None => format!("(search {kind})"),
                    });
                    (self.work, self.info_ms) = (Some(order.work), Some(order.info_ms));
                }
                SessionAction::StopSearch => lines.push("(stop)".to_string()),
                SessionAction::StopLoad => {
                    self.load.as_ref().unwrap().1.signals.stop();
                    lines.push("(stop load)".to_string());
                }
                SessionAction::StopBench => lines.push("(stop bench)".to_string()),
                SessionAction::RunBench(_) => lines.push("(bench)".to_string()),
                SessionAction::QuitWithin(_) => lines.push("(quit soon)".to_string()),
                SessionAction::Quit => lines.push("(quit)".to_string()),
            }
        }
        lines
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        self.happen(SessionEvent::Line(line.to_string()))
    }

    /// Ends the search under way, if there is one, without a result.
    fn end_search(&mut self) {
        self.happen(SessionEvent::Finished { outcome: Outcome { best: None, last: None, solved: true }, elapsed_ms: 1 });
    }

    /// `! finished`, `! report`, `! loaded`, `! end`, `! load later`, `! no room`, `! room`.
    fn occur(&mut self, what: &str) -> Vec<String> {
        match what {
            "finished" => {
                let report = self.report_of_request();
                let best = match &report {
                    Report::Static(StaticReport { rows }) => Some(rows[0].play),
                    Report::Simulation(SimulationReport { rows, .. }) => Some(rows[0].ranked.play),
                    Report::Endgame(solution) => Some(solution.line[0].play),
                    Report::PreEndgame(PreEndgameReport { rows, .. }) => Some(rows[0].ranked.play),
                    Report::Inference(_) | Report::Replies(_) => None,
                };
                self.happen(SessionEvent::Finished { outcome: Outcome { best, last: Some(report), solved: false }, elapsed_ms: 10 })
            }
            "report" => {
                let report = self.report_of_request();
                self.happen(SessionEvent::Report { report, elapsed_ms: 5 })
            }
            "loaded" => {
                let (request, loading) = self.load.take().unwrap();
                let loaded = self.resources.load(request, &loading);
                self.happen(SessionEvent::Loaded(loaded))
            }
            "end" => self.happen(SessionEvent::EndOfInput),
            "bench done" => self.happen(SessionEvent::BenchDone(Ok(()))),
            "load later" => {
                self.is_loading_at_once = false;
                Vec::new()
            }
            "no room" => {
                self.session.set_room(0);
                Vec::new()
            }
            "room" => {
                self.session.set_room(usize::MAX);
                self.happen(SessionEvent::Room)
            }
            other => panic!("{other:?}"),
        }
    }

    /// A ranking with one row, a pass.
    fn report_of_request(&self) -> Report {
        let Some(OrderedWork::Search(request)) = &self.work else { panic!("no search is under way") };
        let ranked = crate::search::EvaluatedPlay { equity: Millipoints(-1500), ..crate::search::EvaluatedPlay::PASS };
        match request.kind() {
            SearchKind::Endgame | SearchKind::Inference | SearchKind::Replies => unreachable!("no script asks for it"),
            SearchKind::Static => Report::Static(StaticReport { rows: vec![ranked] }),
            SearchKind::Simulation => {
                let (win, equity) = (0.25, -1.5);
                let row = SimulationRow {
                    ranked,
                    win,
                    win_error: 0.1,
                    sampled_win: win,
                    equity,
                    equity_error: 2.0,
                    iterations: 8,
                    pruned: false,
                    plies: Vec::new(),
                };
                Report::Simulation(SimulationReport { rows: vec![row], plies: 2, nodes: 16 })
            }
            SearchKind::PreEndgame => {
                let tiles = |text: &str| request.position().rules().distribution.parse_tiles(text).unwrap();
                let (wins, losses) = (vec![tiles("EA"), tiles("A?")], vec![tiles("IE")]);
                let (win, spread, basis) = (0.75, Some(-2.5), PreEndgameBasis::Solved);
                let row = PreEndgameRow { ranked, drawn: 0, wins, ties: Vec::new(), losses, win, spread, basis };
                Report::PreEndgame(PreEndgameReport { rows: vec![row], stage: 3, nodes: 16, claim: PreEndgameClaim::Share })
            }
        }
    }
}

fn check(script: &str) {
    let mut conversation = Conversation::new();
    let mut answers: VecDeque<String> = VecDeque::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "..." {
            answers.clear();
            continue;
        }
        let happened = line.strip_prefix("< ").map(|said| conversation.say(said));
        let happened = happened.or_else(|| line.strip_prefix("! ").map(|what| conversation.occur(what)));
        match happened {
            Some(next) => {
                assert!(answers.is_empty(), "before {line:?} unexpected: {answers:#?}");
                answers = next.into();
            }
            None => assert_eq!(answers.pop_front().as_deref(), Some(line)),
        }
    }
    assert!(answers.is_empty(), "at the end unexpected: {answers:#?}");
}

/// Provenance with this program's version.
fn check_with_provenance(script: &str) {
    let version = env!("CARGO_PKG_VERSION");
    let line = format!("info string provenance engine=tilewright/{version} leaves=enable winpct=enable lexicon=ENABLE");
    check(&script.replace("PROVENANCE", &line));
}
