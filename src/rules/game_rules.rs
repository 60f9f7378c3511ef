//! [`GameRules`]: everything that is fixed before the first turn, as one value.
//!
//! Not here: what a variant changes (`variant.rs`), what the end of a game pays (`ending.rs`), and the data of a language
//! (`formats/`). Start with [`GameRules::builder`].

use crate::rules::board::Square;
use crate::rules::distribution::LetterDistribution;
use crate::rules::ending::{DeadBoard, Ending, Objective};
use crate::rules::layout::{Layout, Premium};
use crate::rules::variant::{UnsupportedVariant, Variant, VariantSupport};
use std::ops::Deref;
use std::sync::Arc;
use thiserror::Error;

/// The most tiles of a rack: bounds of plays and values of leaves are computed for racks up to this size.
pub const MAX_RACK_SIZE: usize = 8;

/// The highest bonus for placing a whole rack.
pub const MAX_BINGO_BONUS: i32 = 999_999;

/// The most points that a placement may score, without the bonus: sums of them fit everywhere.
pub const MAX_PLACEMENT_POINTS: i64 = 999_999;

/// The highest multiple of a rack's points that the end of a game pays or costs.
pub const MAX_ENDING_FACTOR: i32 = 9;

/// What a challenge costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChallengeRule {
    /// Only words of the lexicon can be played.
    #[default]
    Void,
    /// A wrong challenge costs nothing.
    Single,
    /// A wrong challenge costs the turn.
    Double,
    /// A wrong challenge costs the game.
    Triple,
    /// A wrong challenge costs 5 points.
    FivePoint,
    /// A wrong challenge costs 10 points.
    TenPoint,
}

/// The rules of a game: its tiles, its board and its numbers. All positions of a game share one value.
///
/// They are read through the fields of [`RuleFields`] and made by a [builder](GameRules::builder), which checks them. They never change
/// afterwards.
///
/// ```
/// use tilewright::rules::{GameRules, Variant};
///
/// let rules = GameRules::english();
/// assert_eq!((rules.bingo_bonus, rules.rack_size, rules.layout.dim()), (50, 7, 15));
///
/// let rules = rules.to_builder().bingo_bonus(35).variant(Variant::Misere).build()?;
/// assert_eq!(rules.bingo_bonus, 35);
/// # Ok::<(), tilewright::rules::game_rules::GameRulesError>(())
/// ```
///
/// ```compile_fail,E0594
/// let mut rules = tilewright::rules::GameRules::english();
/// rules.rack_size = 12;
/// ```
#[derive(Clone, Debug)]
pub struct GameRules {
    fields: RuleFields,
}

impl Deref for GameRules {
    type Target = RuleFields;

    fn deref(&self) -> &RuleFields {
        &self.fields
    }
}

/// The fields of [`GameRules`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuleFields {
    /// Alphabet, tile counts and values.
    pub distribution: Arc<LetterDistribution>,
    /// Premium squares.
    pub layout: Arc<Layout>,
    /// Points for placing a whole rack.
    pub bingo_bonus: i32,
    /// Tiles on a full rack.
    pub rack_size: usize,
    /// Tiles that must be in the bag for an exchange (CGP `etl`).
    pub exchange_limit: usize,
    /// Successive turns without points that end the game (CGP `mcnz`).
    pub max_zero_turns: u32,
    /// What the end of the game pays.
    pub ending: Ending,
    /// Whether the game ends when nothing can be played any more.
    pub dead_board: DeadBoard,
    /// What a word is, what wins, and whether the game ends by last turns.
    pub variant: Variant,
    /// What a challenge costs.
    pub challenge_rule: ChallengeRule,
}

impl GameRules {
    /// The usual numbers on this board with these tiles: bonus 50, racks of 7, exchanges with at least 7 tiles in the bag, six turns
    /// without points, the classic variant, twice the other rack for going out.
    pub(crate) fn standard(distribution: Arc<LetterDistribution>, layout: Arc<Layout>) -> GameRules {
        let fields = RuleFields {
            distribution,
            layout,
            bingo_bonus: 50,
            rack_size: 7,
            exchange_limit: 7,
            max_zero_turns: 6,
            ending: Ending::default(),
            dead_board: DeadBoard::default(),
            variant: Variant::Classic,
            challenge_rule: ChallengeRule::Void,
        };
        GameRules { fields }
    }

    /// Begins rules for any language and board. They start with the usual numbers: bonus 50, racks of 7, exchanges with at least 7 tiles
    /// in the bag, six turns without points, the classic variant, twice the other rack for going out.
    ///
    /// ```
    /// use tilewright::formats::{layout, letter_distribution};
    /// use tilewright::rules::GameRules;
    /// use tilewright::rules::game_rules::GameRulesError;
    ///
    /// let letters = letter_distribution::parse("vowels", "?,?,2,0,0\nA,a,9,1,1\nE,e,12,1,1\nZ,z,1,10,0\n")?;
    /// let board = layout::parse("small", "=...=\n.'.'.\n..*..\n.'.'.\n=...=\n")?;
    /// let rules = GameRules::builder(letters, board).rack_size(5).bingo_bonus(20).build()?;
    /// assert_eq!((rules.rack_size, rules.exchange_limit), (5, 7));
    ///
    /// let wrong = rules.to_builder().rack_size(0).build();
    /// assert_eq!(wrong.unwrap_err(), GameRulesError::EmptyRack);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(distribution: impl Into<Arc<LetterDistribution>>, layout: impl Into<Arc<Layout>>) -> GameRulesBuilder {
        GameRules::standard(distribution.into(), layout.into()).to_builder()
    }

    /// Begins other rules, which start with the values of these.
    pub fn to_builder(&self) -> GameRulesBuilder {
        GameRulesBuilder { rules: self.clone() }
    }

    /// Points of the most valuable tile.
    fn highest_value(&self) -> i32 {
        self.distribution.tiles().map(|tile| self.distribution.value(tile)).max().unwrap_or(0)
    }

    /// An upper bound of a placement's points, without the bonus: a line full of the most valuable tile, whose best squares are covered by a
    /// whole rack, and a cross word that fills its line at each of those squares.
    fn points_bound(&self) -> i64 {
        let (dim, value) = (self.layout.dim(), i64::from(self.highest_value()));
        let premium = |row, col| self.layout.premium(Square::at(row, col));
        let word_factors = |line: usize, is_row: bool| -> Vec<i64> {
            let at = |step| if is_row { premium(line, step) } else { premium(step, line) };
            let mut factors: Vec<i64> = (0..dim).map(|step| i64::from(at(step).word_factor())).collect();
            factors.sort_unstable_by(|one, other| other.cmp(one));
            factors.truncate(self.rack_size);
            factors
        };
        let lines = (0..dim).flat_map(|line| [word_factors(line, true), word_factors(line, false)]);
        let product = lines.map(|factors| factors.iter().fold(1i64, |all, factor| all.saturating_mul(*factor))).max().unwrap_or(1);
        let all = || (0..dim).flat_map(|row| (0..dim).map(move |col| premium(row, col)));
        let letter_factor = i64::from(all().map(Premium::letter_factor).max().unwrap_or(1));
        let word_factor = i64::from(all().map(Premium::word_factor).max().unwrap_or(1));
        let placed = self.rack_size.min(dim) as i64;
        // The tiles of a line, `placed` of them on premium squares.
        let line_points = |placed: i64| (dim as i64 - placed + placed * letter_factor) * value;
        product.saturating_mul(line_points(placed)).saturating_add(placed * word_factor * line_points(1))
    }

    /// What the players play for.
    pub const fn objective(&self) -> Objective {
        self.fields.variant.objective()
    }

    /// Whether the next turn without points ends the game, after this many in a row.
    pub fn is_ended_by_zero_turn_after(&self, zero_turns: u32) -> bool {
        zero_turns + 1 >= self.fields.max_zero_turns
    }

    /// Refuses these rules if a search cannot play their variant: [`Variant::require`].
    ///
    /// # Errors
    /// The variant is not one of `supported`.
    pub fn require(&self, supported: VariantSupport, search: &'static str) -> Result<(), UnsupportedVariant> {
        self.variant.require(supported, search)
    }
}

/// Why rules are not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameRulesError {
    /// Nothing to play with.
    #[error("a rack has at least one tile")]
    EmptyRack,
    /// More tiles than move generation supports.
    #[error("a rack has {found} tiles, expected 1 to {MAX_RACK_SIZE}")]
    RackTooLarge {
        /// Tiles given.
        found: usize,
    },
    /// A game that is over before it begins.
    #[error("the number of turns without points that end a game must be at least 1")]
    NoZeroTurns,
    /// A bonus outside its range.
    #[error("the bonus for a whole rack is {found} points, expected 0 to {MAX_BINGO_BONUS}")]
    BadBonus {
        /// Points given.
        found: i32,
    },
    /// Tile values and premium squares by which a play could score more points than are possible.
    #[error("tiles of up to {value} points on this board allow a play of {found} points, but at most {MAX_PLACEMENT_POINTS} are possible")]
    TooManyPoints {
        /// Points of the most valuable tile.
        value: i32,
        /// An upper bound of the points of a play.
        found: i64,
    },
    /// An end on a dead board that cannot be found, since the search for dead boards looks words up in order.
    #[error("{variant} cannot end when nothing can be played any more: dead boards are found only where words are spelled in order")]
    DeadBoard {
        /// The variant.
        variant: Variant,
    },
    /// Payments for racks in a variant that has none.
    #[error("{variant} pays nothing at the end: each player has a last turn, and the tiles left count for nothing")]
    EndingOfVariant {
        /// The variant.
        variant: Variant,
    },
    /// A multiple of a rack's points outside its range.
    #[error("the end of a game pays or costs a rack's points {found} times, expected 0 to {MAX_ENDING_FACTOR}")]
    BadEnding {
        /// The multiple given.
        found: i32,
    },
}

/// Rules under construction. Begin with [`GameRules::builder`] or [`GameRules::to_builder`].
#[derive(Clone, Debug)]
pub struct GameRulesBuilder {
    rules: GameRules,
}

impl GameRulesBuilder {
    /// Alphabet, tile counts and values.
    #[must_use]
    pub fn distribution(mut self, distribution: impl Into<Arc<LetterDistribution>>) -> Self {
        self.rules.fields.distribution = distribution.into();
        self
    }

    /// Premium squares.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Arc<Layout>>) -> Self {
        self.rules.fields.layout = layout.into();
        self
    }

    /// Points for placing a whole rack: 0 to [`MAX_BINGO_BONUS`].
    #[must_use]
    pub fn bingo_bonus(mut self, points: i32) -> Self {
        self.rules.fields.bingo_bonus = points;
        self
    }

    /// Tiles on a full rack: 1 to [`MAX_RACK_SIZE`].
    #[must_use]
    pub fn rack_size(mut self, tiles: usize) -> Self {
        self.rules.fields.rack_size = tiles;
        self
    }

    /// Tiles that must be in the bag for an exchange.
    #[must_use]
    pub fn exchange_limit(mut self, tiles: usize) -> Self {
        self.rules.fields.exchange_limit = tiles;
        self
    }

    /// Successive turns without points that end the game: 1 or more.
    #[must_use]
    pub fn max_zero_turns(mut self, turns: u32) -> Self {
        self.rules.fields.max_zero_turns = turns;
        self
    }

    /// What the end of the game pays: multiples from 0 to [`MAX_ENDING_FACTOR`].
    #[must_use]
    pub fn ending(mut self, ending: Ending) -> Self {
        self.rules.fields.ending = ending;
        self
    }

    /// Whether the game ends when nothing can be played any more.
    #[must_use]
    pub fn dead_board(mut self, dead_board: DeadBoard) -> Self {
        self.rules.fields.dead_board = dead_board;
        self
    }

    /// Sets the rules for words, for the winner, and for the end of the game. If the usual bonus or the usual ending of this variant
    /// differs from that of the variant before, it is also set; letters and board are not.
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> Self {
        let fields = &mut self.rules.fields;
        let before = std::mem::replace(&mut fields.variant, variant);
        if before.bingo_bonus() != variant.bingo_bonus() {
            fields.bingo_bonus = variant.bingo_bonus();
        }
        if before.ending() != variant.ending() {
            fields.ending = variant.ending();
        }
        self
    }

    /// What a challenge costs.
    #[must_use]
    pub fn challenge_rule(mut self, challenge_rule: ChallengeRule) -> Self {
        self.rules.fields.challenge_rule = challenge_rule;
        self
    }

    /// The rules.
    ///
    /// # Errors
    /// A number outside its range.
    pub fn build(self) -> Result<GameRules, GameRulesError> {
        let RuleFields { bingo_bonus, rack_size, max_zero_turns, ending, .. } = self.rules.fields;
        if rack_size == 0 {
            return Err(GameRulesError::EmptyRack);
        }
        if rack_size > MAX_RACK_SIZE {
            return Err(GameRulesError::RackTooLarge { found: rack_size });
        }
        if max_zero_turns == 0 {
            return Err(GameRulesError::NoZeroTurns);
        }
        if !(0..=MAX_BINGO_BONUS).contains(&bingo_bonus) {
            return Err(GameRulesError::BadBonus { found: bingo_bonus });
        }
        let factors = [ending.out_gain, ending.out_loss, ending.stuck_loss];
        if let Some(found) = factors.into_iter().find(|factor| !(0..=MAX_ENDING_FACTOR).contains(factor)) {
            return Err(GameRulesError::BadEnding { found });
        }
        let variant = self.rules.variant;
        if variant.last_turns().is_some() && ending != variant.ending() {
            return Err(GameRulesError::EndingOfVariant { variant });
        }
        if self.rules.dead_board == DeadBoard::EndsGame && !VariantSupport::WORDS_IN_ORDER.plays(self.rules.variant) {
            return Err(GameRulesError::DeadBoard { variant: self.rules.variant });
        }
        let found = self.rules.points_bound();
        if found > MAX_PLACEMENT_POINTS {
            return Err(GameRulesError::TooManyPoints { value: self.rules.highest_value(), found });
        }
        Ok(self.rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{layout, letter_distribution};
    use crate::rules::GameRules;

    #[test]
    fn a_builder_changes_what_it_is_told_and_nothing_else() {
        let english = GameRules::english();
        let same = english.to_builder().build().unwrap();
        assert_eq!(format!("{same:?}"), format!("{english:?}"));
        let changed = english
            .to_builder()
            .bingo_bonus(35)
            .rack_size(8)
            .exchange_limit(1)
            .max_zero_turns(4)
            .ending(Ending::TRANSFER)
            .variant(Variant::Misere)
            .challenge_rule(ChallengeRule::Double)
            .build()
            .unwrap();
        assert_eq!((changed.bingo_bonus, changed.rack_size, changed.exchange_limit, changed.max_zero_turns), (35, 8, 1, 4));
        assert_eq!(
            (changed.ending, changed.objective(), changed.challenge_rule),
            (Ending::TRANSFER, Objective::FewestPoints, ChallengeRule::Double)
        );
        assert!(Arc::ptr_eq(&changed.distribution, &english.distribution) && Arc::ptr_eq(&changed.layout, &english.layout));
    }

    #[test]
    fn a_variant_brings_its_usual_numbers_and_takes_them_away_again() {
        let english = GameRules::english();
        let crossplay = english.to_builder().exchange_limit(1).variant(Variant::Crossplay).build().unwrap();
        assert_eq!((crossplay.bingo_bonus, crossplay.ending, crossplay.exchange_limit), (40, Ending::NOTHING, 1));
        let changed = crossplay.to_builder().bingo_bonus(35).variant(Variant::Crossplay).build().unwrap();
        assert_eq!(changed.bingo_bonus, 35);
        assert_eq!(crossplay.to_builder().exchange_limit(7).variant(Variant::Classic).build().unwrap(), english);
        let transfer = english.to_builder().ending(Ending::TRANSFER).variant(Variant::Misere).build().unwrap();
        assert_eq!(transfer.ending, Ending::TRANSFER, "misere has no ending of its own");
    }

    #[test]
    fn numbers_that_make_no_game_are_refused() {
        let refuse = |change: &dyn Fn(GameRulesBuilder) -> GameRulesBuilder| change(GameRules::english().to_builder()).build().unwrap_err();
        assert_eq!(refuse(&|rules| rules.rack_size(0)), GameRulesError::EmptyRack);
        assert_eq!(refuse(&|rules| rules.rack_size(9)), GameRulesError::RackTooLarge { found: 9 });
        assert_eq!(refuse(&|rules| rules.max_zero_turns(0)), GameRulesError::NoZeroTurns);
        assert_eq!(refuse(&|rules| rules.bingo_bonus(-1)).to_string(), "the bonus for a whole rack is -1 points, expected 0 to 999999");
        let anagrams = refuse(&|rules| rules.variant(Variant::Wordsmog).dead_board(DeadBoard::EndsGame));
        assert_eq!(anagrams, GameRulesError::DeadBoard { variant: Variant::Wordsmog });
        let paid = refuse(&|rules| rules.variant(Variant::Crossplay).ending(Ending::TRANSFER));
        assert_eq!(paid, GameRulesError::EndingOfVariant { variant: Variant::Crossplay });
        let ending = Ending { stuck_loss: 10, ..Ending::default() };
        assert_eq!(refuse(&|rules| rules.ending(ending)), GameRulesError::BadEnding { found: 10 });
    }

    #[test]
    fn plays_without_room_for_their_points_are_refused() {
        let letters = |value: u8| letter_distribution::parse("t", &format!("?,?,9,0,0\nA,a,99,{value},1\n")).unwrap();
        let board = |square: &str| {
            let row = square.repeat(21) + "\n";
            layout::parse("t", &(row.repeat(10) + &square.repeat(10) + "*" + &square.repeat(10) + "\n" + &row.repeat(10))).unwrap()
        };
        let build = |value, square| GameRules::builder(letters(value), board(square)).build().map(|rules| rules.points_bound());
        // Seven squares that multiply the word by four: 16,384 times 21 points, and seven cross words.
        assert_eq!(build(1, "~"), Ok(344_652));
        let error = build(10, "~").unwrap_err();
        assert_eq!(error, GameRulesError::TooManyPoints { value: 10, found: 3_446_520 });
        assert_eq!(
            error.to_string(),
            "tiles of up to 10 points on this board allow a play of 3446520 points, but at most 999999 are possible"
        );
        assert!(build(255, "^").is_ok(), "letters four times, the dearest tiles");
        assert!(GameRules::builder(letters(255), Layout::standard()).build().is_ok());
    }

    #[test]
    fn a_variant_that_is_not_supported_is_refused() {
        let misere = GameRules::english().to_builder().variant(Variant::Misere).build().unwrap();
        assert_eq!(misere.require(VariantSupport::WORDS_IN_ORDER, "the referee"), Ok(()));
        let refused = UnsupportedVariant { search: "the simulation", variant: Variant::Misere };
        assert_eq!(misere.require(VariantSupport::CLASSIC, "the simulation"), Err(refused));
    }
}
