//! The variants of the game, what each changes, and the refusal of variants that a search cannot
//! play.
//!
//! All variants share the board, the turns, the scores and what the end of a game pays. So `scoring.rs` and `position.rs` serve
//! every variant. Two things differ: which letters are a word ([`WordRule`]), and who wins ([`Objective`]). Code that asks a lexicon
//! or compares final scores states what it can play as a [`VariantSupport`], and calls [`Variant::require`] before it begins.
//!
//! Start with [`Variant`].

use crate::rules::ending::Objective;
use thiserror::Error;

/// What makes letters a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordRule {
    /// They spell an entry of the lexicon.
    InOrder,
    /// They can be rearranged into an entry of the lexicon.
    AnyOrder,
}

/// What the players play for and with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The higher score wins; words are spelled as in the lexicon.
    #[default]
    Classic,
    /// The letters of a word may stand in any order.
    Wordsmog,
    /// The lower score wins.
    Misere,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 3] = [Variant::Classic, Variant::Wordsmog, Variant::Misere];

    /// Its name, as in positions and options: `classic`, `wordsmog`, `misere`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Classic => "classic",
            Variant::Wordsmog => "wordsmog",
            Variant::Misere => "misere",
        }
    }

    /// The variant of this name, in either case.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(name))
    }

    /// What makes letters a word.
    pub const fn words(self) -> WordRule {
        match self {
            Variant::Classic | Variant::Misere => WordRule::InOrder,
            Variant::Wordsmog => WordRule::AnyOrder,
        }
    }

    /// What the players play for.
    pub const fn objective(self) -> Objective {
        match self {
            Variant::Classic | Variant::Wordsmog => Objective::MostPoints,
            Variant::Misere => Objective::FewestPoints,
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

    /// Words as the lexicon spells them, and the lower score wins: what a player supports who plays to lose.
    pub const FEWEST_POINTS: VariantSupport = VariantSupport(&[Variant::Misere]);

    /// Words in any order of their letters as well, and the higher score wins: what a player supports who asks the generator for plays.
    pub const MOST_POINTS: VariantSupport = VariantSupport(&[Variant::Classic, Variant::Wordsmog]);

    /// Every variant.
    pub const ALL: VariantSupport = VariantSupport(&Variant::ALL);

    /// Words as the lexicon spells them, with any objective: what a referee supports that judges words but not who wins.
    pub const WORDS_IN_ORDER: VariantSupport = VariantSupport(&[Variant::Classic, Variant::Misere]);

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
    }

    #[test]
    fn a_variant_is_played_where_all_its_rules_are_known() {
        let played = |support: VariantSupport| Variant::ALL.map(|variant| support.plays(variant));
        assert_eq!(played(VariantSupport::CLASSIC), [true, false, false]);
        assert_eq!(played(VariantSupport::WORDS_IN_ORDER), [true, false, true]);
        assert_eq!(played(VariantSupport::FEWEST_POINTS), [false, false, true]);
        assert_eq!(played(VariantSupport::MOST_POINTS), [true, true, false]);
        assert_eq!(played(VariantSupport::ALL), [true; 3]);
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
