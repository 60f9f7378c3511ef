//! Commands on words, and the static ranking term by term, for people and scripts.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::StaticEval;
use crate::lexicon::Lexicon;
use crate::lexicon::pattern::{Pattern, PatternError};
use crate::lexicon::word_list::{AnagramUse, WordsFound};
use crate::protocol::command::{GoParameters, Word};
use crate::protocol::reply::ErrorCode;
use crate::protocol::session::refusal::{Refusal, bad_tile, error_at};
use crate::protocol::session::search::not_searchable;
use crate::protocol::session::state::Session;
use crate::rules::layout::MAX_DIM;
use crate::rules::notation::play_text;
use crate::rules::units::Millipoints;
use crate::rules::{Letter, LetterDistribution, Objective, Position, Rack};
use crate::search::candidates::StaticSight;
use crate::search::misere::equity::{MisereEval, MisereTerms};
use crate::search::report::Report;
use crate::search::{self, EvaluatedPlay, Knowledge, SearchKind, SearchPosition, Signals, StaticReport};
use std::sync::Arc;

/// Words of an answer that are shown.
pub(super) const WORDS_SHOWN: usize = 200;

/// Words on a line.
const WORDS_A_LINE: usize = 20;

/// Plays that `eval` analyses if none are named.
const EVAL_ROWS: usize = 15;

impl Session {
    /// Returns the lexicon in use with its alphabet.
    pub(super) fn words(&self) -> Result<(Knowledge, Arc<LetterDistribution>), Refusal> {
        Ok((self.knowledge()?, self.current_distribution()?))
    }

    /// `check <word>...`: a line for each.
    pub(super) fn check(&mut self, words: &[Word]) -> Result<(), Refusal> {
        let (knowledge, distribution) = self.words()?;
        for word in words {
            let letters = letters(word, &distribution)?;
            let verdict = if knowledge.lexicon.graph().contains(&letters) { "valid" } else { "invalid" };
            self.say(format!("check {} {verdict}", distribution.word_text(&letters)));
            self.say_definition(&letters, &knowledge.lexicon, &distribution);
        }
        Ok(())
    }

    /// Prints the definition that the word list has for a word, if there is one.
    fn say_definition(&mut self, word: &[Letter], lexicon: &Lexicon, distribution: &LetterDistribution) {
        if let Some(definition) = lexicon.definition(word) {
            self.say(format!("definition {} {definition}", distribution.word_text(word)));
        }
    }

    /// Prints the definitions of the words found, if they are few.
    fn say_definitions(&mut self, found: &WordsFound, lexicon: &Lexicon, distribution: &LetterDistribution) {
        for word in found.words.iter().filter(|_| found.total <= WORDS_A_LINE) {
            self.say_definition(word, lexicon, distribution);
        }
    }

    /// `anagram <tiles>`.
    pub(super) fn anagram(&mut self, tiles: &Word) -> Result<(), Refusal> {
        let (knowledge, distribution) = self.words()?;
        let parsed = distribution.parse_word_tiles(&tiles.text).or_else(|error| bad_tile(ErrorCode::BadMove, tiles, &error, ""))?;
        if parsed.len() > MAX_DIM {
            return error_at(ErrorCode::BadMove, tiles, format!("{} tiles, expected at most {MAX_DIM}", parsed.len()));
        }
        let rack: Rack = parsed.into_iter().collect();
        let found = knowledge.lexicon.list().anagrams(&rack, AnagramUse::AllTiles, WORDS_SHOWN);
        self.say_words(&format!("anagram {}", rack.text(&distribution)), &found, &distribution);
        self.say_definitions(&found, &knowledge.lexicon, &distribution);
        Ok(())
    }

    /// `hooks <word>`.
    pub(super) fn hooks(&mut self, word: &Word) -> Result<(), Refusal> {
        let (knowledge, distribution) = self.words()?;
        let letters = letters(word, &distribution)?;
        let hooks = knowledge.lexicon.hooks(&letters);
        let tiles = |letters: &[Letter]| distribution.tiles_text(letters.iter().map(|&letter| letter.into()));
        let side = |letters: &[Letter]| if letters.is_empty() { "-".to_string() } else { tiles(letters) };
        let (front, back) = (side(&hooks.front), side(&hooks.back));
        self.say(format!("hooks {} front {front} back {back}", distribution.word_text(&letters)));
        Ok(())
    }

    /// `pattern <p>`.
    pub(super) fn pattern(&mut self, pattern: &Word) -> Result<(), Refusal> {
        let (knowledge, distribution) = self.words()?;
        let parsed = match Pattern::parse(&pattern.text, &distribution) {
            Ok(parsed) => parsed,
            Err(PatternError::BadLetter(error)) => return bad_tile(ErrorCode::BadMove, pattern, &error, ""),
            Err(PatternError::TooLong { .. }) => {
                return error_at(
                    ErrorCode::BadMove,
                    pattern,
                    format!("the pattern is too long, expected at most {} letters and signs", Pattern::MAX_PARTS),
                );
            }
        };
        let found = knowledge.lexicon.list().matching(&parsed, WORDS_SHOWN);
        self.say_words(&format!("pattern {}", pattern.text.to_uppercase()), &found, &distribution);
        self.say_definitions(&found, &knowledge.lexicon, &distribution);
        Ok(())
    }

    /// `leave <tiles>...`: a line for each.
    pub(super) fn leave(&mut self, leaves: &[Word]) -> Result<(), Refusal> {
        let (knowledge, distribution) = self.words()?;
        let rack_size = self.rack_size()?;
        let all = Rack::full_bag(&distribution);
        for word in leaves {
            let tiles =
                distribution.parse_tiles(&word.text).or_else(|error| bad_tile(ErrorCode::BadMove, word, &error, " (? is a blank)"))?;
            if tiles.len() > rack_size {
                return error_at(ErrorCode::BadMove, word, format!("{} tiles, a rack holds {rack_size}", tiles.len()));
            }
            let leave: Rack = tiles.into_iter().collect();
            if let Err(tile) = all.minus(&leave) {
                let tile = distribution.tiles_text([tile]);
                return error_at(ErrorCode::BadMove, word, format!("there are not that many {tile} in the game"));
            }
            self.say(format!("leave {} value {}", leave.text(&distribution), knowledge.evaluator.leaves.value(&leave)));
        }
        Ok(())
    }

    pub(super) fn say_words(&mut self, what: &str, found: &WordsFound, distribution: &LetterDistribution) {
        let (words, total) = (&found.words, found.total);
        self.say(format!("{what} words {total}"));
        for line in words.chunks(WORDS_A_LINE) {
            let texts: Vec<String> = line.iter().map(|word| distribution.word_text(word)).collect();
            self.say(texts.join(" "));
        }
        if total > words.len() {
            self.say(format!("... and {} more", total - words.len()));
        }
    }

    /// `eval [<move>...]`: the best plays, or these, with the terms of their static equity.
    pub(super) fn eval(&mut self, moves: &[Word]) -> Result<(), Refusal> {
        let position = SearchPosition::new(self.current()?.clone()).or_else(|refused| not_searchable(&refused))?;
        let search_moves = (!moves.is_empty()).then(|| moves.to_vec());
        let parameters = GoParameters { search_moves, plays: Some(EVAL_ROWS), ..GoParameters::default() };
        let request = self.request(&parameters, SearchKind::Static, position)?;
        let knowledge = self.knowledge()?;
        let outcome = search::run(&knowledge, &request, &Signals::default(), &mut |_| {});
        let Some(Report::Static(StaticReport { rows })) = outcome.last else { return Ok(()) };
        let position = request.position();
        let terms = match position.rules().objective() {
            Objective::MostPoints => terms_to_win(&knowledge, position, &rows),
            Objective::FewestPoints => terms_to_lose(position, &rows),
        };
        for (row, terms) in rows.iter().zip(terms) {
            let play = play_text(&row.play, position.board(), &position.rules().distribution);
            self.say(format!("eval {play} eq {} = {terms}", row.equity));
        }
        Ok(())
    }
}

/// Returns for each play the score, the leave, and the adjustments of the opening and the end of the bag.
fn terms_to_win(knowledge: &Knowledge, position: &Position, rows: &[EvaluatedPlay]) -> Vec<String> {
    let distribution = &position.rules().distribution;
    let evaluation = StaticEval::new(position.rules(), knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let sight = StaticSight::of(position);
    let turn = sight.turn(position, &knowledge.evaluator);
    let kept_is = if turn.in_bag > 0 { "leave" } else { "end" };
    let terms = |row: &EvaluatedPlay| {
        let leave = row.play.leave(position.mover_rack());
        let kept = evaluation.leave_value(&turn, &leave);
        let rest = row.equity - Millipoints::from_points(row.score) - kept;
        let kept_tiles = if leave.is_empty() { "-".to_string() } else { leave.text(distribution) };
        format!("score {} + {kept_is} {kept_tiles} {kept} + adjustments {rest}", row.score)
    };
    rows.iter().map(terms).collect()
}

/// Returns the terms where the lower score wins: the cost of the points, and the values of the racks at the end.
fn terms_to_lose(position: &Position, rows: &[EvaluatedPlay]) -> Vec<String> {
    let evaluation = MisereEval::new(position);
    let terms = |row: &EvaluatedPlay| {
        let MisereTerms { score, own_rack, other_rack } = evaluation.terms(&row.play, row.score);
        format!("score {score} + rack {own_rack} + other {other_rack}")
    };
    rows.iter().map(terms).collect()
}

pub(super) fn letters(word: &Word, distribution: &LetterDistribution) -> Result<Vec<Letter>, Refusal> {
    distribution.parse_word(&word.text).or_else(|error| bad_tile(ErrorCode::BadMove, word, &error, ""))
}
