//! Tests of inference against its simple twin, which tries all arrangements of the distinct hidden tiles.

use super::*;
use crate::engine::builder::plain_engine;
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::formats::cgp;
use crate::movegen::LaneBoard;
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Placement, Play, Position, Rack, Tile, Turn};
use crate::search::analysis::{Allocation, Analysis, InferenceOptions, PlaySelection, SimulationOptions, StaticOptions};
use crate::search::report::{SimulationReport, SimulationRow, StaticReport};
use crate::search::{Knowledge, Outcome, Report, RequestError, RunSettings, SearchPosition, SearchRequest, Signals, run};
use std::collections::HashMap;
use std::sync::Arc;

/// A late board. The opponent, whose rack is not known, is on turn. We hold DIKLORR; ten tiles are unseen, three of them in the bag.
const LATE: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/\
                    1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/15 /DIKLORR 0/0 0 etl 1;";

fn knowledge() -> &'static Knowledge {
    plain_engine().knowledge()
}

fn position(text: &str) -> Position {
    cgp::parse(text, &GameRules::english()).unwrap().position
}

fn rack(text: &str) -> Rack {
    Rack::parse(text, &GameRules::english().distribution).unwrap()
}

fn belief(position: &Position, options: InferenceOptions) -> Arc<Belief> {
    let request = SearchRequest::new(SearchPosition::new(position.clone()).unwrap(), Analysis::Inference(options), RunSettings::default());
    match run(knowledge(), &request.unwrap(), &Signals::default(), &mut |_: Report| {}) {
        Outcome { best: None, last: Some(Report::Inference(belief)), .. } => belief,
        other => panic!("{other:?}"),
    }
}

/// All plays of the player on turn with this rack, best first.
fn all_plays(knowledge: &Knowledge, position: &Position, rack: &Rack) -> Vec<EvaluatedPlay> {
    let mut eval = StaticEval::new(position.rules(), knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let mut board = LaneBoard::new(position.rules(), position.board(), knowledge.lexicon.graph());
    eval.all(&mut board, &StaticTurn::new(rack, &Rack::EMPTY, position.in_bag()))
}

/// The best placement of `tiles` tiles with this rack.
fn placement_of(position: &Position, rack: &Rack, tiles: usize) -> Turn {
    let plays = all_plays(knowledge(), position, rack);
    let fits = |play: &&EvaluatedPlay| play.play.placement().is_some_and(|placement| placement.tile_count() == tiles);
    Turn::Play(plays.iter().find(fits).expect("a placement of this many tiles").play)
}

/// The loss of a turn with a rack of which these tiles were kept, from the list of all plays.
fn lost(before: &Position, turn: &Turn, rack: &Rack, kept: &Rack) -> Millipoints {
    let plays = all_plays(knowledge(), before, rack);
    let equity_of = |play: Play| plays.iter().find(|other| other.play == play).expect("a play of the list").equity;
    let equity = match turn {
        Turn::Play(play) => equity_of(*play),
        Turn::ExchangeUnknown(_) => equity_of(Play::Exchange(rack.minus(kept).unwrap())),
        Turn::Phony(placement) => phony_equity(before, *placement, rack),
    };
    (plays[0].equity - equity).max(Millipoints::ZERO)
}

/// The static equity of a placement whose words need not be valid, as if it had stood.
fn phony_equity(before: &Position, placement: Placement, held: &Rack) -> Millipoints {
    let mut position = before.clone();
    position.set_rack(before.on_turn().opponent(), &Rack::EMPTY).unwrap();
    position.set_rack(before.on_turn(), held).unwrap();
    let options = StaticOptions { plays: PlaySelection::only(vec![Play::Place(placement)]) };
    let request = SearchRequest::new(SearchPosition::new(position).unwrap(), Analysis::Static(options), RunSettings::default());
    match run(knowledge(), &request.unwrap(), &Signals::default(), &mut |_: Report| {}).last {
        Some(Report::Static(StaticReport { rows })) => rows[0].equity,
        other => panic!("{other:?}"),
    }
}

/// All choices of `count` of these physical tiles: what is chosen, and what is left.
fn choices(tiles: &[Tile], count: usize) -> Vec<(Rack, Vec<Tile>)> {
    let sets = (0u32..1 << tiles.len()).filter(|set| set.count_ones() as usize == count);
    let part = |set: u32, wanted: u32| (0..tiles.len()).filter(move |&at| set >> at & 1 == wanted).map(|at| tiles[at]);
    sets.map(|set| (part(set, 1).collect(), part(set, 0).collect())).collect()
}

fn check_alike(belief: &Belief, twin: &HashMap<Rack, f64>, within: f64, what: &str) {
    let sum: f64 = twin.values().sum();
    let expected = |leave: &Rack| twin.get(leave).map_or(0.0, |weight| weight / sum);
    let total: f64 = belief.leaves.iter().map(|row| row.chance).sum();
    assert!((total - 1.0).abs() < 1e-9, "{what}: the chances sum to {total}");
    for row in &belief.leaves {
        assert!((row.chance - expected(&row.leave)).abs() < within, "{what}: {:?} {} {}", row.leave, row.chance, expected(&row.leave));
    }
    let listed: f64 = belief.leaves.iter().map(|row| expected(&row.leave)).sum();
    assert!((listed - 1.0).abs() < within, "{what}: leaves with a chance of {} are missing", 1.0 - listed);
}

/// The twin for one turn: leaves by weight. `known` tiles are on the opponent's rack after drawing. It tries all racks of physical tiles,
/// of which the player chooses letters. For `RichardsAmir` and `Uniform` it tries the leaves next to the shown tiles instead. Tiles that we
/// exchanged before the turn were in the bag, whatever the rack was. `likelihood` is that of the turn, by the rack and the tiles kept.
fn twin_of(
    model: OpponentModel,
    observed: &ObservedTurn,
    after: &Position,
    known: &Rack,
    mut likelihood: impl FnMut(Rack, Rack) -> f64,
) -> HashMap<Rack, f64> {
    let turn = observed.turn();
    let exchanged = observed.exchanged_before();
    // The share of the draws after which the rack has the known tiles.
    let fit = |kept: &Rack, bag: &[Tile]| {
        let draws = choices(bag, after.opponent_tiles() - kept.len());
        draws.iter().filter(|(drawn, _)| kept.plus(drawn).contains(known)).count() as f64 / draws.len() as f64
    };
    let mut twin = HashMap::new();
    let out_of_sight = after.unseen().minus(&exchanged).unwrap();
    // Without the tiles that were shown and thrown back.
    let others = out_of_sight.minus(&observed.shown_off_board()).unwrap();
    if !matches!(model, OpponentModel::RichardsAmir | OpponentModel::Uniform) {
        let (held_or_placed, is_told) = match turn {
            Turn::ExchangeUnknown(_) => (out_of_sight, false),
            _ => (others.plus(&observed.shown()), true),
        };
        let tiles: Vec<Tile> = held_or_placed.tiles().collect();
        for (held, rest) in choices(&tiles, observed.held()) {
            let mut kept_ones: Vec<Rack> = if is_told {
                held.minus(&observed.shown()).into_iter().collect()
            } else {
                let held: Vec<Tile> = held.tiles().collect();
                choices(&held, observed.kept()).into_iter().map(|(kept, _)| kept).collect()
            };
            kept_ones.sort_by_key(|kept| *kept.counts());
            kept_ones.dedup();
            for kept in kept_ones {
                let thrown = if is_told { observed.shown_off_board() } else { held.minus(&kept).unwrap() };
                let bag: Vec<Tile> = rest.iter().copied().chain(thrown.tiles()).chain(exchanged.tiles()).collect();
                *twin.entry(kept).or_insert(0.0) += likelihood(held, kept) * fit(&kept, &bag);
            }
        }
        return twin;
    }
    let tiles: Vec<Tile> = others.tiles().collect();
    for (kept, rest) in choices(&tiles, observed.kept()) {
        // Every way to have thrown tiles back, or the only way if they were shown.
        let gone = match turn {
            Turn::ExchangeUnknown(count) => choices(&rest, *count).into_iter().map(|(gone, _)| gone).collect(),
            _ => vec![observed.shown()],
        };
        let weight: f64 = gone.iter().map(|gone| likelihood(gone.plus(&kept), kept)).sum();
        let bag: Vec<Tile> = rest.iter().copied().chain(observed.shown_off_board().tiles()).chain(exchanged.tiles()).collect();
        *twin.entry(kept).or_insert(0.0) += weight / gone.len() as f64 * fit(&kept, &bag);
    }
    twin
}

#[test]
fn the_exact_posterior_is_that_of_all_ways_in_which_the_tiles_can_lie() {
    check_all_ways(&position(LATE), "AEINRTU", "", &["", "E", "AZ?", "AEINTZ", "AEINRUZ"]);
}

#[test]
fn tiles_that_we_exchanged_were_in_the_bag_when_the_opponent_chose() {
    // Three Rs are unseen.
    let before = position(&LATE.replace("DIKLORR", "ADIKLMO"));
    for exchanged in ["R", "RR", "RZ"] {
        check_all_ways(&before, "EINRTU?", exchanged, &["", "R", "RT", "EINR"]);
    }
}

/// Compares beliefs after several turns with a rack against the twin, for several sets of tiles that are known after the turn.
fn check_all_ways(before: &Position, holds: &str, exchanged: &str, known: &[&str]) {
    let turns = [2, 4, 5].map(|tiles| placement_of(before, &rack(holds), tiles));
    let told = |tiles: &str| Turn::Play(Play::Exchange(rack(tiles)));
    let others = [Turn::ExchangeUnknown(1), Turn::ExchangeUnknown(3), told("R"), told("INT"), Turn::Play(Play::Pass)];
    for turn in turns.into_iter().chain(others) {
        let after = before.after(&turn).unwrap();
        let observed = ObservedTurn::new(before.clone(), turn).unwrap().after_exchange(rack(exchanged));
        let mut losses: HashMap<(Rack, Rack), Millipoints> = HashMap::new();
        let mixture = explain::learn(knowledge(), std::slice::from_ref(&observed), RunSettings::default().seed, &Signals::default())[0];
        for model in [OpponentModel::Static, OpponentModel::RichardsAmir, OpponentModel::Uniform, OpponentModel::Auto] {
            for known in known.iter().map(|tiles| rack(tiles)) {
                let mut after = after.clone();
                if after.set_rack(after.on_turn().opponent(), &known).is_err() {
                    continue;
                }
                let belief = belief(&after, InferenceOptions::new(model, vec![observed.clone()]));
                let mut twin = twin_of(model, &observed, &after, &known, |held, kept| {
                    let lost = *losses.entry((held, kept)).or_insert_with(|| lost(before, &turn, &held, &kept));
                    if model == OpponentModel::Auto {
                        mixture.likelihood(lost, before.in_bag())
                    } else {
                        model.likelihood(lost, before.in_bag())
                    }
                });
                let what = format!("{turn:?} {model:?} {known:?} {exchanged}");
                if twin.values().all(|&weight| weight == 0.0) {
                    // The turn is the best play of no rack, so the twin has no answer.
                    assert!(model == OpponentModel::RichardsAmir && belief.leaves.len() < twin.len(), "{what}");
                    continue;
                }
                twin.retain(|_, weight| *weight > 0.0);
                assert!(belief.is_explained && !belief.scope.is_drawn, "{what}");
                check_alike(&belief, &twin, 1e-9, &what);
            }
        }
    }
}

#[test]
fn trials_of_turns_lead_to_the_same_chances() {
    let (before, holds) = (position(LATE), rack("AEINRTU"));
    let turn = placement_of(&before, &holds, 3);
    let after = before.after(&turn).unwrap();
    let observed = ObservedTurn::new(before.clone(), turn).unwrap();
    let kept = holds.minus(&observed.shown()).unwrap();
    let options = InferenceOptions::new(OpponentModel::Static, vec![observed]);
    let belief = belief(&after, options.clone());
    let trial = TurnTrial::of(knowledge(), &after, &options, &kept, 0, 1).unwrap();
    assert_eq!((trial.placed, trial.in_bag, trial.is_drawn, trial.truth.leave), (3, 3, false, kept));
    let weight = |rack: &TriedRack| OpponentModel::Static.likelihood(rack.lost, before.in_bag()) * rack.carried / rack.equivalent_ways;
    let twin: HashMap<Rack, f64> = trial.racks.iter().map(|rack| (rack.leave, rack.prior * weight(rack))).collect();
    check_alike(&belief, &twin, 1e-9, "trial");
    let row = belief.leaves.iter().find(|row| row.leave == kept).unwrap();
    assert!((row.prior - trial.truth.prior).abs() < 1e-9, "{row:?} {:?}", trial.truth);
    let same = trial.racks.iter().find(|rack| rack.leave == kept).unwrap();
    assert_eq!((same.lost, same.equivalent_ways, same.carried), (trial.truth.lost, trial.truth.equivalent_ways, 1.0));
    // There is no trial of a turn that kept no tiles, or that placed none.
    assert_eq!(TurnTrial::of(knowledge(), &after, &options, &Rack::EMPTY, 0, 1), None);
    let passed = ObservedTurn::new(before.clone(), Turn::Play(Play::Pass)).unwrap();
    let passed = InferenceOptions::new(OpponentModel::Static, vec![passed]);
    assert_eq!(TurnTrial::of(knowledge(), &before.after(&Turn::Play(Play::Pass)).unwrap(), &passed, &holds, 0, 1), None);
}

#[test]
fn every_model_says_the_same_again() {
    let (before, holds) = (position(LATE), rack("AEINRTU"));
    let turns = [placement_of(&before, &holds, 3), Turn::ExchangeUnknown(2), Turn::Play(Play::Pass)];
    for (turn, (model, name)) in turns.into_iter().flat_map(|turn| OpponentModel::ALL.map(|model| (turn, model))) {
        let after = before.after(&turn).unwrap();
        let observed = ObservedTurn::new(before.clone(), turn).unwrap();
        let options = InferenceOptions { most_racks: 300, most_simulated: 3, ..InferenceOptions::new(model, vec![observed]) };
        assert_eq!(belief(&after, options.clone()), belief(&after, options), "{name} {turn:?}");
    }
}

#[test]
fn simulations_change_what_is_believed_and_leave_what_was_before() {
    let before = position(LATE);
    let turn = placement_of(&before, &rack("AEINRTU"), 3);
    let after = before.after(&turn).unwrap();
    let options = |model, most_simulated| InferenceOptions {
        most_simulated,
        ..InferenceOptions::new(model, vec![ObservedTurn::new(before.clone(), turn).unwrap()])
    };
    let of_static = belief(&after, options(OpponentModel::Static, 0));
    let none = belief(&after, options(OpponentModel::Sim, 0));
    let some = belief(&after, options(OpponentModel::Sim, 4));
    assert_eq!((&none.leaves, none.is_explained), (&of_static.leaves, true));
    assert_ne!(some.leaves, none.leaves);
    let chances: f64 = some.leaves.iter().map(|row| row.chance).sum();
    assert!((chances - 1.0).abs() < 1e-9);
    for row in &some.leaves {
        let same = none.leaves.iter().find(|other| other.leave == row.leave).unwrap();
        assert!((row.prior - same.prior).abs() < 1e-12);
    }
}

#[test]
fn simulated_racks_have_the_chances_of_all_ways_in_which_the_tiles_can_lie() {
    // We hold DIKLORR, which the opponent did not see.
    let before = position(LATE);
    for tiles in [3, 4] {
        let turn = placement_of(&before, &rack("AEINRTU"), tiles);
        let Turn::Play(play) = turn else { panic!("a placement") };
        let after = before.after(&turn).unwrap();
        let observed = ObservedTurn::new(before.clone(), turn).unwrap();
        let twin = twin_of(OpponentModel::Sim, &observed, &after, &Rack::EMPTY, |held, _| {
            OpponentModel::soft_likelihood(simulated_lost(&before, play, &held), before.in_bag(), 0.75)
        });
        let options = InferenceOptions { most_simulated: usize::MAX, ..InferenceOptions::new(OpponentModel::Sim, vec![observed]) };
        check_alike(&belief(&after, options), &twin, 1e-9, "simulated");
    }
}

/// The loss of a play with a rack, by static equity and by a simulation of the play and the six best plays. Static equity has an assumed
/// error of three points; half of the simulation's error cancels in differences. The opponent's rack is unknown.
fn simulated_lost(before: &Position, play: Play, held: &Rack) -> Millipoints {
    let mut position = before.clone();
    position.set_rack(before.on_turn().opponent(), &Rack::EMPTY).unwrap();
    position.set_rack(before.on_turn(), held).unwrap();
    let options = SimulationOptions {
        plays: PlaySelection { also: vec![play], ..PlaySelection::best(6) },
        plies: Some(2),
        iterations: Some(100),
        allocation: Allocation::Equal,
        ..SimulationOptions::default()
    };
    let request = SearchRequest::new(SearchPosition::new(position).unwrap(), Analysis::Simulation(options), RunSettings::default());
    let found = run(knowledge(), &request.unwrap(), &Signals::default(), &mut |_: Report| {});
    let Some(Report::Simulation(SimulationReport { rows, .. })) = found.last else { panic!("a simulation") };
    let mean = |of: fn(&SimulationRow) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
    let (static_mean, simulated_mean) = (mean(|row| row.ranked.equity.points()), mean(|row| row.equity));
    let worth = |row: &SimulationRow| {
        let (of_static, of_simulation) = (1.0 / 9.0, 1.0 / (0.5 * row.equity_error.powi(2)));
        let sum = of_static * (row.ranked.equity.points() - static_mean) + of_simulation * (row.equity - simulated_mean);
        sum / (of_static + of_simulation)
    };
    let played = rows.iter().find(|row| row.ranked.play == play).expect("it is a candidate");
    Millipoints::rounded(rows.iter().map(|row| worth(row) - worth(played)).fold(0.0, f64::max))
}

#[test]
fn drawn_racks_agree_with_all_racks() {
    let (turns, now) = two_turns();
    let after_first = turns[0].before().after(turns[0].turn()).unwrap();
    for (after, turns) in [(after_first, vec![turns[0].clone()]), (now, turns)] {
        let options = InferenceOptions::new(OpponentModel::Static, turns);
        let exact = belief(&after, options.clone());
        let racks = exact.scope.of_racks;
        let few = belief(&after, InferenceOptions { most_racks: racks - 1, ..options });
        assert!(!exact.scope.is_drawn && few.scope.is_drawn && few.scope.of_racks < racks);
        for (tile, _) in after.unseen().distinct() {
            let ([_, exact], [_, few]) = (exact.tile_chances(tile), few.tile_chances(tile));
            let error = 4.0 * (exact * (1.0 - exact) / few_racks(racks)).sqrt() + 0.05;
            assert!((exact - few).abs() < error, "{tile:?}: {exact} {few} {error}");
        }
    }
}

#[test]
fn racks_are_drawn_from_those_that_allow_what_is_known_now() {
    // Of seven tiles that were kept, seven or five are known.
    let before = position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0");
    let turn = Turn::Play(Play::Pass);
    for known in ["AEINRST", "AAEIN"] {
        let mut after = before.after(&turn).unwrap();
        after.set_rack(after.on_turn().opponent(), &rack(known)).unwrap();
        let observed = ObservedTurn::new(before.clone(), turn).unwrap();
        let options = InferenceOptions::new(OpponentModel::Uniform, vec![observed]);
        let exact = belief(&after, options.clone());
        assert!(!exact.scope.is_drawn && exact.leaves.iter().all(|row| row.leave.contains(&rack(known))), "{known}");
        let few = belief(&after, InferenceOptions { most_racks: 200, ..options });
        assert_eq!(few.scope.is_drawn, exact.leaves.len() > 200);
        assert!(few.leaves.iter().all(|row| row.leave.contains(&rack(known))), "{known}");
        for (tile, _) in after.unseen().distinct() {
            let ([_, exact], [_, few]) = (exact.tile_chances(tile), few.tile_chances(tile));
            assert!((exact - few).abs() < 4.0 * (exact * (1.0 - exact) / 200.0).sqrt() + 0.01, "{known} {tile:?}: {exact} {few}");
        }
    }
}

/// The number of equally likely racks that drawn racks are worth, since some explain the turn better than others.
fn few_racks(racks: usize) -> f64 {
    racks as f64 / 4.0
}

/// The opponent plays two tiles, we pass, and the opponent plays two more. Returns both turns, and the position after them.
fn two_turns() -> (Vec<ObservedTurn>, Position) {
    let first_before = position(LATE);
    let first = placement_of(&first_before, &rack("AEINRTU"), 2);
    let ours = first_before.after(&first).unwrap();
    let second_before = ours.after(&Turn::Play(Play::Pass)).unwrap();
    let shown = ObservedTurn::new(first_before.clone(), first).unwrap().shown();
    let kept = rack("AEINRTU").minus(&shown).unwrap();
    let second = placement_of(&second_before, &kept.plus(&rack("M?")), 2);
    let now = second_before.after(&second).unwrap();
    let turns = [(first_before, first), (second_before, second)].map(|(before, turn)| ObservedTurn::new(before, turn).unwrap());
    (turns.into(), now)
}

/// The twin for two turns between which we drew these tiles: leaves by weight.
fn twin_of_two(turns: &[ObservedTurn], drawn_by_us: &Rack) -> HashMap<Rack, f64> {
    let mut likelihoods: HashMap<(usize, Rack), f64> = HashMap::new();
    let mut of = |index: usize, held: Rack| {
        let turn = &turns[index];
        *likelihoods.entry((index, held)).or_insert_with(|| {
            let lost = lost(turn.before(), turn.turn(), &held, &turn.kept_of(&held).unwrap());
            OpponentModel::Static.likelihood(lost, turn.before().in_bag())
        })
    };
    let mut twin: HashMap<Rack, f64> = HashMap::new();
    let exchanged = turns[0].exchanged_before();
    let others: Vec<Tile> = turns[0].before().unknown().minus(&exchanged).unwrap().tiles().collect();
    for (held, rest) in choices(&others, turns[0].held()) {
        let Some(kept) = turns[0].kept_of(&held) else { continue };
        let bag: Vec<Tile> = rest.iter().copied().chain(exchanged.tiles()).collect();
        for (drawn, bag) in choices(&bag, turns[1].held() - kept.len()) {
            let held_then = kept.plus(&drawn);
            let Ok(leave) = held_then.minus(&turns[1].shown()) else { continue };
            let ways = choices(&bag, drawn_by_us.len()).iter().filter(|(ours, _)| ours == drawn_by_us).count();
            if ways > 0 {
                *twin.entry(leave).or_insert(0.0) += ways as f64 * of(0, held) * of(1, held_then);
            }
        }
    }
    twin
}

#[test]
fn earlier_turns_count_as_if_all_deals_were_gone_through() {
    let (turns, now) = two_turns();
    let both = belief(&now, InferenceOptions::new(OpponentModel::Static, turns.clone()));
    assert_eq!(both.scope.turns, 2);
    check_alike(&both, &twin_of_two(&turns, &Rack::EMPTY), 1e-9, "two turns");
    let last_alone = InferenceOptions { earlier_turns: 0, ..InferenceOptions::new(OpponentModel::Static, turns) };
    assert_ne!(belief(&now, last_alone).leaves, both.leaves, "the first turn tells something");
}

#[test]
fn earlier_turns_without_tiles_on_the_board_count_as_well() {
    let first_before = position(LATE);
    let holds = rack("AEINRTU");
    let Turn::Play(Play::Place(word)) = placement_of(&first_before, &holds, 2) else { panic!("a placement") };
    for first in [Turn::Play(Play::Pass), Turn::Phony(word)] {
        let second_before = first_before.after(&first).unwrap().after(&Turn::Play(Play::Pass)).unwrap();
        let second = placement_of(&second_before, &holds, 2);
        let now = second_before.after(&second).unwrap();
        let turns = [(first_before.clone(), first), (second_before, second)].map(|(before, turn)| ObservedTurn::new(before, turn).unwrap());
        let both = belief(&now, InferenceOptions::new(OpponentModel::Static, turns.to_vec()));
        assert_eq!(both.scope.turns, 2);
        check_alike(&both, &twin_of_two(&turns, &Rack::EMPTY), 1e-9, &format!("{first:?}"));
    }
}

#[test]
fn what_we_exchanged_between_two_turns_is_held_only_where_it_can_be() {
    // Three Rs are unseen, one of which we exchanged before the first turn. Between the turns we exchange an A and draw an R.
    let first_before = position(&LATE.replace("DIKLORR", "ADIKLMO"));
    let (exchanged_before, exchanged_between, drawn_by_us) = (rack("R"), rack("A"), rack("R"));
    let holds = rack("EINRTUZ");
    let first = placement_of(&first_before, &holds, 1);
    let first_observed = ObservedTurn::new(first_before.clone(), first).unwrap().after_exchange(exchanged_before);
    let kept = holds.minus(&first_observed.shown()).unwrap();
    let mut second_before = first_before.after(&first).unwrap().after(&Turn::Play(Play::Pass)).unwrap();
    second_before.set_rack(second_before.on_turn().opponent(), &rack("DIKLMOR")).unwrap();
    let second = placement_of(&second_before, &kept.plus(&rack("R")), 1);
    let now = second_before.after(&second).unwrap();
    let second_observed = ObservedTurn::new(second_before, second).unwrap().after_exchange(exchanged_between);
    let turns = [first_observed, second_observed];
    let belief = |turns: &[ObservedTurn]| belief(&now, InferenceOptions::new(OpponentModel::Static, turns.to_vec()));
    let both = belief(&turns);
    assert_eq!(both.scope.turns, 2);
    check_alike(&both, &twin_of_two(&turns, &drawn_by_us), 1e-9, "exchanges between");
    let [first, second] = turns;
    assert_ne!(belief(&[first.clone(), second.clone().after_exchange(Rack::EMPTY)]).leaves, both.leaves, "the A was in the bag");
    assert_ne!(belief(&[first.after_exchange(Rack::EMPTY), second]).leaves, both.leaves, "one R was in the bag");
}

#[test]
fn after_a_phony_the_whole_rack_is_kept() {
    let before = position(LATE);
    // A valid word that was challenged, and two invalid words.
    let written = ["14A.NINDOW", "A14.TE"].map(|text| plain_engine().parse_play(text, &before).unwrap());
    for turn in [placement_of(&before, &rack("AEINRTU"), 3)].into_iter().chain(written) {
        let Turn::Play(Play::Place(placement)) = turn else { panic!("a placement") };
        let turn = Turn::Phony(placement);
        let after = before.after(&turn).unwrap();
        let observed = ObservedTurn::new(before.clone(), turn).unwrap();
        assert_eq!(observed.kept(), 7);
        let belief = belief(&after, InferenceOptions::new(OpponentModel::Static, vec![observed.clone()]));
        let out_of_sight: Vec<Tile> = after.unseen().tiles().collect();
        let mut twin = HashMap::new();
        for (held, _) in choices(&out_of_sight, 7) {
            let Ok(others) = held.minus(&observed.shown()) else { continue };
            *twin.entry(held).or_insert(0.0) += OpponentModel::Static.likelihood(lost(&before, &turn, &held, &others), before.in_bag());
        }
        check_alike(&belief, &twin, 1e-9, &format!("{turn:?}"));
    }
}

#[test]
fn the_opening_of_the_paper_has_its_leaves() {
    // In the paper we hold GLORRTU after the opening IMINO. The leaves that survive depend on words and leave values; the number of leaves
    // and their priors do not.
    let before = position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 /GLORRTU 0/0 0");
    let plays = all_plays(knowledge(), &before, &rack("IIMNO"));
    let played = plays.iter().find(|play| play.score == 16 && play.play.rack_tiles().len() == 5).expect("five tiles on a premium square");
    let turn = Turn::Play(played.play);
    let after = before.after(&turn).unwrap();
    let observed = vec![ObservedTurn::new(before, turn).unwrap()];
    let all = belief(&after, InferenceOptions::new(OpponentModel::Uniform, observed.clone()));
    assert_eq!(all.leaves.len(), 372);
    let prior = all.leaves.iter().find(|row| row.leave == rack("O?")).unwrap().prior;
    assert!((prior - 12.0 / 3828.0).abs() < 1e-12);
    let theirs = belief(&after, InferenceOptions::new(OpponentModel::RichardsAmir, observed));
    assert!(theirs.leaves.len() < 60 && theirs.is_explained, "{}", theirs.leaves.len());
    for excluded in ["H?", "L?"] {
        assert!(theirs.leaves.iter().all(|row| row.leave != rack(excluded)), "{excluded} has a better play");
    }
}

#[test]
fn a_stop_before_the_first_rack_still_leaves_a_belief() {
    let before = position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0");
    let turn = placement_of(&before, &rack("AEINRTU"), 2);
    let after = before.after(&turn).unwrap();
    let observed = vec![ObservedTurn::new(before, turn).unwrap()];
    for (model, name) in OpponentModel::ALL {
        let options = InferenceOptions { most_racks: 100, ..InferenceOptions::new(model, observed.clone()) };
        let request = SearchRequest::new(SearchPosition::new(after.clone()).unwrap(), Analysis::Inference(options), RunSettings::default());
        let signals = Signals::default();
        signals.stop();
        let Some(Report::Inference(belief)) = run(knowledge(), &request.unwrap(), &signals, &mut |_: Report| {}).last else {
            panic!("{name}")
        };
        let chances: f64 = belief.leaves.iter().map(|row| row.chance).sum();
        assert!((chances - 1.0).abs() < 1e-9 && belief.scope.racks < 100, "{name} {chances} {:?}", belief.scope);
    }
}

#[test]
fn what_cannot_be_inferred_is_refused() {
    let before = position(LATE);
    let turn = placement_of(&before, &rack("AEINRTU"), 2);
    let after = before.after(&turn).unwrap();
    let observed = ObservedTurn::new(before.clone(), turn).unwrap();
    let refused = |position: &Position, turns: Vec<ObservedTurn>| {
        let analysis = Analysis::Inference(InferenceOptions::new(OpponentModel::Static, turns));
        SearchRequest::new(SearchPosition::new(position.clone()).unwrap(), analysis, RunSettings::default()).unwrap_err()
    };
    assert_eq!(refused(&after, vec![]), RequestError::NothingToInfer);
    assert_eq!(refused(&before, vec![observed.clone()]), RequestError::OtherTurns);
    assert!(ObservedTurn::new(after.clone(), turn).is_err(), "a turn that is not possible there");
    let Turn::Play(Play::Place(phony)) = plain_engine().parse_play("14A.NINDOW", &before).unwrap() else { panic!("a placement") };
    let phony = Turn::Phony(phony);
    let mut without_n = before.after(&phony).unwrap();
    without_n.set_rack(without_n.on_turn().opponent(), &rack("AEIRTUZ")).unwrap();
    assert_eq!(refused(&without_n, vec![ObservedTurn::new(before.clone(), phony).unwrap()]), RequestError::ImpossibleRack);
    let belief = belief(&after, InferenceOptions::new(OpponentModel::Static, vec![observed]));
    assert!(belief.fits(&after) && !belief.fits(&before));
}
