//! A turn of a player outside of any match: in a position, with what is known of the turns before it.
//!
//! Not here: whole games (`match_play/`). Start with [`PlayerTurn`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::spec::PlayerSpec;
use crate::players::view::View;
use crate::search::budget::{Clock, Signals};
use crate::search::inference::ObservedTurn;
use crate::search::{Knowledge, SearchPosition};

/// What a player is asked.
#[derive(Clone, Debug)]
pub struct PlayerTurn {
    /// Who is asked.
    pub player: PlayerSpec,
    /// Where. Players who see hidden tiles see those that are known here.
    pub position: SearchPosition,
    /// The opponent's turns up to now, for players who infer.
    pub opponents_turns: Vec<ObservedTurn>,
    /// The seed of the player's random numbers.
    pub seed: u64,
    /// The player's clock, if there is one. Without it a player goes by limits of its own.
    pub clock: Option<Clock>,
}

impl PlayerTurn {
    /// The play that the player makes with these words and tables. The signals end a search before its time.
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
