//! A single turn of a player outside a match, in a position with the known turns before it.
//!
//! Not here: whole games (`match_play/`). Start with [`PlayerTurn`].

use crate::engine::{Engine, EngineError};
use crate::movegen::LaneBoard;
use crate::players::clock::Clock;
use crate::players::spec::PlayerSpec;
use crate::players::view::View;
use crate::rules::Position;
use crate::search::budget::Signals;
use crate::search::inference::ObservedTurn;
use crate::search::{EvaluatedPlay, Knowledge, RequestError, SearchPosition};

/// A player's turn in a position of a game.
#[derive(Clone, Debug)]
pub struct PlayerTurn {
    player: PlayerSpec,
    position: SearchPosition,
    opponents_turns: Vec<ObservedTurn>,
    seed: u64,
    clock: Option<Clock>,
}

impl PlayerTurn {
    /// Returns this player's turn in this position, without a clock and without turns before it, so that the player has only its own limits.
    /// `seed` is the seed of the player's random numbers. Players who see hidden tiles see those that are known in the position.
    ///
    /// # Errors
    /// The position lacks something that the player on turn would know ([`SearchPosition::check_turn`]), or the player does not play its
    /// variant.
    pub fn new(player: PlayerSpec, position: SearchPosition, seed: u64) -> Result<PlayerTurn, RequestError> {
        position.check_turn()?;
        player.require(position.position().rules().variant)?;
        Ok(PlayerTurn { player, position, opponents_turns: Vec::new(), seed, clock: None })
    }

    /// Adds the opponent's turns so far, oldest first.
    ///
    /// # Errors
    /// A turn is by other rules. For a player who infers, also: the last turn does not lead to the position, or to the known tiles of the rack.
    pub fn with_opponents_turns(self, opponents_turns: Vec<ObservedTurn>) -> Result<PlayerTurn, RequestError> {
        self.position.check_rules(&opponents_turns)?;
        if self.player.infers() {
            self.position.check_turns(&opponents_turns)?;
        }
        Ok(PlayerTurn { opponents_turns, ..self })
    }

    /// Adds a clock, if there is one.
    pub fn with_clock(self, clock: Option<Clock>) -> PlayerTurn {
        PlayerTurn { clock, ..self }
    }

    /// Returns the player.
    pub fn player(&self) -> &PlayerSpec {
        &self.player
    }

    /// Returns the position, with the racks that can be deduced from it.
    pub fn position(&self) -> &Position {
        self.position.position()
    }

    /// Returns the play that the player makes with the words and tables of an engine, which should be the tables that the player's text
    /// names. The signals can end a search early.
    ///
    /// ```
    /// use tilewright::players::{PlayerSpec, PlayerTurn};
    /// use tilewright::prelude::*;
    /// use tilewright::search::SearchPosition;
    ///
    /// let player: PlayerSpec = "rack3".parse()?;
    /// let engine = Engine::builder().tables(player.tables()).build()?;
    /// let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")?;
    /// let turn = PlayerTurn::new(player, SearchPosition::new(position.clone())?, 1)?;
    /// let play = turn.play(&engine, &Signals::default())?;
    /// println!("{} for {}", engine.play_text(&play.play, &position), play.score);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The engine's words cannot be played by the rules of the position.
    pub fn play(&self, engine: &Engine, signals: &Signals) -> Result<EvaluatedPlay, EngineError> {
        Ok(self.take(&engine.knowledge_for(self.position().rules())?, signals))
    }

    /// Returns the play that the player makes with these words and tables. The signals can end a search early.
    ///
    /// # Panics
    /// If the words have another alphabet than the position.
    pub(crate) fn take(&self, knowledge: &Knowledge, signals: &Signals) -> EvaluatedPlay {
        let position = self.position.position();
        let mut board = LaneBoard::new(position.rules(), position.board(), knowledge.lexicon.graph());
        let view = View::of_position(position, &self.opponents_turns, self.seed, signals);
        let view = view.timed(self.clock, signals);
        self.player.player(position.rules(), knowledge).choose(&mut board, &view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::{GameRules, Position, Turn, Variant};

    const OPENED: &str = "15/15/15/15/15/15/15/3IMINO7/15/15/15/15/15/15/15 AEGNRST/ 0/18 0";

    fn asked(player: &str, opcodes: &str) -> Result<PlayerTurn, RequestError> {
        let position = plain_engine().position(&format!("{OPENED} {opcodes}")).unwrap();
        PlayerTurn::new(player.parse().unwrap(), SearchPosition::new(position).unwrap(), 1)
    }

    /// Returns the opponent's turn that led here, in a game by these rules.
    fn turn_by(rules: GameRules, text: &str) -> ObservedTurn {
        let before = Position::start(rules.into());
        let turn: Turn = plain_engine().parse_play(text, &before).unwrap();
        ObservedTurn::new(before, turn).unwrap()
    }

    #[test]
    fn a_variant_that_the_player_does_not_play_is_refused() {
        for player in ["static", "engine", "inference"] {
            let error = asked(player, "var misere;").unwrap_err();
            assert_eq!(error.to_string(), format!("{player} does not play misere, where the lower score wins"));
        }
        assert!(matches!(asked("inference", "var wordsmog;"), Err(RequestError::Variant(_))));
        assert!(asked("engine", "var wordsmog;").is_ok());
    }

    #[test]
    fn turns_of_another_game_are_refused() {
        let english = GameRules::english();
        let misere = english.to_builder().variant(Variant::Misere).build().unwrap();
        let with = |player: &str, turn: ObservedTurn| asked(player, "").unwrap().with_opponents_turns(vec![turn]).map(|_| ());
        let imino = |rules: &GameRules| turn_by(rules.clone(), "8D.IMINO");
        assert_eq!(with("inference", imino(&english)), Ok(()));
        for player in ["static", "inference"] {
            assert_eq!(with(player, imino(&misere)), Err(RequestError::OtherRules { number: 1 }), "{player}");
        }
        // Only for a player who infers, the last turn must lead to the position.
        assert_eq!(with("inference", turn_by(english.clone(), "8D.VICAR")), Err(RequestError::OtherTurns));
        assert_eq!(with("static", turn_by(english, "8D.VICAR")), Ok(()));
    }
}
