//! `tilewright regret make|score`: turns of games whose candidates somebody has played out, and what the choices of players lose on them.
//!
//! | file | what it holds |
//! |---|---|
//! | `making.rs` | `make`: a corpus, as a file that grows by a line a game |
//! | `scoring.rs` | `score`: players asked for their choices on it |
//!
//! What a choice is worth, and how it is found, is in `regret/`. Here are flags, files and progress.

pub mod making;
pub mod scoring;

use crate::cli::game_arguments::OpenedGame;
use crate::cli::output;
use crate::match_play::pairs::Contestant;
use crate::regret::record::CorpusHeader;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand, Debug)]
pub enum RegretAction {
    /// Take turns from games of a player, and play many candidates of each out to the end of the game, again and again.
    ///
    /// Some turns of each phase are taken from a game, and the same deals of the tiles out of sight are played for all candidates. The file has a line
    /// a game. The same seed gives the same file with any number of threads and however often the run was interrupted.
    Make(making::MakeArguments),
    /// Ask players for their choices on the turns of such a file, and say what these lose: percent of wins and points, by phase.
    ///
    /// What the first player loses against the best candidate is too large, since the best one is also the luckiest. What the others lose more or less than the first is
    /// found by playing out choices that differ, on deals of their own: this difference is what to go by.
    Score(scoring::ScoreArguments),
}

/// Does it.
///
/// # Errors
/// What is wrong with a file.
pub fn run(action: &RegretAction) -> anyhow::Result<()> {
    match action {
        RegretAction::Make(arguments) => making::run(arguments),
        RegretAction::Score(arguments) => scoring::run(arguments, &mut output::line),
    }
}

/// Words and rules of a game, for a header.
fn game_text(game: &OpenedGame) -> String {
    let (lexicon, rules) = (game.lexicon(), &game.rules);
    let unusual = game.unusual_rules().map(|rules| format!(" {rules}")).unwrap_or_default();
    format!("{} {:016x}{unusual} {:016x}", lexicon.name(), lexicon.fingerprint(), rules.fingerprint())
}

/// The tables of players, for a header.
fn tables_text(contestants: [&Contestant; 2]) -> String {
    let tables = contestants.map(|contestant| {
        let evaluator = &contestant.engine.knowledge().evaluator;
        format!("leaves {} winpct {}", evaluator.leaves_id(), evaluator.win_id())
    });
    tables.join("; ")
}

/// The header in a line, for people.
fn headline(header: &CorpusHeader) -> String {
    let CorpusHeader { game, players, oracle, seed, candidates, deals, .. } = header;
    format!("turns of {players} on {game}, {candidates} candidates played out by {oracle}, at most {deals} deals, seed {seed}")
}
