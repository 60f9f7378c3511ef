//! A position: applies turns and ends the game by the rules, as the referee does.
//!
//! Not here: the order of the tiles in the bag (a match has one, a position does not), and whether words exist. All variants have the
//! same positions and turns; `variant.rs` says what differs. Start with [`Position::after`]
//! and [`Position::builder`].

use crate::rules::board::Board;
use crate::rules::countdown::Countdown;
use crate::rules::ending::GameEnd;
use crate::rules::game_rules::GameRules;
use crate::rules::play::Play;
use crate::rules::rack::Rack;
use crate::rules::scoring;
use crate::rules::seat::{BySeat, Seat};
use crate::rules::tiles::Tile;
use crate::rules::turn::{Turn, TurnError};
use std::sync::Arc;

/// The most points that a score may have, above 0 or below: sums and differences of scores fit everywhere.
pub const MAX_SCORE: i32 = 900_000_000;

/// A position: the board, what is known of the racks, the scores, whose turn it is.
///
/// It is a small value, and a turn makes a new one: to undo, keep the old one.
/// Equal positions also have the same rules.
///
/// ```
/// use std::sync::Arc;
/// use tilewright::rules::notation::{apply_move, parse_move};
/// use tilewright::rules::{GameEnd, GameRules, Position, Seat};
///
/// // A new game; no rack is known yet.
/// let start = Position::start(Arc::new(GameRules::english()));
/// assert_eq!((start.in_bag(), start.on_turn()), (86, Seat::First));
///
/// // A play, as text. `parse_move` checks it against the rules, not against a word list.
/// let play = parse_move("8D.VICAR", &start)?;
/// let after = apply_move(&start, &play)?;
/// assert_eq!((after.score(Seat::First), after.on_turn(), after.board().tiles().count()), (28, Seat::Second, 5));
///
/// // Undo: the old position is still there.
/// assert!(start.board().is_empty());
///
/// // Six turns without points in a row end the game.
/// let pass = parse_move("pass", &after)?;
/// let mut end = after;
/// for _ in 0..6 {
///     assert_eq!(end.end(), None);
///     end = apply_move(&end, &pass)?;
/// }
/// assert_eq!(end.end(), Some(GameEnd::ZeroTurns));
/// assert_eq!(end.score(Seat::First), 28, "nothing is lost where no rack is known");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    rules: Arc<GameRules>,
    board: Board,
    racks: BySeat<Rack>,
    scores: BySeat<i32>,
    on_turn: Seat,
    countdown: Countdown,
    end: Option<GameEnd>,
    /// Whether the mover's rack is known for this turn only, see [`Position::state_rack`].
    rack_is_stated: bool,
    /// The known tiles that both players have seen in a play that was challenged off.
    shown: BySeat<Rack>,
    /// The tiles that the player must still hold according to every rack stated so far. The
    /// opponent does not see them; they count when the game ends with tiles on both racks.
    held: BySeat<Rack>,
}

impl Position {
    /// The start of a game, racks unknown.
    pub fn start(rules: Arc<GameRules>) -> Position {
        let board = Board::empty(rules.layout.dim());
        let mut start = Position::bare(rules, board, [0; 2], Countdown::default());
        start.count_last_turns();
        start
    }

    /// A position in which no rack is known, the first seat on turn.
    fn bare(rules: Arc<GameRules>, board: Board, scores: [i32; 2], countdown: Countdown) -> Position {
        let [racks, shown, held] = [BySeat([Rack::EMPTY; 2]); 3];
        let scores = BySeat(scores);
        Position { rules, board, racks, scores, on_turn: Seat::First, countdown, end: None, rack_is_stated: false, shown, held }
    }

    /// A position of these parts, the first seat on turn ([`Position::builder`]). An empty rack is an unknown one. Last turns that are not
    /// stated are [deduced](PositionBuilder::last_turns).
    ///
    /// # Errors
    /// A board whose size is not that of the rules; more tiles of a kind than the game has, or more on a rack than it holds; scores beyond
    /// [`MAX_SCORE`]; last turns where none are counted, or too many.
    pub(crate) fn of_parts(
        rules: Arc<GameRules>,
        board: Board,
        racks: [Rack; 2],
        scores: [i32; 2],
        countdown: Countdown,
    ) -> Result<Position, TurnError> {
        let (found, expected) = (board.dim(), rules.layout.dim());
        if found != expected {
            return Err(TurnError::BoardSize { found, expected });
        }
        if let Some(&found) = scores.iter().find(|score| score.unsigned_abs() > MAX_SCORE.unsigned_abs()) {
            return Err(TurnError::BadScore { found });
        }
        let mut position = Position::bare(rules, board, scores, countdown);
        for (seat, rack) in Seat::BOTH.into_iter().zip(&racks) {
            position.set_rack(seat, rack)?;
        }
        position.tiles_off_board()?;
        match countdown.last_turns {
            Some(found) => position.check_last_turns(found)?,
            None => position.count_last_turns(),
        }
        position.end = position.countdown.end(position.rules.max_zero_turns);
        if position.end.is_none() && position.countdown.last_turns.is_none() && position.board_is_used() && position.in_bag() == 0 {
            let unknown = position.unknown();
            if let Some(seat) = Seat::BOTH.into_iter().find(|&seat| position.racks[seat].is_empty() && unknown.is_empty()) {
                position.end = Some(GameEnd::WentOut(seat));
            }
        }
        Ok(position)
    }

    /// Begins to count last turns, if the variant has them and the bag is empty. Racks and turns without points show how many have
    /// been taken; without such evidence, none has.
    fn count_last_turns(&mut self) {
        let Some(all) = self.rules.variant.last_turns().filter(|_| self.in_bag() == 0) else { return };
        // The player who empties the bag draws what is left, and the other player's rack is full. So if the rack of the player on turn is not
        // full, that player emptied the bag, and the opponent has had a last turn. A turn without points does not empty the bag.
        let has_placed = self.is_whole(self.on_turn) && self.mover_rack().len() < self.rules.rack_size;
        let taken = self.countdown.zero_turns.max(u32::from(has_placed));
        let taken = if self.board_is_used() { taken } else { 0 };
        self.countdown.last_turns = Some(all.saturating_sub(taken));
    }

    /// Whether this many last turns can be left.
    fn check_last_turns(&self, found: u32) -> Result<(), TurnError> {
        let in_bag = self.in_bag();
        let expected = match self.rules.variant.last_turns() {
            None => "this variant has no last turns",
            Some(_) if in_bag > 0 => "last turns are counted once the bag is empty",
            Some(all) if found > all => "each player has only one last turn",
            Some(_) => return Ok(()),
        };
        Err(TurnError::LastTurns { found, in_bag, expected })
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<GameRules> {
        &self.rules
    }

    /// The tiles on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The player on turn.
    pub fn on_turn(&self) -> Seat {
        self.on_turn
    }

    /// Known tiles of a player.
    pub fn rack(&self, seat: Seat) -> &Rack {
        &self.racks[seat]
    }

    /// Known tiles of the player on turn.
    pub fn mover_rack(&self) -> &Rack {
        &self.racks[self.on_turn]
    }

    /// Known tiles of the other player.
    pub fn opponent_rack(&self) -> &Rack {
        &self.racks[self.on_turn.opponent()]
    }

    /// A player's score.
    pub fn score(&self, seat: Seat) -> i32 {
        self.scores[seat]
    }

    /// Both scores.
    pub fn scores(&self) -> BySeat<i32> {
        self.scores
    }

    /// The mover's score minus the opponent's.
    pub fn spread(&self) -> i32 {
        self.scores.lead(self.on_turn)
    }

    /// Successive turns without points up to now.
    pub fn zero_turns(&self) -> u32 {
        self.countdown.zero_turns
    }

    /// How many turns are left, once they are counted: see [`Countdown::last_turns`].
    pub fn last_turns(&self) -> Option<u32> {
        self.countdown.last_turns
    }

    /// The counts of turns that end the game.
    pub fn countdown(&self) -> Countdown {
        self.countdown
    }

    /// How the game ended, if it did. The scores then include the final adjustments.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// Ends the game as it stands.
    pub fn declare_over(&mut self) {
        self.end.get_or_insert(GameEnd::Declared);
    }

    fn board_is_used(&self) -> bool {
        !self.board.is_empty()
    }

    fn tiles_off_board(&self) -> Result<Rack, TurnError> {
        let on_board: Rack = self.board.tiles().map(|(_, tile)| tile.rack_tile()).collect();
        let full = Rack::full_bag(&self.rules.distribution);
        let missing = |tile, place| TurnError::MissingTile { tile: self.rules.distribution.tiles_text([tile]), place };
        full.minus(&on_board).map_err(|tile| missing(tile, "the board holds more of it than the game has"))
    }

    /// Tiles neither on the board nor on a known rack.
    pub fn unknown(&self) -> Rack {
        let rest = self.tiles_off_board().unwrap_or_default();
        self.racks.0.iter().fold(rest, |rest, rack| rest.minus(rack).unwrap_or_default())
    }

    /// Tiles that the player on turn does not see: the bag and the other rack.
    pub fn unseen(&self) -> Rack {
        self.unknown().plus(self.opponent_rack())
    }

    /// Tiles on the other player's rack, known or not.
    pub fn opponent_tiles(&self) -> usize {
        self.unseen().len().min(self.rules.rack_size)
    }

    /// Tiles in the bag: all that are off the board, minus two racks. Racks are full while there are
    /// tiles to draw, whether they are known in whole, in part or not at all.
    pub fn in_bag(&self) -> usize {
        (self.unseen().len() + self.mover_rack().len()).saturating_sub(2 * self.rules.rack_size)
    }

    /// Whether the known tiles of a player are the whole rack. Once the bag is empty they are taken
    /// to be, unless the other rack has no room for the rest, or they are known only from a play
    /// that was challenged off.
    fn is_whole(&self, seat: Seat) -> bool {
        let (rack, rack_size) = (&self.racks[seat], self.rules.rack_size);
        if rack.is_empty() || rack.len() == rack_size {
            return !rack.is_empty();
        }
        let others = self.unknown().len() + self.racks[seat.opponent()].len();
        self.in_bag() == 0 && others <= rack_size && !self.is_only_shown(seat)
    }

    /// Whether all that is known of a rack was shown by a play that was challenged off.
    fn is_only_shown(&self, seat: Seat) -> bool {
        let is_stated = seat == self.on_turn && self.rack_is_stated;
        !is_stated && self.racks[seat] == self.shown[seat]
    }

    /// Sets the known tiles of a player's rack; an empty rack is an unknown one.
    ///
    /// # Errors
    /// More tiles than a rack holds, or tiles that are on the board or the other rack. The old rack is then unchanged.
    pub fn set_rack(&mut self, seat: Seat, rack: &Rack) -> Result<(), TurnError> {
        if rack.len() > self.rules.rack_size {
            return Err(TurnError::TooManyTiles { found: rack.len(), rack_size: self.rules.rack_size });
        }
        let missing = |tile| TurnError::TakenTile { tile: self.rules.distribution.tiles_text([tile]) };
        let free = self.tiles_off_board()?.minus(&self.racks[seat.opponent()]).map_err(missing)?;
        free.minus(rack).map_err(missing)?;
        self.racks[seat] = *rack;
        self.held[seat] = *rack;
        self.shown[seat] = self.shown[seat].common(rack);
        Ok(())
    }

    /// Sets the known tiles of the player on turn for this turn only: the tiles kept are forgotten
    /// after it, so that they are not used against the player. Tiles that both players have seen
    /// stay known.
    ///
    /// # Errors
    /// Those of [`Position::set_rack`].
    pub fn state_rack(&mut self, rack: &Rack) -> Result<(), TurnError> {
        let mover = self.on_turn;
        let (shown, held) = (self.shown[mover], self.held[mover].union(rack));
        self.set_rack(mover, rack)?;
        // A rack that is stated in part does not contradict other known tiles for which it has room.
        if rack.len() < self.rules.rack_size {
            self.shown[mover] = shown;
            self.held[mover] = if held.len() <= self.rules.rack_size { held } else { *rack };
        }
        self.rack_is_stated = true;
        Ok(())
    }

    /// The position after a turn. A mover whose rack is only partly known may play any tile that has not been seen elsewhere.
    ///
    /// The tiles that the mover keeps stay known, unless they were [stated](Position::state_rack) for
    /// the turn; the tiles drawn are unknown. The tiles of a play that was challenged off are known
    /// until they are played, or may have been exchanged. When the game ends, the scores are adjusted
    /// as far as racks are known, those stated on earlier turns included.
    ///
    /// # Errors
    /// What the rules forbid. Words are not checked.
    pub fn after(&self, turn: &Turn) -> Result<Position, TurnError> {
        let mut next = self.after_turn(turn)?;
        next.end_by_countdown();
        if self.rack_is_stated && next.end.is_none() {
            next.racks[self.on_turn] = next.shown[self.on_turn];
        }
        Ok(next)
    }

    /// [`Position::after`] for a referee, who also knows the mover's rack after drawing:
    /// an exchange that ends the game then costs the tiles drawn, not only those kept.
    ///
    /// # Errors
    /// What the rules forbid, also for the new rack ([`Position::set_rack`]).
    pub fn after_draw(&self, turn: &Turn, new_rack: &Rack) -> Result<Position, TurnError> {
        let mut next = self.after_turn(turn)?;
        next.set_rack(self.on_turn, new_rack)?;
        next.end_by_countdown();
        Ok(next)
    }

    fn after_turn(&self, turn: &Turn) -> Result<Position, TurnError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver);
        }
        let mut next = self.clone();
        let mover = self.on_turn;
        let in_bag = self.in_bag();
        let (mut gained, mut placed) = (0, 0);
        match turn {
            Turn::Play(Play::Pass) => {}
            // A phony must be a possible placement, although it leaves only the knowledge of its tiles.
            Turn::Phony(placement) => {
                let tiles = placement.rack_tiles();
                scoring::score_placement(&self.rules, &self.board, placement)?;
                self.rest_after(&tiles)?;
                for known in [&mut next.racks, &mut next.shown, &mut next.held] {
                    known[mover] = known[mover].union(&tiles);
                }
            }
            Turn::ExchangeUnknown(count) => {
                self.check_exchange(*count, in_bag)?;
                for known in [&mut next.racks, &mut next.shown, &mut next.held] {
                    known[mover] = Rack::EMPTY;
                }
            }
            Turn::Play(Play::Exchange(tiles)) => {
                self.check_exchange(tiles.len(), in_bag)?;
                // The opponent sees only how many tiles are exchanged.
                let rest = self.rest_after(tiles)?;
                next.racks[mover] = if self.is_only_shown(mover) { Rack::EMPTY } else { rest };
                next.shown[mover] = Rack::EMPTY;
                next.held[mover] = self.held[mover].without(tiles);
            }
            Turn::Play(Play::Place(placement)) => {
                let tiles = placement.rack_tiles();
                placed = placement.tile_count();
                gained = scoring::score_placement(&self.rules, &self.board, placement)?.score;
                next.racks[mover] = self.rest_after(&tiles)?;
                next.held[mover] = self.held[mover].without(&tiles);
                next.shown[mover] = self.shown[mover].without(&tiles);
                placement.put_on(&mut next.board);
            }
        }
        next.scores[mover] += gained;
        next.countdown = self.countdown.after(self.rules.variant, gained, in_bag.saturating_sub(placed));
        next.on_turn = mover.opponent();
        next.rack_is_stated = false;
        let placed_all = matches!(turn, Turn::Play(Play::Place(placement)) if placement.tile_count() >= self.mover_tiles());
        if placed_all && in_bag == 0 && next.countdown.last_turns.is_none() {
            let mut left = next.racks;
            left[next.on_turn] = next.unknown().plus(&left[next.on_turn]);
            next.end_as(GameEnd::WentOut(mover), left);
        }
        Ok(next)
    }

    /// Ends the game if the last turns are over or there were too many turns without points. Then each player loses the points of their rack, as
    /// far as it is known.
    fn end_by_countdown(&mut self) {
        let Some(end) = self.countdown.end(self.rules.max_zero_turns).filter(|_| self.end.is_none()) else { return };
        self.lay_racks_open();
        self.end_as(end, self.racks);
    }

    /// Makes the racks known that were stated on earlier turns and are still whole, unless they contradict each other, and deduces
    /// the rest.
    fn lay_racks_open(&mut self) {
        let is_whole = |held: &Rack| held.len() == self.rules.rack_size || self.in_bag() == 0;
        let known = |seat: Seat| if is_whole(&self.held[seat]) { self.racks[seat].union(&self.held[seat]) } else { self.racks[seat] };
        let racks = Seat::BOTH.map(known);
        let is_possible = racks.iter().all(|rack| rack.len() <= self.rules.rack_size);
        if is_possible && self.tiles_off_board().is_ok_and(|tiles| tiles.contains(&racks[0].plus(&racks[1]))) {
            self.racks = BySeat(racks);
        }
        self.deduce_racks();
    }

    /// Ends the game because nothing can be played any more: each player loses the points of their rack, as far as it is known. Does
    /// nothing if the game is over.
    pub fn end_without_plays(&mut self) {
        if self.end.is_none() {
            self.lay_racks_open();
            self.end_as(GameEnd::NoPlays, self.racks);
        }
    }

    /// Ends the game and adjusts the scores by what is left on the racks.
    fn end_as(&mut self, end: GameEnd, left: BySeat<Rack>) {
        self.end = Some(end);
        let changes = self.rules.ending.adjustments(end, left.map(|rack| rack.value(&self.rules.distribution)));
        Seat::BOTH.into_iter().for_each(|seat| self.scores[seat] += changes[seat]);
    }

    /// Tiles on the mover's rack. A rack that is not known in whole counts as full, unless the bag is empty and the opponent's rack is
    /// known: then it has the remaining tiles.
    fn mover_tiles(&self) -> usize {
        let known = self.mover_rack().len();
        if self.is_whole(self.on_turn) {
            return known;
        }
        let is_told = self.in_bag() == 0 && self.is_whole(self.on_turn.opponent());
        if is_told { known + self.unknown().len() } else { self.rules.rack_size }.min(self.rules.rack_size)
    }

    /// With an empty bag, gives the tiles that are neither on the board nor on a known rack to the player whose rack is not full.
    pub fn deduce_racks(&mut self) {
        let unknown = self.unknown();
        let room = |rack: &Rack| self.rules.rack_size - rack.len();
        let unfilled: Vec<Seat> = Seat::BOTH.into_iter().filter(|&seat| room(&self.racks[seat]) > 0).collect();
        if unknown.is_empty() || unknown.len() > self.rules.rack_size {
            return;
        }
        // The rest belongs to the opponent of a player whose rack is known in whole.
        let seat = match unfilled[..] {
            [seat] => seat,
            [_, _] if self.is_whole(self.on_turn) => self.on_turn.opponent(),
            [_, _] if self.is_whole(self.on_turn.opponent()) => self.on_turn,
            _ => return,
        };
        if unknown.len() <= room(&self.racks[seat]) {
            self.racks[seat] = self.racks[seat].plus(&unknown);
        }
    }

    /// Adds or takes points outside a play (a challenge bonus, an overtime penalty). Scores are limited to [`MAX_SCORE`].
    pub fn adjust_score(&mut self, seat: Seat, points: i32) {
        self.scores[seat] = self.scores[seat].saturating_add(points).clamp(-MAX_SCORE, MAX_SCORE);
    }

    /// Makes the player on turn lose the turn, as after a wrong challenge: a turn without points, which may end the game.
    /// Does nothing if the game is over.
    pub fn lose_turn(&mut self) {
        if self.end.is_none() {
            if std::mem::take(&mut self.rack_is_stated) {
                self.racks[self.on_turn] = self.shown[self.on_turn];
            }
            self.on_turn = self.on_turn.opponent();
            self.countdown = self.countdown.after(self.rules.variant, 0, self.in_bag());
            self.end_by_countdown();
        }
    }

    /// Sets the count of turns without points to 0, because the players went on where the rules end the game.
    pub fn forget_zero_turns(&mut self) {
        self.countdown.zero_turns = 0;
    }

    fn check_exchange(&self, count: usize, in_bag: usize) -> Result<(), TurnError> {
        if count == 0 {
            return Err(TurnError::EmptyExchange);
        }
        if count > self.rules.rack_size {
            return Err(TurnError::TooManyTiles { found: count, rack_size: self.rules.rack_size });
        }
        if in_bag < self.rules.exchange_limit || in_bag < count {
            return Err(TurnError::ExchangeLimit { in_bag, limit: self.rules.exchange_limit.max(count) });
        }
        Ok(())
    }

    /// The mover's known tiles without those played; a tile that the mover is not known to hold must be an unknown one.
    fn rest_after(&self, played: &Rack) -> Result<Rack, TurnError> {
        let text = |tile: Tile| self.rules.distribution.tiles_text([tile]);
        let mut rest = *self.mover_rack();
        let mut free = self.unknown();
        let mut room = if self.is_whole(self.on_turn) { 0 } else { self.rules.rack_size - rest.len() };
        for tile in played.tiles() {
            if rest.remove(tile) {
                continue;
            }
            if room == 0 {
                return Err(TurnError::MissingTile { tile: text(tile), place: "it is not on the rack" });
            }
            if !free.remove(tile) {
                return Err(TurnError::MissingTile { tile: text(tile), place: "all of them are on the board or on racks" });
            }
            room -= 1;
        }
        Ok(rest)
    }
}

/// Builds a position from parts, each of which has a default: an empty board, unknown racks, no points.
/// Start with [`Position::builder`].
#[derive(Clone, Debug)]
#[must_use = "no position is made until `build` is called"]
pub struct PositionBuilder {
    rules: Arc<GameRules>,
    board: Board,
    /// Of the player on turn and of the opponent.
    racks: [Rack; 2],
    /// Of the player on turn and of the opponent.
    scores: [i32; 2],
    countdown: Countdown,
    on_turn: Seat,
}

impl Position {
    /// Begins a position by these rules. The first seat is on turn, unless [`PositionBuilder::on_turn`] says otherwise.
    ///
    /// ```
    /// use tilewright::rules::{Board, GameRules, Position};
    ///
    /// let position = Position::builder(GameRules::english()).rack("AEINRST".parse()?).scores(120, 98).build()?;
    /// assert_eq!((position.spread(), position.in_bag()), (22, 86));
    ///
    /// let wrong = Position::builder(GameRules::english()).board(Board::empty(21)).build().unwrap_err();
    /// assert_eq!(wrong.to_string(), "the board has 21 rows, but the rules need 15");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(rules: impl Into<Arc<GameRules>>) -> PositionBuilder {
        let rules = rules.into();
        let board = Board::empty(rules.layout.dim());
        PositionBuilder { rules, board, racks: [Rack::EMPTY; 2], scores: [0; 2], countdown: Countdown::default(), on_turn: Seat::First }
    }
}

impl PositionBuilder {
    /// The tiles on the board.
    pub fn board(self, board: Board) -> PositionBuilder {
        PositionBuilder { board, ..self }
    }

    /// The known tiles of the player on turn; none for an unknown rack.
    pub fn rack(self, rack: Rack) -> PositionBuilder {
        PositionBuilder { racks: [rack, self.racks[1]], ..self }
    }

    /// The known tiles of the opponent; none for an unknown rack.
    pub fn opponent_rack(self, rack: Rack) -> PositionBuilder {
        PositionBuilder { racks: [self.racks[0], rack], ..self }
    }

    /// The scores of the player on turn and of the opponent.
    pub fn scores(self, own: i32, opponent: i32) -> PositionBuilder {
        PositionBuilder { scores: [own, opponent], ..self }
    }

    /// The number of successive turns without points up to now.
    pub fn zero_turns(self, zero_turns: u32) -> PositionBuilder {
        PositionBuilder { countdown: Countdown { zero_turns, ..self.countdown }, ..self }
    }

    /// How many turns are left, in a [variant](crate::rules::Variant::last_turns) that counts last turns, once the bag is empty. By default
    /// the number follows from the other parts: turns without points are last turns, and if the mover's rack is known and not full, the
    /// opponent has had a last turn. Without such evidence, none has been taken.
    pub fn last_turns(self, turns: u32) -> PositionBuilder {
        PositionBuilder { countdown: Countdown { last_turns: Some(turns), ..self.countdown }, ..self }
    }

    /// The seat of the player on turn. Racks and scores are given as those of this player and of the opponent.
    pub fn on_turn(self, seat: Seat) -> PositionBuilder {
        PositionBuilder { on_turn: seat, ..self }
    }

    /// Makes the position.
    ///
    /// # Errors
    /// A board whose size is not that of the rules; more tiles of a kind than the game has, or more
    /// on a rack than it holds; scores beyond [`MAX_SCORE`]; last turns where none are counted.
    pub fn build(self) -> Result<Position, TurnError> {
        let mut position = Position::of_parts(self.rules, self.board, self.racks, self.scores, self.countdown)?;
        if self.on_turn == Seat::Second {
            position.on_turn = self.on_turn;
            position.racks.0.reverse();
            position.held.0.reverse();
            position.scores.0.reverse();
            position.end = position.end.map(|end| match end {
                GameEnd::WentOut(seat) => GameEnd::WentOut(seat.opponent()),
                other => other,
            });
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, layout, letter_distribution};
    use crate::rules::ending::Ending;
    use crate::rules::game_rules::GameRulesBuilder;
    use crate::rules::notation::{apply_move, parse_move};
    use crate::rules::{GameRules, LetterDistribution, Variant};

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn english(text: &str) -> Position {
        cgp::parse(text, &GameRules::english()).unwrap_or_else(|error| panic!("{text}: {error}")).position
    }

    /// A plain 5x5 board, start at C3; letters A (1 point) and CH (5 points), one blank; `letters` of each.
    fn small(letters: u8, text: &str) -> Position {
        let tiles = letter_distribution::parse("mini", &format!("?,?,1,0,0\nA,a,{letters},1,1\nCH,ch,{letters},5,0\n")).unwrap();
        let plain = layout::parse("5x5", ".....\n.....\n..+..\n.....\n.....").unwrap();
        let rules = GameRules::standard(Arc::new(tiles), Arc::new(plain));
        cgp::parse(text, &rules).unwrap_or_else(|error| panic!("{text}: {error}")).position
    }

    fn play(position: &Position, text: &str) -> Position {
        apply_move(position, &parse_move(text, position).unwrap_or_else(|error| panic!("{error}"))).unwrap()
    }

    fn refused(position: &Position, text: &str) -> String {
        let error = parse_move(text, position).unwrap_err().to_string();
        error.strip_prefix(&format!("{text}: ")).unwrap_or(&error).to_string()
    }

    fn scores(position: &Position) -> [i32; 2] {
        position.scores().0
    }

    #[test]
    fn a_builder_seats_the_player_on_turn() {
        let rack = |text: &str| text.parse::<Rack>().unwrap();
        let built = |seat| {
            let builder = Position::builder(GameRules::english()).rack(rack("AEINRST")).opponent_rack(rack("QU"));
            builder.scores(120, 98).on_turn(seat).build().unwrap()
        };
        let (first, second) = (built(Seat::First), built(Seat::Second));
        assert_eq!((second.on_turn(), scores(&second), second.spread()), (Seat::Second, [98, 120], 22));
        assert_eq!((second.rack(Seat::First), second.mover_rack()), (first.rack(Seat::Second), first.mover_rack()));
        assert_eq!(second.unseen(), first.unseen());
        let (next, other) = (play(&second, "8D.RETAINS"), play(&first, "8D.RETAINS"));
        assert_eq!((next.on_turn(), scores(&next)), (Seat::First, [98, other.score(Seat::First)]));
    }

    #[test]
    fn scores_have_room_for_their_differences() {
        let rules = Arc::new(GameRules::english());
        let position = |scores| Position::of_parts(Arc::clone(&rules), Board::empty(15), [Rack::EMPTY; 2], scores, Countdown::default());
        let mut most = position([MAX_SCORE, -MAX_SCORE]).unwrap();
        most.adjust_score(Seat::First, i32::MAX);
        assert_eq!((most.spread(), scores(&most)), (2 * MAX_SCORE, [MAX_SCORE, -MAX_SCORE]));
        assert_eq!(position([0, i32::MIN]), Err(TurnError::BadScore { found: i32::MIN }));
        let text = "a score of 900000001 points is out of range: expected -900000000 to 900000000";
        assert_eq!(position([MAX_SCORE + 1, 0]).unwrap_err().to_string(), text);
    }

    #[test]
    fn positions_of_other_rules_are_others() {
        let start = |rules: GameRules| Position::start(Arc::new(rules));
        let english = GameRules::english();
        let changed = |change: fn(GameRulesBuilder) -> GameRulesBuilder| start(change(english.to_builder()).build().unwrap());
        assert_eq!(start(english.clone()), start(GameRules::english()));
        assert_ne!(start(english.clone()), changed(|rules| rules.variant(Variant::Misere)));
        assert_ne!(start(english.clone()), changed(|rules| rules.bingo_bonus(35)));
        assert_ne!(start(english.clone()), changed(|rules| rules.distribution(LetterDistribution::built_in("dutch").unwrap())));
    }

    #[test]
    fn a_rack_that_is_known_for_a_turn_is_another_position() {
        let [mut stated, mut set] = [(); 2].map(|()| english(&format!("{EMPTY} / 0/0 0")));
        let rack = Rack::parse("AEINRST", &stated.rules().distribution).unwrap();
        stated.state_rack(&rack).unwrap();
        set.set_rack(Seat::First, &rack).unwrap();
        assert_ne!(stated, set);
        assert_ne!(play(&stated, "8G.AT"), play(&set, "8G.AT"), "the tiles kept are forgotten or not");
    }

    #[test]
    fn a_play_scores_and_keeps_what_was_not_played() {
        let before = english(&format!("{EMPTY} ACEIRTV/ 0/0 3"));
        assert_eq!((before.in_bag(), before.opponent_tiles()), (86, 7));
        let after = play(&before, "8D.VICAR");
        assert_eq!((scores(&after), after.on_turn(), after.zero_turns()), ([28, 0], Seat::Second, 0));
        assert_eq!(after.rack(Seat::First).text(&after.rules().distribution), "ET");
        // 95 tiles are off the board, two of them known; the next mover has seven of the rest.
        assert_eq!((after.unknown().len(), after.unseen().len(), after.in_bag()), (93, 95, 81));
        assert_eq!(before.board().tiles().count(), 0, "the old position stays");
    }

    #[test]
    fn exchanges_need_a_bag_that_is_full_enough() {
        // 9 + 9 + 1 tiles, 0 on the board: 5 in the bag. With 10 + 10 + 1 there are 7.
        let five = small(9, "5/5/5/5/5 AAA[CH][CH][CH]A/ 0/0 0");
        assert_eq!(refused(&five, "ex.A"), "an exchange needs 7 tiles in the bag, which has 5");
        let seven = small(10, "5/5/5/5/5 AAA[CH][CH][CH]A/ 0/0 0");
        assert_eq!(play(&seven, "ex.AA").rack(Seat::First).len(), 5);
        assert_eq!(play(&seven, "ex.7").zero_turns(), 1);
        let low = small(9, "5/5/5/5/5 AAA[CH][CH][CH]A/ 0/0 0 etl 1;");
        assert_eq!(play(&low, "ex.A[CH]").rack(Seat::First).len(), 5);
        assert_eq!(refused(&low, "ex.6"), "an exchange needs 6 tiles in the bag, which has 5");
        assert_eq!(refused(&low, "ex.0"), "an exchange needs at least one tile: write `pass` instead");
    }

    #[test]
    fn an_exchange_of_unknown_tiles_makes_the_rack_unknown() {
        let after = play(&english(&format!("{EMPTY} ACEIRTV/AB 0/0 0")), "ex.3");
        assert!(after.rack(Seat::First).is_empty());
        assert_eq!(after.rack(Seat::Second).len(), 2);
    }

    #[test]
    fn six_turns_without_points_cost_both_players_their_racks() {
        let mut position = english(&format!("{EMPTY} AEINQRS/EIKLOT? 10/20 0"));
        for turn in 1..=6 {
            assert_eq!(position.end(), None, "before turn {turn}");
            position = play(&position, "pass");
        }
        assert_eq!(position.end(), Some(GameEnd::ZeroTurns));
        // A E I N Q R S = 16, E I K L O T ? = 10.
        assert_eq!(scores(&position), [10 - 16, 20 - 10]);
        assert_eq!(refused(&position, "pass"), "the game is over");
    }

    #[test]
    fn a_play_without_points_is_a_zero_turn_and_others_start_the_count_again() {
        let blanks = english(&format!("{EMPTY} ??ABCDE/ 0/0 4"));
        assert_eq!(play(&blanks, "8G.ab").zero_turns(), 5);
        assert_eq!(play(&blanks, "8G.aB").zero_turns(), 0);
        let last = english(&format!("{EMPTY} ??ABCDE/ 0/0 5"));
        assert_eq!(play(&last, "8G.ab").end(), Some(GameEnd::ZeroTurns));
        let rules = english(&format!("{EMPTY} / 0/0 0 mcnz 2;"));
        assert_eq!(play(&play(&rules, "pass"), "ex.4").end(), Some(GameEnd::ZeroTurns));
    }

    #[test]
    fn a_referee_counts_what_the_last_exchange_drew() {
        let before = english(&format!("{EMPTY} AEINQRS/EIKLOT? 0/0 5"));
        let drawn: Rack = before.rules().distribution.parse_tiles("AEINRSZ").unwrap().into_iter().collect();
        let turn = parse_move("ex.Q", &before).unwrap().turn;
        // Kept A E I N R S: 6; with the Z drawn: 16.
        assert_eq!(scores(&before.after(&turn).unwrap()), [-6, -10]);
        assert_eq!(scores(&before.after_draw(&turn, &drawn).unwrap()), [-16, -10]);
    }

    #[test]
    fn going_out_gains_twice_the_other_rack_known_or_not() {
        // 4 + 4 + 1 tiles, AA on the board, A CH with the first player: A, three CH and the blank are left, known or not.
        for racks in ["A[CH]/", "A[CH]/[CH]", "A[CH]/A[CH][CH][CH]?"] {
            let before = small(4, &format!("5/5/1AA2/5/5 {racks} 10/20 0"));
            let after = play(&before, "3B.AAA[CH]");
            assert_eq!(after.end(), Some(GameEnd::WentOut(Seat::First)));
            // The play: 1 + 1 + 1 + 5. Left: 1 + 3 * 5 + 0.
            assert_eq!(scores(&after), [10 + 8 + 2 * 16, 20]);
        }
        let not_out = play(&small(4, "5/5/1AA2/5/5 A[CH]A/ 10/20 0"), "3B.AAA[CH]");
        assert_eq!((not_out.end(), scores(&not_out)), (None, [18, 20]));
    }

    #[test]
    fn the_end_pays_what_the_rules_say() {
        let before = small(4, "5/5/1AA2/5/5 A[CH]/ 10/20 0 mcnz 1;");
        let ending = Ending { out_gain: 1, out_loss: 3, stuck_loss: 2 };
        let rules = before.rules().to_builder().ending(ending).build().unwrap();
        let racks = [*before.rack(Seat::First), *before.rack(Seat::Second)];
        let before = Position::of_parts(Arc::new(rules), before.board().clone(), racks, [10, 20], Countdown::default()).unwrap();
        // The play: 8. Left for the other player: 16.
        assert_eq!(scores(&play(&before, "3B.AAA[CH]")), [10 + 8 + 16, 20 - 3 * 16]);
        // A and CH: 6.
        assert_eq!(scores(&play(&before, "pass")), [10 - 2 * 6, 20 - 2 * 16]);
    }

    #[test]
    fn a_mover_with_an_unknown_rack_goes_out_when_the_other_rack_is_known() {
        // 3 + 3 + 1 tiles, AA on the board: of the other five the opponent holds three, so the mover has A and CH.
        let before = small(3, "5/5/1AA2/5/5 /[CH][CH]? 0/0 0");
        let after = play(&before, "3B.AAA[CH]");
        assert_eq!(after.end(), Some(GameEnd::WentOut(Seat::First)));
        assert_eq!(scores(&after), [8 + 2 * 10, 0]);
        // Nothing known at all: any rack could be left.
        assert_eq!(play(&small(3, "5/5/1AA2/5/5 / 0/0 0"), "3B.AAA[CH]").end(), None);
    }

    #[test]
    fn racks_are_deduced_when_the_bag_is_empty() {
        let text = |position: &Position| Seat::BOTH.map(|seat| position.rack(seat).text(&position.rules().distribution));
        let mut mover = small(3, "5/5/1AA2/5/5 A[CH]/ 0/0 0");
        mover.deduce_racks();
        assert_eq!(text(&mover), ["A[CH]", "[CH][CH]?"]);
        let mut other = small(3, "5/5/1AA2/5/5 /[CH]? 0/0 0");
        other.deduce_racks();
        assert_eq!(text(&other), ["A[CH][CH]", "[CH]?"]);
        let mut neither = small(3, "5/5/1AA2/5/5 / 0/0 0");
        neither.deduce_racks();
        assert_eq!(text(&neither), ["", ""]);
        let mut full_bag = english(&format!("{EMPTY} ABC/ 0/0 0"));
        full_bag.deduce_racks();
        assert_eq!(text(&full_bag), ["ABC", ""]);
        // The sixth pass with an empty bag: the other rack counts, although it was not stated.
        let end = play(&small(3, "5/5/1AA2/5/5 A[CH]/ 0/0 5"), "pass");
        assert_eq!(scores(&end), [-6, -10]);
    }

    #[test]
    fn a_phony_leaves_everything_but_the_turn() {
        let before = english(&format!("{EMPTY} ACEIRTV/ 7/9 1"));
        let after = play(&before, "phony.8D.VICAR");
        assert_eq!((after.board(), after.rack(Seat::First)), (before.board(), before.rack(Seat::First)));
        assert_eq!((scores(&after), after.on_turn(), after.zero_turns()), ([7, 9], Seat::Second, 2));
        assert_eq!(refused(&before, "phony.8D.VICARX"), "there is no X for this play: it is not on the rack");
        assert_eq!(refused(&before, "phony.9D.VICAR"), "the first play must cover 8H");
    }

    #[test]
    fn challenges_give_points_and_take_turns() {
        let before = english(&format!("{EMPTY} ACEIRTV/ 0/0 0"));
        let points = play(&before, "8D.VICAR.ACEIRTV.5");
        assert_eq!((scores(&points), points.on_turn()), ([33, 0], Seat::Second));
        let turn = play(&before, "8D.VICAR..0.1");
        assert_eq!((scores(&turn), turn.on_turn(), turn.zero_turns()), ([28, 0], Seat::First, 1));
    }

    #[test]
    fn a_lost_turn_may_end_the_game_but_not_go_on_after_it() {
        let mut position = english(&format!("{EMPTY} A/B 0/0 0 mcnz 1;"));
        position.lose_turn();
        assert_eq!((position.end(), scores(&position)), (Some(GameEnd::ZeroTurns), [-1, -3]));
        let ended = position.clone();
        position.lose_turn();
        assert_eq!(position, ended);
        let out = play(&small(3, "5/5/1AA2/5/5 A[CH]/ 0/0 0"), "3B.AAA[CH]..5.1");
        assert_eq!((out.end(), out.on_turn(), scores(&out)), (Some(GameEnd::WentOut(Seat::First)), Seat::Second, [8 + 20 + 5, 0]));
    }

    #[test]
    fn a_player_whose_rack_is_unknown_may_play_any_unseen_tile() {
        let unknown = english("15/15/15/15/15/15/15/3QUIZ8/15/15/15/15/15/15/15 /J 22/0 0");
        assert_eq!(play(&unknown, "8D.QUIZzED").board().tiles().count(), 7);
        assert_eq!(refused(&unknown, "H8.JO"), "there is no J for this play: all of them are on the board or on racks");
        assert_eq!(refused(&unknown, "G8.ZQ"), "there is no Q for this play: all of them are on the board or on racks");
    }

    #[test]
    fn a_rack_that_is_known_in_part_leaves_room_for_others_until_the_bag_is_empty() {
        let part = english(&format!("{EMPTY} ACEI/ 0/0 0"));
        assert_eq!(play(&part, "8D.VICAR").rack(Seat::First).text(&part.rules().distribution), "E");
        assert_eq!(refused(&english(&format!("{EMPTY} AAAAAAA/ 0/0 0")), "8G.AB"), "there is no B for this play: it is not on the rack");
        let end = small(3, "5/5/1AA2/5/5 A/ 0/0 0");
        assert_eq!(refused(&end, "3B.AAA[CH]"), "there is no [CH] for this play: it is not on the rack");
    }

    #[test]
    fn a_rack_that_is_known_in_part_leaves_the_bag_as_full_as_it_is() {
        // 9 + 9 + 1 tiles, two of them on the board: three in the bag.
        for rack in ["", "A", "A[CH]?", "AAA[CH][CH][CH]A"] {
            let position = small(9, &format!("5/5/1AA2/5/5 {rack}/ 0/0 0"));
            assert_eq!((position.in_bag(), position.opponent_tiles()), (3, 7), "{rack}");
            assert_eq!(refused(&position, "ex.A"), "an exchange needs 7 tiles in the bag, which has 3");
            let low = small(9, &format!("5/5/1AA2/5/5 {rack}/ 0/0 0 etl 1;"));
            assert_eq!(refused(&low, "ex.4"), "an exchange needs 4 tiles in the bag, which has 3");
        }
        // Of nine tiles the other rack can hold seven: A is not all that the mover has.
        let nine = small(5, "5/5/1AA2/5/5 A/ 0/0 0");
        assert_eq!((nine.in_bag(), play(&nine, "3B.AAA[CH]").end()), (0, None));
    }

    #[test]
    fn racks_that_were_stated_on_earlier_turns_count_when_the_game_ends() {
        // A E I N R S T = 7, B C D F G H J = 26. Each player passes, or plays a phony, with the rack in plain sight.
        let end = |moves: &str| moves.split(' ').fold(english(&format!("{EMPTY} / 0/0 0")), |position, text| play(&position, text));
        let (own, other) = ("pass.AEINRST", "pass.BCDFGHJ");
        let six = end(&format!("{own} {other} {own} {other} {own} {other}"));
        assert_eq!((six.end(), scores(&six)), (Some(GameEnd::ZeroTurns), [-7, -26]));
        assert_eq!(six.rack(Seat::First).text(&six.rules().distribution), "AEINRST");
        assert_eq!(scores(&end(&format!("{own} {other} pass pass pass pass"))), [-7, -26]);
        // The tiles of a phony are back on the rack.
        assert_eq!(scores(&end(&format!("{own} {other} phony.8G.TEN {other} pass pass"))), [-7, -26]);
        // After an exchange nobody knows the rack.
        assert_eq!(scores(&end(&format!("ex.AE.AEINRST {other} pass pass pass pass"))), [0, -26]);
        assert_eq!(scores(&end(&format!("{own} {other} ex.3 pass pass pass"))), [0, -26]);
        // A stated rack that contradicts an earlier one does not count; the known position does.
        assert_eq!(scores(&end(&format!("{own} {other} pass pass.AEIBBCC pass pass"))), [-7, -15]);
        assert_eq!(scores(&end("pass.ZAEINRS pass pass pass pass pass.ZBCDFGH")), [0, -28]);
        // Before the end nobody's rack is known.
        let five = end(&format!("{own} {other} {own} {other} {own}"));
        assert_eq!((five.rack(Seat::First).len(), five.rack(Seat::Second).len()), (0, 0));
    }

    #[test]
    fn a_play_that_was_challenged_off_shows_its_tiles_until_they_are_played_or_exchanged() {
        let known = |moves: &str, seat: Seat| {
            let after = moves.split(' ').fold(english(&format!("{EMPTY} / 0/0 0")), |position, text| play(&position, text));
            after.rack(seat).text(&after.rules().distribution)
        };
        assert_eq!(known("8D.NASTIER.AEINRST phony.K8.UVVWXQW", Seat::Second), "QUVVWWX");
        assert_eq!(known("phony.8G.QI pass", Seat::First), "IQ");
        assert_eq!(known("phony.8G.QI pass pass.AEGIQRT pass", Seat::First), "IQ", "what was stated beside it is forgotten");
        assert_eq!(known("phony.8G.QI pass 8G.IF", Seat::First), "Q");
        assert_eq!(known("phony.8G.QI pass 8G.IF.FIIQABC", Seat::First), "Q", "the I that is left may be the other one");
        assert_eq!(known("phony.8G.QI pass phony.8G.QAT", Seat::First), "AIQT");
        for exchange in ["ex.1", "ex.Q", "ex.Q.QIABCDE"] {
            assert_eq!(known(&format!("phony.8G.QI pass {exchange}"), Seat::First), "", "{exchange}");
        }
        assert_eq!(known("phony.8G.QI pass pass.AAAAEEE", Seat::First), "", "a whole rack that is stated is believed");
    }

    #[test]
    fn tiles_that_were_shown_are_no_whole_rack_with_an_empty_bag() {
        // 4 + 4 + 1 tiles, AA on the board: seven on both racks together.
        let shown = play(&small(4, "5/5/1AA2/5/5 / 0/0 0"), "phony.3B.AAA[CH]");
        let next = play(&shown, "pass");
        assert_eq!((next.mover_rack().len(), next.in_bag()), (2, 0));
        assert_eq!(play(&next, "3B.AAA[CH]").end(), None, "there may be more tiles");
        assert_eq!(play(&next, "3B.AAA[CH].A[CH]").end(), Some(GameEnd::WentOut(Seat::First)));
        assert_eq!(play(&next, "3B.AAAA").end(), None);
        let mut deduced = next.clone();
        deduced.deduce_racks();
        assert_eq!(deduced, next, "whose the others are is not known");
    }

    #[test]
    fn racks_are_set_only_with_tiles_that_are_free() {
        let mut position = english("15/15/15/15/15/15/15/3QUIZ8/15/15/15/15/15/15/15 /J 22/0 0");
        let rack = |text: &str| position.rules().distribution.parse_tiles(text).unwrap().into_iter().collect::<Rack>();
        let (taken, held, long, good) = (rack("Q"), rack("J"), rack("AAAAAAAE"), rack("AEINRST"));
        let mut set = |rack: &Rack| position.set_rack(Seat::First, rack).map_err(|error| error.to_string());
        assert_eq!(set(&taken).unwrap_err(), "this rack has more Q than are left: the rest is on the board or the other rack");
        assert_eq!(set(&held).unwrap_err(), "this rack has more J than are left: the rest is on the board or the other rack");
        assert_eq!(set(&long).unwrap_err(), "8 tiles, a rack holds 7");
        assert_eq!(set(&good), Ok(()));
        assert_eq!(position.mover_rack().len(), 7);
    }

    #[test]
    fn no_turn_follows_a_declared_end() {
        let mut position = english(&format!("{EMPTY} / 5/3 0"));
        position.declare_over();
        assert_eq!(position.end(), Some(GameEnd::Declared));
        assert_eq!(refused(&position, "pass"), "the game is over");
        assert_eq!(scores(&position), [5, 3]);
    }
}
