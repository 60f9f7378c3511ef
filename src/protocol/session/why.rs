//! The command `why`: two plays of the last ranking, compared.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::Word;
use crate::protocol::comparison::ComparisonAnswer;
use crate::protocol::ranking::Ranking;
use crate::protocol::reply::{ErrorCode, SessionReply};
use crate::protocol::session::refusal::{Refusal, error, error_at};
use crate::protocol::session::search::plays;
use crate::protocol::session::state::{Audience, Session};
use crate::rules::Position;
use crate::search::{Comparison, ComparisonError, Report};
use std::sync::Arc;

impl Session {
    /// Prints a ranking, and keeps it for `why` if it ranks plays.
    pub(super) fn tell_ranking(&mut self, ranking: Ranking) {
        if !matches!(ranking.report, Report::Inference(_) | Report::Replies(_)) {
            self.last_ranking = Some(Box::new(ranking.clone()));
        }
        self.print(SessionReply::Ranking(ranking));
    }

    /// `why [<move> [<move>]]`: compares two plays of the last ranking of this position.
    pub(super) fn why(&mut self, moves: &[Word]) -> Result<(), Refusal> {
        let current = self.current()?;
        let Some(ranking) = self.last_ranking.as_ref().filter(|ranking| is_of(ranking, current)) else {
            return error(ErrorCode::NoPosition, "there is no ranking of this position: send go first");
        };
        let asked = plays(moves, current)?;
        let comparison = match Comparison::of_report(&ranking.report, current.rules().objective(), &asked) {
            Ok(comparison) => comparison,
            Err(refused) => {
                let word = if let ComparisonError::NotRanked(number) = refused { moves.get(number) } else { None };
                let text = refused.to_string();
                return word.map_or_else(|| error(ErrorCode::BadMove, &text), |word| error_at(ErrorCode::BadMove, word, &text));
            }
        };
        let answer = ComparisonAnswer { comparison, position: Arc::clone(&ranking.position) };
        match self.audience {
            Audience::Program => self.print(SessionReply::Comparison(Box::new(answer))),
            Audience::Person => answer.sentences().into_iter().for_each(|sentence| self.say(sentence)),
        }
        Ok(())
    }
}

/// Whether a ranking is of this position. The opponent's rack, which the search may have found out, may differ.
fn is_of(ranking: &Ranking, position: &Position) -> bool {
    let of = |position: &Position| {
        (position.on_turn(), *position.mover_rack(), position.spread(), position.in_bag(), position.rules().objective())
    };
    of(&ranking.position) == of(position) && ranking.position.board() == position.board()
}
