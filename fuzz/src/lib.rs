//! What each fuzz target checks: more than that nothing panics.
//!
//! - What is read and printed again is read as the same value.
//! - An error names a place that is in the input, or right behind it.
//! - Memory and time have limits, which `scripts/fuzz` gives to libFuzzer.
//!
//! A function a target, in the order of the table in `README.md`. Not here: how they are run, and where the seeds come from
//! (`src/seeds.rs`).

mod any_game;
mod conversation;
mod places;
pub mod seeds;

pub use any_game::engine;
pub use conversation::lines;

use places::{LineEnds, check_place};
use std::sync::{Arc, LazyLock};
use tilewright::engine::ByteSource;
use tilewright::formats::{
    bag_terms, cgp as positions, gcg as games, klv2 as leave_values, kwg as graphs, layout as layouts, leave_table as leave_tables,
    letter_distribution as alphabets, win_table as win_tables,
};
use tilewright::internals::{Journal, Tables, TournamentHeader, seal};
use tilewright::lexicon::Lexicon;
use tilewright::rules::layout::Premium;
use tilewright::rules::notation::{MoveError, apply_move, coordinate_text, parse_coordinate, parse_move, play_text};
use tilewright::rules::{GameRules, LetterDistribution, Placed, Play, Position, Square, Turn};

static ENGLISH: LazyLock<Arc<GameRules>> = LazyLock::new(|| Arc::new(GameRules::english()));

/// English tiles on a board of five rows: a fuzzer fills one by chance.
static SMALL: LazyLock<Arc<GameRules>> = LazyLock::new(|| {
    let layout = layouts::parse("small", "=...=\n.'.'.\n..*..\n.'.'.\n=...=\n").expect("a layout");
    let tiles = "?,?,1,0,0\nA,a,9,1,1\nB,b,2,3,0\nCH,ch,2,5,0\nE,e,9,1,1\nR,r,4,1,0\n";
    Arc::new(GameRules::builder(alphabets::parse("few", tiles).expect("an alphabet"), layout).build().expect("usual numbers"))
});

/// The rules that the first byte chooses, and the rest as text.
fn rules_and_text(data: &[u8]) -> Option<(&'static Arc<GameRules>, String)> {
    let (first, rest) = data.split_first()?;
    Some((if *first == b'+' { &SMALL } else { &ENGLISH }, String::from_utf8_lossy(rest).into_owned()))
}

/// Positions: read, printed, read again; the opcodes alone are read as in the position.
pub fn cgp(data: &[u8]) {
    let Some((rules, text)) = rules_and_text(data) else { return };
    let opcodes = positions::parse_opcodes(&text);
    match positions::parse(&text, rules) {
        Ok(read) => {
            assert_eq!(opcodes.as_ref().ok(), Some(&(read.opcodes.clone(), read.ignored.clone())));
            let printed = positions::print(&read.position, &read.opcodes);
            let again = positions::parse(&printed, rules).unwrap_or_else(|error| panic!("{printed:?}: {error}"));
            assert_eq!((&again.position, &again.opcodes), (&read.position, &read.opcodes), "{printed:?}");
            assert_eq!(positions::print(&again.position, &again.opcodes), printed);
        }
        Err(error) => check_place(&error.to_string(), &text, LineEnds::All),
    }
    if let Err(error) = opcodes {
        check_place(&error.to_string(), &text, LineEnds::All);
    }
}

/// Games: read, printed, read again; played through by the rules, to its end and to each turn.
pub fn gcg(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let rules = if *first == b'+' { &SMALL } else { &ENGLISH };
    let text = games::understand(rest, rules).text;
    if let Ok(read) = games::read_file(rest, rules) {
        assert_eq!(read.replay.positions.len(), read.game.events.len() + 1);
        let printed = games::print(&read.game);
        let again = games::read(&printed, rules).unwrap_or_else(|error| panic!("{printed:?}: {error}"));
        let [before, after] = [&read, &again].map(|game| {
            let end = game.replay.positions.last().expect("a position");
            (end.board().clone(), end.scores())
        });
        assert!(before == after, "{printed:?}");
    }
    let game = match games::parse(&text, rules) {
        Ok(game) => game,
        Err(error) => return check_place(&error.to_string(), &text, LineEnds::All),
    };
    let printed = games::print(&game);
    let again = games::parse(&printed, rules).unwrap_or_else(|error| panic!("{printed:?}: {error}"));
    assert_eq!(again, game, "{printed:?}");
    match games::replay(&game, rules, None) {
        Ok(replay) => {
            assert_eq!(replay.positions.len(), game.events.len() + 1);
            let middle = game.events.len() / 2 + 1;
            if middle <= game.events.len() {
                let part = games::replay(&game, rules, Some(middle)).expect("a part of a possible game");
                assert_eq!(part.positions, replay.positions[..part.positions.len()]);
            }
        }
        Err(error) => check_place(&error.to_string(), &text, LineEnds::All),
    }
}

/// Moves: read in one of a few positions, printed, read again. The first byte chooses the position.
pub fn notation(data: &[u8]) {
    static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
        let board = "15/15/15/15/15/15/15/5CaT7/15/15/15/15/15/15/15";
        let late = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ACEISUY 356/378 0";
        let read = |text: &str, rules| positions::parse(text, rules).expect("a position").position;
        vec![
            Position::start(Arc::clone(&ENGLISH)),
            read(&format!("{board} AEINRS?/ 10/0 0"), &ENGLISH),
            read(late, &ENGLISH),
            read("5/1A3/1[CH]ER1/5/5 AE?/ 0/0 0", &SMALL),
        ]
    });
    let Some((first, rest)) = data.split_first() else { return };
    let position = &POSITIONS[usize::from(*first) % POSITIONS.len()];
    let text = String::from_utf8_lossy(rest);
    let board = position.board();
    let distribution = &position.rules().distribution;
    match parse_move(&text, position) {
        Ok(read) => {
            apply_move(position, &read).expect("a move that was read can be made");
            let mut printed = match &read.turn {
                Turn::Play(play) => play_text(play, board, distribution),
                Turn::ExchangeUnknown(count) => format!("ex.{count}"),
                Turn::Phony(placement) => format!("phony.{}", play_text(&Play::Place(*placement), board, distribution)),
            };
            // The fields behind the move are there if those before them are: rack, points, loss.
            let rack = read.rack.map(|rack| rack.text(distribution));
            let is_placed = matches!(read.turn, Turn::Play(Play::Place(_)));
            if is_placed && (read.challenge_points != 0 || read.turn_loss) {
                let loss = if read.turn_loss { ".1" } else { "" };
                printed.push_str(&format!(".{}.{}{loss}", rack.unwrap_or_default(), read.challenge_points));
            } else if let Some(rack) = rack.filter(|_| !matches!(read.turn, Turn::Phony(_))) {
                printed.push_str(&format!(".{rack}"));
            }
            let again = parse_move(&printed, position).unwrap_or_else(|error| panic!("{text:?}, {printed:?}: {error}"));
            assert_eq!(again, read, "{text:?}, {printed:?}");
        }
        Err(error) => {
            let column = match &error {
                MoveError::Syntax { column, .. } | MoveError::BadCoordinate { column, .. } | MoveError::BadNumber { column, .. } => *column,
                MoveError::BadTiles { error, .. } => error.column,
                _ => 1,
            };
            assert!((1..=text.chars().count() + 1).contains(&column), "{error}: column {column} of {text:?}");
            assert!(!error.to_string().is_empty());
        }
    }
    if let Some((square, direction)) = parse_coordinate(&text) {
        assert_eq!(parse_coordinate(&coordinate_text(square, direction)), Some((square, direction)));
    }
}

/// Word graphs: the bytes are printed as they were, every word is found again, and the list made of them has as many.
pub fn kwg(data: &[u8]) {
    match graphs::parse(data) {
        Ok(graph) => {
            assert_eq!(graphs::to_bytes(&graph), data);
            let lexicon = Lexicon::from_graph("fuzzed", graph);
            let mut words = 0;
            lexicon.graph().for_each_word(|_| words += 1);
            assert_eq!(lexicon.list().len(), words);
            lexicon.make_map();
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Leave values of other engines: read, printed, read again; a table of them holds every one.
pub fn klv2(data: &[u8]) {
    match leave_values::parse(data) {
        Ok(values) => {
            let printed = leave_values::to_bytes(&values).expect("a graph that was read fits its layout");
            assert_eq!(leave_values::parse(&printed).as_ref(), Ok(&values));
            // As the engine reads it: a table by the ranks of leaves, for English tiles and for few.
            for rules in [&*ENGLISH, &*SMALL] {
                read_through_the_front_door(data, |tables| {
                    let _ = tables.open_leave_table("fuzzed.klv2", &rules.distribution).map_err(|error| error.to_string());
                });
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Win % tables: read, printed, read again; an error names a line that is there.
pub fn win_table(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match win_tables::parse(&text) {
        Ok(table) => {
            let printed = win_tables::print(&table, &["a comment".to_string()]);
            assert_eq!(win_tables::parse(&printed).as_ref(), Ok(&table), "{printed:?}");
            for (row, cells) in table.rows() {
                assert!(cells.iter().all(|cell| (0.0..=1.0).contains(cell)), "{row}: {cells:?}");
            }
        }
        Err(error) => check_place(&error.to_string(), &text, LineEnds::LineFeed),
    }
}

/// Letter distributions: the lines that its tiles make are read as the same alphabet; every tile is read as it is written.
pub fn letter_distribution(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let alphabet = match alphabets::parse("fuzzed", &text) {
        Ok(alphabet) => alphabet,
        Err(error) => return check_place(&error.to_string(), &text, LineEnds::LineFeed),
    };
    let mut printed = String::new();
    for tile in alphabet.tiles() {
        let spec = alphabet.spec(tile);
        let vowel = u8::from(spec.is_vowel);
        printed.push_str(&format!("{},{},{},{},{vowel}\n", spec.face, spec.blank_face, spec.count, spec.value));
    }
    assert_eq!(alphabets::parse("fuzzed", &printed).as_ref(), Ok(&alphabet), "{printed:?}");
    check_tiles(&alphabet);
}

fn check_tiles(alphabet: &LetterDistribution) {
    let tiles: Vec<_> = alphabet.tiles().collect();
    let written = alphabet.tiles_text(tiles.iter().copied());
    assert_eq!(alphabet.parse_tiles(&written).as_ref(), Ok(&tiles), "{written:?}");
    for letter in alphabet.letters() {
        for placed in [Placed::tile(letter), Placed::blank(letter)] {
            let mut written = String::new();
            alphabet.write_placed(placed, &mut written);
            assert_eq!(alphabet.parse_placed(&written), Ok(vec![placed]), "{written:?}");
        }
        let word = alphabet.word_text(&[letter, letter]);
        assert_eq!(alphabet.parse_word(&word), Ok(vec![letter, letter]), "{word:?}");
    }
}

/// Boards: drawn again, they are read as the same.
pub fn layout(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let layout = match layouts::parse("fuzzed", &text) {
        Ok(layout) => layout,
        Err(error) => return check_place(&error.to_string(), &text, LineEnds::LineFeed),
    };
    let mut printed = String::new();
    for square in Square::all(layout.dim()) {
        let premium = layout.premium(square);
        printed.push(match premium {
            Premium::None if square == layout.start() => '+',
            _ if square == layout.start() => '*',
            _ => layouts::premium_char(premium),
        });
        if usize::from(square.col) + 1 == layout.dim() {
            printed.push('\n');
        }
    }
    assert_eq!(layouts::parse("fuzzed", &printed).as_ref(), Ok(&layout), "{printed}");
}

/// Terms for the end of the bag: read, printed, read again.
pub fn bag_terms(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match bag_terms::parse(&text) {
        Ok(terms) => {
            let printed = bag_terms::print(&terms, &["a comment".to_string()]);
            assert_eq!(bag_terms::parse(&printed).as_ref(), Ok(&terms), "{printed:?}");
        }
        Err(error) => check_place(&error.to_string(), &text, LineEnds::LineFeed),
    }
}

/// Leave tables in the program's own form, and means of racks: the bytes are printed as they were.
pub fn leave_table(data: &[u8]) {
    match leave_tables::parse(data) {
        Ok(table) => assert_eq!(leave_tables::to_bytes(&table), data),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Err(error) = leave_tables::parse_racks(data) {
        assert!(!error.to_string().is_empty());
    }
}

/// Journals of matches and tournaments: the lines of what was read are read as the same match; what was cut off is not in it. The lines are read as
/// they are, and with right checksums, which no random change would hit.
pub fn match_file(data: &[u8]) {
    journal(data);
    let sealed: String = String::from_utf8_lossy(data).lines().map(seal).collect();
    journal(sealed.as_bytes());
}

fn journal(data: &[u8]) {
    match Journal::<TournamentHeader>::parse(data) {
        Ok(Some(read)) => {
            assert!(read.whole_bytes <= data.len() && data[..read.whole_bytes].ends_with(b"\n"));
            // The hash in the header is not checked, and may be anything.
            let mut printed = read.head.line().expect("a header can be written");
            for (piece, pair) in &read.entries {
                printed.push_str(&read.head.piece_line(*piece, pair).expect("a pair can be written"));
            }
            let again = Journal::<TournamentHeader>::parse(printed.as_bytes())
                .unwrap_or_else(|error| panic!("{printed}: {error}"))
                .expect("a header");
            assert_eq!((&again.head, &again.entries, again.whole_bytes), (&read.head, &read.entries, printed.len()));
        }
        Ok(None) => {
            assert!(!data.contains(&b'\n'));
        }
        Err(error) => {
            let lines = data.split(|&byte| byte == b'\n').count();
            assert!((1..=lines).contains(&error.line()), "{error} in {lines} lines");
            assert!(!error.to_string().is_empty());
        }
    }
}

/// One file of these bytes, at any place.
struct OneFile<'a>(&'a [u8]);

impl ByteSource for OneFile<'_> {
    fn find(&self, _name: &str, _extensions: &[&str]) -> Option<String> {
        None
    }

    fn read(&self, _place: &str, _most_bytes: u64) -> std::io::Result<Vec<u8>> {
        Ok(self.0.to_vec())
    }

    fn places(&self) -> Vec<String> {
        Vec::new()
    }
}

fn read_through_the_front_door(data: &[u8], read: impl Fn(Tables<'_>)) {
    read(Tables::of(&OneFile(data)));
}
