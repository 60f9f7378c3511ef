//! Players that overlook plays by chance: macondo's probabilistic levels.
//!
//! Source: \[macondo\], its file `ai/bot/filters`. The player goes through the plays, best first by static equity, and finds or overlooks each
//! by chance. The first play that is found is played, or the pass if none is found. The chance of finding a placement is the product of
//!
//! - a chance for any play;
//! - a chance for each word that it forms in addition to the main word;
//! - for each word of seven or more letters, a chance for long words, and one that rises with the number of ways to draw its letters from a
//!   full bag: the decimal logarithm of that number divided by the number of letters minus one, at most 1. At level 0, the latter also
//!   counts for all words except the main word.
//!
//! An exchange is found with the chance for any play.
//!
//! Not here: the ladder of levels that err as people do (`ladder.rs`).

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, OptionPrinted, PlayerKind, PlayerOption, PlayerOptions};
use crate::players::player::Player;
use crate::players::view::{Sight, View};
use crate::rules::scoring::{self, FormedWord};
use crate::rules::tiles::Tile;
use crate::rules::ways::likelihood;
use crate::rules::{Board, GameRules, Play, Rack, VariantSupport};
use crate::search::Knowledge;
use crate::search::randomness::{self, Stream};
use rand::RngExt;

/// The least number of letters of a long word.
const LONG: usize = 7;

/// The player of one of macondo's levels.
pub const MACONDO_LEVEL: PlayerKind = PlayerKind {
    name: "macondo-level",
    about: "static equity, but overlooks plays by chance, most often those with long or many words; at level 0 also those with unlikely words",
    sight: Sight::Fair,
    options: &[PUBLISHED_LEVEL, FIND],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: |options, rules, knowledge| Box::new(LevelPlayer::new(rules, knowledge, FindChances::published(options))),
};

const PUBLISHED_LEVEL: PlayerOption = level(&["0", "1", "2", "3", "4", "5"], "3");

/// A factor of the chance of finding any play. Some levels had other chances when their games were published.
const FIND: PlayerOption = PlayerOption::weight("find");

/// The chances of macondo's levels.
const PUBLISHED: [FindChances; 6] = [
    FindChances { play: 0.2, long: 0.07, beside: 0.15, likely: LikelyWords::Beside },
    FindChances { play: 0.2, long: 0.07, beside: 0.15, likely: LikelyWords::Long },
    FindChances { play: 0.4, long: 0.2, beside: 0.3, likely: LikelyWords::Long },
    FindChances { play: 0.55, long: 0.35, beside: 0.45, likely: LikelyWords::Long },
    FindChances { play: 0.85, long: 0.45, beside: 0.85, likely: LikelyWords::Long },
    FindChances { play: 0.9, long: 0.8, beside: 0.85, likely: LikelyWords::Long },
];

const fn level(words: &'static [&'static str], default: &'static str) -> PlayerOption {
    PlayerOption::word("level", words, default).printed(OptionPrinted::Bare)
}

fn number(options: &PlayerOptions, option: &PlayerOption) -> usize {
    options.word(option).parse().expect("levels are numbers")
}

/// A player's chances of finding things, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FindChances {
    /// Any play.
    pub play: f64,
    /// Each long word.
    pub long: f64,
    /// Each word other than the main one.
    pub beside: f64,
    /// The words for which the chance of drawing their letters counts.
    pub likely: LikelyWords,
}

/// The words for which the chance of drawing their letters counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikelyWords {
    /// Long words.
    Long,
    /// Long words, and all words except the main one.
    Beside,
}

impl FindChances {
    fn published(options: &PlayerOptions) -> FindChances {
        let published = PUBLISHED[number(options, &PUBLISHED_LEVEL)];
        FindChances { play: published.play * options.weight(&FIND), ..published }
    }

    /// Returns the chance that a placement with these words is found. The main word comes first.
    fn of(&self, words: &[FormedWord], bag: &Rack) -> f64 {
        let beside = self.beside.powi(words.len() as i32 - 1);
        let of_word = |(at, word): (usize, &FormedWord)| {
            let is_long = word.cells.len() >= LONG;
            let counts = is_long || (at > 0 && self.likely == LikelyWords::Beside);
            let likely = if counts { likely_draw(word, bag) } else { 1.0 };
            likely * if is_long { self.long } else { 1.0 }
        };
        self.play * beside * words.iter().enumerate().map(of_word).product::<f64>()
    }
}

/// Returns how likely the letters of a word are to be drawn from a full bag, at most 1.
fn likely_draw(word: &FormedWord, bag: &Rack) -> f64 {
    likelihood(bag, &word.letters().into_iter().map(Tile::from).collect()).min(1.0)
}

/// A player that overlooks plays, at a given level.
pub struct LevelPlayer<'a> {
    rules: &'a GameRules,
    eval: StaticEval<'a>,
    find_chances: FindChances,
    /// All tiles of the game.
    bag: Rack,
}

impl<'a> LevelPlayer<'a> {
    /// Returns a player with these chances.
    pub fn new(rules: &'a GameRules, knowledge: &'a Knowledge, find_chances: FindChances) -> LevelPlayer<'a> {
        let eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        LevelPlayer { rules, eval, find_chances, bag: Rack::full_bag(&rules.distribution) }
    }

    /// Returns the chance that a play is found.
    fn chance(&self, board: &Board, play: &Play) -> f64 {
        match play {
            Play::Pass => 1.0,
            Play::Exchange(_) => self.find_chances.play,
            Play::Place(placement) => {
                let scored = scoring::score_placement(self.rules, board, placement).expect("the generator plays by the rules");
                self.find_chances.of(&scored.words, &self.bag)
            }
        }
    }
}

impl Player for LevelPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let mut plays = self.eval.all(board, &view.tiles);
        // The pass is played only if nothing else is found, even if it is not the worst play.
        plays.sort_by_key(|play| play.play == Play::Pass);
        let mut chances = randomness::generator(view.seed, Stream::Players, 0);
        let found = plays.iter().find(|play| chances.random::<f64>() < self.chance(view.board, &play.play));
        *found.expect("the pass is found")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::match_play::game::GameLoop;
    use crate::rules::board::Direction;
    use crate::rules::ways::draws_with_blanks;
    use crate::rules::{GameRules, Letter, LetterDistribution, Square};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    fn word(text: &str, distribution: &LetterDistribution) -> FormedWord {
        let cells = distribution.parse_placed(text).unwrap();
        FormedWord { start: Square::new(0, 0), direction: Direction::Across, cells, score: 0 }
    }

    fn draws(letters: &[Letter]) -> f64 {
        let bag = Rack::full_bag(&GameRules::english().distribution);
        draws_with_blanks(&bag, &letters.iter().copied().map(Tile::from).collect(), bag.count(Tile::BLANK).into())
    }

    /// Counts the sets of tiles of a full bag that spell a word of two or three letters.
    fn sets_that_spell(letters: &[Letter], distribution: &LetterDistribution) -> usize {
        let bag: Vec<Tile> = distribution.tiles().flat_map(|tile| vec![tile; usize::from(distribution.count(tile))]).collect();
        let spells = |tiles: &[Tile]| {
            let mut missing: Vec<Tile> = letters.iter().map(|&letter| Tile::from(letter)).collect();
            for tile in tiles.iter().filter(|tile| !tile.is_blank()) {
                match missing.iter().position(|other| other == tile) {
                    Some(at) => drop(missing.remove(at)),
                    None => return false,
                }
            }
            missing.len() == tiles.iter().filter(|tile| tile.is_blank()).count()
        };
        let pairs = (0..bag.len()).flat_map(|a| (0..a).map(move |b| [a, b]));
        match letters.len() {
            2 => pairs.filter(|pair| spells(&pair.map(|at| bag[at]))).count(),
            3 => pairs.map(|[a, b]| (0..b).filter(|&c| spells(&[a, b, c].map(|at| bag[at]))).count()).sum(),
            other => panic!("{other} letters"),
        }
    }

    #[test]
    fn draws_are_the_sets_of_tiles_that_spell_the_word() {
        let distribution = &GameRules::english().distribution;
        for text in ["AA", "QI", "JAZ", "MUU", "ZZZ", "TEE"] {
            let letters = distribution.parse_word(text).unwrap();
            assert_eq!(draws(&letters), sets_that_spell(&letters, distribution) as f64, "{text}");
        }
    }

    /// The product by hand: RETINAS is likely, since it can be drawn in many ways, and MUUMUUS is not.
    #[test]
    fn a_placement_is_found_by_all_its_factors() {
        let distribution = &GameRules::english().distribution;
        let check = |find_chances: FindChances, texts: &[&str], expected: f64| {
            let words: Vec<FormedWord> = texts.iter().map(|text| word(text, distribution)).collect();
            let told = find_chances.of(&words, &Rack::full_bag(distribution));
            assert!((told - expected).abs() < 1e-9, "{texts:?}: {told}, not {expected}");
        };
        let likely = |text: &str| {
            let ways = draws(&distribution.parse_word(text).unwrap());
            (ways.log10() / (text.len() - 1) as f64).min(1.0)
        };
        assert!(likely("MUUMUUS") < likely("RETINAS"), "{} {}", likely("MUUMUUS"), likely("RETINAS"));
        check(PUBLISHED[1], &["CAT"], 0.2);
        check(PUBLISHED[3], &["CAT", "AT", "TO"], 0.55 * 0.45 * 0.45);
        check(PUBLISHED[2], &["MUUMUUS", "AS"], 0.4 * 0.3 * 0.2 * likely("MUUMUUS"));
        check(FindChances { play: 1.5 * PUBLISHED[1].play, ..PUBLISHED[1] }, &["CAT"], 0.3);
        assert_eq!(FindChances::published(&PlayerOptions::defaults(&MACONDO_LEVEL)), PUBLISHED[3]);
        check(PUBLISHED[0], &["QUIZ", "QI", "ZZZ"], 0.2 * 0.15 * 0.15 * likely("QI") * likely("ZZZ"));
    }

    #[test]
    fn one_who_finds_everything_plays_the_best_and_one_who_finds_nothing_passes() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let player = |chance| {
            let find_chances = FindChances { play: chance, long: chance, beside: chance, likely: LikelyWords::Long };
            LevelPlayer::new(&rules, knowledge, find_chances)
        };
        let (mut all, mut nothing, mut some) = (player(1.0), player(0.0), LevelPlayer::new(&rules, knowledge, PUBLISHED[3]));
        let mut eval = StaticEval::new(&rules, knowledge.lexicon.graph(), &knowledge.evaluator.leaves);
        let mut overlooked = 0;
        GameLoop::new(&rules, knowledge.lexicon.graph()).play(5, 1, &Signals::default(), |board, view| {
            let best = eval.best(board, &view.tiles);
            let is_likely = |play: &EvaluatedPlay| {
                let words = play.play.placement().map(|placement| scoring::score_placement(&rules, view.board, placement).unwrap().words);
                words.is_none_or(|words| {
                    words.iter().all(|word| word.cells.len() < LONG || likely_draw(word, &Rack::full_bag(&rules.distribution)) >= 1.0)
                })
            };
            if is_likely(&best) && best.play != Play::Pass {
                assert_eq!(all.choose(board, view), best);
            }
            assert_eq!(nothing.choose(board, view).play, Play::Pass);
            overlooked += usize::from(some.choose(board, view).play != best.play);
            best
        });
        assert!(overlooked > 5, "{overlooked}");
    }
}
