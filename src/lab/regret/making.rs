//! `tilewright lab regret make`: makes a corpus as a journal, so that an interrupted run can be resumed.

use crate::host::game_arguments::GameArguments;
use crate::host::journal_file::{ExistingJournal, JournalFile, ShardArguments};
use crate::host::long_run::{self, GoingOn};
use crate::host::output::{RunProgress, say_aside};
use crate::match_play::in_order::in_order;
use crate::match_play::pairs::Contestant;
use crate::match_play::shard::pieces_left;
use crate::players::PlayerSpec;
use crate::regret::corpus::CorpusMaker;
use crate::regret::record::{CorpusGame, CorpusHeader};
use crate::search::Signals;
use crate::search::limits::{MOST_SEED, MOST_THREADS};
use anyhow::{Context, Result, bail};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// The corpus to make.
#[derive(clap::Args, Clone, Debug)]
pub struct MakeArguments {
    /// The file of the corpus.
    pub corpus: PathBuf,
    /// The player of the games, which plays against itself. Named as in `match`.
    #[arg(long, value_name = "PLAYER", default_value = "sim:iterations=100,plays=10")]
    pub players: PlayerSpec,
    /// The player that plays out the candidates, on both sides. Turns with an empty bag are as exact as this player's.
    #[arg(long, value_name = "PLAYER", default_value = "static:late=off")]
    pub oracle: PlayerSpec,
    /// Number of games in all.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// The number of candidates of a turn, the statically best plays. The three best exchanges are always included.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(2..=500))]
    pub candidates: u16,
    /// The most playouts of a candidate. Clearly worse candidates get fewer.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub deals: u64,
    /// Seed of all random numbers.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Number of threads. Without this flag, one for each core. The file does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
    /// Continue the run of the file, also with more --games.
    #[arg(long)]
    pub resume: bool,
    /// Overwrite an existing file.
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// The part to make.
    #[command(flatten)]
    pub part: ShardArguments,
}

/// Makes the corpus. Ctrl-C interrupts it.
///
/// # Errors
/// Tables or files cannot be read or written, the file belongs to another corpus, or the run was interrupted.
pub fn run(arguments: &MakeArguments, game: &GameArguments) -> Result<()> {
    let signals = Arc::new(Signals::default());
    let command = long_run::this_command(GoingOn::Resume);
    long_run::end_when_interrupted(&signals)?;
    let game = game.open()?;
    let contestant = |spec: &PlayerSpec| game.contestant(spec).with_context(|| spec.to_string());
    let (players, oracle, ranking) = (contestant(&arguments.players)?, contestant(&arguments.oracle)?, game.own_engine()?);
    let own_header = CorpusHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        game: game.identity(),
        players: players.spec.to_string(),
        oracle: oracle.spec.to_string(),
        tables: tables_text([&players, &oracle]),
        seed: arguments.seed,
        candidates: arguments.candidates.into(),
        deals: arguments.deals,
    };
    let existing = ExistingJournal::of_flags(arguments.resume, arguments.force);
    let mut header_after = |_: Option<&CorpusHeader>| Ok(own_header.clone());
    let (header, mut file) = JournalFile::open(&arguments.corpus, "file", existing, arguments.games, &mut header_after, &mut |_, _| ())?;
    say_aside(&format!("if interrupted, go on with: {command}"));
    let shard = arguments.part.shard;
    let asked = pieces_left(0..arguments.games, shard, |_| false).len();
    let left = file.left(0..arguments.games, shard);
    let mut made = (asked - left.len()) as u64;
    let mut progress = RunProgress::new("games", made, asked as u64);
    let (mut turns, mut outcome) = (0, Ok(()));
    let make_worker = || {
        let mut maker = CorpusMaker::new(&header, &players, &oracle, &ranking);
        let signals = &signals;
        move |number| maker.game(number, signals)
    };
    in_order(&left, long_run::threads(arguments.threads), &signals, &make_worker, &mut |games: Vec<CorpusGame>| {
        outcome = file.add(games.iter().map(|game| (game.number, game)));
        made += games.len() as u64;
        turns += games.iter().map(|game| game.turns.len()).sum::<usize>();
        progress.tell_with(made, || format!(", {turns} turns"));
        if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    outcome?;
    if made < asked as u64 {
        bail!("interrupted after {made} of {asked} games; go on with: {command}");
    }
    if let Some(shard) = shard {
        say_aside(&file.shard_line(shard, arguments.games));
    }
    Ok(())
}

/// Names the tables of players, for a header.
pub fn tables_text(contestants: [&Contestant; 2]) -> String {
    let tables = contestants.map(|contestant| {
        let evaluator = &contestant.engine.knowledge().evaluator;
        format!("leaves {} winpct {}", evaluator.leaves_id(), evaluator.win_id())
    });
    tables.join("; ")
}

/// Describes the header in a line, for people.
pub fn headline(header: &CorpusHeader) -> String {
    let CorpusHeader { game, players, oracle, seed, candidates, deals, .. } = header;
    format!("turns of {players} on {game}, {candidates} candidates played out by {oracle}, at most {deals} deals, seed {seed}")
}
