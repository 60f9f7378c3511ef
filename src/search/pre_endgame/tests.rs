//! Compares pre-endgame searches with brute enumeration on small games, and tests interruptions and threads.

use super::brute;
use super::draws::{Orders, deals, draws};
use super::lines::{LinePlayer, Skill, THEM, US};
use super::trial;
use super::types::WinTieLoss;
use crate::engine::builder::plain_engine;
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::formats::{cgp, small_rules};
use crate::movegen::LaneBoard;
use crate::rules::units::Millipoints;
use crate::rules::{Countdown, GameRules, Placement, Play, Position, Rack, Tile, Variant, scoring};
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::{EndgameDeal, EndgameLimits, Goal, QuickPlayouts, Solver};
use crate::search::randomness::{self, Stream};
use crate::search::report::{Outcome, PreEndgameBasis, PreEndgameClaim, PreEndgameReport, PreEndgameRow, Report};
use crate::search::{Analysis, Knowledge, PlaySelection, PreEndgameOptions, RunSettings, SearchPosition, SearchRequest, run};

fn knowledge() -> &'static Knowledge {
    plain_engine().knowledge()
}

/// A board with CARET and DOG on it, `rack` to move, and `unseen` tiles of which all but `in_bag` are the opponent's.
fn small(rack: &str, unseen: &str, in_bag: usize, lead: i32) -> Position {
    small_of(Variant::Classic, rack, unseen, in_bag, lead)
}

/// The same position in a variant.
fn small_of(variant: Variant, rack: &str, unseen: &str, in_bag: usize, lead: i32) -> Position {
    let rules = small_rules(&format!("CARETDOG{rack}{unseen}"), unseen.len() - in_bag);
    let rules = rules.to_builder().variant(variant).build().unwrap();
    let board = "15/15/15/15/15/15/15/5CARET5/10D4/10O4/10G4/15/15/15/15";
    // The two words share no edge, so they form no other words.
    cgp::parse(&format!("{board} {rack}/ {lead}/0 0"), &rules).unwrap().position
}

/// Small positions with one tile in the bag, from a seed.
fn random_small(index: u64) -> Position {
    random_small_with_lead(index, [0, 6, -9, 14][index as usize % 4])
}

fn random_small_with_lead(index: u64, lead: i32) -> Position {
    random_small_of(Variant::Classic, index, lead)
}

fn random_small_of(variant: Variant, index: u64, lead: i32) -> Position {
    let mut bag: Vec<char> = "AAAABCDDEEEEEEFGHIIIIILMNNNOOOOPRRRSSTTTTUVWY".chars().collect();
    let mut rng = randomness::generator(5, Stream::Positions, index);
    randomness::shuffle(&mut bag, &mut rng);
    let text = |from: usize, to: usize| bag[from..to].iter().collect::<String>();
    small_of(variant, &text(0, 3), &text(3, 7), 1, lead)
}

fn request(position: Position, options: PreEndgameOptions) -> SearchRequest {
    SearchRequest::new(SearchPosition::new(position).unwrap(), Analysis::PreEndgame(options), RunSettings::default()).unwrap()
}

/// A pre-endgame with this many candidates and a limit.
fn limited(plays: usize, nodes: u64) -> PreEndgameOptions {
    PreEndgameOptions { plays: PlaySelection::best(plays), nodes: Some(nodes), ..PreEndgameOptions::default() }
}

fn rows(outcome: &Outcome) -> (&[PreEndgameRow], PreEndgameClaim) {
    match &outcome.last {
        Some(Report::PreEndgame(PreEndgameReport { rows, claim, .. })) => (rows, *claim),
        other => panic!("a pre-endgame, not {other:?}"),
    }
}

#[test]
fn one_tile_in_the_bag_agrees_with_brute_enumeration() {
    let mut claims = [0; 3];
    for index in 0..16 {
        let position = random_small(index);
        assert_eq!(position.in_bag(), 1);
        let outcome = search(&request(position.clone(), PreEndgameOptions::default()));
        let (rows, claim) = rows(&outcome);
        let all = position.unseen().len() as u64;
        let worth = |play: &Play| {
            let worth = brute::worth(&position, play, &knowledge().lexicon);
            assert_eq!(brute::half_wins(&position, play, &knowledge().lexicon, 0), worth.half_wins, "{index}: {play:?}");
            worth
        };
        let worth: Vec<_> = rows.iter().map(|row| row.ranked.play.placement().map(|_| worth(&row.ranked.play))).collect();
        let best = worth.iter().flatten().max().unwrap();
        for (row, worth) in rows.iter().zip(&worth) {
            if row.basis == PreEndgameBasis::Proved {
                let worth = worth.expect("only placements are proved");
                assert!((row.win - worth.half_wins as f64 / (2 * all) as f64).abs() < 1e-9, "{index}: {row:?} {worth:?}");
            }
        }
        claims[claim as usize] += 1;
        let Some(first) = worth[0] else { continue };
        if claim != PreEndgameClaim::Nothing {
            assert_eq!(first.half_wins, best.half_wins, "{index}: {:?}", rows[0]);
        }
        if claim == PreEndgameClaim::Best {
            assert_eq!(first, *best, "{index}: {:?}", rows[0]);
            let mean = first.lead_sum as f64 / all as f64;
            assert!(rows[0].spread.is_some_and(|spread| (spread - mean).abs() < 1e-9) || rows[0].basis == PreEndgameBasis::Proved);
        }
    }
    // Nothing is claimed where a pass may be best or leads to lines that give no bound.
    assert!(claims[PreEndgameClaim::Nothing as usize] <= 8 && claims[PreEndgameClaim::Best as usize] >= 6, "{claims:?}");
}

/// The worth of a placement by the generator alone: half wins and the sum of final leads over all draws. There is one
/// tile in the bag, and each player has one more turn after the placement.
fn worth_by_last_turns(position: &Position, placement: &Placement) -> (u64, i64) {
    let (rules, graph) = (position.rules(), knowledge().lexicon.graph());
    let mut eval = StaticEval::new(rules, graph, &knowledge().evaluator.leaves);
    let mut lanes = LaneBoard::new(rules, position.board(), graph);
    let score = scoring::score_placement(rules, position.board(), placement).unwrap().score;
    lanes.play(placement, graph);
    let kept = position.mover_rack().minus(&placement.rack_tiles()).unwrap();
    let (mut half_wins, mut lead_sum) = (0, 0);
    for drawn in position.unseen().tiles() {
        let drawn: Rack = [drawn].into_iter().collect();
        let racks = [position.unseen().minus(&drawn).unwrap(), kept.plus(&drawn)];
        let mut theirs_at_best = i32::MIN;
        for reply in eval.all(&mut lanes, &StaticTurn::new(&racks[0], &racks[1], 0)) {
            if let Some(placement) = reply.play.placement() {
                lanes.play(placement, graph);
            }
            let ours = eval.best(&mut lanes, &StaticTurn::new(&racks[1], &Rack::EMPTY, 0)).score;
            if reply.play.placement().is_some() {
                lanes.undo();
            }
            theirs_at_best = theirs_at_best.max(reply.score - ours);
        }
        let lead = position.spread() + score - theirs_at_best;
        half_wins += (1 + lead.signum()) as u64;
        lead_sum += i64::from(lead);
    }
    (half_wins, lead_sum)
}

#[test]
fn last_turns_after_one_tile_in_the_bag_agree_with_enumeration() {
    let mut proved = 0;
    for index in 0..12 {
        let position = random_small_of(Variant::Crossplay, index, [0, 6, -9, 14][index as usize % 4]);
        let outcome = search(&request(position.clone(), PreEndgameOptions::default()));
        let (rows, claim) = rows(&outcome);
        let all = position.unseen().len() as f64;
        let placements = rows.iter().filter_map(|row| Some((row, row.ranked.play.placement()?)));
        let worth: Vec<_> = placements.map(|(row, placement)| (row, worth_by_last_turns(&position, placement))).collect();
        for (row, (half_wins, lead_sum)) in &worth {
            let by_brute = brute::worth(&position, &row.ranked.play, &knowledge().lexicon);
            assert_eq!((by_brute.half_wins, by_brute.lead_sum), (*half_wins, *lead_sum), "{index}: {row:?}");
            if row.basis == PreEndgameBasis::Proved {
                assert!((row.win - *half_wins as f64 / (2.0 * all)).abs() < 1e-9, "{index}: {row:?}");
                proved += 1;
            }
        }
        if claim != PreEndgameClaim::Nothing {
            let best = worth.iter().map(|(_, worth)| worth).max().unwrap();
            let (first, found) = &worth[0];
            assert_eq!((first.ranked.play, found.0), (rows[0].ranked.play, best.0), "{index}");
        }
    }
    assert!(proved > 20, "{proved}");
}

#[test]
fn quick_playouts_of_last_turns_are_a_best_play_and_a_reply_that_was_possible_before() {
    let (mut both, mut none) = (0, 0);
    for index in 0..8 {
        let position = random_small_of(Variant::Crossplay, index, 0);
        let (rules, graph) = (position.rules(), knowledge().lexicon.graph());
        let leaves = &knowledge().evaluator.leaves;
        let mut eval = StaticEval::new(rules, graph, leaves);
        let mut lanes = LaneBoard::new(rules, position.board(), graph);
        let pool = position.mover_rack().plus(&position.unseen());
        let plays = eval.best_few(&mut lanes, &StaticTurn::new(position.mover_rack(), &Rack::EMPTY, 1), 6);
        let mut quick = QuickPlayouts::new(rules, graph, leaves, &lanes, &pool);
        for play in plays.iter().filter(|play| play.play.placement().is_some()) {
            assert!(quick.begin(&play.play, &|| false));
            lanes.play(play.play.placement().unwrap(), graph);
            for tile in position.unseen().tiles() {
                let theirs = position.unseen().minus(&[tile].into_iter().collect()).unwrap();
                let mut game = DealtGame::default();
                game.deal([*position.mover_rack(), theirs], &[tile], 0, position.countdown());
                let line = LinePlayer::new(rules, graph, StaticEval::new(rules, graph, leaves), 1);
                line.take_turn(&mut game, US, play);
                assert_eq!((game.is_over(), game.countdown().last_turns), (false, Some(2)));
                let after = game.spread();
                let lead = quick.play_out(&game, THEM);
                // The opponent takes the best play there is. Our reply is valid on the resulting board, but need not be
                // the best one.
                let reply = eval.best(&mut lanes, &game.turn(THEM));
                if let Some(placement) = reply.play.placement() {
                    lanes.play(placement, graph);
                }
                let most = eval.best(&mut lanes, &StaticTurn::new(&game.racks[US], &Rack::EMPTY, 0)).score;
                if reply.play.placement().is_some() {
                    lanes.undo();
                }
                let ours = lead - (after - reply.score);
                assert!((0..=most).contains(&ours), "{index}: {ours} of {most} points after {reply:?}");
                *if ours > 0 { &mut both } else { &mut none } += 1;
            }
            lanes.undo();
        }
    }
    assert!(both > 20, "{both} {none}");
}

#[test]
fn estimates_are_held_against_what_brute_enumeration_finds() {
    for lead in [-12, 0, 9] {
        let position = small("ENS", "AIRT", 1, lead);
        let tried = trial::try_estimates(&position, knowledge(), 1);
        let won: u64 = trial::candidates(&position, knowledge())
            .iter()
            .map(|play| brute::half_wins(&position, &play.play, &knowledge().lexicon, 0))
            .sum();
        // A candidate is played out in two ways over each of four draws.
        let playouts: Vec<_> = tried.iter().filter(|estimate| estimate.nodes == 0).collect();
        assert_eq!(playouts.len(), 2 * 4 * trial::candidates(&position, knowledge()).len());
        let came: f64 = playouts.iter().map(|estimate| estimate.came).sum();
        assert!((came - won as f64).abs() < 1e-9, "lead {lead}: {came} deals of two playouts each are won, not {won}");
        assert!(tried.iter().all(|estimate| (0.0..=1.0).contains(&estimate.told) && !estimate.is_modelled));
    }
}

#[test]
fn a_lost_position_is_searched_to_its_end() {
    // All plays lose, so that spread alone ranks them. A pass, which is followed only by the model's play, may take the
    // lead at any time.
    for index in 0..24 {
        let position = random_small_with_lead(index, -200);
        let outcome = search(&request(position, limited(usize::MAX, 100_000)));
        let (rows, _) = rows(&outcome);
        assert!(rows.iter().all(|row| row.wins.is_empty()), "{index}: {:?}", rows[0]);
    }
}

#[test]
fn who_searches_may_be_a_thread_of_any_pool() {
    let request = request(random_small(3), limited(20, 2_000));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert_eq!(pool.broadcast(|_| search(&request)), vec![search(&request); 3]);
}

/// Small positions with two tiles in the bag, from a seed.
fn random_small_with_two(index: u64) -> Position {
    let mut bag: Vec<char> = "AAABCDDEEEEEFGHIIILMNNOOOPRRSSTTTUVWY".chars().collect();
    let mut rng = randomness::generator(6, Stream::Positions, index);
    randomness::shuffle(&mut bag, &mut rng);
    let text = |from: usize, to: usize| bag[from..to].iter().collect::<String>();
    let lead = [0, 4, -7][index as usize % 3];
    small(&text(0, 2), &text(2, 6), 2, lead)
}

/// How a candidate's deal ends by the model, whose players have this skill.
/// The endgame after the line is solved on a board of its own, to the end.
fn end_by_the_model(position: &Position, candidate: &EvaluatedPlay, bag: &[Tile], skill: Skill) -> WinTieLoss {
    let (rules, graph) = (position.rules(), knowledge().lexicon.graph());
    let held: Rack = bag.iter().copied().collect();
    let theirs = position.unseen().minus(&held).unwrap();
    let mut player = LinePlayer::new(rules, graph, StaticEval::new(rules, graph, &knowledge().evaluator.leaves), 1);
    let mut game = DealtGame::default();
    game.deal([*position.mover_rack(), theirs], bag, position.spread(), position.countdown());
    player.take_turn(&mut game, US, candidate);
    let mut board = position.board().clone();
    candidate.play.placement().into_iter().for_each(|placement| placement.put_on(&mut board));
    let mut lanes = LaneBoard::new(rules, &board, graph);
    let end = player.play_to_empty_bag(&mut lanes, &mut game, candidate.play == Play::Pass, skill);
    if end.is_over {
        return WinTieLoss::of(end.spread);
    }
    end.placements.iter().for_each(|placement| placement.put_on(&mut board));
    let deal = EndgameDeal::new(end.racks, end.lead(), end.passed);
    let mut solver = Solver::new(1).on(rules, &knowledge().lexicon, &board, &deal.pool());
    let solution = solver.solve(&deal, Goal::Spread, &EndgameLimits::default(), &Signals::default(), &mut |_| {});
    WinTieLoss::of(end.turned(deal.lead + solution.value))
}

#[test]
fn two_tiles_in_the_bag_agree_with_brute_enumeration() {
    let (mut proved, mut solved, mut claims) = (0, 0, 0);
    for index in 0..6 {
        let position = random_small_with_two(index);
        assert_eq!(position.in_bag(), 2);
        let outcome = search(&request(position.clone(), limited(usize::MAX, 100_000)));
        let (rows, claim) = rows(&outcome);
        let unseen = position.unseen().len();
        let orders = (unseen * (unseen - 1)) as f64;
        let worth = |row: &PreEndgameRow| brute::worth(&position, &row.ranked.play, &knowledge().lexicon);
        for row in rows {
            if row.basis == PreEndgameBasis::Proved {
                assert!((row.win - worth(row).half_wins as f64 / (2.0 * orders)).abs() < 1e-9, "{index}: {row:?}");
                proved += 1;
            }
            // Tiles stay in the bag: each deal ends as it does in the model with one skill or the other.
            if row.basis == PreEndgameBasis::Solved {
                let told = [(WinTieLoss::Win, &row.wins), (WinTieLoss::Tie, &row.ties), (WinTieLoss::Loss, &row.losses)];
                for (told, bag) in told.into_iter().flat_map(|(told, bags)| bags.iter().map(move |bag| (told, bag))) {
                    let ends = [Skill::Static, Skill::Informed].map(|skill| end_by_the_model(&position, &row.ranked, bag, skill));
                    assert!(ends.contains(&told), "{index}: {told:?} with {bag:?}, {ends:?} by brute enumeration: {row:?}");
                }
                solved += 1;
            }
        }
        if claim != PreEndgameClaim::Nothing {
            let empties_the_bag = |row: &&PreEndgameRow| row.ranked.play.placement().is_some() && row.drawn == 2;
            let most = rows.iter().filter(empties_the_bag).map(|row| worth(row).half_wins).max().unwrap();
            assert_eq!(worth(&rows[0]).half_wins, most, "{index}: {:?}", rows[0]);
            claims += 1;
        }
    }
    assert!(proved >= 4 && solved >= 20 && claims > 0, "{proved} proved, {solved} solved, {claims} claims");
}

fn search(request: &SearchRequest) -> Outcome {
    run(knowledge(), request, &Signals::default(), &mut |_: Report| {})
}

/// A real position with two tiles in the bag.
const TWO: &str = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G14 ENOSTXY/ 356/378 0";

#[test]
fn weights_of_draws_and_deals_sum_to_the_number_of_orders() {
    let english = GameRules::english().distribution.clone();
    for text in ["AEINRSTU", "AABBCC??", "EEEEEEEE", "AEINRSTUVWX", "AAABBCDEE?S"] {
        let unknown: Rack = english.parse_tiles(text).unwrap().into_iter().collect();
        for in_bag in 1..=4 {
            let orders: usize = (0..in_bag).map(|at| unknown.len() - at).product();
            let found = draws(&unknown, in_bag);
            assert_eq!(found.iter().map(|draw| draw.ways).sum::<u64>(), orders as u64);
            for which in [Orders::One, Orders::Rotations] {
                let deals = deals(&found, which);
                assert_eq!(deals.iter().map(|deal| deal.weight).sum::<u64>(), orders as u64, "{text} {in_bag} {which:?}");
                for deal in &deals {
                    let tiles = |tiles: &[Tile]| tiles.iter().copied().collect::<Rack>();
                    assert_eq!(tiles(&deal.tiles), tiles(&found[deal.draw].tiles));
                }
            }
        }
    }
    let unknown: Rack = english.parse_tiles("AEINRSTUVWX").unwrap().into_iter().collect();
    assert_eq!([1, 2, 3, 4].map(|in_bag| draws(&unknown, in_bag).len()), [11, 55, 165, 330]);
    // Two tiles in both orders: every order of every draw.
    assert_eq!(deals(&draws(&unknown, 2), Orders::Rotations).len(), 110);
}

#[test]
fn the_number_of_threads_changes_no_result() {
    let position = cgp::parse(TWO, &GameRules::english()).unwrap().position;
    let one = request(position, limited(12, 9_000));
    let outcome = search(&one);
    assert!(rows(&outcome).0[..2].iter().all(|row| row.basis != PreEndgameBasis::Static));
    for threads in [2, 3] {
        assert_eq!(outcome, search(&one.clone().with_settings(RunSettings { threads, ..one.settings() }).unwrap()), "{threads} threads");
    }
}

#[test]
fn an_interrupted_search_ranks_examined_candidates_first_and_counts_only_examined_draws() {
    let position = cgp::parse(TWO, &GameRules::english()).unwrap().position;
    let orders = (position.unseen().len() * (position.unseen().len() - 1)) as f64;
    let mut bases_seen = Vec::new();
    for stop_at in 0..9 {
        // Stops at the end of some stage or batch, or in the middle of the work after it.
        let signals = Signals::default();
        signals.ask_report();
        let mut reports = 0;
        let request = request(position.clone(), limited(20, 12_000));
        let outcome = run(knowledge(), &request, &signals, &mut |_: Report| {
            reports += 1;
            signals.ask_report();
            if reports == stop_at {
                signals.stop();
            }
        });
        let (rows, _) = rows(&outcome);
        assert_eq!((rows.len(), outcome.best), (20, Some(rows[0].ranked.play)));
        let first_unexamined = rows.iter().position(|row| row.basis == PreEndgameBasis::Static).unwrap_or(rows.len());
        assert!(rows[first_unexamined..].iter().all(|row| row.basis == PreEndgameBasis::Static));
        let of_playouts: Vec<_> = rows.iter().map(|row| row.basis == PreEndgameBasis::Playouts).collect();
        let searched =
            rows.iter().rposition(|row| matches!(row.basis, PreEndgameBasis::Searched | PreEndgameBasis::Solved | PreEndgameBasis::Proved));
        assert!(searched.is_none_or(|last| !of_playouts[..last].contains(&true)), "searched candidates come before others");
        for row in rows {
            let examined = row.wins.len() + row.ties.len() + row.losses.len();
            assert_eq!(examined == 0, row.basis == PreEndgameBasis::Static, "{row:?}");
            let all_win = row.ties.is_empty() && row.losses.is_empty() && examined > 0;
            if matches!(row.basis, PreEndgameBasis::Solved | PreEndgameBasis::Proved) {
                assert_eq!(all_win, (row.win - 1.0).abs() < 1e-12, "{row:?}");
            }
            // A playout that is won, however narrowly, counts as at least a fifth of a win.
            assert!(!all_win || row.win > 0.2, "unfinished draws are no losses: {row:?}");
            assert!((0.0..=1.0).contains(&row.win), "{row:?}");
            assert!(examined as f64 <= orders);
            bases_seen.push(row.basis);
        }
    }
    for basis in [PreEndgameBasis::Static, PreEndgameBasis::Playouts, PreEndgameBasis::Searched] {
        assert!(bases_seen.contains(&basis), "{basis:?}");
    }
}

#[test]
fn a_search_stopped_before_it_begins_still_answers() {
    let signals = Signals::default();
    signals.stop();
    let position = cgp::parse(TWO, &GameRules::english()).unwrap().position;
    let outcome = run(knowledge(), &request(position, PreEndgameOptions::default()), &signals, &mut |_: Report| {});
    let (rows, claim) = rows(&outcome);
    assert!(rows.iter().all(|row| row.basis == PreEndgameBasis::Static) && claim == PreEndgameClaim::Nothing);
    assert_eq!(outcome.best, Some(rows[0].ranked.play));
}

#[test]
fn players_of_the_model_do_not_use_hidden_tiles() {
    let position = cgp::parse(TWO, &GameRules::english()).unwrap().position;
    let (rules, graph) = (position.rules(), knowledge().lexicon.graph());
    let mut lanes = LaneBoard::new(rules, position.board(), graph);
    let unseen: Vec<Tile> = position.unseen().tiles().collect();
    let theirs: Rack = unseen[2..].iter().copied().collect();
    for skill in [Skill::Static, Skill::Informed] {
        let mut replies = Vec::new();
        // The opponent's rack is the same; what we hold and what is left in the bag change places.
        for ours in 0..2 {
            let mut player = LinePlayer::new(rules, graph, StaticEval::new(rules, graph, &knowledge().evaluator.leaves), 1);
            let mut game = DealtGame::default();
            let mut rack = *position.mover_rack();
            assert!(rack.remove(rules.distribution.parse_tiles("X").unwrap()[0]));
            rack.add(unseen[ours]);
            game.deal([rack, theirs], &[unseen[1 - ours]], -22, Countdown::default());
            let end = player.play_to_empty_bag(&mut lanes, &mut game, false, skill);
            assert_eq!(end.seat, US, "the opponent's placement empties the bag");
            replies.push(end.placements);
        }
        assert_eq!(replies[0], replies[1], "{skill:?}");
    }
}

#[test]
fn quick_playouts_begin_with_the_best_placements_of_the_generator() {
    let position = cgp::parse(TWO, &GameRules::english()).unwrap().position;
    let (rules, graph) = (position.rules(), knowledge().lexicon.graph());
    let leaves = &knowledge().evaluator.leaves;
    let mut lanes = LaneBoard::new(rules, position.board(), graph);
    let mut eval = StaticEval::new(rules, graph, leaves);
    let first_pool = position.mover_rack().plus(&position.unseen());
    let mut quick = QuickPlayouts::new(rules, graph, leaves, &lanes, &first_pool);
    let mut rng = randomness::generator(5, Stream::Positions, 100);
    let candidates = eval.all(&mut lanes, &StaticTurn::new(position.mover_rack(), &Rack::EMPTY, 2));
    let mut placed = 0;
    for number in 0..60 {
        let candidate = if number % 5 == 0 { Play::Pass } else { candidates[7 * number % candidates.len()].play };
        assert!(quick.begin(&candidate, &|| false));
        let mut pool = first_pool;
        if let Some(placement) = candidate.placement() {
            lanes.play(placement, graph);
            pool = pool.minus(&candidate.rack_tiles()).unwrap();
            placed += 1;
        }
        let mut tiles: Vec<Tile> = pool.tiles().collect();
        randomness::shuffle(&mut tiles, &mut rng);
        let size = 1 + number % tiles.len().min(7);
        let rack: Rack = tiles[..size].iter().copied().collect();
        let other: Rack = tiles[size..].iter().copied().collect();
        let expected = eval.best_placement(&mut lanes, &StaticTurn::new(&rack, &other, 0));
        let found = quick.first_play(&rack, other.value(&rules.distribution));
        // The evaluation counts what not going out costs; the playouts count what going out saves.
        let offset = 10 + 2 * rack.value(&rules.distribution);
        assert_eq!(found.map(|(_, worth)| Millipoints::from_points(worth - offset)), expected.map(|play| play.equity), "{number}");
        if candidate.placement().is_some() {
            lanes.undo();
        }
    }
    assert!(placed > 30, "{placed}");
    assert!(!quick.begin(&candidates[0].play, &|| true), "it is over before it is ready");
}
