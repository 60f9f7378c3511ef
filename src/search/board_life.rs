//! Finds out whether a board is dead: no rack of the remaining tiles has a play on it.
//!
//! All tiles off the board count as one rack, whoever holds them, since exchanges can bring any of them together; but a play places no more
//! of them than a rack holds. A dead board stays dead, since only plays change it: the game ends by turns without points.
//!
//! The search tries plays of one tile, then of two, and so on, so the first plays that it finds need the fewest tiles. On a dead board it
//! also tries tiles that are not left, as few as possible. These are the tiles that the board is waiting for.
//!
//! Not here: the walk through the words (`movegen/any_rack.rs`). Start with [`BoardLife::of`].

use crate::lexicon::{Lexicon, WordGraph};
use crate::movegen::LaneBoard;
use crate::movegen::any_rack::{TileDemand, generate_any_rack};
use crate::movegen::found::{GeneratedPlay, Terms};
use crate::movegen::sinks::{AllPlays, CountPlays};
use crate::rules::variant::{UnsupportedVariant, VariantSupport};
use crate::rules::{DeadBoard, GameRules, Placement, Position, Rack, Tile};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A placement that some rack allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyRackPlay {
    /// The placement, with blanks only where no other tile of the letter is left.
    pub placement: Placement,
    /// Points.
    pub score: i32,
    /// The tiles of the placement that are not left.
    pub lacking: Rack,
}

/// Whether any rack at all has a play on a board.
///
/// ```
/// use std::sync::Arc;
/// use tilewright::lexicon::Lexicon;
/// use tilewright::rules::{GameRules, Position};
/// use tilewright::search::BoardLife;
///
/// let start = Position::start(Arc::new(GameRules::english()));
/// let life = BoardLife::of(&start, &Lexicon::builtin())?;
/// let BoardLife::Alive { plays, racks } = life else { panic!("a game can begin") };
/// assert_eq!(plays[0].placement.tile_count(), 2);
/// assert!(racks.contains(&Rack::parse("Z?", &start.rules().distribution)?), "ZA, with a blank for the A");
/// # use tilewright::rules::Rack;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardLife {
    /// Some rack has a play.
    Alive {
        /// The placements of the fewest tiles, most points first.
        plays: Vec<AnyRackPlay>,
        /// The sets of tiles that make one of these placements, with blanks for letters as well; in the order of the alphabet, blanks first.
        racks: Vec<Rack>,
    },
    /// No rack has a play, now or later in the game.
    Dead {
        /// The placements that lack the fewest tiles, and of these the ones of the fewest tiles, most points first. Empty if no tiles would
        /// help.
        plays: Vec<AnyRackPlay>,
    },
}

impl BoardLife {
    /// Returns whether the tiles that are not on the board have a play on it, with the plays of the fewest tiles.
    ///
    /// # Errors
    /// If words in this variant are not spelled as in the lexicon.
    pub fn of(position: &Position, lexicon: &Lexicon) -> Result<BoardLife, UnsupportedVariant> {
        let rules = position.rules();
        rules.require(VariantSupport::WORDS_IN_ORDER, "the search for dead positions")?;
        let graph = lexicon.graph();
        let mut board = LaneBoard::new(rules, position.board(), graph);
        let lanes = board.prepare(graph);
        let terms = Terms::of(rules);
        let pool = position.unseen().plus(position.mover_rack());
        let fewest = |beyond: usize| {
            let sizes = beyond.max(1)..=rules.rack_size;
            sizes
                .map(|tiles| {
                    let mut sink = AllPlays::default();
                    generate_any_rack(graph, lanes, &pool, TileDemand { tiles, beyond }, &terms, &mut sink);
                    sink.plays.sort_by_key(|play| (-play.score, play.placement));
                    let lacking = |placement: &Placement| lacking(&placement.rack_tiles(), &pool);
                    let plays = sink.plays.into_iter().map(|GeneratedPlay { placement, score, .. }| (placement, score));
                    plays.map(|(placement, score)| AnyRackPlay { placement, score, lacking: lacking(&placement) }).collect::<Vec<_>>()
                })
                .find(|plays| !plays.is_empty())
        };
        Ok(match fewest(0) {
            Some(plays) => BoardLife::Alive { racks: racks_for(&plays, &pool), plays },
            None => BoardLife::Dead { plays: (1..=rules.rack_size).find_map(fewest).unwrap_or_default() },
        })
    }
}

/// Returns whether nothing can be played on a board any more and the rules then end the game. Never under other rules.
///
/// # Panics
/// If words may be spelled in any order. The rules of such games never end them on a dead board.
pub fn ends_game(rules: &GameRules, board: &mut LaneBoard, graph: &WordGraph) -> bool {
    if rules.dead_board == DeadBoard::PlaysOn {
        return false;
    }
    let on_board: Rack = board.to_board().tiles().map(|(_, tile)| tile.rack_tile()).collect();
    let pool = Rack::full_bag(&rules.distribution).minus(&on_board).unwrap_or_default();
    let terms = Terms::of(rules);
    let lanes = board.prepare(graph);
    let has_plays = |tiles: usize| {
        let mut sink = CountPlays::default();
        generate_any_rack(graph, lanes, &pool, TileDemand { tiles, beyond: 0 }, &terms, &mut sink);
        sink.count > 0
    };
    !(1..=rules.rack_size).any(has_plays)
}

/// Ends a game in which nothing can be played any more, if its rules say so.
pub fn end_if_dead(position: &mut Position, lexicon: &Lexicon) {
    let rules = Arc::clone(position.rules());
    if rules.dead_board == DeadBoard::EndsGame && position.end().is_none() {
        let mut board = LaneBoard::new(&rules, position.board(), lexicon.graph());
        if ends_game(&rules, &mut board, lexicon.graph()) {
            position.end_without_plays();
        }
    }
}

/// The tiles of which the pool has too few.
fn lacking(tiles: &Rack, pool: &Rack) -> Rack {
    let beyond = |(tile, count): (Tile, u8)| std::iter::repeat_n(tile, count.saturating_sub(pool.count(tile)) as usize);
    tiles.distinct().flat_map(beyond).collect()
}

/// The sets of tiles that make one of these plays, with as many blanks for letters as the pool has.
fn racks_for(plays: &[AnyRackPlay], pool: &Rack) -> Vec<Rack> {
    let mut racks: BTreeMap<Vec<Tile>, Rack> = BTreeMap::new();
    let mut open: Vec<Rack> = plays.iter().map(|play| play.placement.rack_tiles()).collect();
    while let Some(rack) = open.pop() {
        if racks.insert(rack.tiles().collect(), rack).is_none() && rack.count(Tile::BLANK) < pool.count(Tile::BLANK) {
            for (letter, _) in rack.distinct().filter(|(tile, _)| !tile.is_blank()) {
                let mut with_blank = rack;
                if with_blank.remove(letter) {
                    with_blank.add(Tile::BLANK);
                    open.push(with_blank);
                }
            }
        }
    }
    racks.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, layout, letter_distribution};
    use crate::rules::notation::{apply_move, parse_move, play_text};
    use crate::rules::{Board, Countdown, Direction, GameEnd, GameRules, Letter, Placed, Play, Seat, Square, scoring};
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;
    use std::collections::HashSet;

    /// Corbin's game of four plays and nine tiles.
    const CORBIN: [&str; 4] = ["8G.JUS", "I8.SOx", "H7.jUS", "J9.XU"];

    fn corbin(rules: GameRules) -> Position {
        let start = Position::start(Arc::new(rules));
        CORBIN.iter().fold(start, |position, text| {
            apply_move(&position, &parse_move(text, &position).unwrap_or_else(|error| panic!("{error}"))).unwrap()
        })
    }

    fn texts(position: &Position, plays: &[AnyRackPlay]) -> Vec<String> {
        let distribution = &position.rules().distribution;
        let text = |play: &AnyRackPlay| {
            format!("{} {}", play_text(&Play::Place(play.placement), position.board(), distribution), play.lacking.text(distribution))
        };
        plays.iter().map(|play| text(play).trim_end().to_string()).collect()
    }

    #[test]
    fn corbins_position_ends_the_game_where_the_rules_say_so() {
        let lexicon = Lexicon::builtin();
        let mut usual = corbin(GameRules::english());
        end_if_dead(&mut usual, &lexicon);
        assert_eq!(usual.end(), None);
        let rules = GameRules::english().to_builder().dead_board(DeadBoard::EndsGame).build().unwrap();
        let mut position = corbin(rules.clone());
        let before = position.scores().0;
        position.set_rack(Seat::First, &Rack::parse("QZ", &rules.distribution).unwrap()).unwrap();
        end_if_dead(&mut position, &lexicon);
        assert_eq!(position.end(), Some(GameEnd::NoPlays));
        assert_eq!(position.scores().0, [before[0] - 20, before[1]]);
        let mut alive = Position::start(Arc::new(rules));
        end_if_dead(&mut alive, &lexicon);
        assert_eq!(alive.end(), None);
    }

    #[test]
    fn corbins_position_is_dead_and_waits_for_a_j() {
        let position = corbin(GameRules::english());
        assert_eq!((position.board().tiles().count(), position.unseen().len()), (9, 91));
        let BoardLife::Dead { plays } = BoardLife::of(&position, &Lexicon::builtin()).unwrap() else { panic!("alive") };
        assert_eq!(texts(&position, &plays), ["8E.JUJUS J", "H5.JUjUS J"]);
    }

    #[test]
    fn with_a_second_j_corbins_position_is_alive() {
        let english = include_str!("../formats/data/english.csv");
        let with_j = english.lines().map(|line| line.replace("J,j,1,", "J,j,2,")).collect::<Vec<_>>().join("\n");
        let letters = Arc::new(letter_distribution::parse("english", &with_j).unwrap());
        let rules = GameRules::builder(letters, GameRules::english().layout.clone()).build().unwrap();
        let position = corbin(rules);
        assert_eq!(position.unseen().len(), 92);
        let BoardLife::Alive { plays, racks } = BoardLife::of(&position, &Lexicon::builtin()).unwrap() else { panic!("dead") };
        assert_eq!(texts(&position, &plays), ["8E.JUJUS", "H5.JUjUS"]);
        let racks: Vec<String> = racks.iter().map(|rack| rack.text(&position.rules().distribution)).collect();
        assert_eq!(racks, ["JU"]);
    }

    #[test]
    fn a_variant_with_other_words_is_refused() {
        let text = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0 var ";
        let of = |variant: &str| {
            let position = cgp::parse(&format!("{text}{variant};"), &GameRules::english()).unwrap().position;
            BoardLife::of(&position, &Lexicon::builtin())
        };
        let error = of("wordsmog").unwrap_err().to_string();
        assert_eq!(error, "the search for dead positions does not play wordsmog, where the letters of a word may stand in any order");
        assert!(of("misere").is_ok());
    }

    /// The dumb twin, which tries every word in every place. Returns the fewest tiles beyond the pool and then the fewest tiles, with all
    /// placements that need these.
    fn twin(rules: &GameRules, lexicon: &Lexicon, board: &Board, pool: &Rack) -> (Option<(usize, usize)>, HashSet<Placement>) {
        let (mut best, mut plays) = (None, HashSet::new());
        let words = lexicon.list().words();
        for (start, direction) in Square::all(board.dim()).flat_map(|square| Direction::ALL.map(|direction| (square, direction))) {
            for word in &words {
                let Some((placement, beyond)) = lay(word, start, direction, board, pool) else { continue };
                let Ok(scored) = scoring::score_placement(rules, board, &placement) else { continue };
                let is_second = placement.tile_count() == 1 && direction == Direction::Down && scored.words.len() > 1
                    || board.is_empty() && direction == Direction::Down && rules.layout.is_symmetric();
                let is_valid = scored.words.iter().all(|word| lexicon.contains(&word.letters()));
                if is_second || !is_valid || placement.tile_count() > rules.rack_size {
                    continue;
                }
                let rank = (beyond, placement.tile_count());
                if best.is_none_or(|best| rank < best) {
                    (best, plays) = (Some(rank), HashSet::new());
                }
                if best == Some(rank) {
                    plays.insert(as_letters(&placement));
                }
            }
        }
        (best, plays)
    }

    /// Replaces blanks by letters, because the search decides which of two equal letters is the blank.
    fn as_letters(placement: &Placement) -> Placement {
        let tiles: Vec<Option<Placed>> = placement.tiles().iter().map(|tile| tile.map(|tile| Placed::tile(tile.letter()))).collect();
        Placement::new(placement.start, placement.direction, &tiles)
    }

    /// Lays a word on a board with the pool's letters, then its blanks, then tiles beyond the pool, whose number is returned. `None` if other
    /// tiles are in the way.
    fn lay(word: &[u8], start: Square, direction: Direction, board: &Board, pool: &Rack) -> Option<(Placement, usize)> {
        let (mut placement, mut left, mut beyond) = (Placement::at(start, direction), *pool, 0);
        for (offset, &number) in word.iter().enumerate() {
            let letter = Letter::new(number).unwrap();
            let square = start.step(direction, offset as isize, board.dim())?;
            let tile = match board.get(square) {
                Some(there) if there.letter() == letter => None,
                Some(_) => return None,
                None if left.remove(letter.into()) => Some(Placed::tile(letter)),
                None if left.remove(Tile::BLANK) => Some(Placed::blank(letter)),
                None => {
                    beyond += 1;
                    Some(Placed::tile(letter))
                }
            };
            placement.push(tile);
        }
        Some((placement, beyond))
    }

    /// Small boards with few tiles, so that boards die: short words are played at random until no play is left.
    #[test]
    fn agrees_with_trying_every_word_in_every_place() {
        let alphabet = "?,?,1,0,0\nA,a,3,1,1\nB,b,2,3,0\nC,c,2,3,0\nD,d,1,2,0\nE,e,2,1,1\n";
        let letters = Arc::new(letter_distribution::parse("mini", alphabet).unwrap());
        let plain = Arc::new(layout::parse("7x7", &format!("{}...+...\n{}", ".......\n".repeat(3), ".......\n".repeat(3))).unwrap());
        let rules = Arc::new(GameRules::builder(Arc::clone(&letters), plain).rack_size(3).exchange_limit(1).build().unwrap());
        let words = ["AB", "BE", "CAB", "DAB", "BEAD", "ACE", "CEDE", "DECADE", "ABACA", "BEADED"];
        let lexicon = Lexicon::from_words("mini", &letters, words).unwrap();
        let (mut alive, mut dead) = (0, 0);
        for game in 0..60 {
            let mut rng = randomness::generator(11, Stream::Positions, game);
            let mut position = Position::start(Arc::clone(&rules));
            loop {
                let pool = position.unseen().plus(position.mover_rack());
                let (best, expected) = twin(&rules, &lexicon, position.board(), &pool);
                let life = BoardLife::of(&position, &lexicon).unwrap();
                let (plays, is_dead) = match &life {
                    BoardLife::Alive { plays, .. } => (plays, false),
                    BoardLife::Dead { plays } => (plays, true),
                };
                assert_eq!(is_dead, best.is_none_or(|(beyond, _)| beyond > 0), "{position:?}");
                assert_eq!(plays.iter().map(|play| as_letters(&play.placement)).collect::<HashSet<_>>(), expected, "{position:?}");
                assert!(plays.iter().all(|play| Some((play.lacking.len(), play.placement.tile_count())) == best));
                if is_dead {
                    dead += 1;
                    break;
                }
                alive += 1;
                let chosen = plays[rng.random_range(0..plays.len())].placement;
                let mut board = position.board().clone();
                chosen.put_on(&mut board);
                position = Position::of_parts(Arc::clone(&rules), board, [Rack::EMPTY; 2], [0, 0], Countdown::default()).unwrap();
            }
        }
        assert!(alive > 100 && dead == 60, "{alive} {dead}");
    }
}
