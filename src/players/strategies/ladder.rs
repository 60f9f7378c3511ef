//! The ladder of levels: opponents that people can beat, and that err as people do. From the rung of the static player up, players overlook
//! nothing.
//!
//! A person below that rung has a skill, which determines all faculties ([`Faculties`]):
//!
//! | faculty | what it does |
//! |---|---|
//! | vocabulary | which words the person knows, the same throughout a game (`players/vocabulary.rs`); phonies are not played |
//! | board vision | which known words come to mind on a turn, and which places are seen |
//! | rack management | how much of the leave's value counts, how wrongly it is judged, how unwelcome an exchange is |
//!
//! The person goes through the plays, best first by their own judgement, and plays the first one that they find. A placement is found in a
//! look at the board
//!
//! - if its main word comes to mind, which each tile from the rack beyond the first makes less likely by one factor, and each blank by another;
//! - if the person looks at its row or column, which is less likely the farther it is from the middle;
//! - if each other word is noticed, in hooks and parallel plays;
//! - if the person knows all of these words.
//!
//! People overlook words and places, not single plays. A word that does not come to mind is therefore missed everywhere on the board, and a
//! row that the person does not look at has no plays at all. A person who finds nothing looks again, then exchanges if that is allowed, and
//! passes if it is not.
//!
//! Not here: the levels of another program (`levels.rs`). `docs/levels.md` describes how the skills were fitted, and compares the levels with
//! people.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, OptionPrinted, PlayerKind, PlayerOption, PlayerOptions};
use crate::players::player::{LateGame, Player};
use crate::players::strategies::engine::{ENGINE, EnginePlayer, EngineSettings};
use crate::players::strategies::static_player::StaticPlayer;
use crate::players::view::{Sight, View};
use crate::players::vocabulary::{Vocabulary, VocabularyReach};
use crate::rules::board::Direction;
use crate::rules::fingerprint::{Fingerprint, mix};
use crate::rules::scoring::{self, FormedWord};
use crate::rules::units::Millipoints;
use crate::rules::{Board, GameRules, Placement, Play, Rack, VariantSupport};
use crate::search::Knowledge;
use crate::search::randomness::{self, Stream};
use std::cmp::Reverse;

/// The player of a level.
pub const LEVEL: PlayerKind = PlayerKind {
    name: "level",
    about: "an opponent that people can beat: level 1 is a beginner who knows few words and overlooks most plays, 9 is the static player, \
            10 the engine; skill=N: instead, a person of this skill, in thousandths",
    sight: Sight::Fair,
    options: &[RUNG, SKILL],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::MOST_POINTS,
    make: |options, rules, knowledge| {
        let person = |skill: u64| Box::new(PersonPlayer::new(rules, knowledge, Faculties::of_skill(skill)));
        if let Some(skill) = options.count_if_given(&SKILL) {
            return person(skill);
        }
        match options.word(&RUNG).parse().expect("levels are numbers") {
            rung @ 1..STATIC_RUNG => person(SKILLS[rung - 1]),
            STATIC_RUNG => Box::new(StaticPlayer::new(rules, knowledge, LateGame::On)),
            _ => Box::new(EnginePlayer::new(knowledge, EngineSettings::of(&PlayerOptions::defaults(&ENGINE)))),
        }
    },
};

const RUNG: PlayerOption =
    PlayerOption::word("level", &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], "5").printed(OptionPrinted::Bare);

const SKILL: PlayerOption = PlayerOption::limit("skill", FULL_SKILL);

/// The skill of a person who finds nearly everything, in thousandths.
const FULL_SKILL: u64 = 1000;

/// The rung of the static player.
const STATIC_RUNG: usize = 9;

/// The skills of the rungs below it, fitted so that the rungs are about equally far apart in strength.
const SKILLS: [u64; STATIC_RUNG - 1] = [338, 398, 452, 514, 596, 677, 804, 913];

/// The most looks at the board of a person who finds nothing.
const LOOKS: u64 = 3;

/// The use of a random number in a look. Each use has its own number, so that the draws are independent.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Glance {
    Word = 1,
    Lane = 2,
    Beside = 3,
    Exchange = 4,
    Leave = 5,
}

/// The faculties of a person: chances from 0 to 1, and points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faculties {
    /// The words that the person knows.
    pub reach: VocabularyReach,
    /// The chance that a word comes to mind, for each of its tiles from the rack beyond the first.
    pub tile: f64,
    /// A factor of that chance, for each blank.
    pub blank: f64,
    /// The chance that a word other than the main one is noticed.
    pub beside: f64,
    /// The chance that the person looks at a row or column, for each step away from the middle.
    pub away: f64,
    /// The chance that the person thinks of an exchange.
    pub exchange: f64,
    /// The share of the leave's value that counts.
    pub leave: f64,
    /// The most points by which a leave is misjudged, up or down.
    pub misjudged: f64,
    /// The points by which an exchange must be better than a placement.
    pub reluctance: f64,
}

impl Faculties {
    /// Returns the faculties of a skill, in thousandths.
    pub fn of_skill(skill: u64) -> Faculties {
        let skill = skill as f64 / FULL_SKILL as f64;
        let between = |least: f64, most: f64| least + (most - least) * skill;
        Faculties {
            reach: VocabularyReach { common: between(1.5, 7.5), learned: between(-0.3, 1.3) },
            tile: between(0.3, 1.0),
            blank: between(0.2, 1.0),
            beside: between(0.1, 1.0),
            away: between(0.8, 1.0),
            exchange: between(0.1, 1.0),
            leave: between(0.0, 1.0),
            misjudged: between(6.0, 0.0),
            reluctance: between(10.0, 0.0),
        }
    }

    /// Returns the chance that the main word of a placement comes to mind, with this many tiles from the rack.
    fn recall(&self, tiles: usize, blanks: usize) -> f64 {
        self.tile.powi(tiles as i32 - 1) * self.blank.powi(blanks as i32)
    }
}

/// A person at the board.
pub struct PersonPlayer<'a> {
    rules: &'a GameRules,
    eval: StaticEval<'a>,
    faculties: Faculties,
    vocabulary: Vocabulary<'a>,
}

impl<'a> PersonPlayer<'a> {
    /// Returns a person with these faculties.
    pub fn new(rules: &'a GameRules, knowledge: &'a Knowledge, faculties: Faculties) -> PersonPlayer<'a> {
        let eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let vocabulary = Vocabulary::new(rules, &knowledge.lexicon, faculties.reach);
        PersonPlayer { rules, eval, faculties, vocabulary }
    }

    /// Returns the worth of a play in the person's judgement.
    fn judged(&self, seed: u64, rack: &Rack, play: &EvaluatedPlay) -> Millipoints {
        let kept = (play.equity - Millipoints::from_points(play.score)).points();
        let error = 2.0 * glanced(seed, Glance::Leave, rack_number(&play.play.leave(rack))) - 1.0;
        let reluctance = if matches!(play.play, Play::Exchange(_)) { self.faculties.reluctance } else { 0.0 };
        let leave = self.faculties.leave * kept + self.faculties.misjudged * error;
        Millipoints::from_points(play.score) + Millipoints::rounded(leave - reluctance)
    }

    /// Whether a play is found in a look.
    fn finds(&self, seed: u64, person: u64, board: &Board, play: &Play) -> bool {
        match play {
            Play::Pass => false,
            Play::Exchange(_) => glanced(seed, Glance::Exchange, 0) < self.faculties.exchange,
            Play::Place(placement) => {
                self.looks_at(seed, board, placement) && {
                    let scored = scoring::score_placement(self.rules, board, placement).expect("the generator plays by the rules");
                    self.sees(seed, placement, &scored.words)
                        && scored.words.iter().all(|word| self.vocabulary.knows(person, &word.letters()))
                }
            }
        }
    }

    /// Whether the person looks at the placement's row or column.
    fn looks_at(&self, seed: u64, board: &Board, placement: &Placement) -> bool {
        let (lane, direction) = match placement.direction {
            Direction::Across => (placement.start.row, 0),
            Direction::Down => (placement.start.col, 1),
        };
        let away = usize::from(lane).abs_diff(board.dim() / 2);
        glanced(seed, Glance::Lane, 2 * u64::from(lane) + direction) < self.faculties.away.powi(away as i32)
    }

    /// Whether the main word comes to mind, and the other words are noticed.
    fn sees(&self, seed: u64, placement: &Placement, words: &[FormedWord]) -> bool {
        let [main, beside @ ..] = words else { return false };
        let blanks = placement.placed().filter(|(_, tile)| tile.is_blank()).count();
        glanced(seed, Glance::Word, word_number(main)) < self.faculties.recall(placement.tile_count(), blanks)
            && beside.iter().all(|word| {
                let place = u64::from(word.start.row) << 8 | u64::from(word.start.col);
                glanced(seed, Glance::Beside, word_number(word) ^ mix(place)) < self.faculties.beside
            })
    }
}

impl Player for PersonPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        // Each seat has its own person. The turn's numbers differ from turn to turn, even if all turns have the same seed.
        let person = mix(view.game_seed() ^ mix(view.seat.index() as u64));
        let turn = mix(view.seed ^ mix(rack_number(view.tiles.rack) ^ view.tiles.in_bag as u64 ^ (view.scores[view.seat] as u64) << 32));
        let mut plays = self.eval.all(board, &view.tiles);
        plays.sort_by_cached_key(|play| Reverse(self.judged(turn, view.tiles.rack, play)));
        let found = (0..LOOKS).find_map(|look| {
            let seed = mix(turn ^ look);
            plays.iter().find(|play| self.finds(seed, person, view.board, &play.play))
        });
        let exchange = || plays.iter().find(|play| matches!(play.play, Play::Exchange(_)));
        let pass = || plays.iter().find(|play| play.play == Play::Pass);
        *found.or_else(exchange).or_else(pass).expect("the pass is one of all plays")
    }
}

/// Returns a random number from 0 to 1 for one thing in a look.
fn glanced(seed: u64, glance: Glance, of: u64) -> f64 {
    randomness::fraction(seed ^ mix(glance as u64), Stream::Players, of)
}

fn word_number(word: &FormedWord) -> u64 {
    let mut hash = Fingerprint::default();
    hash.add(word.cells.iter().map(|cell| cell.letter().number()));
    hash.value()
}

fn rack_number(rack: &Rack) -> u64 {
    let mut hash = Fingerprint::default();
    hash.add_numbers(rack.distinct().flat_map(|(tile, count)| [tile.index() as u64, u64::from(count)]));
    hash.value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::match_play::game::GameLoop;
    use crate::rules::variant::Variant;
    use crate::rules::{Layout, LetterDistribution, Seat, Turn};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    /// The faculties of a person who knows and sees everything, and judges as static equity does.
    const ALL: Faculties = Faculties {
        reach: VocabularyReach { common: 100.0, learned: 100.0 },
        tile: 1.0,
        blank: 1.0,
        beside: 1.0,
        away: 1.0,
        exchange: 1.0,
        leave: 1.0,
        misjudged: 0.0,
        reluctance: 0.0,
    };

    /// Returns the rules of a variant as it is usually played.
    fn rules_of(variant: Variant) -> Arc<GameRules> {
        let letters = LetterDistribution::built_in(variant.letters()).unwrap();
        let layout = Layout::built_in(variant.layout()).unwrap();
        Arc::new(GameRules::builder(Arc::new(letters), Arc::new(layout)).variant(variant).build().unwrap())
    }

    /// The chances by hand: 9H.EAr places three tiles, one of them a blank, in the row below the middle. The E forms OE.
    #[test]
    fn a_placement_is_found_by_all_its_factors() {
        let rules = Arc::new(GameRules::english());
        let position = plain_engine().position("15/15/15/15/15/15/15/3IMINO7/15/15/15/15/15/15/15 AEGNST?/ 0/18 0").unwrap();
        let play = plain_engine().parse_play("9H.EAr", &position).unwrap();
        let faculties = Faculties { tile: 0.8, blank: 0.7, beside: 0.6, away: 0.9, ..ALL };
        let person = PersonPlayer::new(&rules, plain_engine().knowledge(), faculties);
        let Turn::Play(play) = play else { panic!("a play") };
        let found = (0..20_000).filter(|&seed| person.finds(mix(seed), 1, position.board(), &play)).count() as f64;
        let expected = 20_000.0 * (0.9 * 0.8 * 0.8 * 0.7 * 0.6);
        assert!((found - expected).abs() < 4.0 * expected.sqrt(), "{found}, not {expected}");
        // A person who does not know the words finds no play.
        let nothing = VocabularyReach { common: -100.0, learned: -100.0 };
        let ignorant = PersonPlayer::new(&rules, plain_engine().knowledge(), Faculties { reach: nothing, ..ALL });
        assert!((0..100).all(|seed| !ignorant.finds(seed, 1, position.board(), &play)));
    }

    /// By hand: half of a leave of 10 points counts, it is misjudged by at most 2, and an exchange must be better by 3.
    #[test]
    fn a_play_is_judged_by_its_points_and_a_part_of_its_leave() {
        let rules = GameRules::english();
        let faculties = Faculties { leave: 0.5, misjudged: 2.0, reluctance: 3.0, ..ALL };
        let person = PersonPlayer::new(&rules, plain_engine().knowledge(), faculties);
        let rack = Rack::parse("AEINRST", &rules.distribution).unwrap();
        let exchange = |text: &str| Play::Exchange(Rack::parse(text, &rules.distribution).unwrap());
        let of =
            |play: Play, score: i32| EvaluatedPlay { play, score, equity: Millipoints::from_points(score + 10), ..EvaluatedPlay::PASS };
        let judged = |seed: u64, play: EvaluatedPlay| person.judged(seed, &rack, &play).points();
        let seen: Vec<f64> = (0..200).map(|seed| judged(seed, of(Play::Pass, 20))).collect();
        assert!(seen.iter().all(|points| (23.0..=27.0).contains(points)), "{seen:?}");
        assert!(seen.iter().any(|points| *points < 23.5) && seen.iter().any(|points| *points > 26.5), "{seen:?}");
        let exchanges: Vec<f64> = (0..200).map(|seed| judged(seed, of(exchange("AE"), 0))).collect();
        assert!(exchanges.iter().all(|points| (0.0..=4.0).contains(points)), "{exchanges:?}");
    }

    #[test]
    fn one_who_finds_everything_plays_the_best_and_one_who_knows_nothing_exchanges_or_passes() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let nothing = VocabularyReach { common: -100.0, learned: -100.0 };
        let player = |faculties| PersonPlayer::new(&rules, knowledge, faculties);
        let (mut all, mut none) = (player(ALL), player(Faculties { reach: nothing, exchange: 0.0, ..ALL }));
        let mut some = player(Faculties::of_skill(SKILLS[3]));
        let mut eval = StaticEval::new(&rules, knowledge.lexicon.graph(), &knowledge.evaluator.leaves);
        let mut overlooked = 0;
        GameLoop::new(&rules, knowledge.lexicon.graph()).play(5, 1, &Signals::default(), |board, view| {
            let best = eval.best(board, &view.tiles);
            if best.play != Play::Pass {
                assert_eq!(all.choose(board, view), best);
            }
            let stuck = none.choose(board, view).play;
            assert_eq!(matches!(stuck, Play::Exchange(_)), view.tiles.in_bag >= 7);
            assert!(stuck.placement().is_none());
            assert_eq!(some.choose(board, view), some.choose(board, view));
            overlooked += usize::from(some.choose(board, view).play != best.play);
            best
        });
        assert!(overlooked > 5, "{overlooked}");
    }

    /// In whole games, people play only words that they know: the same words throughout a game, and others in other games.
    #[test]
    fn people_play_words_that_they_know_in_every_variant() {
        for variant in [Variant::Classic, Variant::Wordsmog, Variant::Crossplay] {
            let rules = rules_of(variant);
            let knowledge = plain_engine().knowledge_for(&rules).unwrap();
            let faculties = Faculties::of_skill(SKILLS[4]);
            let mut player = PersonPlayer::new(&rules, &knowledge, faculties);
            let vocabulary = Vocabulary::new(&rules, &knowledge.lexicon, faculties.reach);
            let mut games = GameLoop::new(&rules, knowledge.lexicon.graph());
            let mut seeds = Vec::new();
            for index in 0..2 {
                let (mut placed, mut of_game) = (0, None);
                let summary = games.play(3, index, &Signals::default(), |board, view| {
                    assert_eq!(*of_game.get_or_insert(view.game_seed()), view.game_seed());
                    let chosen = player.choose(board, view);
                    if let Play::Place(placement) = &chosen.play {
                        let person = mix(view.game_seed() ^ mix(view.seat.index() as u64));
                        let words = scoring::score_placement(&rules, view.board, placement).unwrap().words;
                        assert!(words.iter().all(|word| vocabulary.knows(person, &word.letters())), "{variant}");
                        placed += 1;
                    }
                    chosen
                });
                assert!(placed > 10 && summary.is_some_and(|summary| summary.scores.0.iter().sum::<i32>() > 150), "{variant}: {summary:?}");
                seeds.extend(of_game);
            }
            assert_ne!(seeds[0], seeds[1]);
        }
    }

    #[test]
    fn a_higher_rung_wins() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        assert!(SKILLS.is_sorted_by(|one, other| one < other));
        let mut points = Vec::new();
        for pair in [[1, 4], [4, 7]] {
            let mut players = pair.map(|rung: usize| PersonPlayer::new(&rules, knowledge, Faculties::of_skill(SKILLS[rung - 1])));
            let mut games = GameLoop::new(&rules, knowledge.lexicon.graph());
            let (mut sums, mut wins) = ([0, 0], 0);
            for index in 0..12 {
                let lower = Seat::BOTH[index as usize % 2];
                let play = |board: &mut LaneBoard, view: &View<'_>| players[usize::from(view.seat != lower)].choose(board, view);
                let by_rung = games.play(1, index / 2, &Signals::default(), play).unwrap().scores.own_first(lower);
                wins += usize::from(by_rung[1] > by_rung[0]);
                (0..2).for_each(|rung| sums[rung] += by_rung[rung]);
            }
            assert!(wins >= 8 && sums[1] > sums[0] + 12 * 30, "rungs {pair:?}: {wins} wins, {sums:?} points");
            points.extend(sums);
        }
        assert!(points[0] < points[3], "{points:?}");
    }

    /// No rung is better in any faculty than the rung above it.
    #[test]
    fn faculties_grow_with_skill() {
        for skill in (0..FULL_SKILL).step_by(50) {
            let (less, more) = (Faculties::of_skill(skill), Faculties::of_skill(skill + 50));
            assert!(less.reach.common < more.reach.common && less.reach.learned < more.reach.learned);
            let chances = |of: Faculties| [of.tile, of.blank, of.beside, of.away, of.exchange, of.leave];
            assert!(chances(less).iter().zip(chances(more)).all(|(less, more)| (0.0..=1.0).contains(less) && *less < more));
            assert!(less.misjudged > more.misjudged && less.reluctance > more.reluctance);
            let recall = |tiles, blanks| less.recall(tiles, blanks);
            assert!(recall(3, 0) > recall(7, 0) && recall(3, 0) > recall(3, 1));
        }
    }
}
