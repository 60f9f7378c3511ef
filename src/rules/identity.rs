//! Whether two sets of rules describe the same game, and a hash of everything in [`GameRules`].
//! The hash is the same on every machine. Files to which later runs add results store it,
//! so that results of another game are not added to them.

use crate::rules::board::Square;
use crate::rules::ending::DeadBoard;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::game_rules::{GameRules, RuleFields};
use crate::rules::layout::Premium;

/// Rules are equal if they have the same letters, board and numbers. Names are not compared, as in [`GameRules::fingerprint`].
impl PartialEq for GameRules {
    fn eq(&self, other: &GameRules) -> bool {
        // Every field is named, so that this does not compile if a rule is added and forgotten here.
        let RuleFields {
            distribution,
            layout,
            bingo_bonus,
            rack_size,
            exchange_limit,
            max_zero_turns,
            ending,
            dead_board,
            variant,
            challenge_rule,
        } = &**self;
        distribution.has_same_tiles(&other.distribution)
            && layout.has_same_squares(&other.layout)
            && (*bingo_bonus, *rack_size, *exchange_limit) == (other.bingo_bonus, other.rack_size, other.exchange_limit)
            && (*max_zero_turns, *ending, *dead_board) == (other.max_zero_turns, other.ending, other.dead_board)
            && (*variant, *challenge_rule) == (other.variant, other.challenge_rule)
    }
}

impl Eq for GameRules {}

impl GameRules {
    /// A hash of letters, board and numbers. Names are left out: a copy of a file under another name gives the same.
    pub fn fingerprint(&self) -> u64 {
        // Every field is named, so that this does not compile if a rule is added and forgotten here.
        let RuleFields {
            distribution,
            layout,
            bingo_bonus,
            rack_size,
            exchange_limit,
            max_zero_turns,
            ending,
            dead_board,
            variant,
            challenge_rule,
        } = &**self;
        let mut hash = Fingerprint::default();
        for tile in distribution.tiles() {
            let spec = distribution.spec(tile);
            hash.add(format!("{} {} {} {} {}\n", spec.face, spec.blank_face, spec.count, spec.value, spec.is_vowel).bytes());
        }
        for square in Square::all(layout.dim()) {
            let (kind, factor) = match layout.premium(square) {
                Premium::None => (b'.', 1),
                Premium::Letter(factor) => (b'l', factor),
                Premium::Word(factor) => (b'w', factor),
            };
            hash.add([kind, factor, u8::from(square == layout.start())]);
        }
        let numbers = format!("{bingo_bonus} {rack_size} {exchange_limit} {max_zero_turns} {ending:?} {variant:?} {challenge_rule:?}");
        hash.add(numbers.bytes());
        if *dead_board != DeadBoard::PlaysOn {
            // The usual rule adds nothing, so that the hashes of earlier versions stay the same.
            hash.add(format!(" {dead_board:?}").bytes());
        }
        hash.value()
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::{layout, letter_distribution};
    use crate::rules::ending::{DeadBoard, Ending};
    use crate::rules::game_rules::GameRulesBuilder;
    use crate::rules::{ChallengeRule, GameRules, Variant};

    #[test]
    fn every_part_of_the_rules_counts_and_names_do_not() {
        let english = GameRules::english();
        let changed = |change: &dyn Fn(GameRulesBuilder) -> GameRulesBuilder| change(english.to_builder()).build().unwrap();
        let others = [
            changed(&|rules| rules.bingo_bonus(35)),
            changed(&|rules| rules.rack_size(8)),
            changed(&|rules| rules.exchange_limit(1)),
            changed(&|rules| rules.max_zero_turns(4)),
            changed(&|rules| rules.ending(Ending::TRANSFER)),
            changed(&|rules| rules.variant(Variant::Misere)),
            changed(&|rules| rules.dead_board(DeadBoard::EndsGame)),
            changed(&|rules| rules.challenge_rule(ChallengeRule::Double)),
            changed(&|rules| rules.layout(layout::parse("small", "*.\n..").unwrap())),
            changed(&|rules| rules.distribution(letter_distribution::parse("two", "?,?,2,0,0\nA,a,9,1,1\nB,b,4,3,0\n").unwrap())),
        ];
        for other in &others {
            assert_ne!(other.fingerprint(), english.fingerprint(), "{other:?}");
            assert_ne!(other, &english);
        }
        let text = "?,?,2,0,0\nA,a,9,1,1\nB,b,4,3,0\n";
        let of_name = |name| {
            let letters = letter_distribution::parse(name, text).unwrap();
            changed(&|rules| rules.distribution(letters.clone()))
        };
        assert_eq!(of_name("two").fingerprint(), of_name("zwei").fingerprint());
        assert_eq!(of_name("two"), of_name("zwei"));
    }
}
