//! Sums over turns and games: losses, luck, mistake indices, and statistics of a player over many
//! games. Losses are split by part of the game, by turns, size and kind.

use crate::analysis::report::{
    CareerReport, GamePart, GameReport, KindTotals, LabelKind, LossMeasure, LossSum, MeanReport, PartTotals, PlayerTotals, RANGE_TURNS,
    RangeTotals, STRENGTH_GAMES, SizeCounts, Strength, TurnReport, rounded,
};
use crate::rules::Seat;
use crate::search::race::differences::Moments;
use std::collections::BTreeMap;

/// Half the width of a 95 % interval, in standard errors.
const HALF_WIDTH_95: f64 = 1.96;

/// The sums of a player in a game.
pub fn of_player(player: Seat, turns: &[TurnReport]) -> PlayerTotals {
    let own = || turns.iter().filter(|turn| turn.player == player);
    let part = |part: GamePart| PartTotals { part, sum: sum(own().filter(|turn| turn.part == part)) };
    let range = |first: usize| {
        let last = (first + RANGE_TURNS - 1).min(turns.len());
        RangeTotals { first, last, sum: sum(own().filter(|turn| (first..=last).contains(&turn.number))) }
    };
    let verdicts = || own().filter_map(TurnReport::judged);
    let (mut macondo_sizes, mut magpie_sizes) = (SizeCounts::default(), SizeCounts::default());
    for verdict in verdicts() {
        macondo_sizes.add(verdict.macondo);
        magpie_sizes.add(verdict.magpie);
    }
    PlayerTotals {
        turns: own().count(),
        skipped: own().filter(|turn| turn.verdict.is_none()).count(),
        all: sum(own()),
        parts: GamePart::ALL.map(part).into_iter().filter(|part| part.sum.turns > 0).collect(),
        ranges: (1..=turns.len()).step_by(RANGE_TURNS).map(range).collect(),
        macondo_sizes,
        magpie_sizes,
        kinds: kinds(own()),
        luck_points: rounded(own().filter_map(|turn| turn.luck).map(|luck| luck.points).sum()),
        luck_win: rounded(own().filter_map(|turn| turn.luck).map(|luck| luck.win).sum()),
        macondo_index: rounded(verdicts().map(|verdict| verdict.macondo.weight()).sum()),
        magpie_index: rounded(verdicts().map(|verdict| verdict.magpie.weight()).sum()),
    }
}

fn kinds<'a>(turns: impl Iterator<Item = &'a TurnReport>) -> Vec<KindTotals> {
    let mut by_kind: BTreeMap<LabelKind, Vec<&TurnReport>> = BTreeMap::new();
    for turn in turns {
        for label in &turn.labels {
            by_kind.entry(label.kind).or_default().push(turn);
        }
    }
    let totals = |(kind, turns): (LabelKind, Vec<&TurnReport>)| KindTotals { kind, count: turns.len(), sum: sum(turns.into_iter()) };
    by_kind.into_iter().map(totals).collect()
}

fn sum<'a>(turns: impl Iterator<Item = &'a TurnReport>) -> LossSum {
    let mut sum = LossSum::default();
    let mut variance = 0.0;
    for loss in turns.filter_map(TurnReport::judged).map(|verdict| &verdict.loss) {
        sum.turns += 1;
        sum.mistakes += usize::from(loss.is_real());
        let (win, points) = loss.counted();
        sum.win += win;
        sum.points += points;
        if loss.measure == LossMeasure::Win {
            variance += loss.win_error * loss.win_error;
        }
    }
    LossSum { win: rounded(sum.win), win_error: rounded(variance.sqrt()), points: rounded(sum.points), ..sum }
}

fn add(to: &mut LossSum, sum: &LossSum) {
    to.turns += sum.turns;
    to.mistakes += sum.mistakes;
    to.win = rounded(to.win + sum.win);
    to.win_error = rounded(to.win_error.hypot(sum.win_error));
    to.points = rounded(to.points + sum.points);
}

/// A player's sums over several games.
#[derive(Default)]
struct Career {
    win: Moments,
    points: Moments,
    luck: Moments,
    macondo: Moments,
    magpie: Moments,
    parts: BTreeMap<GamePart, LossSum>,
    macondo_sizes: SizeCounts,
    magpie_sizes: SizeCounts,
    kinds: BTreeMap<LabelKind, (usize, LossSum)>,
}

/// Sums over games by the players' nicks, in their order.
pub fn of_games(games: &[GameReport]) -> Vec<CareerReport> {
    let mut careers: BTreeMap<&str, Career> = BTreeMap::new();
    for player in games.iter().flat_map(|game| &game.players.0).filter(|player| player.totals.turns > 0) {
        let career = careers.entry(&player.nick).or_default();
        let totals = &player.totals;
        career.win.add(totals.all.win);
        career.points.add(totals.all.points);
        career.macondo.add(totals.macondo_index);
        career.magpie.add(totals.magpie_index);
        career.luck.add(totals.luck_points);
        career.macondo_sizes.add_all(totals.macondo_sizes);
        career.magpie_sizes.add_all(totals.magpie_sizes);
        for part in &totals.parts {
            add(career.parts.entry(part.part).or_default(), &part.sum);
        }
        for kind in &totals.kinds {
            let (count, sum) = career.kinds.entry(kind.kind).or_default();
            *count += kind.count;
            add(sum, &kind.sum);
        }
    }
    careers.into_iter().map(|(nick, career)| career.report(nick)).collect()
}

impl Career {
    fn report(self, nick: &str) -> CareerReport {
        let games = self.win.count as usize;
        CareerReport {
            nick: nick.to_string(),
            games,
            win: mean(&self.win),
            points: mean(&self.points),
            luck_points: mean(&self.luck),
            macondo_index: mean(&self.macondo),
            magpie_index: mean(&self.magpie),
            parts: self.parts.into_iter().map(|(part, sum)| PartTotals { part, sum }).collect(),
            macondo_sizes: self.macondo_sizes,
            magpie_sizes: self.magpie_sizes,
            kinds: self.kinds.into_iter().map(|(kind, (count, sum))| KindTotals { kind, count, sum }).collect(),
            strength: (games >= STRENGTH_GAMES).then(|| strength(&self.win)),
        }
    }
}

fn mean(moments: &Moments) -> MeanReport {
    MeanReport { mean: rounded(moments.mean), error: rounded(moments.standard_error()) }
}

/// Estimates a player's strength from the chances of winning that they lose per game.
fn strength(lost: &Moments) -> Strength {
    let half = HALF_WIDTH_95 * lost.standard_error();
    // Noise may make the loss negative, but a share of games stays within these limits.
    let share = |lost: f64| (0.5 - lost).clamp(0.001, 0.999);
    let elo = |share: f64| rounded(400.0 * (share / (1.0 - share)).log10());
    let (win, interval) = (share(lost.mean), [share(lost.mean + half), share(lost.mean - half)]);
    Strength { win: rounded(win), interval: interval.map(rounded), elo: elo(win), elo_interval: interval.map(elo) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::{GAME, report_of};

    #[test]
    fn parts_ranges_and_kinds_are_sums_of_the_same_turns() {
        let (report, _) = report_of(GAME);
        for player in &report.players.0 {
            let totals = &player.totals;
            let turns = |sums: &[LossSum]| sums.iter().map(|sum| sum.turns).sum::<usize>();
            assert_eq!(turns(&totals.parts.iter().map(|part| part.sum).collect::<Vec<_>>()), totals.all.turns);
            assert_eq!(turns(&totals.ranges.iter().map(|range| range.sum).collect::<Vec<_>>()), totals.all.turns);
        }
        let [first, second] = &report.players.0;
        let kinds = |totals: &PlayerTotals| totals.kinds.iter().map(|kind| (kind.kind, kind.count)).collect::<Vec<_>>();
        assert!(kinds(&first.totals).contains(&(LabelKind::MissedChallenge, 1)), "{:?}", first.totals.kinds);
        assert!(kinds(&second.totals).contains(&(LabelKind::Phony, 2)), "{:?}", second.totals.kinds);
    }

    #[test]
    fn a_strength_is_told_of_many_games_only_and_with_its_interval() {
        let (game, _) = report_of(GAME);
        let games = |count: usize| {
            let mut games = vec![game.clone(); count];
            // Ann loses 10 % in half of the games and 20 % in the others.
            for (at, game) in games.iter_mut().enumerate() {
                game.players[Seat::First].totals.all.win = if at % 2 == 0 { 0.1 } else { 0.2 };
            }
            games
        };
        let of = |count: usize| of_games(&games(count)).into_iter().find(|career| career.nick == "Ann").unwrap();
        assert_eq!(of(STRENGTH_GAMES - 1).strength, None);
        let strength = of(100).strength.unwrap();
        // The standard error of the mean is 0.05 times the square root of 100/99, over 10.
        assert_eq!(strength.win, 0.35);
        assert!((strength.interval[0] - 0.340151).abs() < 1e-5 && (strength.interval[1] - 0.359849).abs() < 1e-5, "{strength:?}");
        assert!((strength.elo + 107.54).abs() < 0.01 && strength.elo_interval[0] < strength.elo, "{strength:?}");
    }
}
