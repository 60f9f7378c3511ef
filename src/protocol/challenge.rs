//! The answer to `go challenge`: the chances of winning with and without a challenge, as lines.
//!
//! Not here: how the chances are found (`search/challenge.rs`), the table at a terminal (`terminal/table.rs`). Start with
//! [`ChallengeAnswer`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp::challenge_rule_text;
use crate::protocol::ranking::{ReplyStage, decimal, percent};
use crate::rules::ChallengeRule;
use crate::search::challenge::{ChallengeChances, ChallengeEvent, WinChance};

/// The source of the probability that the play is valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValiditySource {
    /// The `go` states it.
    Stated,
    /// The lexicon has the words, or it does not.
    Lexicon,
}

impl ValiditySource {
    const fn word(self) -> &'static str {
        match self {
            ValiditySource::Stated => "stated",
            ValiditySource::Lexicon => "lexicon",
        }
    }
}

/// The state of the answer to `go challenge`.
#[derive(Clone, PartialEq, Debug)]
pub struct ChallengeAnswer {
    /// The play that may be challenged.
    pub play: String,
    /// Its words, the main word first.
    pub words: Vec<String>,
    /// The words that are not in the lexicon.
    pub invalid: Vec<String>,
    /// The name of the lexicon.
    pub lexicon: String,
    /// How likely the play is valid, 0 to 1.
    pub valid: f64,
    /// The source of that probability.
    pub source: ValiditySource,
    /// The possible events, in order, with the chances that are known so far.
    pub events: Vec<(ChallengeEvent, Option<WinChance>)>,
    /// Time since the start, ms.
    pub elapsed_ms: u64,
    /// Whether more is to come.
    pub stage: ReplyStage,
}

impl ChallengeAnswer {
    fn chance(&self, event: ChallengeEvent) -> Option<WinChance> {
        self.events.iter().find(|(of, _)| *of == event).and_then(|(_, chance)| *chance)
    }

    /// Returns each challenge rule that is asked about, with the chances under it, if they are known.
    pub fn rules(&self) -> impl Iterator<Item = (ChallengeRule, Option<ChallengeChances>)> {
        let rule = |(event, chance): &(ChallengeEvent, Option<WinChance>)| match event {
            ChallengeEvent::InVain(rule) => Some((*rule, *chance)),
            ChallengeEvent::Stands | ChallengeEvent::Off => None,
        };
        let (stands, off) = (self.chance(ChallengeEvent::Stands), self.chance(ChallengeEvent::Off));
        let chances = move |in_vain: Option<WinChance>| Some(ChallengeChances { stands: stands?, off: off?, in_vain: in_vain? });
        self.events.iter().filter_map(rule).map(move |(rule, in_vain)| (rule, chances(in_vain)))
    }

    /// Returns the lines at the end, which all dialects share, since no other protocol has them.
    pub fn lines(&self) -> Vec<String> {
        if self.stage == ReplyStage::Running {
            return Vec::new();
        }
        let list = |words: &[String]| if words.is_empty() { "-".to_string() } else { words.join("|") };
        let mut lines = vec![format!(
            "info string challenge play {} words {} invalid {} prob {} by {}",
            self.play,
            list(&self.words),
            list(&self.invalid),
            decimal(self.valid, 3),
            self.source.word()
        )];
        lines.extend(self.events.iter().filter_map(|(event, chance)| Some(event_line(*event, &(*chance)?))));
        lines.extend(self.rules().map(|(rule, chances)| match chances {
            Some(chances) => rule_line(rule, &chances, self.valid),
            None => format!("info challenge rule {} unknown: the search was stopped", challenge_rule_text(rule)),
        }));
        lines
    }
}

fn event_line(event: ChallengeEvent, chance: &WinChance) -> String {
    let event = match event {
        ChallengeEvent::Stands => "stands".to_string(),
        ChallengeEvent::Off => "off".to_string(),
        ChallengeEvent::InVain(rule) => format!("vain rule {}", challenge_rule_text(rule)),
    };
    let WinChance { win, error, basis } = *chance;
    format!("info challenge event {event} wp {} wpse {} by {}", decimal(percent(win), 3), decimal(100.0 * error, 3), basis.name())
}

fn rule_line(rule: ChallengeRule, chances: &ChallengeChances, valid: f64) -> String {
    format!(
        "info challenge rule {} challenge {} accept {} below {} belowse {} better {}",
        challenge_rule_text(rule),
        decimal(percent(chances.win_of_challenge(valid)), 3),
        decimal(percent(chances.stands.win), 3),
        decimal(chances.threshold(), 4),
        decimal(chances.threshold_error(rule), 4),
        if chances.pays(valid) { "challenge" } else { "accept" }
    )
}
