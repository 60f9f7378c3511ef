//! Turns reports of searches into replies: plays, racks and draws as text. Not here:
//! when something is reported (`search.rs`).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::reply::{
    GenReplyRow, InferReplyRow, InferReplyTile, PegReplyRow, ReplyStage, SearchProgress, SessionReply, SimReplyRow,
};
use crate::protocol::session::running::RunningSearch;
use crate::rules::notation::play_text;
use crate::rules::{Play, Rack, Tile, Turn};
use crate::search::endgame::Solution;
use crate::search::inference::InferredLeave;
use crate::search::report::{PreEndgameRow, RankedPlay, Report, SimulationRow};
use crate::search::{PreEndgameReport, SimulationReport, StaticReport};

impl RunningSearch {
    /// A draw: what the mover draws in alphabet order, then the others in the order of the bag.
    fn draw(&self, tiles: &[Tile], drawn: usize) -> String {
        let distribution = &self.position.rules().distribution;
        let (ours, others) = tiles.split_at_checked(drawn).unwrap_or((tiles, &[]));
        ours.iter().copied().collect::<Rack>().text(distribution) + &distribution.tiles_text(others.iter().copied())
    }

    pub(super) fn text(&self, play: &Play) -> String {
        play_text(play, self.position.board(), &self.position.rules().distribution)
    }

    /// The plays of a line, each written on the board before it.
    fn line_texts(&self, solution: &Solution) -> Vec<String> {
        let mut position = self.position.clone();
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

    /// A report as a reply, with the rows that are shown.
    pub(super) fn reply(&self, report: &Report, elapsed_ms: u64, stage: ReplyStage) -> SessionReply {
        let distribution = &self.position.rules().distribution;
        match report {
            Report::Static(StaticReport { rows }) => {
                let row = |row: &RankedPlay| GenReplyRow {
                    play: self.text(&row.play),
                    score: row.score,
                    equity: row.equity,
                    leave: row.leave.text(distribution),
                };
                SessionReply::Gen { rows: rows.iter().take(self.rows).map(row).collect(), stage }
            }
            Report::Simulation(SimulationReport { rows, plies, nodes }) => {
                let row = |row: &SimulationRow| SimReplyRow {
                    play: self.text(&row.ranked.play),
                    leave: row.ranked.leave.text(distribution),
                    standing: row.clone(),
                };
                let progress = SearchProgress { depth: *plies, elapsed_ms, nodes: *nodes };
                SessionReply::Sim { rows: rows.iter().take(self.rows).map(row).collect(), progress, stage }
            }
            Report::Endgame(solution) => SessionReply::Endgame {
                value: solution.value,
                bound: solution.bound,
                is_solved: solution.solved,
                score: solution.line.first().map_or(0, |first| first.score),
                line: self.line_texts(solution),
                progress: SearchProgress { depth: solution.depth, elapsed_ms, nodes: solution.nodes },
                hashfull: solution.hashfull,
                stage,
            },
            Report::Inference(belief) => {
                let row = |row: &InferredLeave| InferReplyRow { leave: row.leave.text(distribution), prior: row.prior, chance: row.chance };
                let tile = |tile: Tile| InferReplyTile { tile: distribution.tiles_text([tile]), chances: belief.tile_chances(tile) };
                SessionReply::Infer {
                    rows: belief.leaves.iter().take(self.rows).map(row).collect(),
                    tiles: belief.scope.unseen.distinct().map(|(kind, _)| tile(kind)).collect(),
                    scope: belief.scope,
                    is_explained: belief.is_explained,
                    effective_leaves: belief.effective_leaves,
                    stage,
                }
            }
            Report::PreEndgame(PreEndgameReport { rows, stage: depth, nodes, claim }) => {
                let row = |row: &PreEndgameRow| PegReplyRow {
                    play: self.text(&row.ranked.play),
                    score: row.ranked.score,
                    leave: row.ranked.leave.text(distribution),
                    draws: [&row.wins, &row.ties, &row.losses].map(|draws| draws.iter().map(|draw| self.draw(draw, row.drawn)).collect()),
                    win: row.win,
                    spread: row.spread,
                    basis: row.basis,
                };
                let progress = SearchProgress { depth: *depth, elapsed_ms, nodes: *nodes };
                SessionReply::Peg { rows: rows.iter().take(self.rows).map(row).collect(), progress, claim: *claim, stage }
            }
        }
    }
}
