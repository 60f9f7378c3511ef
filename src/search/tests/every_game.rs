//! Tests of every search on random games of all kinds. Alphabets have up to 63 letters,
//! with up to 52 tiles of a kind and up to 10 blanks; racks have 1 to 8 tiles;
//! all variants are tried. A search answers with a legal turn, or the request is refused with a message.
//!
//! `TILEWRIGHT_GAMES` sets the number of games. A failing game is printed with all its parameters.

use crate::engine::{Engine, EngineError};
use crate::rules::distribution::TileSpec;
use crate::rules::variant::WordRule;
use crate::rules::{BySeat, Countdown, GameRules, Layout, LetterDistribution, Play, Position, Rack, Tile, Turn, Variant, scoring};
use crate::search::randomness::{self, Stream};
use crate::search::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, Listener, ObservedTurn, OpponentModel, OpponentTiles, Outcome, PlaySelection,
    PreEndgameOptions, RepliesOptions, Report, RequestError, RunSettings, Signals, SimulationOptions, StaticOptions, StopCondition,
};
use proptest::prelude::*;
use rand::{Rng, RngExt};
use std::sync::Arc;

/// The default number of games, which take a few seconds.
const GAMES: u32 = 24;

/// The parameters of a game. Everything else follows from the seed.
#[derive(Clone, Debug)]
struct DrawnGame {
    letters: usize,
    most_of_a_kind: u8,
    blanks: u8,
    rack_size: usize,
    /// The game is played until at most this many tiles are in the bag.
    in_bag: usize,
    variant: Variant,
    is_large: bool,
    seed: u64,
}

fn drawn_games() -> impl Strategy<Value = DrawnGame> {
    let variant =
        prop_oneof![3 => Just(Variant::Classic), 1 => Just(Variant::Wordsmog), 1 => Just(Variant::Misere), 1 => Just(Variant::Crossplay)];
    let letters = prop_oneof![2..=6usize, 2..=63usize];
    let most_of_a_kind = prop_oneof![1..=9u8, 1..=52u8];
    let in_bag = prop_oneof![3 => 0..=4usize, 1 => 5..=20usize];
    let parts = (letters, most_of_a_kind, 0..=10u8, 1..=8usize, in_bag, variant, any::<bool>(), any::<u64>());
    parts.prop_map(|(letters, most_of_a_kind, blanks, rack_size, in_bag, variant, is_large, seed)| DrawnGame {
        letters,
        most_of_a_kind,
        blanks,
        rack_size,
        in_bag,
        variant,
        is_large,
        seed,
    })
}

impl DrawnGame {
    fn distribution(&self, rng: &mut impl Rng) -> LetterDistribution {
        let face = |letter: usize, first: u8| match letter.checked_sub(26) {
            None => char::from(first + letter as u8).to_string(),
            Some(rest) => [first + (rest / 26) as u8, first + (rest % 26) as u8].map(char::from).iter().collect(),
        };
        // Enough tiles for games to end on the board.
        let mut room = 100usize;
        let mut letters: Vec<TileSpec> = (0..self.letters)
            .map(|letter| TileSpec {
                face: face(letter, b'A'),
                blank_face: face(letter, b'a'),
                count: 0,
                value: if rng.random_bool(0.02) { 100 } else { rng.random_range(0..=10) },
                is_vowel: rng.random_bool(0.4),
            })
            .collect();
        for _ in 0..self.letters {
            let letter = rng.random_range(0..self.letters);
            let count = usize::from(rng.random_range(1..=self.most_of_a_kind)).min(room);
            room -= count.saturating_sub(letters[letter].count.into());
            letters[letter].count = letters[letter].count.max(count as u8);
        }
        let blank = TileSpec { face: "?".to_string(), blank_face: "?".to_string(), count: self.blanks, value: 0, is_vowel: false };
        LetterDistribution::new("drawn", blank, letters).unwrap()
    }

    /// Words of a few letters, so that games go on.
    fn words(&self, distribution: &LetterDistribution, rng: &mut impl Rng) -> String {
        let mut letters: Vec<_> = distribution.letters().collect();
        letters.sort_by_key(|&letter| std::cmp::Reverse(distribution.count(letter.into())));
        letters.truncate(rng.random_range(2..=10));
        let word = |_| {
            let length = [2, 2, 2, 3, 3, 4, 5, 7, 8][rng.random_range(0..9)];
            let word: Vec<_> = (0..length).map(|_| letters[rng.random_range(0..letters.len())]).collect();
            distribution.word_text(&word) + "\n"
        };
        (0..80).map(word).collect()
    }

    fn engine(&self, rng: &mut impl Rng) -> Engine {
        let distribution = self.distribution(rng);
        let words = self.words(&distribution, rng);
        let layout = if self.is_large { Layout::super21() } else { Layout::standard() };
        let rules = GameRules::builder(distribution, layout)
            .rack_size(self.rack_size)
            .exchange_limit(rng.random_range(0..=7))
            .variant(self.variant)
            .build()
            .unwrap_or_else(|error| panic!("{error}: {self:?}"));
        let leaves = ["auto", "none", "rack-heuristic-3"][rng.random_range(0..3)];
        Engine::builder().rules(rules).word_list("drawn", &words).leaves(leaves).seed(self.seed).build().unwrap()
    }
}

/// A game in progress.
struct DrawnPosition {
    position: Position,
    /// Each turn so far, with the position before it.
    past: Vec<(Position, Turn)>,
}

/// Plays until few tiles are in the bag, or until the next turn would end the game. Most plays are good, and some are odd.
fn play(game: &DrawnGame, engine: &Engine, rng: &mut impl Rng) -> Option<DrawnPosition> {
    let mut bag: Vec<Tile> = Rack::full_bag(&engine.rules().distribution).tiles().collect();
    randomness::shuffle(&mut bag, rng);
    let mut racks = BySeat([Rack::EMPTY; 2]);
    let mut drawn = DrawnPosition { position: engine.new_game(), past: Vec::new() };
    loop {
        for rack in &mut racks.0 {
            while rack.len() < game.rack_size
                && let Some(tile) = bag.pop()
            {
                rack.add(tile);
            }
        }
        let seat = drawn.position.on_turn();
        let position = &mut drawn.position;
        position.set_rack(seat.opponent(), &Rack::EMPTY).unwrap();
        position.set_rack(seat, &racks[seat]).ok()?;
        // There is nothing to ask of a player without tiles.
        if racks[seat].is_empty() || position.end().is_some() {
            return None;
        }
        if bag.len() <= game.in_bag {
            if rng.random_bool(0.3) {
                position.set_rack(seat.opponent(), &racks[seat.opponent()]).unwrap();
            }
            return Some(drawn);
        }
        let rows = match engine.static_ranking(position, 4) {
            Ok(rows) => rows,
            // Where words may be spelled in any order, alphabets have at most 31 letters.
            Err(EngineError::NoAnagrams(_)) => return None,
            Err(error) => panic!("{error}: {game:?}"),
        };
        let play = if rng.random_bool(0.1) { Play::Pass } else { rows[rng.random_range(0..rows.len())].play };
        let turn = Turn::Play(play);
        let after = position.after(&turn).unwrap_or_else(|error| panic!("{error}: {game:?}"));
        if after.end().is_some() {
            return Some(drawn);
        }
        racks[seat] = racks[seat].minus(&play.rack_tiles()).unwrap();
        if let Play::Exchange(tiles) = play {
            bag.splice(0..0, tiles.tiles()).for_each(drop);
        }
        drawn.past.push((std::mem::replace(&mut drawn.position, after), turn));
    }
}

/// Returns all analyses that are asked for in a position.
fn analyses(drawn: &DrawnPosition, rng: &mut impl Rng) -> Vec<Analysis> {
    let observed =
        ObservedTurn::of_game(drawn.position.on_turn().opponent(), drawn.past.iter().map(|(before, turn)| (before, *turn))).unwrap();
    let model = [OpponentModel::Static, OpponentModel::Auto, OpponentModel::Sim, OpponentModel::RichardsAmir][rng.random_range(0..4)];
    let inference = InferenceOptions { most_racks: 40, most_simulated: 1, ..InferenceOptions::new(model, observed.clone()) };
    let opponent_tiles = match observed.is_empty() || rng.random_bool(0.5) {
        true => OpponentTiles::Uniform,
        false => OpponentTiles::Inferred(inference.clone()),
    };
    let [first, second, third] = std::array::from_fn(|_| PlaySelection::best(rng.random_range(1..=6)));
    vec![
        Analysis::Static(StaticOptions { plays: PlaySelection::best(100) }),
        Analysis::Inference(inference),
        Analysis::Replies(RepliesOptions { iterations: Some(5), opponent_tiles: opponent_tiles.clone(), ..RepliesOptions::default() }),
        Analysis::Simulation(SimulationOptions {
            plays: first,
            plies: [None, Some(0), Some(3), Some(50)][rng.random_range(0..4)],
            iterations: Some(6),
            allocation: [
                Allocation::Adaptive,
                Allocation::Equal,
                Allocation::TopTwo { floor: 2 },
                Allocation::Elimination { round: 2, errors: 2.0 },
            ][rng.random_range(0..4)],
            opponent_tiles: opponent_tiles.clone(),
            ..SimulationOptions::default()
        }),
        Analysis::Simulation(SimulationOptions {
            plays: second,
            iterations: Some(80),
            nodes: Some(300),
            stop_condition: Some(StopCondition::Percent95),
            ..SimulationOptions::default()
        }),
        Analysis::PreEndgame(PreEndgameOptions { plays: third, nodes: Some(300), opponent_tiles, ..PreEndgameOptions::default() }),
        Analysis::Endgame(EndgameOptions { nodes: Some(300), first_win: rng.random(), ..EndgameOptions::default() }),
    ]
}

/// Carries out an analysis, if it is possible.
fn ask(engine: &Engine, position: &Position, analysis: Analysis) -> Result<Outcome, RequestError> {
    struct Silent;
    impl Listener for Silent {
        fn report(&mut self, _report: Report) {}
    }
    match engine.search_with(position, analysis, &Signals::default(), &mut Silent) {
        Ok(outcome) => Ok(outcome),
        Err(EngineError::Request(refused)) => Err(refused),
        Err(other) => panic!("{other}"),
    }
}

/// Checks that the player on turn can make this play, and that its words are in the list.
fn check_legal(engine: &Engine, position: &Position, play: &Play) {
    let rules = position.rules();
    position.after(&Turn::Play(*play)).unwrap_or_else(|error| panic!("{error}: {play:?}"));
    let mut known = position.clone();
    known.deduce_racks();
    assert!(known.mover_rack().minus(&play.rack_tiles()).is_ok(), "tiles that are not on the rack: {play:?}");
    if let Some(placement) = play.placement()
        && rules.variant.words() == WordRule::InOrder
    {
        let scored = scoring::score_placement(rules, position.board(), placement).unwrap();
        assert!(scored.words.iter().all(|word| engine.lexicon().contains(&word.letters())), "words that are not in the list: {play:?}");
    }
}

/// Carries out all analyses of a game, and checks the answers.
fn check(game: &DrawnGame) {
    let mut rng = randomness::generator(game.seed, Stream::Positions, 0);
    let engine = game.engine(&mut rng);
    let Some(drawn) = play(game, &engine, &mut rng) else { return };
    let position = &drawn.position;
    for analysis in analyses(&drawn, &mut rng) {
        let answer = ask(&engine, position, analysis.clone());
        let many = engine.with_settings(RunSettings { threads: 3, ..engine.settings() });
        assert_eq!(ask(&many, position, analysis.clone()), answer, "another answer by three threads: {analysis:?}");
        match answer {
            Ok(Outcome { best: Some(best), .. }) => check_legal(&engine, position, &best),
            Ok(Outcome { best: None, .. }) => {
                assert!(matches!(analysis, Analysis::Inference(_) | Analysis::Replies(_)), "no play: {analysis:?}");
            }
            Err(refused) => assert!(!refused.to_string().is_empty()),
        }
    }
    // The analysis that `auto` chooses is always possible.
    let chosen = engine.phase_analysis(position).unwrap();
    let limited = match chosen {
        Analysis::Simulation(options) => Analysis::Simulation(SimulationOptions { iterations: Some(5), ..options }),
        Analysis::PreEndgame(options) => Analysis::PreEndgame(PreEndgameOptions { nodes: Some(100), ..options }),
        Analysis::Endgame(options) => Analysis::Endgame(EndgameOptions { nodes: Some(100), ..options }),
        other => panic!("{other:?}"),
    };
    let answer = ask(&engine, position, limited).unwrap_or_else(|refused| panic!("{refused}"));
    check_legal(&engine, position, &answer.best.unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("TILEWRIGHT_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(GAMES),
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_search_answers_or_refuses_in_words_whatever_the_game(game in drawn_games()) {
        check(&game);
    }
}

/// A pre-endgame search that ended in its first stage gave plays without results a mean of NaN.
#[test]
fn a_play_without_results_has_no_mean() {
    check(&DrawnGame {
        letters: 9,
        most_of_a_kind: 43,
        blanks: 8,
        rack_size: 6,
        in_bag: 2,
        variant: Variant::Classic,
        is_large: true,
        seed: 15_667_281_339_671_779_457,
    });
}

/// A pool of blanks alone leaves no tiles for the lists of placements without blanks.
#[test]
fn a_pool_without_letters_is_searched() {
    check(&DrawnGame {
        letters: 2,
        most_of_a_kind: 1,
        blanks: 9,
        rack_size: 2,
        in_bag: 2,
        variant: Variant::Classic,
        is_large: false,
        seed: 6_097_241_234_035_025_269,
    });
}

/// A pool of many tiles of one kind, which a table of fixed width would not hold.
#[test]
fn sixteen_tiles_of_a_kind_off_the_board_are_searched() {
    let dutch = Arc::new(LetterDistribution::built_in("dutch").unwrap());
    let e = dutch.parse_tiles("E").unwrap()[0];
    assert_eq!(dutch.count(e), 18);
    for (rack_size, on_board, expected) in [(7, 0, 4), (8, 0, 2), (8, 2, 0)] {
        let rules = GameRules::builder(Arc::clone(&dutch), Layout::standard()).rack_size(rack_size).build().unwrap();
        let mut board = crate::rules::Board::empty(15);
        let others = Rack::full_bag(&dutch).tiles().filter(|&tile| tile != e).collect::<Vec<_>>();
        assert_eq!(others.len(), 84);
        let laid = others.into_iter().chain(std::iter::repeat_n(e, on_board));
        for (square, tile) in crate::rules::Square::all(15).zip(laid) {
            let letter = crate::rules::Letter::new(1).unwrap();
            board.set(square, Some(tile.letter().map_or(crate::rules::Placed::blank(letter), crate::rules::Placed::tile)));
        }
        let rack = std::iter::repeat_n(e, rack_size).collect();
        let position =
            Position::of_parts(Arc::new(rules.clone()), board.clone(), [rack, Rack::EMPTY], [0, 0], Countdown::default()).unwrap();
        assert_eq!(position.in_bag(), expected);
        // The words that an E below the tiles completes, and those of nothing but E.
        let column = |col: usize| {
            let rows = (0..15).map_while(|row| board.get(crate::rules::Square::at(row, col)));
            dutch.word_text(&rows.map(crate::rules::Placed::letter).chain(e.letter()).collect::<Vec<_>>()) + "\n"
        };
        let words: String = (0..15).map(column).chain((2..=8).map(|length| "E".repeat(length) + "\n")).collect();
        let engine = Engine::builder().rules(rules).word_list("own", &words).build().unwrap();
        let nodes = Some(2_000);
        let searches = [
            Analysis::PreEndgame(PreEndgameOptions { nodes, ..PreEndgameOptions::default() }),
            Analysis::Endgame(EndgameOptions { nodes, ..EndgameOptions::default() }),
            Analysis::Simulation(SimulationOptions { iterations: Some(20), ..SimulationOptions::default() }),
        ];
        let mut answered = 0;
        for analysis in searches {
            match ask(&engine, &position, analysis) {
                Ok(outcome) => {
                    let best = outcome.best.unwrap();
                    check_legal(&engine, &position, &best);
                    assert!(best.placement().is_some(), "{best:?}");
                    answered += 1;
                }
                Err(refused) => assert!(matches!(refused, RequestError::TilesInBag { .. } | RequestError::NoPreEndgame { .. })),
            }
        }
        assert_eq!(answered, 2);
    }
}
