//! A referee that trusts no player: checks and scores every play by the rules,
//! and looks up every word.
//!
//! Not here: games at full speed (`game.rs`). Start with [`play_game`] and [`replay`].

use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::formats::gcg::{Gcg, GcgPlayer};
use crate::lexicon::Lexicon;
use crate::match_play::bags::shuffled_bag;
use crate::rules::scoring::{self, PlacementError};
use crate::rules::{BySeat, GameEnd, GameRules, Play, Position, Rack, Seat, Turn, TurnError};
use crate::search::bag::Bag;
use crate::search::board_life;
use crate::search::randomness::{self, Stream};
use rand::RngExt;
use std::sync::Arc;
use thiserror::Error;

/// A turn of a refereed game.
#[derive(Clone, Debug, PartialEq)]
pub struct RefereedTurn {
    /// The position before it, with both racks.
    pub before: Position,
    /// The play.
    pub play: Play,
    /// Its score.
    pub score: i32,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct RefereedGame {
    /// All turns.
    pub turns: Vec<RefereedTurn>,
    /// The position at the end, with the final scores.
    pub last: Position,
    /// The kind of end.
    pub end: GameEnd,
}

/// A player's violation of the rules.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foul {
    /// A turn against the rules.
    #[error("turn {turn}: {error}")]
    Impossible {
        /// 1-based turn.
        turn: usize,
        /// The violation.
        error: TurnError,
    },
    /// A placement that the rules do not allow.
    #[error("turn {turn}: {error}")]
    BadPlacement {
        /// 1-based turn.
        turn: usize,
        /// The violation.
        error: PlacementError,
    },
    /// The plays ended before the game did.
    #[error("turn {turn}: the plays end before the game is over")]
    NoPlay {
        /// 1-based turn.
        turn: usize,
    },
    /// The game ended before the plays did.
    #[error("turn {turn}: this play comes after the end of the game")]
    AfterTheEnd {
        /// 1-based turn.
        turn: usize,
    },
    /// An unknown word.
    #[error("turn {turn}: {word} is not in {lexicon}")]
    NotAWord {
        /// 1-based turn.
        turn: usize,
        /// The word.
        word: String,
        /// The lexicon's name.
        lexicon: String,
    },
    /// A score that differs from the rules.
    #[error("turn {turn}: the player claims {claimed} points, expected {scored} by the rules")]
    WrongScore {
        /// 1-based turn.
        turn: usize,
        /// The player's score.
        claimed: i32,
        /// The referee's score.
        scored: i32,
    },
}

/// Plays a game on the bag of (`seed`, `index`) between players that a caller writes. `choose` chooses
/// each play. The position shows the mover's rack, and the
/// opponent's rack only once the bag is empty.
///
/// ```
/// use tilewright::match_play::referee::play_game;
/// use tilewright::prelude::*;
///
/// // A player that never exchanges, against one that always makes the best static play.
/// let engine = Engine::builtin();
/// let mut choose = |position: &Position| {
///     let rows = if position.on_turn() == Seat::First { 20 } else { 1 };
///     let ranking = engine.static_ranking(position, rows).expect("the game goes on");
///     let placement = ranking.iter().find(|row| row.play.placement().is_some());
///     placement.unwrap_or(&ranking[0]).play
/// };
/// let game = play_game(engine.rules(), engine.lexicon(), 1, 0, &mut choose)?;
/// let [first, second] = game.last.scores().0;
/// println!("{first} to {second} after {} turns", game.turns.len());
/// # Ok::<(), tilewright::match_play::referee::Foul>(())
/// ```
///
/// # Errors
/// The first foul: a play against the rules, or an invalid word.
///
/// # Panics
/// If rules and lexicon differ in how words are spelled.
pub fn play_game(
    rules: &Arc<GameRules>,
    lexicon: &Lexicon,
    seed: u64,
    index: u64,
    choose: &mut dyn FnMut(&Position) -> Play,
) -> Result<RefereedGame, Foul> {
    referee(rules, lexicon, seed, index, &mut |position, _| Some(ClaimedPlay::unscored(choose(position))))
}

/// Plays a game whose players also state their scores. `choose` gets the same position as in [`play_game`], and what static evaluation
/// needs in addition.
///
/// # Errors
/// The first foul.
pub(crate) fn play_stated_game(
    rules: &Arc<GameRules>,
    lexicon: &Lexicon,
    seed: u64,
    index: u64,
    choose: &mut dyn FnMut(&Position, &StaticTurn<'_>) -> EvaluatedPlay,
) -> Result<RefereedGame, Foul> {
    referee(rules, lexicon, seed, index, &mut |position, turn| Some(ClaimedPlay::scored(choose(position, turn))))
}

/// Checks a game that was played on the bag of (`seed`, `index`), from its first play to its end.
///
/// # Errors
/// The first foul. Too few or too many plays are also fouls.
pub fn replay(rules: &Arc<GameRules>, lexicon: &Lexicon, seed: u64, index: u64, plays: &[EvaluatedPlay]) -> Result<RefereedGame, Foul> {
    let mut rest = plays.iter();
    let game = referee(rules, lexicon, seed, index, &mut |_, _| rest.next().copied().map(ClaimedPlay::scored))?;
    if rest.next().is_some() {
        return Err(Foul::AfterTheEnd { turn: game.turns.len() + 1 });
    }
    Ok(game)
}

impl RefereedGame {
    /// Returns the game as a GCG record of these players, who are listed by seat.
    ///
    /// # Errors
    /// None, for a game that the referee accepted.
    pub fn to_gcg(&self, players: [GcgPlayer; 2], lexicon: &Lexicon) -> Result<Gcg, PlacementError> {
        let mut record = Gcg::new(players, Arc::clone(&self.last.rules().distribution));
        record.push_pragma("lexicon", lexicon.name());
        for turn in &self.turns {
            record.push_play(&turn.before, &turn.play, turn.before.mover_rack())?;
        }
        record.push_end(&self.last);
        Ok(record)
    }
}

/// A player's choice: a play, and the score that the player claims for it, if any.
struct ClaimedPlay {
    play: Play,
    claimed: Option<i32>,
}

impl ClaimedPlay {
    fn unscored(play: Play) -> Self {
        Self { play, claimed: None }
    }

    fn scored(chosen: EvaluatedPlay) -> Self {
        Self { play: chosen.play, claimed: Some(chosen.score) }
    }
}

/// Plays a game whose players may state their scores.
fn referee(
    rules: &Arc<GameRules>,
    lexicon: &Lexicon,
    seed: u64,
    index: u64,
    choose: &mut dyn FnMut(&Position, &StaticTurn<'_>) -> Option<ClaimedPlay>,
) -> Result<RefereedGame, Foul> {
    // The lexicon decides how words are spelled. The referee does not decide who wins.
    assert_eq!(rules.variant.words(), lexicon.graph().word_rule(), "the words are those of another variant");
    let mut rng = randomness::generator(seed, Stream::Exchanges, index);
    let mut bag = Bag::new(shuffled_bag(rules, seed, index));
    let mut racks = BySeat([Rack::EMPTY; 2]);
    for seat in Seat::BOTH {
        bag.draw(seat, &mut racks[seat], rules.rack_size);
    }
    let mut position = Position::start(Arc::clone(rules));
    let mut turns = Vec::new();
    loop {
        let turn = turns.len() + 1;
        let mover = position.on_turn();
        let impossible = |error| Foul::Impossible { turn, error };
        for seat in Seat::BOTH {
            position.set_rack(seat, &Rack::EMPTY).map_err(impossible)?;
        }
        position.set_rack(mover, &racks[mover]).map_err(impossible)?;
        if bag.is_empty() {
            position.set_rack(mover.opponent(), &racks[mover.opponent()]).map_err(impossible)?;
        }
        let static_turn = StaticTurn::new(&racks[mover], &racks[mover.opponent()], bag.len());
        let ClaimedPlay { play, claimed } = choose(&position, &static_turn).ok_or(Foul::NoPlay { turn })?;
        position.set_rack(mover.opponent(), &racks[mover.opponent()]).map_err(impossible)?;
        let scored = check(&position, lexicon, &play, claimed, turn)?;
        racks[mover] = racks[mover].minus(&play.rack_tiles()).map_err(|tile| {
            let tile = rules.distribution.tiles_text([tile]);
            impossible(TurnError::MissingTile { tile, place: "it is not on the rack" })
        })?;
        bag.draw(mover, &mut racks[mover], rules.rack_size);
        if let Play::Exchange(given) = &play {
            bag.put_back(mover, given, |half| rng.random_range(0..=half));
        }
        let mut next = position.after_draw(&Turn::Play(play), &racks[mover]).map_err(impossible)?;
        board_life::end_if_dead(&mut next, lexicon);
        turns.push(RefereedTurn { before: position, play, score: scored });
        if let Some(end) = next.end() {
            return Ok(RefereedGame { turns, last: next, end });
        }
        position = next;
    }
}

/// Returns the score of a play by the rules, which must equal the claimed score.
fn check(position: &Position, lexicon: &Lexicon, play: &Play, claimed: Option<i32>, turn: usize) -> Result<i32, Foul> {
    let Some(placement) = play.placement() else {
        return Ok(0);
    };
    let scored =
        scoring::score_placement(position.rules(), position.board(), placement).map_err(|error| Foul::BadPlacement { turn, error })?;
    for word in &scored.words {
        if !lexicon.graph().contains(&word.letters()) {
            let word = position.rules().distribution.word_text(&word.letters());
            return Err(Foul::NotAWord { turn, word, lexicon: lexicon.name().to_string() });
        }
    }
    if let Some(claimed) = claimed.filter(|claimed| *claimed != scored.score) {
        return Err(Foul::WrongScore { turn, claimed, scored: scored.score });
    }
    Ok(scored.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::{Leaves, StaticEval};
    use crate::formats::{cgp, gcg};
    use crate::match_play::game::SelfPlay;
    use crate::movegen::LaneBoard;
    use crate::rules::units::Millipoints;
    use crate::rules::{DeadBoard, GameRules, Layout, LetterDistribution, Variant};
    use crate::search::BoardLife;
    use std::collections::HashSet;

    #[test]
    fn two_hundred_static_games_have_no_foul_and_agree_with_fast_self_play() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let eval = || StaticEval::new(&rules, &lexicon, &leaves);
        let mut static_eval = eval();
        let mut fast = SelfPlay::new(&rules, lexicon.graph(), eval());
        for index in 0..200 {
            let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
                let mut board = LaneBoard::new(position.rules(), position.board(), lexicon.graph());
                static_eval.best(&mut board, turn)
            };
            let game = play_stated_game(&rules, &lexicon, 11, index, &mut choose).unwrap();
            let summary = fast.play(11, index);
            assert_eq!(summary.scores, game.last.scores(), "game {index}");
            assert_eq!(summary.turns as usize, game.turns.len());
        }
    }

    #[test]
    fn games_of_crossplay_end_after_two_last_turns_and_agree_with_fast_self_play() {
        let letters = LetterDistribution::built_in("english_crossplay").unwrap();
        let rules = GameRules::builder(letters, Layout::crossplay15()).variant(Variant::Crossplay).build().unwrap();
        let (rules, lexicon) = (Arc::new(rules), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let eval = || StaticEval::new(&rules, &lexicon, &leaves);
        let mut static_eval = eval();
        let mut fast = SelfPlay::new(&rules, lexicon.graph(), eval());
        let mut placed_all = 0;
        for index in 0..60 {
            let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
                let mut board = LaneBoard::new(position.rules(), position.board(), lexicon.graph());
                static_eval.best(&mut board, turn)
            };
            let game = play_stated_game(&rules, &lexicon, 12, index, &mut choose).unwrap();
            assert_eq!(fast.play(12, index).scores, game.last.scores(), "game {index}");
            assert_eq!((game.end, game.last.last_turns()), (GameEnd::LastTurns, Some(0)), "game {index}");
            // Exactly two turns are taken with an empty bag, one by each player, and the scores come only from the turns.
            let (before, last): (Vec<&RefereedTurn>, Vec<&RefereedTurn>) = game.turns.iter().partition(|turn| turn.before.in_bag() > 0);
            assert!(before.iter().all(|turn| turn.before.last_turns().is_none()), "game {index}");
            assert_eq!(last.iter().map(|turn| turn.before.last_turns()).collect::<Vec<_>>(), [Some(2), Some(1)], "game {index}");
            for seat in Seat::BOTH {
                let points = game.turns.iter().filter(|turn| turn.before.on_turn() == seat).map(|turn| turn.score);
                assert_eq!(game.last.score(seat), points.sum::<i32>(), "game {index}");
            }
            placed_all += usize::from(Seat::BOTH.iter().any(|&seat| game.last.rack(seat).is_empty()));
            check_record_and_position(&game, &lexicon);
        }
        assert!(placed_all > 0, "in no game a player placed all tiles");
    }

    /// Checks that the record of a game and the CGPs of its positions are read back unchanged.
    fn check_record_and_position(game: &RefereedGame, lexicon: &Lexicon) {
        let players = ["one", "two"].map(|nick| GcgPlayer { nick: nick.to_string(), name: nick.to_string() });
        let text = gcg::print(&game.to_gcg(players, lexicon).unwrap());
        let rules = game.last.rules();
        let end = gcg::position_at(&gcg::parse(&text, rules).unwrap(), rules, None).unwrap();
        assert_eq!((end.end(), end.board()), (Some(GameEnd::LastTurns), game.last.board()), "{text}");
        assert_eq!(end.scores(), game.last.scores(), "{text}");
        assert!(!text.contains('('), "nothing is written for racks: {text}");
        for position in game.turns.iter().map(|turn| &turn.before).chain([&game.last]) {
            let text = cgp::print(position, &cgp::Opcodes::of_rules(rules));
            let read = cgp::parse(&text, &GameRules::english().to_builder().distribution(Arc::clone(&rules.distribution)).build().unwrap());
            let read = read.unwrap_or_else(|error| panic!("{text}: {error}")).position;
            assert_eq!(
                (read.last_turns(), read.end(), read.zero_turns()),
                (position.last_turns(), position.end(), position.zero_turns()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_player_that_a_caller_writes_is_refereed() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let game = play_game(&rules, &lexicon, 1, 0, &mut |_| Play::Pass).unwrap();
        assert_eq!((game.turns.len(), game.end), (6, GameEnd::ZeroTurns));
        let seen = &mut Vec::new();
        let foul = play_game(&rules, &lexicon, 1, 0, &mut |position| {
            seen.push((position.on_turn(), position.mover_rack().len(), position.opponent_rack().len()));
            if position.on_turn() == Seat::First { Play::Pass } else { "1A XX".parse().unwrap() }
        });
        assert!(matches!(foul.unwrap_err(), Foul::BadPlacement { turn: 2, .. } | Foul::Impossible { turn: 2, .. }));
        assert_eq!(*seen, [(Seat::First, 7, 0), (Seat::Second, 7, 0)]);
    }

    #[test]
    fn a_wrong_score_and_an_unknown_word_are_fouls() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::nothing();
        let mut eval = StaticEval::new(&rules, &lexicon, &leaves);
        let board = |position: &Position| LaneBoard::new(position.rules(), position.board(), lexicon.graph());
        let claims_more = &mut |position: &Position, turn: &StaticTurn<'_>| {
            let best = eval.best(&mut board(position), turn);
            EvaluatedPlay { score: best.score + 1, ..best }
        };
        let foul = play_stated_game(&rules, &lexicon, 1, 0, claims_more).unwrap_err();
        assert!(matches!(foul, Foul::WrongScore { turn: 1, claimed, scored } if claimed == scored + 1), "{foul}");
        let spells_the_rack = &mut |position: &Position, turn: &StaticTurn<'_>| {
            let text = "8B.".to_string() + &position.rules().distribution.tiles_text(turn.rack.tiles()).replace('?', "e");
            let parsed = crate::rules::notation::parse_move(&text, position).unwrap();
            let Turn::Play(play) = parsed.turn else { panic!("a placement") };
            EvaluatedPlay { play, score: 0, equity: Millipoints::ZERO }
        };
        let foul = play_stated_game(&rules, &lexicon, 1, 0, spells_the_rack).unwrap_err();
        assert!(matches!(foul, Foul::NotAWord { turn: 1, .. }), "{foul}");
    }

    #[test]
    fn a_game_ends_when_nothing_can_be_played_if_the_rules_say_so() {
        let usual = Arc::new(GameRules::english());
        let ending = Arc::new(usual.to_builder().dead_board(DeadBoard::EndsGame).build().unwrap());
        let lexicon = Lexicon::from_words("few", &usual.distribution, ["jo", "ax", "qi", "za", "xi", "jeux", "quiz"]).unwrap();
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &usual.distribution);
        let game = |rules: &Arc<GameRules>, index| {
            let mut eval = StaticEval::new(rules, &lexicon, &leaves);
            play_stated_game(rules, &lexicon, 13, index, &mut |position, turn| {
                eval.best(&mut LaneBoard::new(position.rules(), position.board(), lexicon.graph()), turn)
            })
            .unwrap()
        };
        let mut fast = SelfPlay::new(&ending, lexicon.graph(), StaticEval::new(&ending, &lexicon, &leaves));
        let mut dead = 0;
        for index in 0..30 {
            let (short, long) = (game(&ending, index), game(&usual, index));
            let summary = fast.play(13, index);
            assert_eq!((summary.scores, summary.turns as usize), (short.last.scores(), short.turns.len()), "{index}");
            let life = |game: &RefereedGame| BoardLife::of(&game.last, &lexicon).unwrap();
            if short.end == GameEnd::NoPlays {
                dead += 1;
                assert!(matches!(life(&short), BoardLife::Dead { .. }));
                // The other game continues without points. Its end costs the players their racks.
                assert!(long.turns.len() > short.turns.len() && long.end == GameEnd::ZeroTurns);
                assert_eq!(
                    long.turns[..short.turns.len()].iter().map(|turn| turn.play).collect::<Vec<_>>(),
                    short.turns.iter().map(|turn| turn.play).collect::<Vec<_>>()
                );
                let rack = |seat| short.last.rack(seat).value(&usual.distribution);
                let points = |seat: Seat| short.turns.iter().skip(seat.index()).step_by(2).map(|turn| turn.score).sum::<i32>();
                assert_eq!(short.last.scores().0, Seat::BOTH.map(|seat| points(seat) - rack(seat)));
            } else {
                let end = |game: &RefereedGame| {
                    let last = &game.last;
                    (game.end, last.board().clone(), Seat::BOTH.map(|seat| (*last.rack(seat), last.score(seat))))
                };
                assert_eq!(end(&short), end(&long));
            }
        }
        assert!(dead > 1 && dead < 30, "{dead} of 30 games ended on a dead board");
    }

    #[test]
    fn games_of_other_variants_are_judged_by_their_words() {
        let in_order = Arc::new(Lexicon::builtin());
        let rules = |variant: Variant| Arc::new(GameRules::english().to_builder().variant(variant).build().unwrap());
        let pass = EvaluatedPlay::PASS;
        let misere = play_stated_game(&rules(Variant::Misere), &in_order, 1, 0, &mut |_, _| pass);
        assert_eq!(misere.map(|game| game.end), Ok(GameEnd::ZeroTurns));
        // In these static games, every run of tiles is an anagram of a word, and most are not words themselves.
        let rules = rules(Variant::Wordsmog);
        let any_order = in_order.by_rule(rules.variant.words()).unwrap();
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let mut eval = StaticEval::new(&rules, any_order.as_ref(), &leaves);
        let sorted = |letters: &[u8]| {
            let mut letters = letters.to_vec();
            letters.sort_unstable();
            letters
        };
        let words: HashSet<Vec<u8>> = in_order.list().words().iter().map(|word| sorted(word)).collect();
        let (mut spelled, mut others) = (0, 0);
        for index in 0..4 {
            let game = play_stated_game(&rules, &any_order, 12, index, &mut |position, turn| {
                eval.best(&mut LaneBoard::new(position.rules(), position.board(), any_order.graph()), turn)
            });
            for turn in game.unwrap().turns {
                let Some(placement) = turn.play.placement() else { continue };
                for word in scoring::score_placement(&rules, turn.before.board(), placement).unwrap().words {
                    let letters: Vec<u8> = word.letters().iter().map(|letter| letter.number()).collect();
                    assert!(words.contains(&sorted(&letters)), "{}", rules.distribution.word_text(&word.letters()));
                    *if in_order.contains(&word.letters()) { &mut spelled } else { &mut others } += 1;
                }
            }
        }
        assert!(others > spelled && spelled > 10, "{spelled} {others}");
        // In the classic game, the same plays are phonies.
        let classic = Arc::new(GameRules::english());
        let foul = play_stated_game(&classic, &in_order, 12, 0, &mut |position, turn| {
            let mut anagram = eval.best(&mut LaneBoard::new(&rules, position.board(), any_order.graph()), turn);
            anagram.score = 0;
            anagram
        });
        assert!(matches!(foul, Err(Foul::NotAWord { .. } | Foul::WrongScore { .. })), "{foul:?}");
    }
}
