//! `tilewright lab regret score`: a table of the losses of players' choices on the turns of a
//! corpus.

use crate::host::game_arguments::GameArguments;
use crate::host::journal_file::{check_header, read_journal};
use crate::host::long_run;
use crate::host::output::{LinePrinter, RunProgress};
use crate::lab::regret::making::{headline, tables_text};
use crate::match_play::in_order::in_order;
use crate::match_play::pairs::Contestant;
use crate::players::{PlayerSpec, Sight};
use crate::regret::corpus::sampled_phases;
use crate::regret::record::{CorpusGame, CorpusHeader};
use crate::regret::score::{ScoreSettings, ScoredTurn, Scorer, WeightedMean, weighted_mean};
use crate::search::Signals;
use crate::search::limits::{MOST_SEED, MOST_THREADS};
use crate::search::phase::Phase;
use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Returns the parser of a phase's name. A corpus has turns of these phases.
fn phase_parser() -> impl TypedValueParser<Value = Phase> {
    let named = |text: String| sampled_phases().into_iter().find(|phase| phase.name() == text);
    PossibleValuesParser::new(sampled_phases().map(Phase::name)).map(move |text| named(text).expect("it is one of the possible values"))
}

/// The players to score, and the comparison.
#[derive(clap::Args, Clone, Debug)]
pub struct ScoreArguments {
    /// The file of the corpus.
    pub corpus: PathBuf,
    /// Players, named as in `match`. Each has its own limits.
    #[arg(required = true, value_name = "PLAYER")]
    pub players: Vec<PlayerSpec>,
    /// The player that plays out choices that differ, named as in `match`. Without this flag, the oracle of the corpus. An oracle that plays
    /// differently shows whether a change only suits players of its own kind.
    #[arg(long, value_name = "PLAYER")]
    pub oracle: Option<PlayerSpec>,
    /// Score only the turns of these phases, separated by commas.
    #[arg(long, value_name = "PHASES", value_delimiter = ',', value_parser = phase_parser())]
    pub phases: Vec<Phase>,
    /// Number of playouts for comparing choices that differ.
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub deals: u64,
    /// Wall time for each choice, ms, for players that can be stopped. Players that use a clock get one.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub movetime: Option<u64>,
    /// Use only the first games of the corpus, this many.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Seed of the players' random numbers.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Number of threads, each with its own turn. Without this flag, one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
}

/// Scores the players and prints the table.
///
/// # Errors
/// The file cannot be read or is of another game, the run was interrupted, or `say` fails.
pub fn run(arguments: &ScoreArguments, game: &GameArguments, say: LinePrinter<'_>) -> Result<()> {
    let signals = Arc::new(Signals::default());
    long_run::end_when_interrupted(&signals)?;
    let game = game.open()?;
    let contestant = |spec: &PlayerSpec| game.contestant(spec).with_context(|| spec.to_string());
    let mut games: Vec<CorpusGame> = Vec::new();
    let path = &arguments.corpus;
    let header: CorpusHeader = read_journal(path, &mut |_| Ok(()), &mut |_, game| games.push(game))?.identity;
    games.sort_by_key(|game| game.number);
    let of_header = |text: &str| -> Result<Contestant> {
        let spec: PlayerSpec = text.parse().with_context(|| path.display().to_string())?;
        contestant(&spec)
    };
    let (players, oracle) = (of_header(&header.players)?, of_header(&header.oracle)?);
    let here = CorpusHeader { game: game.identity(), tables: tables_text([&players, &oracle]), ..header.clone() };
    check_header(path, &header, &here)?;
    games.truncate(arguments.games.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX)));
    ensure!(!games.is_empty(), "{}: the corpus has no game yet", path.display());
    let asked: Vec<Contestant> = arguments.players.iter().map(contestant).collect::<Result<_>>()?;
    for player in &arguments.players {
        let is_told_enough = player.sight() == Sight::Fair && !player.infers();
        ensure!(is_told_enough, "{player}: this player needs the opponent's tiles or turns, which a corpus lacks");
    }
    let time = arguments.movetime.map(Duration::from_millis);
    let judge = arguments.oracle.as_ref().map(contestant).transpose()?;
    let is_asked_for = |phase: &Phase| arguments.phases.is_empty() || arguments.phases.contains(phase);
    let phases = sampled_phases().into_iter().filter(is_asked_for).collect();
    let settings = ScoreSettings { players_seed: arguments.seed, time, deals: arguments.deals, phases };
    let (mut progress, mut scored, mut done, mut outcome) = (RunProgress::new("games", 0, games.len() as u64), Vec::new(), 0, Ok(()));
    let make_worker = || {
        let mut scorer = Scorer::new(&header, &asked, &oracle, judge.as_ref().unwrap_or(&oracle), settings.clone());
        let (games, signals) = (&games, &signals);
        move |number: u64| scorer.score(&games[number as usize], signals).transpose()
    };
    in_order(&(0..games.len() as u64).collect::<Vec<_>>(), long_run::threads(arguments.threads), &signals, &make_worker, &mut |results| {
        for result in results {
            match result {
                Ok(turns) => scored.extend(turns),
                Err(error) => outcome = Err(error),
            }
            done += 1;
        }
        progress.tell(done);
        if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    outcome.with_context(|| path.display().to_string())?;
    if signals.is_stopped() {
        bail!("interrupted after {done} of {} games", games.len());
    }
    say(&headline(&header))?;
    let limit = arguments.movetime.map(|ms| format!(", {ms} ms a choice")).unwrap_or_default();
    let by = arguments.oracle.as_ref().map(|oracle| format!(" of {oracle}")).unwrap_or_default();
    say(&format!(
        "{} games, {} turns, choices that differ are compared by {} deals{by}, seed {}{limit}",
        games.len(),
        scored.len(),
        arguments.deals,
        arguments.seed
    ))?;
    table(&arguments.players, &settings.phases, &scored, games.len()).iter().try_for_each(|line| say(line))?;
    Ok(())
}

/// The filter for the turns of a table's row.
type TurnFilter<'a> = Box<dyn Fn(&ScoredTurn) -> bool + 'a>;

/// Returns the rows of a table: turns by phase, turns by whether the game is decided, turns by whether the board is more open than usual, and
/// all turns.
fn rows<'a>(phases: &[Phase], usual_openness: &'a HashMap<Phase, f64>) -> Vec<(&'static str, TurnFilter<'a>)> {
    let of_phase = |phase: &Phase| {
        let phase = *phase;
        (phase.name(), Box::new(move |turn: &ScoredTurn| turn.phase == phase) as TurnFilter<'_>)
    };
    let is_open = |turn: &ScoredTurn| turn.openness >= usual_openness[&turn.phase];
    let of_all: [(&str, TurnFilter<'_>); 5] = [
        ("decided games", Box::new(ScoredTurn::is_decided)),
        ("other games", Box::new(|turn| !turn.is_decided())),
        ("open boards", Box::new(is_open)),
        ("closed boards", Box::new(move |turn| !is_open(turn))),
        ("all", Box::new(|_| true)),
    ];
    phases.iter().map(of_phase).chain(of_all).collect()
}

/// Returns the median openness of the boards of each phase.
fn usual_openness(scored: &[ScoredTurn]) -> HashMap<Phase, f64> {
    let mut by_phase: HashMap<Phase, Vec<f64>> = HashMap::new();
    scored.iter().for_each(|turn| by_phase.entry(turn.phase).or_default().push(turn.openness));
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    by_phase.into_iter().map(|(phase, values)| (phase, middle(values))).collect()
}

/// Returns the loss of each player, percent of wins and points per turn. All players but the first also have
/// the difference from the first.
fn table(players: &[PlayerSpec], phases: &[Phase], scored: &[ScoredTurn], games: usize) -> Vec<String> {
    let mut lines: Vec<String> = players.iter().enumerate().map(|(at, player)| format!("{}: {player}", at + 1)).collect();
    let head = |at: usize| if at == 0 { format!("{:>18}", 1) } else { format!("{:>18}{:>18}", at + 1, format!("{} minus 1", at + 1)) };
    let heads: String = (0..players.len()).map(head).collect();
    let usual_openness = usual_openness(scored);
    for (what, scale, loss) in [
        ("lost a turn, % of wins", 100.0, (|turn, at| turn.losses[at].win) as fn(&ScoredTurn, usize) -> f64),
        ("lost a turn, points", 1.0, |turn, at| turn.losses[at].spread),
    ] {
        lines.push(String::new());
        lines.push(format!("{what:<24}{:>7}{:>9}{heads}", "turns", "a game"));
        for (name, is_in) in rows(phases, &usual_openness) {
            let turns: Vec<&ScoredTurn> = scored.iter().filter(|turn| is_in(turn)).collect();
            let a_game = turns.iter().map(|turn| turn.stands_for).sum::<f64>() / games as f64;
            let cell = |value: &dyn Fn(&ScoredTurn) -> f64| {
                let WeightedMean { mean, error } = weighted_mean(turns.iter().map(|turn| (turn.stands_for, scale * value(turn))));
                format!("{mean:>9.3} +- {error:.3}")
            };
            let of_player = |at: usize| match at {
                0 => cell(&|turn| loss(turn, 0)),
                _ => format!("{}{}", cell(&|turn| loss(turn, at)), cell(&|turn| loss(turn, at) - loss(turn, 0))),
            };
            let cells: String = (0..players.len()).map(of_player).collect();
            lines.push(format!("{name:<24}{:>7}{a_game:>9.2}{cells}", turns.len()));
        }
    }
    lines
}
