//! Tests of reading and writing CGP: the format's examples, spellings, damaged texts and every
//! message.

use crate::formats::cgp::{Cgp, LastMoveError, Opcodes, challenge_rule_text, last_turn, parse, parse_challenge_rule, parse_opcodes, print};
use crate::formats::{layout, letter_distribution};
use crate::lexicon::Lexicon;
use crate::rules::board::Square;
use crate::rules::notation::{apply_move, parse_move};
use crate::rules::tiles::{Letter, Tile};
use crate::rules::{ChallengeRule, GameEnd, GameRules, Layout, LetterDistribution, Position, Rack, Seat, Variant};
use proptest::prelude::*;
use std::sync::Arc;

const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
const MAVEN: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/\
    1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0 lex OSPD1;";
const MOVEGEN: &str = include_str!("../../lab/data/movegen_enable.tsv");
const ENDGAMES: &str = include_str!("../../../tests/data/endgame_enable.tsv");

fn read(text: &str) -> Cgp {
    parse(text, &GameRules::english()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A 3x3 board with two letters, one of them of two characters, six of each and one blank.
fn small_rules() -> GameRules {
    let tiles = letter_distribution::parse("mini", "?,?,1,0,0\nA,a,6,1,1\nCH,ch,6,5,0\n").unwrap();
    GameRules::standard(Arc::new(tiles), Arc::new(layout::parse("3x3", "=.=\n.*.\n=.=").unwrap()))
}

fn message(text: &str) -> String {
    parse(text, &small_rules()).unwrap_err().to_string()
}

#[test]
fn the_format_descriptions_examples_are_read() {
    let opening = read(&format!("{EMPTY} AELNOQT/ 0/0 0 lex NWL18; lm -2;"));
    assert_eq!(opening.opcodes.lexicon.as_deref(), Some("NWL18"));
    assert_eq!(opening.opcodes.last_move.as_deref(), Some("-2"));
    assert_eq!(opening.position.mover_rack().len(), 7);
    assert!(opening.position.opponent_rack().is_empty());
    assert!(opening.position.board().is_empty());

    let endgame = read(MAVEN).position;
    assert_eq!(endgame.in_bag(), 0);
    assert_eq!(endgame.opponent_rack().count(Tile::BLANK), 1);
    let blank = endgame.board().get(Square::new(5, 9)).unwrap();
    assert!(blank.is_blank());
    assert_eq!(blank.letter().number(), 3);
    assert_eq!(print(&endgame, &Opcodes::default()) + " lex OSPD1;", MAVEN);
}

#[test]
fn the_oracles_positions_are_printed_as_they_were_read() {
    let rows: Vec<&str> =
        [MOVEGEN, ENDGAMES].into_iter().flat_map(|table| table.lines().skip(1)).map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(rows.len(), 300 + ENDGAMES.lines().count() - 1);
    for text in rows {
        let cgp = read(text);
        assert_eq!(print(&cgp.position, &cgp.opcodes), text);
    }
}

#[test]
fn all_opcodes_are_read_and_written() {
    let all = "bb 35; bdn Super; cr 5pt; etl 1; gid g-17; ld english; lex CSW21; lm ex.ABC; mcnz 4; oru; ti 3000; \
        tmr 10000/-2500; to 60000; var wordsmog;";
    let text = format!("{EMPTY} AB/ 12/-7 2 {all}");
    let cgp = read(&text);
    let rules = cgp.position.rules();
    assert_eq!((rules.bingo_bonus, rules.exchange_limit, rules.max_zero_turns), (35, 1, 4));
    assert_eq!((rules.challenge_rule, rules.variant), (ChallengeRule::FivePoint, Variant::Wordsmog));
    assert_eq!(cgp.opcodes.timers_ms, Some([10_000, -2_500]));
    assert_eq!(print(&cgp.position, &cgp.opcodes), text);
    assert_eq!(parse_opcodes(&text), Ok((cgp.opcodes, Vec::new())));
}

#[test]
fn opcodes_are_read_in_the_spellings_that_occur() {
    let opcodes = |text: &str| parse_opcodes(&format!("{EMPTY}  / 0/0\t0  {text}")).unwrap();
    assert_eq!(opcodes("-lex CSW21;").0.lexicon.as_deref(), Some("CSW21"));
    assert_eq!(opcodes("lex CSW21;ld english").0.letter_distribution.as_deref(), Some("english"));
    assert_eq!(opcodes(" cr TEN_POINT ; ;").0.challenge_rule, Some(ChallengeRule::TenPoint));
    assert_eq!(opcodes("var WordSmog;").0.variant, Some(Variant::Wordsmog));
    assert_eq!(opcodes("lm phony.8D.DJINN; foo; -bar 1 2; FOO x").1, ["foo", "bar", "FOO"]);
    assert_eq!(opcodes(""), (Opcodes::default(), vec![]));
    let rules = GameRules::english();
    assert_eq!(Opcodes::of_rules(&rules).to_string(), "bb 50; bdn standard15; cr void; etl 7; ld english; mcnz 6; var classic;");
    for rule in ["void", "single", "double", "triple", "5pt", "10pt"] {
        assert_eq!(parse_challenge_rule(rule).map(challenge_rule_text), Some(rule));
    }
    for variant in ["classic", "wordsmog", "misere", "crossplay"] {
        assert_eq!(Variant::from_name(variant).map(Variant::name), Some(variant));
    }
}

/// A position of Crossplay with an empty bag: these racks, all other tiles on the board.
fn crossplay_end(racks: &str, rest: &str) -> String {
    let letters = LetterDistribution::built_in("english_crossplay").unwrap();
    let held: Rack = letters.parse_tiles(&racks.replace('/', "")).unwrap().into_iter().collect();
    let tiles: Vec<Tile> = Rack::full_bag(&letters).minus(&held).unwrap().tiles().collect();
    let row = |tiles: &[Tile]| {
        let gap = if tiles.len() < 15 { (15 - tiles.len()).to_string() } else { String::new() };
        letters.tiles_text(tiles.iter().copied()).replace('?', "a") + &gap
    };
    let rows: Vec<String> = (0..15).map(|at| row(tiles.chunks(15).nth(at).unwrap_or_default())).collect();
    format!("{} {racks} 300/290 {rest}", rows.join("/"))
}

#[test]
fn the_last_turns_of_crossplay_are_stated_or_follow_from_racks_and_passes() {
    let english = GameRules::english();
    let letters = LetterDistribution::built_in("english_crossplay").unwrap();
    let rules = english.to_builder().distribution(letters).layout(Layout::crossplay15()).variant(Variant::Crossplay).build().unwrap();
    let left = |text: &str| {
        let position = parse(text, &rules).unwrap_or_else(|error| panic!("{text}: {error}")).position;
        let again = print(&position, &Opcodes::default());
        assert_eq!(parse(&again, &rules).unwrap().position, position, "{again}");
        assert!(again.ends_with(&format!("lt {};", position.last_turns().unwrap())), "{again}");
        (position.last_turns().unwrap(), position.end())
    };
    let full = "AEINRST/DEGLOO?";
    assert_eq!(left(&crossplay_end(full, "0")), (2, None));
    assert_eq!(left(&crossplay_end(full, "1")), (1, None), "a pass is one of them");
    assert_eq!(left(&crossplay_end(full, "2")), (0, Some(GameEnd::LastTurns)));
    assert_eq!(left(&crossplay_end(full, "0 lt 1;")), (1, None), "what is stated holds");
    assert_eq!(left(&crossplay_end("AEINRST/DE", "0")), (2, None), "the opponent could not fill the rack");
    assert_eq!(left(&crossplay_end("AEINR/DE", "0")), (1, None), "the mover could not, and the opponent placed");
    assert_eq!(left(&crossplay_end("AEINR/DE", "0 lt 0;")), (0, Some(GameEnd::LastTurns)));
    let refused = |text: &str, rules: &GameRules| parse(text, rules).unwrap_err().to_string();
    let in_bag = format!("{EMPTY} AEINRST/ 0/0 0 lt 2;");
    assert_eq!(
        refused(&in_bag, &rules),
        "not a possible position: there cannot be 2 last turns with 86 tiles in the bag: last turns are counted once the bag is empty"
    );
    let classic = "not a possible position: there cannot be 2 last turns with 86 tiles in the bag: this variant has no last turns";
    assert_eq!(refused(&in_bag, &english), classic);
    let three = format!("{EMPTY} / 0/0 0 lt 3;");
    assert_eq!(refused(&three, &rules), "column 57: lt takes a number of turns from 0 to 2, not \"3\"");
    let all = Opcodes { variant: Some(Variant::Crossplay), ..Opcodes::default() };
    assert_eq!(all.apply(&english).unwrap().bingo_bonus, 40, "the variant brings its bonus");
    assert_eq!(Opcodes { bingo_bonus: Some(50), ..all }.apply(&english).unwrap().bingo_bonus, 50);
}

#[test]
fn racks_may_be_unknown_known_in_part_or_not_to_be_used() {
    let racks = |field: &str| {
        let cgp = read(&format!("{EMPTY} {field} 0/0 0"));
        Seat::BOTH.map(|seat| cgp.position.rack(seat).text(&cgp.position.rules().distribution))
    };
    assert_eq!(racks("/"), ["", ""]);
    assert_eq!(racks("aeinrst/"), ["AEINRST", ""]);
    assert_eq!(racks("/?AB"), ["", "AB?"]);
    // The opponent's rack is dropped, also when the tiles cannot be there.
    let hidden = read(&format!("{EMPTY} QABC/QJK 0/0 0 oru;"));
    assert!(hidden.position.opponent_rack().is_empty());
    assert_eq!(hidden, read(&print(&hidden.position, &hidden.opcodes)));
}

#[test]
fn tiles_of_two_characters_and_other_sizes_are_read() {
    let text = "3/[CH]a1/3 A[CH]?/ 4/0 0";
    let error = message(text);
    assert_eq!(error, "column 17: ? number 2, the game has 1 of it");
    let text = "3/[CH]A1/1[ch]1 A[CH]/[CH] 4/0 0";
    let cgp = parse(text, &small_rules()).unwrap();
    assert_eq!(cgp.position.board().tiles().count(), 3);
    assert_eq!(print(&cgp.position, &cgp.opcodes), text);
}

#[test]
fn a_position_after_the_end_of_the_game_is_known_as_such() {
    let end = |text: &str| read(text).position.end();
    assert_eq!(end(&format!("{EMPTY} AB/CD 0/0 6")), Some(GameEnd::ZeroTurns));
    assert_eq!(end(&format!("{EMPTY} AB/CD 0/0 3 mcnz 3;")), Some(GameEnd::ZeroTurns));
    assert_eq!(end(&format!("{EMPTY} AB/CD 0/0 5")), None);
    assert_eq!(end(MAVEN), None);
}

#[test]
fn the_player_on_turn_is_printed_first() {
    use crate::rules::Turn;
    use crate::rules::play::Play;
    let before = read(&format!("{EMPTY} AB/CD 10/20 0"));
    let after = before.position.after(&Turn::Play(Play::Pass)).unwrap();
    assert_eq!(print(&after, &before.opcodes), format!("{EMPTY} CD/AB 20/10 1"));
}

#[test]
fn errors_name_the_column_and_what_was_expected() {
    assert_eq!(message(""), "column 1: the text ends before the board");
    assert_eq!(message("3/3/3 / 0/0 "), "column 12: the text ends before the number of turns without points");
    assert_eq!(message("3/3 / 0/0 0"), "column 4: 2 rows, the board has 3");
    assert_eq!(message("3/3/3/3 / 0/0 0"), "column 7: 4 rows, the board has 3");
    assert_eq!(message("3/A1/3 / 0/0 0"), "column 3: row 2 has 2 squares, expected 3");
    assert_eq!(message("3/AAAA/3 / 0/0 0"), "column 3: row 2 has 4 squares, expected 3");
    assert_eq!(message("3/A3/3 / 0/0 0"), "column 3: row 2 has 4 squares, expected 3");
    assert_eq!(
        message("3/A99999999999999999999999/3 / 0/0 0"),
        "column 4: \"99999999999999999999999\" is not a gap of 1 to 3 empty squares"
    );
    assert_eq!(message("0/3/3 / 0/0 0"), "column 1: \"0\" is not a gap of 1 to 3 empty squares");
    assert_eq!(message("3/1B1/3 / 0/0 0"), "column 4: \"B\" is not a tile of the mini alphabet");
    assert_eq!(message("3/1?1/3 / 0/0 0"), "column 4: \"?\" is not a tile of the mini alphabet");
    assert_eq!(message("é/3/3 / 0/0 0"), "column 1: \"é\" is not a tile of the mini alphabet");
    assert_eq!(message("3/1[LL]1/3 / 0/0 0"), "column 4: \"[LL]\" is not a tile of the mini alphabet");
    assert_eq!(message("3/1[CH/3 / 0/0 0"), "column 4: \"[\" is not a tile of the mini alphabet");
    assert_eq!(message("AAA/AAA/A2 / 0/0 0"), "column 9: A number 7, the game has 6 of it");
    assert_eq!(message("3/3/3 AAAA/AAA 0/0 0"), "column 14: A number 7, the game has 6 of it");
    assert_eq!(message("3/3/3 A/AAAAAAAA 0/0 0"), "column 9: 8 tiles, a rack holds 7");
    assert_eq!(message("3/3/3 A/2 0/0 0"), "column 9: \"2\" is not a tile of the mini alphabet");
    assert_eq!(message("3/3/3 A 0/0 0"), "column 7: racks of 1 players, expected 2 with one / between them");
    assert_eq!(message("3/3/3 // 0/0/0 0"), "column 7: racks of 3 players, expected 2 with one / between them");
    assert_eq!(message("3/3/3 / 0/0/0 0"), "column 9: scores of 3 players, expected 2 with one / between them");
    assert_eq!(message("3/3/3 / 0/x 0"), "column 11: \"x\" is not a score from -999999 to 999999");
    assert_eq!(message("3/3/3 / 0/1000000 0"), "column 11: \"1000000\" is not a score from -999999 to 999999");
    assert_eq!(message("3/3/3 / 0/0 -1"), "column 13: \"-1\" is not a number of turns without points from 0 to 9999");
    assert_eq!(message("3/3/3 / 0/0 0 cr hard;"), "column 18: cr takes void, single, double, triple, 5pt or 10pt, not \"hard\"");
    assert_eq!(message("3/3/3 / 0/0 0 var chess"), "column 19: var takes classic, wordsmog, misere or crossplay, not \"chess\"");
    assert_eq!(message("3/3/3 / 0/0 0 lex;"), "column 18: lex takes the name of a lexicon, one word, not \"\"");
    assert_eq!(message("3/3/3 / 0/0 0 lex A ld B;"), "column 19: lex takes the name of a lexicon, one word, not \"A ld B\"");
    assert_eq!(message("3/3/3 / 0/0 0 bb -1;"), "column 18: bb takes points from 0 to 999999, not \"-1\"");
    assert_eq!(message("3/3/3 / 0/0 0 oru 1;"), "column 19: oru takes nothing, not \"1\"");
    assert_eq!(message("3/3/3 / 0/0 0 lm;"), "column 17: lm takes a move, not \"\"");
    assert_eq!(message("3/3/3 / 0/0 0 tmr 5;"), "column 19: clocks of 1 players, expected 2 with one / between them");
    assert_eq!(message("3/3/3 / 0/0 0 tmr 5/x;"), "column 21: \"x\" is not milliseconds on a clock");
    assert_eq!(message("3/3/3 / 0/0 0 bb 5; -bb 5;"), "column 21: a second bb, expected one");
}

/// A CGP with some characters replaced, put in or taken out.
fn mutated() -> impl Strategy<Value = String> {
    let table: Vec<&str> = MOVEGEN.lines().skip(1).chain(ENDGAMES.lines().skip(1)).map(|line| line.split('\t').next().unwrap()).collect();
    let edit = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select("AZaz019/ ;[]?-.é\0\u{2028}Q".chars().collect::<Vec<_>>()));
    (prop::sample::select(table), prop::collection::vec(edit, 1..6)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (place, kind, c) in edits {
            let at = place.index(chars.len());
            match kind {
                0 => chars[at] = c,
                1 => chars.insert(at, c),
                _ => drop(chars.remove(at)),
            }
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn damaged_positions_are_refused_or_read_back(text in mutated()) {
        if let Ok(cgp) = parse(&text, &GameRules::english()) {
            let printed = print(&cgp.position, &cgp.opcodes);
            let again = parse(&printed, &GameRules::english()).unwrap();
            prop_assert_eq!(&again.position, &cgp.position);
            prop_assert_eq!(&again.opcodes, &cgp.opcodes);
        }
    }

    #[test]
    fn any_text_is_refused_without_panic(text in "\\PC*") {
        let _ = parse(&text, &GameRules::english());
        let _ = parse(&format!("{EMPTY} / 0/0 0 {text}"), &GameRules::english());
    }

    #[test]
    fn any_opcodes_are_read_back(
        bonus in prop::option::of(0..100i32),
        name in prop::option::of("[A-Za-z0-9_.-]{1,9}"),
        zeros in prop::option::of(1..9u32),
        clocks in prop::option::of([-9_999..9_999i64, 0..9_999i64]),
        hidden: bool,
    ) {
        let opcodes = Opcodes {
            bingo_bonus: bonus,
            board_name: name.clone(),
            game_id: name,
            max_zero_turns: zeros,
            timers_ms: clocks,
            opponent_rack_unknown: hidden,
            ..Opcodes::default()
        };
        let text = format!("{EMPTY} / 0/0 0 {opcodes}");
        prop_assert_eq!(parse_opcodes(&text), Ok((opcodes, vec![])));
    }
}

/// Checks the turn that a CGP after these moves yields, if it writes the last one like this. `Ok` demands the turn that was played.
fn check_last_move(moves: &str, written: &str, expected: Result<(), LastMoveError>) {
    let mut position = Position::start(Arc::new(GameRules::english()));
    let mut past = Vec::new();
    for text in moves.split(' ') {
        let made = parse_move(text, &position).unwrap();
        let after = apply_move(&position, &made).unwrap();
        past.push((std::mem::replace(&mut position, after), made.turn));
    }
    // As in a CGP, the player on turn is the first one, and nothing before the position is known.
    let read = parse(&print(&position, &Opcodes::default()), &GameRules::english()).unwrap().position;
    let lexicon = Lexicon::builtin();
    let found = last_turn(&read, written, &|word| lexicon.contains(word));
    if let Ok((before, turn)) = &found {
        let (known_before, known_turn) = past.last().unwrap();
        assert_eq!((before.board(), turn), (known_before.board(), known_turn), "{moves}: {written}");
        assert_eq!(before.in_bag(), known_before.in_bag(), "{moves}: {written}");
        let after = before.after(turn).unwrap();
        assert_eq!((after.board(), after.zero_turns()), (position.board(), position.zero_turns()), "{moves}: {written}");
    }
    assert_eq!(found.map(|_| ()), expected, "{moves}: {written}");
}

#[test]
fn a_last_move_is_taken_back_as_the_turn_that_places_most_tiles() {
    use LastMoveError::Impossible;
    for (moves, written, expected) in [
        ("8D.IMINO", "8D.IMINO", Ok(())),
        ("8D.IMINO", "8D IMINO", Ok(())),
        // Through a tile, without which the board would fall apart.
        ("8D.DJINN pass H7.ANTI", "H7.ANTI", Ok(())),
        ("8G.DoG 9F.HM pass", "pass", Ok(())),
        ("8G.DOG ex.3", "ex.3", Ok(())),
        ("8G.DOG ex.3", "-3", Ok(())),
        ("8G.DOG pass", "-", Ok(())),
        ("8G.DOG phony.9G.XYZ", "phony.9G.XYZ", Ok(())),
        // NO and NOT are also words, but most tiles were hardly ever there before.
        ("8D.DJINN pass H8.NOTE", "H8.NOTE", Ok(())),
        ("8G.DOG 9G.OHO", "9G.OHO", Ok(())),
        ("8D.IMINO", "8D.IMINE", Err(Impossible)),
        ("8D.IMINO", "D8.IMINO", Err(Impossible)),
        ("8D.IMINO", "pass", Err(Impossible)),
        ("8D.IMINO", "ex.3", Err(Impossible)),
        ("8D.IMINO", "frob", Err(Impossible)),
        ("8D.IMINO", "99Z.IMINO", Err(Impossible)),
        ("8D.IMINO", "", Err(Impossible)),
    ] {
        check_last_move(moves, written, expected);
    }
}

#[test]
fn a_last_move_of_two_turns_with_as_many_tiles_tells_nothing() {
    // A word of nine letters, of which seven can be placed: the two that were there may be the first or the last.
    let position = read("15/15/15/15/15/15/15/5AEAEAEAEA1/15/15/15/15/15/15/15 /VVWW 0/0 0").position;
    let is_word = |word: &[Letter]| word.len() == 2;
    assert_eq!(last_turn(&position, "8F.AEAEAEAEA", &is_word).unwrap_err(), LastMoveError::Ambiguous);
}
