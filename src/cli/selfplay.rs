//! `tilewright selfplay [games] [--seed <n>] [--out <folder>]`: static games under the referee, each written as GCG and read back.

use crate::cli::resources::{lexicon_or_builtin, own_knowledge};
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::formats::english_rules;
use crate::formats::gcg::{self, GcgPlayer};
use crate::match_play::referee::{self, RefereedGame};
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Position};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// What is played.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Games.
    #[arg(default_value_t = 200)]
    pub games: u64,
    /// Seed of the bags.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A folder for the records (.gcg), made if it is not there.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Another word list (.txt or .kwg).
    #[arg(long)]
    pub lexicon: Option<PathBuf>,
}

/// Plays, checks, writes, and says what came of it, a line at a time.
///
/// # Errors
/// A foul, a file that cannot be read or written, a game that reads back differently.
pub fn run(arguments: &Arguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let rules = &Arc::new(english_rules());
    let lexicon = lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
    let knowledge = own_knowledge(&lexicon, &rules.distribution)?;
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    }
    let graph = knowledge.lexicon.graph();
    let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let players = ["first", "second"].map(|nick| GcgPlayer { nick: nick.to_string(), name: format!("Tilewright static {nick}") });
    let start = Instant::now();
    let (mut points, mut turns, mut bingos, mut first_wins) = (0i64, 0usize, 0usize, 0.0);
    for index in 0..arguments.games {
        let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
            let mut board = LaneBoard::new(position.rules(), position.board(), graph);
            eval.best(&mut board, turn)
        };
        let game =
            referee::play_game(rules, &knowledge.lexicon, arguments.seed, index, &mut choose).with_context(|| format!("game {index}"))?;
        let text = gcg::print(&game.to_gcg(players.clone(), &knowledge.lexicon)?);
        check_record(&text, &game, rules).with_context(|| format!("game {index} reads back differently"))?;
        if let Some(folder) = &arguments.out {
            let path = folder.join(format!("game{index:05}.gcg"));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let scores = [game.last.score(0), game.last.score(1)];
        points += i64::from(scores[0] + scores[1]);
        turns += game.turns.len();
        bingos += game
            .turns
            .iter()
            .filter(|turn| turn.play.placement().is_some_and(|placement| placement.tile_count() == rules.rack_size))
            .count();
        first_wins += crate::evaluation::win_model::win_of_final_spread(scores[0] - scores[1]);
    }
    let games = arguments.games.max(1) as f64;
    let seconds = start.elapsed().as_secs_f64();
    say(&format!(
        "games {} seed {} lexicon {}: no foul, every record reads back",
        arguments.games,
        arguments.seed,
        knowledge.lexicon.name()
    ))?;
    say(&format!("mean score {:.1}", points as f64 / games / 2.0))?;
    say(&format!("turns per game {:.1}", turns as f64 / games))?;
    say(&format!("bingos per game {:.2}", bingos as f64 / games))?;
    say(&format!("wins of the first player {:.1} %", 100.0 * first_wins / games))?;
    say(&format!("games per second {:.0} (refereed, one thread)", arguments.games as f64 / seconds))?;
    Ok(())
}

/// Whether the text is a record of this game: the same moves' positions, the same final scores.
fn check_record(text: &str, game: &RefereedGame, rules: &GameRules) -> Result<()> {
    let record = gcg::parse(text, rules)?;
    let last = gcg::position_at(&record, rules, None)?;
    for seat in 0..2 {
        ensure!(last.score(seat) == game.last.score(seat), "seat {seat}: {} points, played {}", last.score(seat), game.last.score(seat));
    }
    ensure!(last.board() == game.last.board(), "the boards differ");
    Ok(())
}
