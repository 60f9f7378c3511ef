//! `tilewright puzzles`: makes puzzles from recorded games, or from games that a player plays against itself.
//!
//! Not here: the search for puzzles (`puzzles/`), the reading of games (`analyse/sources.rs`). Start with [`run`].

use crate::analysis::JudgeBudget;
use crate::analysis::analyst::show_rack;
use crate::analysis::known_racks::{KnownRack, deduce};
use crate::cli::analyse::sources::{self, Source, SourceContent, SourceSettings, Sources, tables_of};
use crate::engine::Engine;
use crate::formats::gcg::{ReadGame, RecordedTurn};
use crate::host::game_arguments::{GameArguments, VariantArguments};
use crate::host::journal_file::ShardArguments;
use crate::host::long_run::{self, GoingOn};
use crate::host::output::{LinePrinter, RunProgress};
use crate::host::output_file::{OutputFile, Overwrite, OverwriteArguments};
use crate::host::piece_run::{FinishedRun, MeasurementArguments, PieceRun};
use crate::match_play::game::GameLoop;
use crate::match_play::in_order::in_order;
use crate::match_play::pairs::Contestant;
use crate::players::{PlayerSpec, Sight};
use crate::puzzles::maker::{PlacedPosition, PuzzleMaker, PuzzleSettings};
#[cfg(feature = "web")]
use crate::puzzles::page::puzzle_page;
use crate::puzzles::record::{GamePuzzles, PUZZLE_SCHEMA, PuzzleDocument, PuzzleHeader};
use crate::puzzles::text;
#[cfg(feature = "web")]
use crate::rules::GameRules;
use crate::rules::VariantSupport;
use crate::search::Signals;
use crate::search::limits::{MOST_SEED, MOST_THREADS};
use anyhow::{Context, Result, bail, ensure};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// The sources of puzzles, and the files to write.
///
/// A puzzle is a position in which one play is better than all others by a margin, and in which enough of the weaker players miss that play.
/// Each position is searched as `analyse` searches a turn. The best play and the next ones are then compared with fresh random numbers. The
/// table does not show the solutions.
#[derive(clap::Args, Clone, Debug)]
pub struct PuzzleArguments {
    /// Games (.gcg), lists of positions (.cgp: one a line) and folders of both; `-` for standard input.
    #[arg(value_name = "GAME")]
    pub sources: Vec<PathBuf>,
    /// Take the positions from this many games of self-play, instead of recorded games.
    #[arg(long, value_name = "N", conflicts_with = "sources", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: Option<u64>,
    /// The player of the --games, named as in `match`.
    #[arg(long, value_name = "PLAYER", default_value = "static", conflicts_with = "sources")]
    pub players: PlayerSpec,
    /// The least margin of the best play over every other play: win %, or points where the winner is already decided.
    #[arg(long, value_name = "PERCENT", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub margin: u32,
    /// The least difficulty: the percentage of weaker players' choices that miss the best play.
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub least_difficulty: u32,
    /// Samples of each position, and of each play that is compared. Exact searches get 100 nodes for each sample.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub iterations: u64,
    /// The positions with their solutions (CGP), one a line with the play after `moves`; `analyse` reads such lists. If no file is asked
    /// for, this list is printed instead of the table.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// A page on which to solve the puzzles. The file needs no network.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// The puzzles with all their data as one JSON document (docs/puzzles.md describes it).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Keep the puzzles of each game in this file, so that nothing is lost if the run is interrupted.
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Continue the run of the --journal file, also with more --games. Its other files are written again.
    #[arg(long, requires = "journal")]
    pub resume: bool,
    /// The part of the games to do.
    #[command(flatten)]
    pub part: ShardArguments,
    /// Seed of all random numbers.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Number of threads, each with its own game where there are enough games. Without this flag, one for each core. The puzzles do not
    /// depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
    /// Whether existing files may be overwritten.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// Which variant is played.
    #[command(flatten)]
    pub variant: VariantArguments,
}

/// The games that positions are taken from.
enum PuzzleGames {
    /// Recorded ones, and lists of positions.
    Recorded(Box<Sources>),
    /// This many games of a player against itself, with the engine that searches the positions.
    SelfPlay { engine: Box<Engine>, player: Box<Contestant>, games: u64 },
}

/// The files that are written at the end.
struct PuzzleFiles {
    list: Option<OutputFile>,
    json: Option<OutputFile>,
    #[cfg(feature = "web")]
    page: Option<OutputFile>,
}

/// Makes puzzles and writes them. Ctrl-C interrupts it.
///
/// # Errors
/// Games or files cannot be read or written, the journal belongs to another run, or the run was interrupted.
pub fn run(arguments: &PuzzleArguments, say: LinePrinter<'_>) -> Result<()> {
    let signals = Arc::new(Signals::default());
    long_run::end_when_interrupted(&signals)?;
    let has_games = arguments.games.is_some() || !arguments.sources.is_empty();
    ensure!(has_games, "no games: name files or folders of games, or use --games <N> for self-play");
    let mut files = PuzzleFiles::claim(arguments)?;
    let games = PuzzleGames::open(arguments)?;
    let header = header(arguments, &games);
    let part = MeasurementArguments {
        journal: arguments.journal.clone(),
        resume: arguments.resume,
        force: arguments.overwriting.force,
        part: arguments.part,
    };
    let mut run = PieceRun::open(&part, &header, games.count())?;
    let outcome = make(arguments, &games, &mut run, &signals);
    let (made, asked) = (run.own().len() - run.left().len(), run.own().len());
    outcome?;
    if made < asked {
        let kept = if arguments.journal.is_some() {
            format!(" and kept; go on with: {}", long_run::this_command(GoingOn::Resume))
        } else {
            ", but lost: --journal <file> would keep them".to_string()
        };
        bail!("interrupted: {made} of {asked} games are done{kept}");
    }
    let found = match run.finish() {
        FinishedRun::Shard(line) => return Ok(say(&line)?),
        FinishedRun::Whole(found, _) => found,
    };
    let document = PuzzleDocument {
        schema: PUZZLE_SCHEMA,
        run: header,
        positions: found.iter().map(|game| game.positions).sum(),
        candidates: found.iter().map(|game| game.candidates).sum(),
        puzzles: found.into_iter().flat_map(|game| game.puzzles).collect(),
    };
    let lines = if files.has_any() { text::table(&document) } else { text::position_lines(&document) };
    lines.iter().try_for_each(|line| say(line))?;
    files.write(&document, &games)?;
    games.unread()
}

/// Makes puzzles from the games that are left.
fn make(arguments: &PuzzleArguments, games: &PuzzleGames, run: &mut PieceRun<PuzzleHeader>, signals: &Signals) -> Result<()> {
    let (left, threads) = (run.left(), long_run::threads(arguments.threads));
    let workers = threads.min(left.len()).max(1);
    let settings = PuzzleSettings {
        margin: arguments.margin,
        least_difficulty: arguments.least_difficulty,
        iterations: arguments.iterations,
        threads: (threads / workers).max(1),
        seed: arguments.seed,
    };
    let asked = run.own().len();
    let (mut done, mut puzzles, mut outcome) = (asked - left.len(), 0, Ok(()));
    let mut progress = RunProgress::new("games", done as u64, asked as u64);
    let make_worker =
        || move |number: u64| games.puzzles(number, settings, signals).map(|found| found.map(|found| (number, found))).transpose();
    in_order(&left, workers, signals, &make_worker, &mut |results: Vec<Result<(u64, GamePuzzles)>>| {
        for result in results {
            done += 1;
            let kept = result.and_then(|(number, found)| {
                puzzles += found.puzzles.len();
                run.keep(number, found)
            });
            if let Err(error) = kept {
                outcome = Err(error);
                return ControlFlow::Break(());
            }
        }
        progress.tell_with(done as u64, || format!(", {puzzles} puzzles"));
        ControlFlow::Continue(())
    });
    outcome
}

impl PuzzleGames {
    fn open(arguments: &PuzzleArguments) -> Result<PuzzleGames> {
        let variant = arguments.variant.variant;
        let Some(games) = arguments.games else {
            variant.require(VariantSupport::SPELLED, "this subcommand")?;
            let paths = sources::paths(&arguments.sources)?;
            let settings = SourceSettings { variant, threads: arguments.threads, seed: arguments.seed };
            return Ok(PuzzleGames::Recorded(Box::new(Sources::read(&paths, &arguments.game, settings)?)));
        };
        let game = arguments.game.open_variant(variant, VariantSupport::SPELLED)?;
        let player = &arguments.players;
        player.require(variant)?;
        ensure!(player.sight() == Sight::Fair, "{player}: this player sees hidden tiles; name a player that plays by the rules");
        let engine = game.own_engine()?;
        engine.lexicon().make_map();
        let player = game.contestant(player).with_context(|| player.to_string())?;
        Ok(PuzzleGames::SelfPlay { engine: Box::new(engine), player: Box::new(player), games })
    }

    fn count(&self) -> u64 {
        match self {
            PuzzleGames::Recorded(sources) => sources.files.len() as u64,
            PuzzleGames::SelfPlay { games, .. } => *games,
        }
    }

    /// Returns names and fingerprints for the header.
    fn names(&self) -> Vec<String> {
        match self {
            PuzzleGames::Recorded(sources) => {
                sources.files.iter().map(|source| format!("{} {:016x}", source.name(), source.fingerprint)).collect()
            }
            PuzzleGames::SelfPlay { player, .. } => vec![format!("self-play of {}", player.spec)],
        }
    }

    fn tables(&self) -> Vec<String> {
        match self {
            PuzzleGames::Recorded(sources) => sources.tables(),
            PuzzleGames::SelfPlay { engine, .. } => vec![tables_of(engine)],
        }
    }

    /// Finds the puzzles of a game. Returns `None` if the signals stop it.
    fn puzzles(&self, number: u64, settings: PuzzleSettings, signals: &Signals) -> Result<Option<GamePuzzles>> {
        match self {
            PuzzleGames::Recorded(sources) => {
                let source = &sources.files[number as usize];
                let maker = PuzzleMaker::new(sources.engine(source), settings, signals)?;
                maker.puzzles(&source.name(), number, &recorded_positions(source)).with_context(|| source.name())
            }
            PuzzleGames::SelfPlay { engine, player, .. } => {
                let Some(positions) = played_positions(player, settings.seed, number, signals) else { return Ok(None) };
                let name = format!("self-play game {}", number + 1);
                let maker = PuzzleMaker::new(engine, settings, signals)?;
                maker.puzzles(&name, number, &positions).with_context(|| name.clone())
            }
        }
    }

    /// Returns an error if some files could not be read.
    fn unread(&self) -> Result<()> {
        let PuzzleGames::Recorded(sources) = self else { return Ok(()) };
        match sources.unread.len() {
            0 => Ok(()),
            1 => bail!("one game or file could not be read, as reported above"),
            unread => bail!("{unread} games or files could not be read, as reported above"),
        }
    }
}

/// Returns the positions of a game in which the rack is known, or those of a list.
fn recorded_positions(source: &Source) -> Vec<PlacedPosition> {
    match &source.content {
        SourceContent::Game(game) => positions_of_game(game),
        SourceContent::Positions(list) => {
            (1..).zip(&list.positions).map(|(turn, listed)| PlacedPosition { turn, position: listed.position.clone() }).collect()
        }
    }
}

fn positions_of_game(read: &ReadGame) -> Vec<PlacedPosition> {
    let known = deduce(&read.replay, &read.game.events);
    let turns = (1..).zip(read.replay.turns.iter().zip(&known));
    let seen = |(turn, (recorded, known)): (usize, (&RecordedTurn, &KnownRack))| {
        let mut position = read.replay.positions[recorded.event].clone();
        show_rack(&mut position, &known.rack?);
        Some(PlacedPosition { turn, position })
    };
    turns.filter_map(seen).collect()
}

/// Returns the positions of a game of self-play, or `None` if the signals stop it.
fn played_positions(player: &Contestant, seed: u64, number: u64, signals: &Signals) -> Option<Vec<PlacedPosition>> {
    let (rules, knowledge) = (player.engine.rules(), player.engine.knowledge());
    let mut seat = player.spec.player(rules, knowledge);
    let mut positions = Vec::new();
    GameLoop::new(rules, knowledge.lexicon.graph()).play(seed, number, signals, |board, view| {
        positions.push(PlacedPosition { turn: positions.len() + 1, position: view.position() });
        seat.choose(board, view)
    })?;
    Some(positions)
}

/// Identifies the run in its journal and its document.
fn header(arguments: &PuzzleArguments, games: &PuzzleGames) -> PuzzleHeader {
    PuzzleHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        tables: games.tables(),
        games: games.names(),
        margin: arguments.margin,
        least_difficulty: arguments.least_difficulty,
        budget: JudgeBudget::of_iterations(arguments.iterations).text(),
        seed: arguments.seed,
    }
}

impl PuzzleFiles {
    /// Claims all output files before the long work begins.
    fn claim(arguments: &PuzzleArguments) -> Result<PuzzleFiles> {
        let overwrite = if arguments.resume { Overwrite::Allowed } else { arguments.overwriting.overwrite() };
        let claim = |path: &Option<PathBuf>| path.as_ref().map(|path| OutputFile::claim(path, overwrite)).transpose();
        let files = PuzzleFiles {
            list: claim(&arguments.out)?,
            json: claim(&arguments.json)?,
            #[cfg(feature = "web")]
            page: claim(&arguments.html)?,
        };
        ensure!(
            arguments.part.shard.is_none() || !files.has_any(),
            "--shard writes only the journal: join the journals, then run the same command with --resume and without --shard"
        );
        Ok(files)
    }

    fn has_any(&self) -> bool {
        #[cfg(feature = "web")]
        let has_page = self.page.is_some();
        #[cfg(not(feature = "web"))]
        let has_page = false;
        has_page || self.list.is_some() || self.json.is_some()
    }

    fn write(&mut self, document: &PuzzleDocument, games: &PuzzleGames) -> Result<()> {
        if let Some(list) = &mut self.list {
            list.write(text::position_lines(document).iter().map(|line| format!("{line}\n")).collect::<String>())?;
        }
        if let Some(json) = &mut self.json {
            json.write(serde_json::to_string_pretty(document)? + "\n")?;
        }
        #[cfg(feature = "web")]
        if let Some(page) = &mut self.page {
            page.write(puzzle_page(document, games.rules()?))?;
        }
        #[cfg(not(feature = "web"))]
        let _ = games;
        Ok(())
    }
}

#[cfg(feature = "web")]
impl PuzzleGames {
    /// Returns the rules that all games share.
    ///
    /// # Errors
    /// The games are in different alphabets, which one page cannot show.
    fn rules(&self) -> Result<&GameRules> {
        match self {
            PuzzleGames::SelfPlay { engine, .. } => Ok(engine.rules()),
            PuzzleGames::Recorded(sources) => {
                let mut rules = sources.files.iter().map(|source| sources.engine(source).rules());
                let first = rules.next().context("no game")?;
                ensure!(rules.all(|other| other == first), "--html: the games are in several alphabets; name games in one alphabet");
                Ok(first)
            }
        }
    }
}
