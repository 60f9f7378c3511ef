//! The arbiter: judges a move by the rules and the words, and trusts no engine. The [`View`] is what the mover may see of the game.
//!
//! Not here: a whole game under a referee (`match_play/referee.rs`), and times (`match_play/time_control.rs`). Start with [`Arbiter::judge_text`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::Lexicon;
use crate::players::View;
use crate::rules::notation::{MoveError, parse_move};
use crate::rules::units::Millipoints;
use crate::rules::{Placement, Play, Position, Rack, Turn, TurnError, scoring};
use crate::tournament::fault::{Fault, FaultReason};

/// The most characters of an engine's text that a message repeats.
const SHOWN: usize = 60;

/// The longest move in bytes: 21 tiles of several characters, and a rack.
const LONGEST_MOVE: usize = 1_000;

/// A move that the rules allow.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgedMove {
    /// A valid move, with its points.
    Sound(EvaluatedPlay),
    /// A placement with an invalid word. Whether that is a fault is decided elsewhere.
    Phony {
        /// The placement.
        placement: Placement,
        /// The invalid word, as a fault.
        fault: Fault,
    },
}

/// Judges moves with the words of a lexicon.
#[derive(Clone, Copy, Debug)]
pub struct Arbiter<'a> {
    lexicon: &'a Lexicon,
}

impl<'a> Arbiter<'a> {
    /// Returns an arbiter with these words.
    pub fn new(lexicon: &'a Lexicon) -> Arbiter<'a> {
        Arbiter { lexicon }
    }

    /// Reads the text of a move on this turn, and returns the play with its points.
    ///
    /// # Errors
    /// The text is malformed, breaks the rules, or uses tiles that the mover lacks.
    pub fn judge_text(&self, text: &str, view: &View<'_>) -> Result<JudgedMove, Fault> {
        self.judge_on(text, &view.position(), view.tiles.rack)
    }

    /// Like [`Arbiter::judge_text`], in any position, for a player with this rack.
    ///
    /// # Errors
    /// Those of [`Arbiter::judge_text`].
    pub fn judge_on(&self, text: &str, position: &Position, rack: &Rack) -> Result<JudgedMove, Fault> {
        let fault = |reason, error: &dyn std::fmt::Display| Fault::new(reason, format!("{}: {error}", shown(text)));
        if text.len() > LONGEST_MOVE {
            return Err(fault(FaultReason::Illegal, &"the text is too long for a move"));
        }
        let read = parse_move(text, position).map_err(|error| {
            let is_tiles =
                matches!(error, MoveError::Impossible { error: TurnError::MissingTile { .. } | TurnError::TakenTile { .. }, .. });
            fault(if is_tiles { FaultReason::Tiles } else { FaultReason::Illegal }, &error)
        })?;
        let Turn::Play(play) = read.turn else {
            return Err(fault(FaultReason::Illegal, &"expected a placement, an exchange of named tiles or a pass"));
        };
        let told = |Fault { reason, text }: Fault| fault(reason, &text);
        match self.judge(&play, position, rack).map_err(told)? {
            JudgedMove::Phony { placement, fault } => Ok(JudgedMove::Phony { placement, fault: told(fault) }),
            sound => Ok(sound),
        }
    }

    /// Judges a play on this turn, and returns it with its points.
    ///
    /// # Errors
    /// The play breaks the rules, or uses tiles that the mover lacks.
    pub fn judge_play(&self, play: &Play, view: &View<'_>) -> Result<JudgedMove, Fault> {
        self.judge(play, &view.position(), view.tiles.rack)
    }

    fn judge(&self, play: &Play, position: &Position, rack: &Rack) -> Result<JudgedMove, Fault> {
        let rules = position.rules();
        let distribution = &rules.distribution;
        // A text may state any rack. Only the rack of the view counts.
        if let Err(tile) = rack.minus(&play.rack_tiles()) {
            let tile = distribution.tiles_text([tile]);
            return Err(Fault::new(FaultReason::Tiles, format!("there is no {tile} on the rack {}", rack.text(distribution))));
        }
        position.after(&Turn::Play(*play)).map_err(|error| Fault::new(FaultReason::Illegal, error.to_string()))?;
        let Some(placement) = play.placement() else {
            return Ok(JudgedMove::Sound(EvaluatedPlay { play: *play, score: 0, equity: Millipoints::ZERO }));
        };
        let scored = scoring::score_placement(rules, position.board(), placement)
            .map_err(|error| Fault::new(FaultReason::Illegal, error.to_string()))?;
        for letters in scored.words.iter().map(scoring::FormedWord::letters) {
            if !self.lexicon.graph().contains(&letters) {
                let word = distribution.word_text(&letters);
                let fault = Fault::new(FaultReason::Word, format!("{word} is not in {}", self.lexicon.name()));
                return Ok(JudgedMove::Phony { placement: *placement, fault });
            }
        }
        let equity = Millipoints::from_points(scored.score);
        Ok(JudgedMove::Sound(EvaluatedPlay { play: *play, score: scored.score, equity }))
    }
}

/// Returns the beginning of an engine's text, with control characters made visible.
pub fn shown(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).collect();
    let more = if start.len() < text.len() { " ..." } else { "" };
    format!("{}{more}", start.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::{GameSoFar, Sight};
    use crate::rules::{Board, BySeat, GameRules};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    /// Returns the arbiter's judgement of a first move from this rack: points, or the fault.
    fn judged(rack: &str, text: &str) -> String {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let board = Board::empty(15);
        let racks = BySeat([rack, "QZ"]).map(|rack| Rack::parse(rack, &rules.distribution).unwrap());
        let game = GameSoFar::without_turns(&rules, &board, &racks, 86);
        let signals = Signals::default();
        let view = View::new(&game, Sight::Fair, 0, &signals);
        match Arbiter::new(&lexicon).judge_text(text, &view) {
            Ok(JudgedMove::Sound(play)) => play.score.to_string(),
            Ok(JudgedMove::Phony { fault, .. }) | Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn every_move_is_checked() {
        let check = |text: &str, expected: &str| {
            let found = judged("DGOAEI?", text);
            assert!(found.starts_with(expected), "{text}: {found}, expected {expected}");
        };
        check("8G.DOG", "10");
        check("8g.DOG", "10");
        check("ex.AEI", "0");
        check("pass", "0");
        check("8G.DOGs", "10");
        check("8G.GDO", "word: 8G.GDO: GDO is not in ENABLE");
        check("8G.DOGS", "tiles: 8G.DOGS: ");
        // A rack that the text states adds no tiles.
        check("8G.DOGS.DOGS", "tiles: 8G.DOGS.DOGS: there is no S on the rack");
        check("1A.DOG", "illegal: 1A.DOG: ");
        check("ex.3", "illegal: ex.3: expected a placement");
        check("none", "illegal: none: ");
        check("", "illegal: : ");
        check(&"x".repeat(10_000), "illegal: xxx");
        assert!(judged("DGOAEI?", &"x".repeat(10_000)).len() < 200);
    }
}
