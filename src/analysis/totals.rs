//! Sums over turns and games: losses by part of the game, luck, mistake indices.

use crate::analysis::report::{GamePart, GameReport, LossMeasure, LossSum, PartTotals, PlayerTotals, TurnReport, rounded};
use crate::search::paired::Moments;
use std::collections::BTreeMap;

/// The sums of a player in a game.
pub fn of_player(player: usize, turns: &[TurnReport]) -> PlayerTotals {
    let own = || turns.iter().filter(|turn| turn.player == player);
    let part = |part: GamePart| PartTotals { part, sum: sum(own().filter(|turn| turn.part == part)) };
    let verdicts = || own().filter_map(|turn| turn.verdict.as_ref());
    PlayerTotals {
        turns: own().count(),
        skipped: own().filter(|turn| turn.verdict.is_none()).count(),
        all: sum(own()),
        parts: GamePart::ALL.map(part).into_iter().filter(|part| part.sum.turns > 0).collect(),
        luck_points: rounded(own().filter_map(|turn| turn.luck).map(|luck| luck.points).sum()),
        luck_win: rounded(own().filter_map(|turn| turn.luck).map(|luck| luck.win).sum()),
        macondo_index: rounded(verdicts().map(|verdict| verdict.macondo.weight()).sum()),
        magpie_index: rounded(verdicts().map(|verdict| verdict.magpie.weight()).sum()),
    }
}

fn sum<'a>(turns: impl Iterator<Item = &'a TurnReport>) -> LossSum {
    let mut sum = LossSum::default();
    let mut variance = 0.0;
    for loss in turns.filter_map(|turn| turn.verdict.as_ref()).map(|verdict| &verdict.loss) {
        sum.turns += 1;
        sum.mistakes += usize::from(loss.is_real());
        match loss.measure {
            LossMeasure::Win => {
                sum.win += loss.win;
                variance += loss.win_error * loss.win_error;
            }
            LossMeasure::Points => sum.points += loss.points,
        }
    }
    LossSum { win: rounded(sum.win), win_error: rounded(variance.sqrt()), points: rounded(sum.points), ..sum }
}

/// A player's sums over several games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CareerTotals {
    /// Games.
    pub games: usize,
    /// Chances of winning lost a game, with the standard error over the games.
    pub win: Moments,
    /// The mistake index as macondo counts it, a game.
    pub macondo: Moments,
    /// The same as MAGPIE counts it.
    pub magpie: Moments,
    /// Luck in points, a game.
    pub luck: Moments,
    /// By part of the game, summed.
    pub parts: BTreeMap<GamePart, LossSum>,
}

/// Sums over games by the players' nicks.
pub fn of_games(games: &[GameReport]) -> BTreeMap<String, CareerTotals> {
    let mut careers: BTreeMap<String, CareerTotals> = BTreeMap::new();
    for player in games.iter().flat_map(|game| &game.players) {
        let career = careers.entry(player.nick.clone()).or_default();
        let totals = &player.totals;
        career.games += 1;
        career.win.add(totals.all.win);
        career.macondo.add(totals.macondo_index);
        career.magpie.add(totals.magpie_index);
        career.luck.add(totals.luck_points);
        for part in &totals.parts {
            let sum = career.parts.entry(part.part).or_default();
            sum.turns += part.sum.turns;
            sum.mistakes += part.sum.mistakes;
            sum.win += part.sum.win;
            sum.win_error = sum.win_error.hypot(part.sum.win_error);
            sum.points += part.sum.points;
        }
    }
    careers
}
