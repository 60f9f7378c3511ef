//! Remarks on a turn, each by a rule that [`LabelKind::rule`] states. Not here:
//! the loss (`judge.rs`).

use crate::analysis::judge::Judgement;
use crate::analysis::report::{Certainty, GamePart, Label, LabelKind};
use crate::lexicon::Lexicon;
use crate::rules::{Placement, Play, Position, Turn, scoring};

/// The words of a placement that a lexicon has not, as text; nothing for a placement that is not possible.
pub fn unknown_words(position: &Position, placement: &Placement, lexicon: &Lexicon) -> Vec<String> {
    let Ok(scored) = scoring::score_placement(position.rules(), position.board(), placement) else { return Vec::new() };
    let words = scored.words.iter().map(scoring::FormedWord::letters);
    words.filter(|word| !lexicon.contains(word)).map(|word| position.rules().distribution.word_text(&word)).collect()
}

/// The labels that need no search: phonies made and let stand. `before` is the opponent's turn before this one with its position.
pub fn word_labels(position: &Position, turn: &Turn, before: Option<(&Position, &Turn)>, lexicon: &Lexicon) -> Vec<Label> {
    let label = |kind, words: Vec<String>| (!words.is_empty()).then(|| Label { kind, about: words.join(", ") });
    let phony = |position: &Position, turn: &Turn| match turn {
        Turn::Play(Play::Place(placement)) | Turn::Phony(placement) => unknown_words(position, placement, lexicon),
        Turn::Play(Play::Exchange(_) | Play::Pass) | Turn::ExchangeUnknown(_) => Vec::new(),
    };
    let own = label(LabelKind::Phony, phony(position, turn));
    let stood = before.filter(|(_, turn)| matches!(turn, Turn::Play(_)));
    let missed = stood.and_then(|(position, turn)| label(LabelKind::MissedChallenge, phony(position, turn)));
    own.into_iter().chain(missed).collect()
}

/// The labels that a judgement gives.
pub fn judged_labels(position: &Position, played: &Play, part: GamePart, judgement: &Judgement) -> Vec<Label> {
    let is_bingo = |play: &Play| play.placement().is_some_and(|placement| placement.tile_count() == position.rules().rack_size);
    let best = &judgement.best_play;
    let mut labels = Vec::new();
    let mut add = |kind| labels.push(Label { kind, about: judgement.best.play.clone() });
    let is_real = judgement.loss.is_real();
    if is_real && is_bingo(best) && !is_bingo(played) {
        add(LabelKind::MissedBingo);
    }
    match (best, played) {
        (Play::Exchange(_), Play::Place(_)) if is_real => add(LabelKind::MissedExchange),
        (Play::Place(_), Play::Exchange(_)) if is_real => add(LabelKind::NeedlessExchange),
        _ => {}
    }
    if part == GamePart::Endgame && judgement.certainty == Certainty::Exact && judgement.played.win < judgement.best.win {
        add(LabelKind::BlownEndgame);
    }
    labels
}
