//! The names of challenge rules in opcodes and options. What they mean is in `rules/game_rules.rs`.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::ChallengeRule;

/// A challenge rule as the opcode `cr` has it.
pub const fn challenge_rule_text(rule: ChallengeRule) -> &'static str {
    match rule {
        ChallengeRule::Void => "void",
        ChallengeRule::Single => "single",
        ChallengeRule::Double => "double",
        ChallengeRule::Triple => "triple",
        ChallengeRule::FivePoint => "5pt",
        ChallengeRule::TenPoint => "10pt",
    }
}

/// Reads a challenge rule in either case: `void single double triple 5pt 10pt`, also `five_point ten_point`.
pub fn parse_challenge_rule(text: &str) -> Option<ChallengeRule> {
    match text.to_ascii_lowercase().as_str() {
        "void" => Some(ChallengeRule::Void),
        "single" => Some(ChallengeRule::Single),
        "double" => Some(ChallengeRule::Double),
        "triple" => Some(ChallengeRule::Triple),
        "5pt" | "five_point" => Some(ChallengeRule::FivePoint),
        "10pt" | "ten_point" => Some(ChallengeRule::TenPoint),
        _ => None,
    }
}
