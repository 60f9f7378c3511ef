//! The variants of the game, what each changes, and the refusal of variants that a search cannot
//! play.
//!
//! All variants share turns and scores, so `scoring.rs` and `position.rs` serve every variant. Three things differ: what makes
//! letters a word ([`WordRule`]), who wins ([`Objective`]), and whether the game ends by last turns ([`Variant::last_turns`]). Code
//! that asks a lexicon, compares final scores or plays to the end states which variants it can play in a [`VariantSupport`], and calls
//! [`Variant::require`] before it begins.
//!
//! A variant that is a game of its own also has letters, a board and numbers of its own: [`Variant::letters`] and the functions after it.
//!
//! Start with [`Variant`].

use crate::rules::ending::{Ending, Objective};
use thiserror::Error;

/// What makes letters a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordRule {
    /// They spell an entry of the lexicon.
    InOrder,
    /// They can be rearranged into an entry of the lexicon.
    AnyOrder,
}

/// A variant of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The higher score wins; words are spelled as in the lexicon.
    #[default]
    Classic,
    /// The letters of a word may stand in any order.
    Wordsmog,
    /// The lower score wins.
    Misere,
    /// Once the bag is empty each player has one more turn, and the tiles left cost nothing; the game of The New York Times.
    Crossplay,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 4] = [Variant::Classic, Variant::Wordsmog, Variant::Misere, Variant::Crossplay];

    /// Their names, for messages.
    pub const NAMES: &str = "classic, wordsmog, misere or crossplay";

    /// Its name, as in positions and options: `classic`, `wordsmog`, `misere`, `crossplay`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Classic => "classic",
            Variant::Wordsmog => "wordsmog",
            Variant::Misere => "misere",
            Variant::Crossplay => "crossplay",
        }
    }

    /// The variant of this name, in either case.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(name))
    }

    /// What makes letters a word.
    pub const fn words(self) -> WordRule {
        match self {
            Variant::Classic | Variant::Misere | Variant::Crossplay => WordRule::InOrder,
            Variant::Wordsmog => WordRule::AnyOrder,
        }
    }

    /// What the players play for.
    pub const fn objective(self) -> Objective {
        match self {
            Variant::Classic | Variant::Wordsmog | Variant::Crossplay => Objective::MostPoints,
            Variant::Misere => Objective::FewestPoints,
        }
    }

    /// How many turns are left once the bag is empty, in a variant that ends after them. `None` where the game ends when a player goes
    /// out, or nobody scores.
    #[inline]
    pub const fn last_turns(self) -> Option<u32> {
        match self {
            Variant::Crossplay => Some(2),
            Variant::Classic | Variant::Wordsmog | Variant::Misere => None,
        }
    }

    /// The payment at the end of the game, if no other is set.
    pub const fn ending(self) -> Ending {
        match self {
            Variant::Crossplay => Ending::NOTHING,
            Variant::Classic | Variant::Wordsmog | Variant::Misere => Ending::DOUBLE_GAIN,
        }
    }

    /// Points for a play of the whole rack, if no other bonus is set.
    pub const fn bingo_bonus(self) -> i32 {
        match self {
            Variant::Crossplay => 40,
            Variant::Classic | Variant::Wordsmog | Variant::Misere => 50,
        }
    }

    /// The name of the letters that it is played with, if none are named.
    pub const fn letters(self) -> &'static str {
        match self {
            Variant::Crossplay => "english_crossplay",
            Variant::Classic | Variant::Wordsmog | Variant::Misere => "english",
        }
    }

    /// The name of the board that it is played on, if none is named.
    pub const fn layout(self) -> &'static str {
        match self {
            Variant::Crossplay => "crossplay15",
            Variant::Classic | Variant::Wordsmog | Variant::Misere => "standard15",
        }
    }

    /// Whether nothing differs from the classic game.
    pub const fn is_classic(self) -> bool {
        matches!(self, Variant::Classic)
    }

    /// Refuses this variant if a search (or player, or referee) cannot play it. `search` is its name in the error.
    ///
    /// # Errors
    /// The variant is not one of `supported`.
    ///
    /// ```
    /// use tilewright::rules::variant::{Variant, VariantSupport};
    ///
    /// let check = |variant: Variant| variant.require(VariantSupport::CLASSIC, "the endgame search");
    /// assert_eq!(check(Variant::Classic), Ok(()));
    /// let error = check(Variant::Misere).unwrap_err();
    /// assert_eq!(error.to_string(), "the endgame search does not play misere, where the lower score wins");
    /// ```
    pub fn require(self, supported: VariantSupport, search: &'static str) -> Result<(), UnsupportedVariant> {
        if supported.plays(self) { Ok(()) } else { Err(UnsupportedVariant { search, variant: self }) }
    }

    /// The rule by which it differs from the classic game, for messages.
    const fn difference(self) -> &'static str {
        match self {
            Variant::Classic => "nothing is special",
            Variant::Wordsmog => "the letters of a word may stand in any order",
            Variant::Misere => "the lower score wins",
            Variant::Crossplay => "each player has one more turn once the bag is empty",
        }
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The variants that a search, a player or a referee can play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariantSupport(&'static [Variant]);

impl VariantSupport {
    /// The classic game alone.
    pub const CLASSIC: VariantSupport = VariantSupport(&[Variant::Classic]);

    /// Words as the lexicon spells them, and the higher score wins, however the game ends: for a search that lists placements in its own
    /// way and plays to the end.
    pub const SPELLED: VariantSupport = VariantSupport(&[Variant::Classic, Variant::Crossplay]);

    /// Words as the lexicon spells them, and the lower score wins: for a player that plays to lose.
    pub const FEWEST_POINTS: VariantSupport = VariantSupport(&[Variant::Misere]);

    /// Words in any order of their letters as well, and the higher score wins: for a player that asks the generator for plays.
    pub const MOST_POINTS: VariantSupport = VariantSupport(&[Variant::Classic, Variant::Wordsmog, Variant::Crossplay]);

    /// Every variant.
    pub const ALL: VariantSupport = VariantSupport(&Variant::ALL);

    /// Words as the lexicon spells them, with any objective: for a referee that judges words but not who wins.
    pub const WORDS_IN_ORDER: VariantSupport = VariantSupport(&[Variant::Classic, Variant::Misere, Variant::Crossplay]);

    /// Whether this variant is one of them.
    pub fn plays(self, variant: Variant) -> bool {
        self.0.contains(&variant)
    }
}

/// A variant that a search, a player or a referee cannot play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{search} does not play {variant}, where {}", .variant.difference())]
pub struct UnsupportedVariant {
    /// What cannot play it, as the subject of a sentence: `the endgame search`.
    pub search: &'static str,
    /// The variant.
    pub variant: Variant,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for variant in Variant::ALL {
            assert_eq!(Variant::from_name(&variant.name().to_uppercase()), Some(variant));
        }
        assert_eq!(Variant::from_name("chess"), None);
        assert_eq!(Variant::NAMES.replace(" or ", ", "), Variant::ALL.map(Variant::name).join(", "));
    }

    #[test]
    fn a_variant_is_played_where_all_its_rules_are_known() {
        let played = |support: VariantSupport| Variant::ALL.map(|variant| support.plays(variant));
        assert_eq!(played(VariantSupport::CLASSIC), [true, false, false, false]);
        assert_eq!(played(VariantSupport::SPELLED), [true, false, false, true]);
        assert_eq!(played(VariantSupport::WORDS_IN_ORDER), [true, false, true, true]);
        assert_eq!(played(VariantSupport::FEWEST_POINTS), [false, false, true, false]);
        assert_eq!(played(VariantSupport::MOST_POINTS), [true, true, false, true]);
        assert_eq!(played(VariantSupport::ALL), [true; 4]);
        for variant in Variant::ALL {
            assert_eq!(
                VariantSupport::SPELLED.plays(variant),
                variant.words() == WordRule::InOrder && variant.objective() == Objective::MostPoints
            );
        }
        // The names of the constants hold.
        for variant in Variant::ALL {
            assert_eq!(variant.is_classic(), VariantSupport::CLASSIC.plays(variant));
            assert_eq!(variant.words() == WordRule::InOrder, VariantSupport::WORDS_IN_ORDER.plays(variant));
            assert_eq!(variant.objective() == Objective::MostPoints, VariantSupport::MOST_POINTS.plays(variant));
        }
    }

    #[test]
    fn a_refusal_says_who_refuses_what_and_why() {
        let error = Variant::Wordsmog.require(VariantSupport::CLASSIC, "the referee").unwrap_err();
        assert_eq!(error, UnsupportedVariant { search: "the referee", variant: Variant::Wordsmog });
        assert_eq!(error.to_string(), "the referee does not play wordsmog, where the letters of a word may stand in any order");
    }
}
