//! Decides whether to challenge the opponent's last play, by the chances of winning after each possible event.
//!
//! A play that was just made either stands, is challenged off, or is challenged in vain. Each of these events leads to a position. Its
//! chance of winning is that of the best play in it, found by the search of its phase. A turn that a wrong challenge costs is a pass.
//! Not here: running the searches one after the other (`protocol/session/challenge.rs`). Start with [`Challenge`] and
//! [`ChallengeChances`].

use crate::evaluation::win_model::win_of_final_spread;
use crate::rules::{ChallengeRule, Placement, Play, Position, Rack, Turn, TurnError};
use crate::search::endgame::Bound;
use crate::search::report::{Outcome, PreEndgameBasis, Report};
use crate::search::request::SearchPosition;

/// The possible events after a play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChallengeEvent {
    /// Nobody challenges it.
    Stands,
    /// It is challenged, and a word is not valid: it is taken back, and its player loses the turn.
    Off,
    /// It is challenged, and all words are valid: this rule decides what the challenge costs.
    InVain(ChallengeRule),
}

/// How the chance of winning after an event is found.
#[derive(Clone, PartialEq, Debug)]
pub enum ChallengeAsk {
    /// The game is over, or lost by the rule.
    Known(f64),
    /// The chance is that after [`ChallengeEvent::Stands`]: the challenge costs nothing, or costs a turn when the game is over.
    AsItStands,
    /// By a search of all plays.
    BestPlay(SearchPosition),
    /// By a search of the pass alone, because the turn is lost.
    Pass(SearchPosition),
}

/// A play that may be challenged.
#[derive(Clone, PartialEq, Debug)]
pub struct Challenge {
    stands: Position,
    off: Position,
}

impl Challenge {
    /// Returns the challenge of a placement that the player on turn made in `before`. It led to `stands`, where the other player may
    /// challenge it. `rack` has the tiles that the first player held in `before`, as far as they were stated.
    ///
    /// # Errors
    /// If the placement was not possible.
    pub fn new(before: &Position, rack: Option<&Rack>, placement: &Placement, stands: &Position) -> Result<Challenge, TurnError> {
        // The two positions need not list the players in the same order.
        let player = before.on_turn();
        let mut stated = before.clone();
        if let Some(rack) = rack {
            stated.state_rack(rack)?;
        }
        let mut off = stated.after(&Turn::Phony(*placement))?;
        off.set_rack(player.opponent(), stands.mover_rack())?;
        // The kept tiles that are known. If they do not fit on the rack, they were drawn later.
        let known = off.rack(player).union(stands.opponent_rack());
        let mut with_kept = off.clone();
        if with_kept.set_rack(player, &known).is_ok() {
            off = with_kept;
        }
        Ok(Challenge { stands: stands.clone(), off })
    }

    /// Returns how the challenger's chance of winning after an event is found.
    pub fn ask(&self, event: ChallengeEvent) -> ChallengeAsk {
        match event {
            ChallengeEvent::Stands => best_play(self.stands.clone()),
            ChallengeEvent::Off => best_play(self.off.clone()),
            ChallengeEvent::InVain(rule) => match (rule, SearchPosition::new(self.stands.clone())) {
                (ChallengeRule::Void | ChallengeRule::Single, _) => ChallengeAsk::AsItStands,
                (ChallengeRule::Double, Err(_)) => ChallengeAsk::AsItStands,
                (ChallengeRule::Double, Ok(position)) => ChallengeAsk::Pass(position),
                (ChallengeRule::Triple, _) => ChallengeAsk::Known(0.0),
                (ChallengeRule::FivePoint, _) => best_play(self.with_bonus(5)),
                (ChallengeRule::TenPoint, _) => best_play(self.with_bonus(10)),
            },
        }
    }

    /// The position after a challenge in vain that gives the other player points.
    fn with_bonus(&self, points: i32) -> Position {
        let mut position = self.stands.clone();
        position.adjust_score(position.on_turn().opponent(), points);
        position
    }
}

/// Returns how the chance of winning of the player on turn is found.
fn best_play(position: Position) -> ChallengeAsk {
    let gain = position.rules().objective().gain(position.spread());
    match SearchPosition::new(position) {
        Ok(position) => ChallengeAsk::BestPlay(position),
        Err(_) => ChallengeAsk::Known(win_of_final_spread(gain)),
    }
}

impl ChallengeAsk {
    /// The position to search, if there is one.
    pub fn position(&self) -> Option<&SearchPosition> {
        match self {
            ChallengeAsk::BestPlay(position) | ChallengeAsk::Pass(position) => Some(position),
            ChallengeAsk::Known(_) | ChallengeAsk::AsItStands => None,
        }
    }

    /// Returns the only play that is searched. `None` if all are.
    pub fn only(&self) -> Option<Play> {
        matches!(self, ChallengeAsk::Pass(_)).then_some(Play::Pass)
    }
}

/// The basis of a chance of winning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanceBasis {
    /// The game is over, or lost by the rule.
    Rules,
    /// A simulation.
    Simulation,
    /// A pre-endgame whose draws are all solved.
    PreEndgame,
    /// An endgame that is solved.
    Endgame,
    /// An exact search that did not finish.
    Unfinished,
}

impl ChanceBasis {
    /// Its word in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            ChanceBasis::Rules => "rules",
            ChanceBasis::Simulation => "sim",
            ChanceBasis::PreEndgame => "peg",
            ChanceBasis::Endgame => "endgame",
            ChanceBasis::Unfinished => "unfinished",
        }
    }
}

/// A chance of winning, 0 to 1, a tie counting half.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinChance {
    /// The chance.
    pub win: f64,
    /// Its standard error; 0 if it is not sampled.
    pub error: f64,
    /// Its basis.
    pub basis: ChanceBasis,
}

impl WinChance {
    /// Returns a chance that follows from the rules.
    pub fn known(win: f64) -> WinChance {
        WinChance { win, error: 0.0, basis: ChanceBasis::Rules }
    }

    /// Returns the chance of the first play of a search. `None` if the search was stopped before it had one.
    pub fn of_outcome(position: &Position, outcome: &Outcome) -> Option<WinChance> {
        match outcome.last.as_ref()? {
            Report::Simulation(report) => {
                let first = report.rows.first().filter(|row| row.iterations > 0)?;
                Some(WinChance { win: first.win, error: first.win_error, basis: ChanceBasis::Simulation })
            }
            Report::PreEndgame(report) => {
                let first = report.rows.first().filter(|row| row.basis != PreEndgameBasis::Static)?;
                let is_solved = matches!(first.basis, PreEndgameBasis::Solved | PreEndgameBasis::Proved);
                let basis = if is_solved { ChanceBasis::PreEndgame } else { ChanceBasis::Unfinished };
                Some(WinChance { win: first.win, error: 0.0, basis })
            }
            Report::Endgame(solution) => {
                let basis = if solution.bound == Bound::Exact { ChanceBasis::Endgame } else { ChanceBasis::Unfinished };
                Some(WinChance { win: win_of_final_spread(position.spread() + solution.value), error: 0.0, basis })
            }
            Report::Static(_) | Report::Inference(_) | Report::Replies(_) => None,
        }
    }
}

/// The challenger's chances of winning after each event.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChallengeChances {
    /// The play stands.
    pub stands: WinChance,
    /// It was challenged off.
    pub off: WinChance,
    /// It was challenged in vain.
    pub in_vain: WinChance,
}

impl ChallengeChances {
    /// Returns the chance of winning after a challenge of a play that is valid with this probability.
    pub fn win_of_challenge(&self, valid: f64) -> f64 {
        valid * self.in_vain.win + (1.0 - valid) * self.off.win
    }

    /// Returns the standard error of [`ChallengeChances::win_of_challenge`].
    pub fn error_of_challenge(&self, valid: f64) -> f64 {
        (valid * self.in_vain.error).hypot((1.0 - valid) * self.off.error)
    }

    /// Returns the probability of a valid play below which a challenge wins more often than no challenge: 0 if it never does, 1 if it
    /// always does.
    ///
    /// With the gains `g` of a challenge that succeeds and `l < 0` of one that fails, `(1 - p) g + p l` is 0 at `p = g / (g - l)`. A
    /// penalty cannot help the player who pays it, so a gain by one is noise and counts as 0.
    pub fn threshold(&self) -> f64 {
        let (gain, loss) = (self.off.win - self.stands.win, (self.in_vain.win - self.stands.win).min(0.0));
        if gain > 0.0 { gain / (gain - loss) } else { 0.0 }
    }

    /// Returns the standard error of the threshold under a rule, to first order in the chances.
    ///
    /// The positions with and without points for the other player are searched with the same tiles. The cost of the points is therefore
    /// known much better than either chance, and counts as exact. The other chances count as independent.
    pub fn threshold_error(&self, rule: ChallengeRule) -> f64 {
        let (gain, loss) = (self.off.win - self.stands.win, (self.in_vain.win - self.stands.win).min(0.0));
        if gain <= 0.0 || loss >= 0.0 {
            return 0.0;
        }
        let width = gain - loss;
        let by_off = -loss / (width * width) * self.off.error;
        if matches!(rule, ChallengeRule::FivePoint | ChallengeRule::TenPoint) {
            return by_off.hypot(-loss / (width * width) * self.stands.error);
        }
        let by_stands = self.stands.error / width;
        let by_in_vain = gain / (width * width) * self.in_vain.error;
        by_off.hypot(by_stands).hypot(by_in_vain)
    }

    /// Whether to challenge a play that is valid with this probability.
    pub fn pays(&self, valid: f64) -> bool {
        valid < self.threshold()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::formats::{cgp, small_rules};
    use crate::rules::{GameRules, Objective, Seat, Variant};
    use crate::search::candidates::ALL_PLAYS;
    use crate::search::randomness::{self, Stream};
    use crate::search::{Analysis, EndgameOptions, PlaySelection};

    const RULES: [ChallengeRule; 5] =
        [ChallengeRule::Single, ChallengeRule::Double, ChallengeRule::Triple, ChallengeRule::FivePoint, ChallengeRule::TenPoint];

    /// The final lead of the player on turn if both play their best: every line is played out by the rules, with nothing remembered or
    /// cut off.
    fn value(position: &Position) -> i32 {
        if position.end().is_some() {
            return position.spread();
        }
        let plays = plain_engine().static_ranking(position, ALL_PLAYS).unwrap();
        let after = |play: &Play| -value(&position.after(&Turn::Play(*play)).unwrap());
        let placements = plays.iter().filter(|row| row.play != Play::Pass).map(|row| after(&row.play));
        placements.chain([after(&Play::Pass)]).max().unwrap()
    }

    /// The chance that a search finds.
    fn chance(challenge: &Challenge, event: ChallengeEvent, stands: Option<WinChance>) -> WinChance {
        let ask = challenge.ask(event);
        match (&ask, ask.position()) {
            (ChallengeAsk::Known(win), _) => WinChance::known(*win),
            (_, None) => stands.unwrap(),
            (_, Some(position)) => {
                let plays = ask.only().map_or_else(PlaySelection::default, |play| PlaySelection::only(vec![play]));
                let analysis = Analysis::Endgame(EndgameOptions { plays, ..EndgameOptions::default() });
                let outcome = plain_engine().answer(position.position(), analysis).unwrap();
                WinChance::of_outcome(position.position(), &outcome).unwrap()
            }
        }
    }

    /// Two tiles each and an empty bag, on a board with CARE; the lead is that of the player on turn.
    fn small(index: u64, lead: i32) -> Position {
        let mut bag: Vec<char> = "AABDEEEHIMNOOPRSSTTY".chars().collect();
        randomness::shuffle(&mut bag, &mut randomness::generator(3, Stream::Positions, index));
        let text = |from: usize, to: usize| bag[from..to].iter().collect::<String>();
        let rules = small_rules(&format!("CARE{}", text(0, 4)), 2).to_builder().max_zero_turns(2).build().unwrap();
        let board = "15/15/15/15/15/15/15/5CARE6/15/15/15/15/15/15/15";
        cgp::parse(&format!("{board} {}/{} {lead}/0 0", text(0, 2), text(2, 4)), &rules).unwrap().position
    }

    #[test]
    fn late_in_the_game_chances_are_those_of_all_lines_played_out() {
        let (mut seen, mut decided) = (0, 0);
        let win = |lead: i32| f64::from(lead.signum() + 1) / 2.0;
        for (index, lead) in [(0, 4), (1, -9), (2, 0), (3, 13)] {
            let before = small(index, lead);
            let plays = plain_engine().static_ranking(&before, ALL_PLAYS).unwrap();
            // One that keeps a tile, and one that goes out, if there is one.
            let of = |tiles: usize| plays.iter().filter_map(|row| row.play.placement()).find(move |play| play.tile_count() == tiles);
            for placement in of(1).into_iter().chain(of(2)) {
                let stands = before.after(&Turn::Play(Play::Place(*placement))).unwrap();
                let taken_back = before.after(&Turn::Play(Play::Pass)).unwrap();
                let with_points = |points: i32| {
                    let mut position = stands.clone();
                    position.adjust_score(before.on_turn(), points);
                    win(value(&position))
                };
                let pass = stands.after(&Turn::Play(Play::Pass)).map_or(stands.spread(), |after| -value(&after));
                let [expected_stands, expected_off] = [win(value(&stands)), win(value(&taken_back))];
                let challenge = Challenge::new(&before, None, placement, &stands).unwrap();
                let found_stands = chance(&challenge, ChallengeEvent::Stands, None);
                let found_off = chance(&challenge, ChallengeEvent::Off, None);
                for rule in RULES {
                    let expected = match rule {
                        ChallengeRule::Void | ChallengeRule::Single => expected_stands,
                        ChallengeRule::Double => win(pass),
                        ChallengeRule::Triple => 0.0,
                        ChallengeRule::FivePoint => with_points(5),
                        ChallengeRule::TenPoint => with_points(10),
                    };
                    let in_vain = chance(&challenge, ChallengeEvent::InVain(rule), Some(found_stands));
                    let what = format!("{index} {rule:?} {placement:?}");
                    assert_eq!([found_stands.win, found_off.win, in_vain.win], [expected_stands, expected_off, expected], "{what}");
                    let found = ChallengeChances { stands: found_stands, off: found_off, in_vain };
                    for valid in [0.0, 0.25, 0.9] {
                        // What each of the two decisions brings, if this share of such plays is valid.
                        let by_hand = valid * expected + (1.0 - valid) * expected_off;
                        assert_eq!(found.win_of_challenge(valid), by_hand, "{what}");
                        assert_eq!(found.pays(valid), by_hand > expected_stands, "{what} {valid}");
                    }
                    seen += 1;
                    decided += usize::from(expected_stands != expected_off);
                }
            }
        }
        assert!(seen >= 30 && decided > 5, "{seen} {decided}");
    }

    #[test]
    fn a_threshold_is_where_both_decisions_win_as_often() {
        let exact = |[stands, off, in_vain]: [f64; 3]| ChallengeChances {
            stands: WinChance::known(stands),
            off: WinChance::known(off),
            in_vain: WinChance::known(in_vain),
        };
        let check = |wins, expected: f64| {
            let threshold = exact(wins).threshold();
            assert!((threshold - expected).abs() < 1e-12, "{wins:?}: {threshold}");
        };
        check([0.4, 0.7, 0.3], 0.75);
        check([0.4, 0.7, 0.0], 3.0 / 7.0);
        // Nothing to lose; nothing to gain; a penalty that seems to help.
        check([0.4, 0.7, 0.4], 1.0);
        check([0.4, 0.4, 0.2], 0.0);
        check([0.4, 0.3, 0.4], 0.0);
        check([0.4, 0.7, 0.5], 1.0);
        let sampled = |win, error| WinChance { win, error, basis: ChanceBasis::Simulation };
        let chances = ChallengeChances { stands: sampled(0.4, 0.01), off: sampled(0.7, 0.02), in_vain: sampled(0.3, 0.03) };
        // The slopes, by small steps.
        let step = 1e-7;
        let slope = |changed: [f64; 3]| (exact(changed).threshold() - 0.75) / step;
        let by_steps = [([0.4 + step, 0.7, 0.3], 0.01), ([0.4, 0.7 + step, 0.3], 0.02), ([0.4, 0.7, 0.3 + step], 0.03)];
        let expected = by_steps.iter().map(|(wins, error)| (slope(*wins) * error).powi(2)).sum::<f64>().sqrt();
        assert!((chances.threshold_error(ChallengeRule::Double) - expected).abs() < 1e-6);
        // Points cost the same whatever the tiles are: two of the chances move together.
        let by_steps = [([0.4 + step, 0.7, 0.3 + step], 0.01), ([0.4, 0.7 + step, 0.3], 0.02)];
        let expected = by_steps.iter().map(|(wins, error)| (slope(*wins) * error).powi(2)).sum::<f64>().sqrt();
        assert!((chances.threshold_error(ChallengeRule::FivePoint) - expected).abs() < 1e-6);
        assert!((chances.error_of_challenge(0.5) - 0.5 * 0.02_f64.hypot(0.03)).abs() < 1e-12);
    }

    #[test]
    fn a_play_that_was_taken_back_has_shown_its_tiles() {
        let before = cgp::parse("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/QZ 0/0 0", &GameRules::english()).unwrap().position;
        let Turn::Play(Play::Place(placement)) = plain_engine().parse_play("8G.TIN", &before).unwrap() else { panic!() };
        let mut stands = before.after(&Turn::Play(Play::Place(placement))).unwrap();
        let rack = |text: &str| Rack::parse(text, &before.rules().distribution).unwrap();
        stands.set_rack(Seat::Second, &rack("ABCDEFG")).unwrap();
        let off = |stands: &Position| match Challenge::new(&before, None, &placement, stands).unwrap().ask(ChallengeEvent::Off) {
            ChallengeAsk::BestPlay(position) => position.position().clone(),
            other => panic!("{other:?}"),
        };
        let position = off(&stands);
        assert!(position.board().is_empty());
        assert_eq!(
            (position.on_turn(), *position.mover_rack(), *position.opponent_rack()),
            (Seat::Second, rack("ABCDEFG"), rack("AEINRST"))
        );
        assert_eq!((position.score(Seat::First), position.zero_turns()), (0, 1));
    }

    #[test]
    fn where_the_lower_score_wins_a_finished_game_is_won_by_it() {
        let rules = GameRules::english().to_builder().variant(Variant::Misere).build().unwrap();
        assert_eq!(rules.objective(), Objective::FewestPoints);
        let before = cgp::parse("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AT/ 5/0 0", &rules).unwrap().position;
        let Turn::Play(Play::Place(placement)) = plain_engine().parse_play("8G.AT", &before).unwrap() else { panic!() };
        let mut stands = before.after(&Turn::Play(Play::Place(placement))).unwrap();
        stands.declare_over();
        let challenge = Challenge::new(&before, None, &placement, &stands).unwrap();
        assert_eq!(challenge.ask(ChallengeEvent::Stands), ChallengeAsk::Known(1.0));
        assert_eq!(challenge.ask(ChallengeEvent::InVain(ChallengeRule::Double)), ChallengeAsk::AsItStands);
        assert_eq!(challenge.ask(ChallengeEvent::InVain(ChallengeRule::Triple)), ChallengeAsk::Known(0.0));
    }
}
