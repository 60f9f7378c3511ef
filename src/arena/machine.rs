//! The machine of a tournament: how much concurrent engines slow each other down,
//! and processors for each pair.
//!
//! Start with [`speed`].

use crate::host::game_arguments::OpenedGame;
use crate::match_play::game::GameLoop;
use crate::match_play::pairs::Contestant;
use crate::players::PlayerSpec;
use crate::search::budget::Signals;
use crate::tournament::record::MachineSpeed;
use anyhow::{Context, Result, ensure};
use std::time::{Duration, Instant};

/// How long each measurement takes.
const MEASURED_FOR: Duration = Duration::from_millis(150);

/// The player whose turns are counted. It needs no tables of its own and no long searches.
const MEASURED_PLAYER: &str = "static:late=off";

/// Measures turns a second on one thread alone, and on each of `at_once` threads.
///
/// # Errors
/// The player's tables cannot be loaded.
pub fn speed(game: &OpenedGame, at_once: usize) -> Result<MachineSpeed> {
    let spec: PlayerSpec = MEASURED_PLAYER.parse()?;
    let contestant = game.contestant(&spec)?;
    let alone = turns_a_second(game, &contestant, 1);
    let together = if at_once == 1 { alone } else { turns_a_second(game, &contestant, at_once) };
    Ok(MachineSpeed { alone, at_once, together })
}

/// Returns the mean number of turns a second of `threads` threads.
fn turns_a_second(game: &OpenedGame, contestant: &Contestant, threads: usize) -> f64 {
    let one = || {
        let (start, signals, mut turns) = (Instant::now(), Signals::default(), 0_u64);
        let mut player = contestant.spec.player(&game.rules, contestant.engine.knowledge());
        let mut games = GameLoop::new(&game.rules, game.lexicon().graph());
        for index in 0.. {
            let played = games.play(1, index, &signals, |board, view| {
                turns += 1;
                if start.elapsed() >= MEASURED_FOR {
                    signals.stop();
                }
                player.choose(board, view)
            });
            if played.is_none() {
                break;
            }
        }
        turns as f64 / start.elapsed().as_secs_f64()
    };
    let sum: f64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum()
    });
    sum / threads as f64
}

/// Assigns `each` processors to each pair.
///
/// # Errors
/// There are too few processors, or this system does not list them.
pub fn shares(pairs: usize, each: usize) -> Result<Vec<Vec<usize>>> {
    let all = available().context("processors: this system does not list its processors")?;
    ensure!(
        pairs.saturating_mul(each) <= all.len(),
        "processors: {pairs} pairs at the same time with {each} each need {}, but this program may use only {}",
        pairs.saturating_mul(each),
        all.len()
    );
    Ok(all.chunks_exact(each).take(pairs).map(<[usize]>::to_vec).collect())
}

/// Lists the processors that this program may use.
#[cfg(target_os = "linux")]
fn available() -> Option<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).ok()?;
    Some((0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect())
}

#[cfg(not(target_os = "linux"))]
fn available() -> Option<Vec<usize>> {
    None
}

/// Keeps this thread on these processors, and also the processes that it starts from now on.
#[cfg(target_os = "linux")]
pub fn keep_to(processors: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    processors.iter().for_each(|&processor| set.set(processor));
    // This fails only if the processors were taken away meanwhile. The pair then plays on any processor.
    let _ = sched_setaffinity(None, &set);
}

/// Does nothing, since this system has no way to do it.
#[cfg(not(target_os = "linux"))]
pub fn keep_to(_: &[usize]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_processors_of_its_own_and_none_that_are_not_there() {
        let all = available().unwrap();
        let own = shares(all.len(), 1).unwrap();
        assert_eq!(own.concat(), all);
        let error = shares(all.len(), 2).unwrap_err().to_string();
        assert!(error.starts_with(&format!("processors: {} pairs at the same time with 2 each need", all.len())), "{error}");
        let last = all[all.len() - 1];
        std::thread::spawn(move || {
            keep_to(&[last]);
            assert_eq!(available().unwrap(), [last]);
            let told = std::process::Command::new("sh").args(["-c", "grep Cpus_allowed_list /proc/self/status"]).output().unwrap();
            assert_eq!(String::from_utf8(told.stdout).unwrap().trim(), format!("Cpus_allowed_list:\t{last}"));
        })
        .join()
        .unwrap();
    }
}
