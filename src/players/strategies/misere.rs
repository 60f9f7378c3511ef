//! Misere players: by static equity, by playouts, by thresholds, and at random.
//!
//! | player | its turn |
//! |---|---|
//! | `misere` | exchanges to prepare the end; where the game may end soon, a turn without points or the cheapest play, whichever is likelier to win (`search/misere/equity.rs`) |
//! | `misere-sim` | as `misere`, but where the game may end soon, candidates are played out (`search/misere/playouts.rs`); a candidate that beats the turn of `misere` by two standard errors is played instead |
//! | `threshold` | exchanges tiles below a threshold of points, which depends on the number of turns without points so far. On the last of these turns, the player ends the game if they expect to win, or prolongs it by the cheapest play |
//! | `random` | any play, exchange or pass, all equally likely: every player must beat it |
//!
//! The cheapest play is the one that costs least in points scored and in points of the tiles that leave the rack, and scores at least one point.
//! The exchanges on the last turns without points determine the expected tiles of the opponent's rack ([`PenaltyValues`]).

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, PlayerKind, PlayerOption, PlayerOptions};
use crate::players::player::Player;
use crate::players::view::{Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{BySeat, Play, Position, Rack, Seat, Tile, VariantSupport};
use crate::search::misere::belief::SeenTurn;
use crate::search::misere::equity::{MisereEval, MisereStyle};
use crate::search::misere::playouts::{self, MiserePlayouts};
use crate::search::misere::tile_values::PenaltyValues;
use crate::search::randomness::{self, Stream};
use rand::RngExt;

/// The player by static equity.
pub const MISERE: PlayerKind = PlayerKind {
    name: "misere",
    about: "plays misere: low scores, and a rack of many points at the end",
    sight: Sight::Fair,
    options: &[],
    leaves: KindLeaves::Nothing,
    variants: VariantSupport::FEWEST_POINTS,
    make: |_, _, knowledge| Box::new(MisereStaticPlayer { graph: knowledge.lexicon.graph() }),
};

/// The player by playouts.
pub const MISERE_SIM: PlayerKind = PlayerKind {
    name: "misere-sim",
    about: "plays misere: where the game may end soon, plays out candidates to the end, against possible racks of the opponent",
    options: &[ITERATIONS, PLAYS],
    make: |options, _, knowledge| {
        let graph = knowledge.lexicon.graph();
        Box::new(MiserePlayoutPlayer { graph, iterations: options.count(&ITERATIONS), plays: options.count(&PLAYS) as usize })
    },
    ..MISERE
};

/// The player by thresholds.
pub const THRESHOLD: PlayerKind = PlayerKind {
    name: "threshold",
    about: "plays misere: exchanges tiles below a threshold, and ends the game when it expects to win",
    options: &[FIRST, SECOND, THIRD, BLANKS],
    make: |options, _, knowledge| {
        let (graph, thresholds) = (knowledge.lexicon.graph(), MisereThresholdPlayer::thresholds(options));
        Box::new(MisereThresholdPlayer { graph, thresholds, keeps_blanks: options.word(&BLANKS) == "keep" })
    },
    ..MISERE
};

/// The random player.
pub const RANDOM: PlayerKind = PlayerKind {
    name: "random",
    about: "any play, exchange or pass, all equally likely",
    variants: VariantSupport::WORDS_IN_ORDER,
    make: |_, _, knowledge| Box::new(RandomPlayer { graph: knowledge.lexicon.graph() }),
    ..MISERE
};

const ITERATIONS: PlayerOption = PlayerOption::count("iterations", 1_000_000_000, 200);
const PLAYS: PlayerOption = PlayerOption::count("plays", 100, 3);

/// The points below which tiles are exchanged on a player's first, second and third of the six turns without points.
const FIRST: PlayerOption = PlayerOption::count("first", 255, 3);
const SECOND: PlayerOption = PlayerOption::count("second", 255, 3);
const THIRD: PlayerOption = PlayerOption::count("third", 255, 2);
/// Whether blanks below the threshold are exchanged.
const BLANKS: PlayerOption = PlayerOption::word("blanks", &["throw", "keep"], "throw");

/// Returns all plays with their static equity, best first.
fn ranking(graph: &WordGraph, board: &mut LaneBoard, position: &Position) -> Vec<EvaluatedPlay> {
    MisereEval::new(position).ranking(board, graph, &|| false).expect("nobody stops the ranking")
}

/// Returns the turns so far, for inferring racks from them: those of the player on turn, then those of the opponent. In a view of a position
/// by itself, the player's own turns are not known.
fn seen_turns(view: &View<'_>) -> [Vec<SeenTurn>; 2] {
    if let Some(turns) = view.observed_turns() {
        return [Vec::new(), turns.iter().map(SeenTurn::of).collect()];
    }
    let rules = view.rules;
    let all = rules.distribution.total();
    let mut held = BySeat([rules.rack_size.min(all); 2]);
    let mut in_bag = all.saturating_sub(2 * rules.rack_size);
    let mut zero_turns = 0;
    let mut turns = [Vec::new(), Vec::new()];
    for (at, (turn, score)) in view.history().enumerate() {
        let seat = Seat::after_turns(at);
        let seen = SeenTurn::new(rules, &turn, held[seat], in_bag, zero_turns);
        let drawn = seen.placed.len().min(in_bag);
        held[seat] = held[seat] - seen.placed.len() + drawn;
        in_bag -= drawn;
        turns[usize::from(seat != view.seat)].push(seen);
        zero_turns = if score == 0 { zero_turns + 1 } else { 0 };
    }
    turns
}

/// Returns the gain of the player on turn, including the lead, if the game ends by turns without points with racks of these values.
fn gain_when_stuck(position: &Position, own: Millipoints, other: Millipoints) -> Millipoints {
    let rules = position.rules();
    Millipoints::from_points(rules.objective().gain(position.spread())) + (own - other) * rules.ending.stuck_loss
}

/// Whether a turn without points would end the game now.
fn is_last_zero_turn(position: &Position) -> bool {
    position.rules().is_ended_by_zero_turn_after(position.zero_turns())
}

/// Plays misere by static equity.
#[derive(Debug)]
pub struct MisereStaticPlayer<'a> {
    graph: &'a WordGraph,
}

impl Player for MisereStaticPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.position();
        let [_, other] = seen_turns(view);
        MisereEval::after_turns(&position, &other).turn().choose(board, self.graph, &MisereStyle::USUAL)
    }
}

/// Plays misere by static equity and, near the end, by playouts.
#[derive(Debug)]
pub struct MiserePlayoutPlayer<'a> {
    graph: &'a WordGraph,
    iterations: u64,
    plays: usize,
}

impl Player for MiserePlayoutPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.position();
        let [own, other] = seen_turns(view);
        let eval = MisereEval::after_turns(&position, &other);
        let turn = eval.turn();
        // While nobody can end the game, only the exchange is to be decided.
        if turn.zero_turns_left() > 2 {
            return turn.choose(board, self.graph, &MisereStyle::USUAL);
        }
        let usual = turn.choose(board, self.graph, &MisereStyle::USUAL);
        let mut candidates = turn.candidates(board, self.graph, self.plays);
        let stands = candidates.iter().position(|candidate| candidate.play == usual.play).unwrap_or_else(|| {
            candidates.push(usual);
            candidates.len() - 1
        });
        let playouts = MiserePlayouts::new(&position, self.graph, [&own, &other], view.seed);
        playouts::choose(playouts, board, &candidates, stands, self.iterations, view.signals)
    }
}

/// Plays misere by a threshold on the points of the tiles it exchanges.
#[derive(Debug)]
pub struct MisereThresholdPlayer<'a> {
    graph: &'a WordGraph,
    /// The threshold of each of the player's turns without points.
    thresholds: [i32; 3],
    /// Whether blanks are kept. They are worth nothing at the end, but make cheap plays.
    keeps_blanks: bool,
}

impl MisereThresholdPlayer<'_> {
    fn thresholds(options: &PlayerOptions) -> [i32; 3] {
        [FIRST, SECOND, THIRD].map(|option| options.count(&option) as i32)
    }

    /// Returns the exchange of the tiles below the threshold, or the pass if there are none or they cannot be exchanged.
    fn without_points(&self, position: &Position) -> Play {
        let distribution = &position.rules().distribution;
        let threshold = self.thresholds[(position.zero_turns() as usize / 2).min(2)];
        let is_low = |tile: &Tile| distribution.value(*tile) < threshold && !(self.keeps_blanks && tile.is_blank());
        // The lowest tiles come first, since no more tiles are exchanged than the bag holds.
        let mut low: Vec<Tile> = position.mover_rack().tiles().filter(is_low).collect();
        low.sort_by_key(|&tile| distribution.value(tile));
        let low: Rack = low.into_iter().take(position.in_bag()).collect();
        let may_exchange = position.in_bag() >= position.rules().exchange_limit;
        if may_exchange && !low.is_empty() { Play::Exchange(low) } else { Play::Pass }
    }

    /// Returns the expected gain if all turns to come are without points, and nobody exchanges after this turn.
    fn expectation(position: &Position, play: &Play) -> Millipoints {
        let values = PenaltyValues::new(&position.rules().distribution, &position.unseen());
        let kept = play.leave(position.mover_rack());
        let own = values.rack(&kept, play.rack_tiles().len(), 0);
        // Each of the opponent's turns in this run may have been an exchange.
        let exchanges = if position.in_bag() >= position.rules().exchange_limit { position.zero_turns().div_ceil(2) as usize } else { 0 };
        let unknown = position.opponent_tiles() - position.opponent_rack().len();
        let other = values.rack(position.opponent_rack(), 0, 0) + values.drawn(exchanges) * unknown as i32;
        gain_when_stuck(position, own, other)
    }
}

impl Player for MisereThresholdPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.position();
        let zero = self.without_points(&position);
        let can_wait = !is_last_zero_turn(&position) && matches!(zero, Play::Exchange(_));
        if !can_wait && MisereThresholdPlayer::expectation(&position, &zero) <= Millipoints::ZERO {
            let eval = MisereEval::new(&position);
            if let Some(&cheapest) = eval.turn().cheapest_by_points(board, self.graph, 1).first() {
                return cheapest;
            }
        }
        MisereEval::new(&position).judge(&zero)
    }
}

/// Plays any play, exchange or the pass with equal chances.
#[derive(Debug)]
pub struct RandomPlayer<'a> {
    graph: &'a WordGraph,
}

impl Player for RandomPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.position();
        let plays = ranking(self.graph, board, &position);
        plays[randomness::generator(view.seed, Stream::Players, 0).random_range(0..plays.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::players::view::GameSoFar;
    use crate::rules::notation::play_text;
    use crate::rules::{Board, Countdown, GameRules, Variant};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    fn misere_rules() -> Arc<GameRules> {
        Arc::new(GameRules::english().to_builder().variant(Variant::Misere).build().unwrap())
    }

    /// Checks what a player does on an empty board after `zero_turns` turns without points,
    /// with a lead of `lead` points.
    fn check(kind: &PlayerKind, rack: &str, zero_turns: u32, lead: i32, expected: impl Fn(&EvaluatedPlay, &str) -> bool) {
        let (rules, lexicon) = (misere_rules(), Lexicon::builtin());
        let racks = BySeat([Rack::parse(rack, &rules.distribution).unwrap(), Rack::EMPTY]);
        let knowledge = crate::engine::Engine::builtin().knowledge().clone();
        let mut player = (kind.make)(&PlayerOptions::defaults(kind), &rules, &knowledge);
        let board = Board::empty(15);
        let game = GameSoFar {
            scores: BySeat([lead, 0]),
            countdown: Countdown::of_zero_turns(zero_turns),
            ..GameSoFar::without_turns(&rules, &board, &racks, 86)
        };
        let mut lanes = LaneBoard::new(&rules, &board, lexicon.graph());
        let play = player.choose(&mut lanes, &View::new(&game, Sight::Fair, 0, &Signals::default()));
        let text = play_text(&play.play, &board, &rules.distribution);
        assert!(expected(&play, &text), "{rack} {zero_turns} {lead}: {text}");
    }

    #[test]
    fn tiles_of_few_points_are_exchanged() {
        check(&MISERE, "AEIQZJK", 0, 0, |_, text| text == "ex.AEI");
        check(&THRESHOLD, "ADIQZJB", 0, 0, |_, text| text == "ex.ADI");
        // On the third turn, only tiles below two points are exchanged.
        check(&THRESHOLD, "ADIQZJB", 4, 0, |_, text| text == "ex.AI");
        check(&THRESHOLD, "KJQZXVW", 0, 0, |_, text| text == "pass");
    }

    #[test]
    fn the_last_turn_without_points_belongs_to_whoever_expects_to_win() {
        for kind in [&MISERE, &THRESHOLD] {
            // With many points on the rack, the player ends the game. With few, so does a player whose opponent has a much higher score.
            check(kind, "VWYQZJK", 5, 0, |play, _| play.score == 0);
            check(kind, "AEIOU??", 5, -90, |play, _| play.score == 0);
            // A cheap play prolongs the game in other cases. Two blanks alone would score nothing.
            check(kind, "AEIOU??", 5, 0, |play, _| (1..=4).contains(&play.score));
        }
    }
}
