//! The public engine with any game, any position and any options: it answers, or refuses in words.
//!
//! What counts, beyond "no panic": a best play is legal and on the rack; the same question has the same answer, whatever the number of threads;
//! a refusal says something. Every search has a counted limit, so that an input takes a moment.

use arbitrary::{Result, Unstructured};
use std::sync::{Arc, LazyLock};
use tilewright::engine::{Engine, EngineError};
use tilewright::formats::layout;
use tilewright::rules::Layout;
use tilewright::rules::distribution::TileSpec;
use tilewright::rules::{
    Board, Direction, GameRules, LetterDistribution, Placed, Placement, Play, Position, Rack, Square, Tile, Turn, Variant,
};
use tilewright::search::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, ObservedTurn, OpponentModel, OpponentTiles, Outcome, PlaySelection,
    PreEndgameOptions, Report, RequestError, RunSettings, Signals, SimulationOptions, StaticOptions, StopCondition,
};

/// Turns from the start of a game, at most.
const MOST_TURNS: usize = 24;

/// Iterations and nodes of a search, at most.
const MOST_ITERATIONS: u64 = 3;
const MOST_NODES: u64 = 60;

/// Tiles on both racks of an endgame that is searched without a limit.
const MOST_SOLVED: usize = 5;

/// The engines that inputs choose from: built-in and made-up letters, small boards and large ones, racks of 1 to 8, all variants.
static ENGINES: LazyLock<Vec<Engine>> = LazyLock::new(|| {
    let mut engines = vec![Engine::builtin()];
    let built_in = ["english", "dutch", "polish", "catalan"].map(|name| LetterDistribution::built_in(name).expect("letters"));
    let made_up =
        [(2, 52, 10), (4, 18, 0), (63, 1, 2), (30, 3, 4), (6, 2, 1)].map(|(letters, count, blanks)| made_up(letters, count, blanks));
    for (at, distribution) in built_in.into_iter().chain(made_up).enumerate() {
        let distribution = Arc::new(distribution);
        for (turn, variant) in Variant::ALL.into_iter().enumerate() {
            let layout = match (at + turn) % 3 {
                0 => Layout::standard(),
                1 => Layout::super21(),
                _ => layout::parse("small", "=...=\n.'.'.\n..*..\n.'.'.\n=...=\n").expect("a layout"),
            };
            let rules = GameRules::builder(Arc::clone(&distribution), layout)
                .rack_size(1 + (3 * at + 5 * turn) % 8)
                .exchange_limit((at + 2 * turn) % 9)
                .variant(variant)
                .build()
                .expect("rules");
            let leaves = ["auto", "none", "rack-heuristic-2"][(at + turn) % 3];
            let engine = Engine::builder().rules(rules).word_list("words", &words(&distribution)).leaves(leaves).hash_megabytes(1);
            engines.push(engine.build().expect("an engine"));
        }
    }
    engines
});

/// An alphabet of `letters` letters, with `count` tiles of the first ones, and ever fewer of the others.
fn made_up(letters: u8, count: u8, blanks: u8) -> LetterDistribution {
    let face = |letter: u8, first: u8| match letter.checked_sub(26) {
        None => char::from(first + letter).to_string(),
        Some(rest) => [first + rest / 26, first + rest % 26].map(char::from).iter().collect(),
    };
    let tile = |letter: u8| TileSpec {
        face: face(letter, b'A'),
        blank_face: face(letter, b'a'),
        count: (count / (1 + letter / 2)).max(u8::from(letter < 20)),
        value: i32::from(letter) % 11,
        is_vowel: letter.is_multiple_of(3),
    };
    let blank = TileSpec { face: "?".to_string(), blank_face: "?".to_string(), count: blanks, value: 0, is_vowel: false };
    LetterDistribution::new("made-up", blank, (0..letters).map(tile).collect()).expect("an alphabet")
}

/// Words of the most frequent letters, so that most racks have plays.
fn words(distribution: &LetterDistribution) -> String {
    let mut letters: Vec<_> = distribution.letters().collect();
    letters.sort_by_key(|&letter| std::cmp::Reverse(distribution.count(Tile::from(letter))));
    letters.truncate(6);
    let word = |number: usize| {
        let length = 2 + number % 7;
        let word: Vec<_> = (0..length).map(|at| letters[number.wrapping_mul(7919 + 31 * at) / 5 % letters.len()]).collect();
        distribution.word_text(&word) + "\n"
    };
    (0..120).map(word).collect()
}

/// The target: bytes are read as an engine, a position and some questions.
pub fn engine(data: &[u8]) {
    let _ = ask_about_a_game(&mut Unstructured::new(data));
}

fn ask_about_a_game(bytes: &mut Unstructured<'_>) -> Result<()> {
    let engine = &ENGINES[bytes.choose_index(ENGINES.len())?];
    let mut game = match bytes.ratio(1, 4)? {
        true => Game { position: any_position(engine, bytes)?, past: Vec::new() },
        false => played(engine, bytes)?,
    };
    if bytes.ratio(1, 8)? {
        let text = bytes.arbitrary::<&str>()?;
        if let Ok(position) = engine.position(text) {
            game.position = position;
        }
        match engine.parse_play(text, &game.position) {
            Ok(turn) => assert!(game.position.after(&turn).is_ok(), "{text:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(best) = engine.best_play(&game.position) {
        check_legal(engine, &game.position, &best.play);
        let ranking = engine.static_ranking(&game.position, 3).expect("as the best play");
        assert_eq!(ranking.first(), Some(&best));
    }
    for _ in 0..3 {
        let analysis = any_analysis(engine, &game, bytes)?;
        let settings = RunSettings { threads: 1, seed: bytes.arbitrary()?, hash_megabytes: 1, ..engine.settings() };
        let answer = ask(engine, &game.position, &analysis, settings);
        let again = ask(engine, &game.position, &analysis, RunSettings { threads: bytes.int_in_range(1..=3)?, ..settings });
        assert_eq!(again, answer, "another answer: {analysis:?}");
        if let Ok(Outcome { best, .. }) = &answer {
            match best {
                Some(best) => check_selected(engine, &game.position, &analysis, best),
                None => assert!(matches!(analysis, Analysis::Inference(_)), "no play: {analysis:?}"),
            }
        }
    }
    check_shortcuts(engine, &game);
    Ok(())
}

/// The calls that need no options.
fn check_shortcuts(engine: &Engine, game: &Game) {
    let position = &game.position;
    let simulated = engine.simulate(position, SimulationOptions { iterations: Some(2), ..SimulationOptions::default() });
    if let Ok(rows) = &simulated {
        check_legal(engine, position, &rows[0].ranked.play);
    }
    assert_eq!(simulated.is_ok(), engine.best_play(position).is_ok(), "a simulation serves what static evaluation serves");
    let few = position.unseen().len() + position.mover_rack().len() <= MOST_SOLVED;
    if few && let Ok(solution) = engine.solve(position) {
        assert!(solution.solved, "{solution:?}");
    }
    if let Some(turns) = game.observed()
        && let Ok(belief) = engine.infer(position, turns, OpponentModel::RichardsAmir)
    {
        assert!(belief.leaves.iter().all(|row| (0.0..=1.000_001).contains(&row.chance)), "{belief:?}");
    }
    if let Ok(Analysis::Inference(_) | Analysis::Static(_)) = engine.phase_analysis(position) {
        panic!("no phase has such a search");
    }
}

/// A position with the turns that led to it.
struct Game {
    position: Position,
    past: Vec<(Position, Turn)>,
}

impl Game {
    /// The opponent's turns, if there are any.
    fn observed(&self) -> Option<Vec<ObservedTurn>> {
        let past = self.past.iter().map(|(before, turn)| (before, *turn));
        ObservedTurn::of_game(self.position.on_turn().opponent(), past).ok().filter(|turns| !turns.is_empty())
    }
}

/// Some of these tiles, at most `most` of them.
fn some_tiles(tiles: &Rack, most: usize, bytes: &mut Unstructured<'_>) -> Result<Rack> {
    let mut left: Vec<Tile> = tiles.tiles().collect();
    let mut some = Rack::EMPTY;
    while some.len() < most && !left.is_empty() {
        some.add(left.swap_remove(bytes.choose_index(left.len())?));
    }
    Ok(some)
}

/// A game from its start, with drawn racks.
fn played(engine: &Engine, bytes: &mut Unstructured<'_>) -> Result<Game> {
    let mut game = Game { position: engine.new_game(), past: Vec::new() };
    let rack_size = engine.rules().rack_size;
    for _ in 0..bytes.int_in_range(0..=MOST_TURNS)? {
        let position = &mut game.position;
        let seat = position.on_turn();
        let known = *position.mover_rack();
        let drawn = some_tiles(&position.unknown(), rack_size - known.len(), bytes)?;
        position.set_rack(seat, &known.plus(&drawn)).expect("unknown tiles");
        let Ok(rows) = engine.static_ranking(position, 5) else { break };
        let row = rows[bytes.choose_index(rows.len())?].play;
        let play = match bytes.int_in_range(0..=9)? {
            0 => Play::Pass,
            1 => Play::Exchange(some_tiles(position.mover_rack(), bytes.int_in_range(1..=8)?, bytes)?),
            _ => row,
        };
        let turn = Turn::Play(play);
        let Ok(after) = position.after(&turn) else { break };
        if after.end().is_some() {
            break;
        }
        game.past.push((std::mem::replace(position, after), turn));
    }
    if game.position.mover_rack().len() < rack_size && bytes.ratio(9, 10)? {
        let (seat, known) = (game.position.on_turn(), *game.position.mover_rack());
        let drawn = some_tiles(&game.position.unknown(), rack_size - known.len(), bytes)?;
        game.position.set_rack(seat, &known.plus(&drawn)).expect("unknown tiles");
    }
    Ok(game)
}

/// Tiles anywhere on the board, racks of any tiles.
fn any_position(engine: &Engine, bytes: &mut Unstructured<'_>) -> Result<Position> {
    let rules = engine.rules();
    let dim = rules.layout.dim();
    let mut board = Board::empty(dim);
    let mut left = Rack::full_bag(&rules.distribution);
    let letters: Vec<_> = rules.distribution.letters().collect();
    let leave = bytes.int_in_range(0..=24)?;
    for square in Square::all(dim) {
        if left.len() <= leave {
            break;
        }
        if bytes.ratio(1, 6)? {
            continue;
        }
        let tile = some_tiles(&left, 1, bytes)?.tiles().next().expect("a tile");
        left = left.minus(&std::iter::once(tile).collect()).expect("it is there");
        let placed = match tile.letter() {
            Some(letter) => Placed::tile(letter),
            None => Placed::blank(letters[bytes.choose_index(letters.len())?]),
        };
        board.set(square, Some(placed));
    }
    let own = some_tiles(&left, bytes.int_in_range(0..=rules.rack_size)?, bytes)?;
    let rest = left.minus(&own).expect("tiles of it");
    let theirs = if bytes.ratio(1, 2)? { some_tiles(&rest, bytes.int_in_range(0..=rules.rack_size)?, bytes)? } else { Rack::EMPTY };
    let scores = [bytes.int_in_range(-2000..=2000)?, bytes.int_in_range(-2000..=2000)?];
    let zero_turns = bytes.int_in_range(0..=rules.max_zero_turns)?;
    Ok(Position::builder(Arc::clone(rules))
        .board(board)
        .rack(own)
        .opponent_rack(theirs)
        .scores(scores[0], scores[1])
        .zero_turns(zero_turns)
        .build()
        .expect("tiles of one bag"))
}

/// Plays of the static ranking, the pass, and tiles laid anywhere.
fn any_plays(engine: &Engine, position: &Position, bytes: &mut Unstructured<'_>) -> Result<Vec<Play>> {
    let rows = engine.static_ranking(position, 20).unwrap_or_default();
    let mut plays = Vec::new();
    for _ in 0..bytes.int_in_range(0..=3)? {
        let play = match bytes.int_in_range(0..=3)? {
            0 => Play::Pass,
            1 => Play::Exchange(some_tiles(position.mover_rack(), bytes.int_in_range(1..=8)?, bytes)?),
            2 if !rows.is_empty() => rows[bytes.choose_index(rows.len())?].play,
            _ => {
                let dim = position.board().dim();
                let last = u8::try_from(dim - 1).expect("boards are small");
                let start = Square::new(bytes.int_in_range(0..=last)?, bytes.int_in_range(0..=last)?);
                let direction = if bytes.arbitrary()? { Direction::Across } else { Direction::Down };
                let tiles = some_tiles(position.mover_rack(), bytes.int_in_range(1..=4)?, bytes)?;
                let laid: Vec<_> = tiles.tiles().filter_map(Tile::letter).map(|letter| Some(Placed::tile(letter))).collect();
                Play::Place(Placement::new(start, direction, &laid))
            }
        };
        plays.push(play);
    }
    Ok(plays)
}

fn any_selection(engine: &Engine, position: &Position, bytes: &mut Unstructured<'_>) -> Result<PlaySelection> {
    let most = match bytes.int_in_range(0..=3)? {
        0 => None,
        1 => Some(bytes.int_in_range(0..=6)?),
        _ => Some(2),
    };
    let only = if bytes.ratio(1, 4)? { Some(any_plays(engine, position, bytes)?) } else { None };
    let also = if bytes.ratio(1, 4)? { any_plays(engine, position, bytes)? } else { Vec::new() };
    Ok(PlaySelection { most, only, also })
}

fn any_inference(game: &Game, bytes: &mut Unstructured<'_>) -> Result<InferenceOptions> {
    let models = [OpponentModel::Uniform, OpponentModel::RichardsAmir, OpponentModel::Static, OpponentModel::Sim, OpponentModel::Auto];
    let options = InferenceOptions::new(models[bytes.choose_index(models.len())?], game.observed().unwrap_or_default());
    Ok(InferenceOptions {
        most_racks: bytes.int_in_range(0..=30)?,
        earlier_turns: bytes.int_in_range(0..=2)?,
        most_simulated: bytes.int_in_range(0..=1)?,
        ..options
    })
}

fn any_analysis(engine: &Engine, game: &Game, bytes: &mut Unstructured<'_>) -> Result<Analysis> {
    let plays = any_selection(engine, &game.position, bytes)?;
    let opponent_tiles = if bytes.ratio(1, 4)? { OpponentTiles::Inferred(any_inference(game, bytes)?) } else { OpponentTiles::Uniform };
    // One limit is small; the other may be anything.
    let any_limit = |bytes: &mut Unstructured<'_>| -> Result<Option<u64>> { bytes.arbitrary() };
    let nodes = Some(bytes.int_in_range(0..=MOST_NODES)?);
    Ok(match bytes.int_in_range(0..=5)? {
        0 => Analysis::Static(StaticOptions { plays }),
        1 => Analysis::Inference(any_inference(game, bytes)?),
        2 => Analysis::PreEndgame(PreEndgameOptions {
            plays,
            nodes,
            first_win: bytes.arbitrary()?,
            skip_if_forced: bytes.arbitrary()?,
            opponent_tiles,
        }),
        3 => Analysis::Endgame(EndgameOptions {
            plays,
            plies: bytes.arbitrary()?,
            nodes,
            first_win: bytes.arbitrary()?,
            skip_if_forced: bytes.arbitrary()?,
        }),
        _ => {
            let few = Some(bytes.int_in_range(0..=MOST_ITERATIONS)?);
            let (iterations, nodes) = if bytes.arbitrary()? { (few, any_limit(bytes)?) } else { (any_limit(bytes)?, nodes) };
            let conditions = [None, Some(StopCondition::Percent95), Some(StopCondition::Percent98), Some(StopCondition::Percent99)];
            let allocations = [Allocation::Adaptive, Allocation::Equal, Allocation::TopTwo { floor: bytes.arbitrary()? }];
            Analysis::Simulation(SimulationOptions {
                plays,
                plies: if bytes.ratio(1, 8)? { bytes.arbitrary()? } else { None },
                iterations,
                nodes,
                stop_condition: conditions[bytes.choose_index(conditions.len())?],
                allocation: allocations[bytes.choose_index(allocations.len())?],
                equity_weight: if bytes.ratio(1, 4)? { bytes.arbitrary()? } else { None },
                static_samples: if bytes.ratio(1, 4)? { bytes.arbitrary()? } else { None },
                opponent_passes: bytes.arbitrary()?,
                opponent_tiles,
                rows: if bytes.ratio(1, 4)? { bytes.arbitrary()? } else { None },
                log_samples: bytes.arbitrary()?,
            })
        }
    })
}

/// The answer, or why there is none.
fn ask(engine: &Engine, position: &Position, analysis: &Analysis, settings: RunSettings) -> std::result::Result<Outcome, RequestError> {
    let engine = engine.with_settings(settings);
    let request = match engine.request(position, analysis.clone()) {
        Ok(request) => request,
        Err(EngineError::Request(refused)) => {
            assert!(!refused.to_string().is_empty());
            return Err(refused);
        }
        // A position of its own game has the engine's letters.
        Err(other) => panic!("{other}"),
    };
    Ok(engine.run(&request, &Signals::default(), &mut |_: Report| {}).expect("the engine that made the request"))
}

/// Whether the player on turn has the tiles for this and the rules allow it.
fn check_legal(_engine: &Engine, position: &Position, play: &Play) {
    position.after(&Turn::Play(*play)).unwrap_or_else(|error| panic!("{error}: {play:?}"));
    let mut known = position.clone();
    known.deduce_racks();
    assert!(known.mover_rack().minus(&play.rack_tiles()).is_ok(), "tiles that are not on the rack: {play:?}");
}

/// The same, of a search that looks at selected plays.
fn check_selected(engine: &Engine, position: &Position, analysis: &Analysis, best: &Play) {
    check_legal(engine, position, best);
    let PlaySelection { only, also, .. } = analysis.plays();
    if let Some(only) = only {
        assert!(only.contains(best) || also.contains(best), "{best:?} was not asked for: {analysis:?}");
    }
    let is_named = analysis.plays().named().any(|named| named == best);
    if let Play::Place(placement) = best
        && !is_named
        && position.rules().variant != Variant::Wordsmog
    {
        let scored = tilewright::rules::scoring::score_placement(position.rules(), position.board(), placement).expect("a legal play");
        assert!(scored.words.iter().all(|word| engine.lexicon().contains(&word.letters())), "words that are not in the list: {best:?}");
    }
}
