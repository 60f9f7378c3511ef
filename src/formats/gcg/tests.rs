//! Tests of reading, writing and replaying games: each event, other spellings,
//! damaged and refereed games.

use crate::formats::gcg::{Gcg, GcgAction, GcgPlayer, Replay, parse, position_at, print, replay, understand};
use crate::formats::{cgp, letter_distribution};
use crate::rules::board::{Direction, Square};
use crate::rules::play::{Placement, Play};
use crate::rules::rack::Rack;
use crate::rules::tiles::{Letter, Placed, Tile};
use crate::rules::{GameEnd, GameRules, Layout, Position, Seat, Turn};
use proptest::prelude::*;
use std::sync::Arc;

/// Every kind of event but going out. VICAR: (2*4 + 1 + 3 + 1 + 1) * 2. DOAT: (2 + 1 + 1 + 1) * 2.
const SAMPLE: &str = "\
#character-encoding UTF-8
#player1 Ann Ann Arbor
#player2 Ben
#title A short game
#description Each kind of event, but nobody goes out
#lexicon ENABLE
#id test/1
#style unknown pragmas are kept
>Ann: ACEIRTV 8D VICAR +28 28
#note The first play,
and a note of two lines.
>Ben: AEFGHII -FGII +0 0
>Ann: BDEELNT - +0 28
>Ben: AAEHOOT H7 O.EA +4 4
>Ben: AAEHOOT -- -4 0
>Ann: BDEELNT H8 (R)END +5 33
>Ann: BELT (challenge) +5 38
>Ben: AAEHOOT 11H DOAT +10 10 DOAT, EnD
>Ann: BELQTU? - +0 38
>Ben: AEHIIOS - +0 10
>Ann: BELQTU? -3 +0 38
>Ben: AEHIIOS - +0 10
>Ann: EILRST? - +0 38
>Ben: AEHIIOS - +0 10
>Ann: EILRST? (EILRST?) -6 32
>Ben: AEHIIOS (AEHIIOS) -10 0
>Ben: AEHIIOS (time) -20 -20
";

/// Nineteen tiles: TASTE (2*3 + 1 + 2 + 3 + 1) * 2; seAT 0 + 2*1 + 1 + 3, TASTEs 10; AAAESSST 13 * 2 + 50.
const GOING_OUT: &str = "\
#player1 Ann Ann Arbor
#player2 Ben Ben Nevis
>Ann: AASSTTE 8D TASTE +26 26
>Ben: AAEETT? I8 sEAT +16 16
>Ann: AAAESSS 11B AAAESSS. +76 102
>Ann: (AET) +10 112
";

fn few_tiles() -> GameRules {
    let tiles = "?,?,1,0,0\nA,a,6,1,1\nE,e,4,1,1\nS,s,4,2,0\nT,t,4,3,0\n";
    GameRules::standard(Arc::new(letter_distribution::parse("few", tiles).unwrap()), Arc::new(Layout::standard()))
}

fn read(text: &str, rules: &GameRules) -> Gcg {
    parse(text, rules).unwrap_or_else(|error| panic!("{error}"))
}

fn cgp_text(position: &Position) -> String {
    cgp::print(position, &cgp::Opcodes::default())
}

#[test]
fn a_game_is_read_and_printed_as_it_was() {
    let game = read(SAMPLE, &GameRules::english());
    assert_eq!(game.players[0], GcgPlayer { nick: "Ann".to_string(), name: "Ann Arbor".to_string() });
    assert_eq!((game.lexicon(), game.pragma("TITLE"), game.pragma("none")), (Some("ENABLE"), Some("A short game"), None));
    assert_eq!(game.pragma("note"), Some("The first play,\nand a note of two lines."));
    assert_eq!(game.events.len(), 17);
    assert_eq!(game.events[6].remark, "");
    assert_eq!(game.events[7].remark, "DOAT, EnD");
    let printed = print(&game);
    assert_eq!(read(&printed, &GameRules::english()), game);
    assert_eq!(printed, SAMPLE);
}

#[test]
fn a_replay_gives_the_position_before_each_event_and_the_last_one() {
    let rules = GameRules::english();
    let game = read(SAMPLE, &rules);
    let Replay { positions, seats, .. } = replay(&game, &rules, None).unwrap();
    assert_eq!((positions.len(), seats), (18, Seat::BOTH));
    let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    assert_eq!(cgp_text(&positions[0]), format!("{empty} ACEIRTV/ 0/0 0"));
    assert_eq!(cgp_text(&positions[1]), "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 AEFGHII/ 0/28 0");
    // The phony is on the board until it is withdrawn; then its tiles are known.
    assert_eq!(cgp_text(&positions[4]), "15/15/15/15/15/15/7O7/3VICAR7/7E7/7A7/15/15/15/15/15 / 28/4 0");
    assert_eq!(cgp_text(&positions[5]), "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 BDEELNT/AEO 28/0 3");
    let last = &positions[17];
    assert_eq!(last.end(), Some(GameEnd::ZeroTurns));
    assert_eq!(last.scores().0, [32, -20]);
    assert_eq!(Seat::BOTH.map(|seat| last.rack(seat).len()), [7, 7]);
    assert_eq!(position_at(&game, &rules, Some(2)).unwrap(), positions[1]);
    assert_eq!(&position_at(&game, &rules, None).unwrap(), last);
    let error = |turn| position_at(&game, &rules, Some(turn)).unwrap_err().to_string();
    assert_eq!(error(0), "there is no event 0, the game has 17");
    assert_eq!(error(18), "there is no event 18, the game has 17");
}

#[test]
fn a_replay_gives_the_turns_with_a_phony_as_one_and_a_challenge_with_its_turn() {
    let rules = GameRules::english();
    let Replay { positions, turns, .. } = replay(&read(SAMPLE, &rules), &rules, None).unwrap();
    assert_eq!(turns.iter().map(|turn| turn.event).collect::<Vec<_>>(), [0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13]);
    assert!(matches!(turns[3].turn, Turn::Phony(_)) && turns[8].turn == Turn::ExchangeUnknown(3), "{turns:?}");
    assert_eq!(turns.iter().map(|turn| turn.challenge_points).collect::<Vec<_>>(), [0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
    for pair in turns.windows(2) {
        let after = positions[pair[0].event].after(&pair[0].turn).unwrap();
        assert_eq!(after.board(), positions[pair[1].event].board(), "{pair:?}");
    }
}

#[test]
fn a_record_is_cut_with_what_was_said_behind() {
    let rules = GameRules::english();
    let mut game = read(SAMPLE, &rules);
    game.truncate(2);
    assert_eq!(
        (game.events.len(), game.pragma("note"), game.lexicon()),
        (2, Some("The first play,\nand a note of two lines."), Some("ENABLE"))
    );
    game.truncate(0);
    assert_eq!((game.events.len(), game.pragma("note"), game.has_end()), (0, None, false));
    let mut game = read(SAMPLE, &rules);
    assert!(game.has_end());
    game.order_by([Seat::Second, Seat::First]);
    assert_eq!((game.players[0].nick.as_str(), game.events[0].player), ("Ben", 1));
}

#[test]
fn going_out_is_replayed_with_racks_known_in_part_or_not_at_all() {
    let rules = few_tiles();
    for text in [
        GOING_OUT.to_string(),
        GOING_OUT.replace("AASSTTE ", "").replace("AAEETT? ", "").replace("AAAESSS 11B", "11B"),
        GOING_OUT.replace("AASSTTE ", "TASTE ").replace("AAEETT? ", "EAT? "),
    ] {
        let game = read(&text, &rules);
        assert_eq!(read(&print(&game), &rules), game);
        let end = position_at(&game, &rules, None).unwrap();
        assert_eq!(end.end(), Some(GameEnd::WentOut(Seat::First)));
        assert_eq!(end.scores().0, [112, 16]);
        assert_eq!(end.rack(Seat::Second).text(&rules.distribution), "AET");
    }
    // The play that goes out can also be challenged off.
    let phony = GOING_OUT.replace(">Ann: (AET) +10 112\n", ">Ann: AAAESSS -- -76 26\n>Ben: AET - +0 16\n");
    let end = position_at(&read(&phony, &rules), &rules, None).unwrap();
    assert_eq!((end.end(), end.score(Seat::First), end.zero_turns()), (None, 26, 2));
}

#[test]
fn what_other_programs_write_is_understood_and_told() {
    let check = |text: &str, rules: &GameRules, line: usize, note: &str, scores: [i32; 2]| {
        let game = read(text, rules);
        assert_eq!(read(&print(&game), rules), game);
        let Replay { positions, notes, .. } = replay(&game, rules, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(notes.iter().map(|note| (note.line, note.reading.to_string())).collect::<Vec<_>>(), [(line, note.to_string())]);
        let end = positions.last().unwrap();
        assert_eq!(end.scores().0, scores);
    };
    let (few, english) = (few_tiles(), GameRules::english());
    // The last play is challenged in vain: there is no turn left to lose.
    let in_vain = GOING_OUT.replace(">Ann: (AET)", ">Ben: AET - +0 16\n>Ann: (AET)");
    check(&in_vain, &few, 6, "a pass after the play that went out: read as a challenge in vain", [112, 16]);
    let withdrawn = SAMPLE.replace("-- -4 0", "-- +0 0");
    let note = "a withdrawal of +0 points with the earlier total: read as one of the play's points";
    check(&withdrawn, &english, 15, note, [32, -20]);
    // Everything else is refused as before: two such passes, a pass of the player who went out, a total that stays.
    for (text, rules, error) in [
        (in_vain.replace(">Ben: AET - +0 16\n", ">Ben: AET - +0 16\n>Ben: AET - +0 16\n"), &few, "line 7: the game is over"),
        (in_vain.replace(">Ben: AET - +0 16\n", ">Ann: - +0 102\n"), &few, "line 6: the game is over"),
        (SAMPLE.replace("-- -4 0", "-- +0 4"), &english, "line 15: +0 points are stated, but the rules give -4"),
    ] {
        assert_eq!(replay(&read(&text, rules), rules, None).unwrap_err().to_string(), error);
    }
}

#[test]
fn other_spellings_are_read() {
    let rules = GameRules::english();
    let plain = read(SAMPLE, &rules);
    let same = |text: &str| assert_eq!(read(text, &rules), plain);
    same(&format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n")));
    same(&SAMPLE.replace('\n', "\r"));
    same(&SAMPLE.replace('\n', "\n\n").replace(": ", ":   ").replace("#title ", " #title\t "));
    same(&SAMPLE.replace(" 8D VICAR", "\t8d\tVICAR").replace("ACEIRTV", "VICARet"));
    assert_eq!(understand(b"#title \xc9t\xe9", &GameRules::english()).text, "#title Été");
    assert_eq!(understand("#title Été".as_bytes(), &GameRules::english()).text, "#title Été");

    // Without pragmas the players are named by their events; the second player may begin.
    let game = read(">B: 8D VICAR +28 28\n>A: - +0 0\n", &rules);
    assert_eq!([&game.players[0].nick, &game.players[1].nick], ["B", "A"]);
    let game = read("#player1 A\n#player2 B\n>B: 8D VICAR +28 28\n>A: - +0 0\n#rack1 QU\n#rack2 AEI\n", &rules);
    let end = replay(&game, &rules, None).unwrap();
    assert_eq!(end.seats, [Seat::Second, Seat::First]);
    assert_eq!(cgp_text(&end.positions[2]), "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 AEI/QU 28/0 1");
    assert_eq!(read(&print(&game), &rules), game);
    assert_eq!(read("", &rules).players.map(|player| player.nick), ["player1", "player2"]);
    assert_eq!(position_at(&read("", &rules), &rules, None).unwrap(), Position::start(Arc::new(rules.clone())));

    // A player without tiles to show, and the other's tiles after a rack:
    // the sign distinguishes them.
    let game = read(">A: (QU) -11 -11\n>B: QU (QU) +22 22", &rules);
    assert!(matches!(game.events[0].action, GcgAction::RackLoss(_)));
    assert!(matches!(game.events[1].action, GcgAction::OutBonus(_)));
}

#[test]
fn errors_of_form_name_line_and_column() {
    let message = |text: &str| parse(text, &GameRules::english()).unwrap_err().to_string();
    let event = |text: &str| message(&format!("#player1 A\n#player2 B\n>A: {text}"));
    assert_eq!(message("x"), "line 1, column 1: found \"x\", expected a line that begins with # or >");
    assert_eq!(message("#title T\n  x"), "line 2, column 3: found \"x\", expected a line that begins with # or >");
    assert_eq!(message("#player1"), "line 1, column 9: found \"\", expected a nick and a full name");
    assert_eq!(message("#player1 A\n#player2 A"), "line 2, column 10: found \"A\", expected a nick that the other player does not have");
    assert_eq!(message("#player1 A:b"), "line 1, column 10: found \"A:b\", expected a nick without a colon");
    assert_eq!(message("#player1 A\n#player1 B"), "line 2: a second #player1, expected one");
    assert_eq!(message("#rack1 A\n#rack1 B"), "line 2: a second #rack1, expected one");
    assert_eq!(message("#rack1 A1"), "line 1, column 9: \"1\" is not a tile of the english alphabet");
    assert_eq!(message("#character-encoding A\n#character-encoding B"), "line 2: a second #character-encoding, expected one");
    assert_eq!(message(">A 8D"), "line 1, column 2: found \"A 8D\", expected a nick followed by a colon");
    assert_eq!(message(">: - +0 0"), "line 1, column 2: \"\" is not a player, expected one word before the colon");
    assert_eq!(message("#player1 A\n#player2 B\n> C: - +0 0"), "line 3, column 3: \"C\" is not a player, expected A or B");
    assert_eq!(event(""), "line 3, column 4: found \"\", expected a rack or an action");
    assert_eq!(event("ABC"), "line 3, column 8: found \"\", expected an action");
    assert_eq!(event("A1B - +0 0"), "line 3, column 6: \"1\" is not a tile of the english alphabet");
    assert_eq!(event("ABCDEFGH - +0 0"), "line 3, column 5: 8 tiles, a rack holds 7");
    assert!(event("ABC what +0 0").starts_with("line 3, column 9: found \"what\", expected a square (8D across"));
    assert_eq!(event("ABC 16D CAB +0 0"), "line 3, column 9: found \"16D\", expected a square of this board");
    assert_eq!(event("ABC 8D"), "line 3, column 11: found \"\", expected the word");
    assert_eq!(event("ABC 8D C?B +0 0"), "line 3, column 13: \"?\" is not a tile of the english alphabet");
    assert_eq!(event("ABC 8D (CAB +0 0"), "line 3, column 12: found \"(CAB\", expected a word with closed parentheses");
    assert_eq!(
        event("ABC 8D CABCABCABCABCABCABCABCABCAB +0 0"),
        "line 3, column 12: found \"CABCABCABCABCABCABCABCA…\", expected a word that fits on a board"
    );
    assert_eq!(event("ABC -9 +0 0"), "line 3, column 10: found \"9\", expected a number of tiles on a rack");
    assert_eq!(event("ABC -X9 +0 0"), "line 3, column 11: \"9\" is not a tile of the english alphabet");
    assert_eq!(event("ABC (ABC +0 0"), "line 3, column 9: found \"(ABC\", expected a closed parenthesis");
    assert_eq!(event("ABC -"), "line 3, column 10: found \"\", expected points with + or -");
    assert_eq!(event("ABC - 0 0"), "line 3, column 11: found \"0\", expected points with + or -");
    assert_eq!(event("ABC - +x 0"), "line 3, column 11: found \"+x\", expected points with + or -");
    assert_eq!(event("ABC - +0"), "line 3, column 13: found \"\", expected the player's total");
    assert_eq!(event("ABC - +0 9999999"), "line 3, column 14: found \"9999999\", expected the player's total");
}

#[test]
fn errors_of_play_name_the_line_and_what_the_rules_give() {
    let rules = GameRules::english();
    let changed = |from: &str, to: &str| {
        assert!(SAMPLE.contains(from), "{from}");
        replay(&read(&SAMPLE.replacen(from, to, 1), &rules), &rules, None).unwrap_err().to_string()
    };
    assert_eq!(changed("+28 28", "+27 27"), "line 9: +27 points are stated, but the rules give +28");
    assert_eq!(changed("+28 28", "+28 29"), "line 9: a total of 29 is stated, but the points so far add up to 28");
    assert_eq!(changed("-- -4", "-- -5"), "line 15: -5 points are stated, but the rules give -4");
    assert_eq!(changed("(EILRST?) -6", "(EILRST?) -7"), "line 25: -7 points are stated, but the rules give -6");
    assert_eq!(changed("- +0 28", "- +1 29"), "line 13: +1 points are stated, but the rules give +0");
    assert_eq!(changed(">Ben: AEFGHII -FGII +0 0", ">Ann: AEFGHII -FGII +0 28"), "line 12: a turn of Ann, but Ben is to move");
    assert_eq!(changed("O.EA", "OXEA"), "line 14: there is already another tile on 8H");
    assert_eq!(changed("O.EA", "O..A"), "line 14: there is no tile to play through on 9H");
    assert_eq!(changed("H7 O.EA", "H7 O.EZ"), "line 14: there is no Z for this play: it is not on the rack");
    assert_eq!(changed("11H DOAT", "11N DOAT"), "line 18: the word does not fit on the board");
    assert_eq!(changed("-FGII", "-FGIZ"), "line 12: there is no Z for this play: it is not on the rack");
    assert_eq!(changed("AEFGHII", "AEFGHIV"), "line 12: there is no I for this play: it is not on the rack");
    assert_eq!(
        changed("BDEELNT -", "VVDEELN -"),
        "line 13: this rack has more V than are left: the rest is on the board or the other rack"
    );
    assert_eq!(
        changed(">Ben: AAEHOOT -- -4 0\n", ">Ann: AAEHOOT -- -4 24\n"),
        "line 15: a withdrawal does not follow a play of the same player"
    );
    assert_eq!(
        changed(">Ann: EILRST? (EILRST?) -6 32", ">Ann: (AEHIIOS) +20 58"),
        "line 25: a gain for going out does not follow a play that empties rack and bag"
    );
    assert_eq!(changed(">Ann: EILRST? (EILRST?) -6 32", ">Ann: EILRST? - +0 38"), "line 25: the game is over");

    let few = few_tiles();
    let wrong = read(&GOING_OUT.replace("(AET) +10 112", "(AES) +8 110"), &few);
    assert_eq!(
        replay(&wrong, &few, None).unwrap_err().to_string(),
        "line 6: \"AES\" is stated to be left at the end, but the rules give \"AET\""
    );
    let rack = read("#player1 A\n>A: 8D VICAR +28 28\n#rack2 VV", &rules);
    assert_eq!(
        replay(&rack, &rules, None).unwrap_err().to_string(),
        "rack of player2 at the end: this rack has more V than are left: the rest is on the board or the other rack"
    );
}

#[test]
fn players_of_a_new_game_get_nicks_that_can_be_read_back() {
    let player = |nick: &str, name: &str| GcgPlayer { nick: nick.to_string(), name: name.to_string() };
    let english = GameRules::english();
    let nicks = |a: &str, b: &str| {
        let game = Gcg::new([player(a, "One\nName"), player(b, "")], english.distribution.clone());
        assert_eq!(read(&print(&game), &english), game);
        game.players.map(|player| player.nick)
    };
    assert_eq!(nicks("a b", "c:d"), ["a_b", "c_d"]);
    assert_eq!(nicks("", ""), ["player1", "player2"]);
    assert_eq!(nicks("bot", "bot"), ["bot", "bot2"]);
}

/// A generator of numbers for games; good enough to choose squares.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 27)) >> 16) as usize % limit
    }
}

/// Some legal play of tiles on the rack, words or not.
fn some_placement(numbers: &mut Numbers, position: &Position) -> Option<Placement> {
    let board = position.board();
    let dim = board.dim();
    let rack: Vec<Tile> = position.mover_rack().tiles().collect();
    for _ in 0..200 {
        let direction = Direction::ALL[numbers.below(2)];
        let mut start = if board.is_empty() { position.rules().layout.start() } else { Square::at(numbers.below(dim), numbers.below(dim)) };
        while let Some(before) = start.step(direction, -1, dim).filter(|&before| board.get(before).is_some()) {
            start = before;
        }
        let mut left = rack.clone();
        let mut to_place = 1 + numbers.below(rack.len());
        let mut placement = Placement::at(start, direction);
        let mut next = Some(start);
        while let Some(here) = next.filter(|&here| to_place > 0 || board.get(here).is_some()) {
            placement.push(if board.get(here).is_some() {
                None
            } else {
                to_place -= 1;
                let tile = left.swap_remove(numbers.below(left.len()));
                let any = Letter::new(1 + numbers.below(position.rules().distribution.letter_count()) as u8).unwrap();
                Some(tile.letter().map_or(Placed::blank(any), Placed::tile))
            });
            next = here.step(direction, 1, dim);
        }
        if to_place == 0 && position.after(&Turn::Play(Play::Place(placement))).is_ok() {
            return Some(placement);
        }
    }
    None
}

/// A referee with two players who place whatever fits: the game as written, and how it ended.
fn random_game(rules: &GameRules, seed: u64) -> (Gcg, Vec<Position>) {
    let mut numbers = Numbers(seed);
    let mut bag: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
    let mut game = Gcg::new([GcgPlayer::default(), GcgPlayer::default()], rules.distribution.clone());
    game.push_pragma("lexicon", "none at all");
    let mut position = Position::start(Arc::new(rules.clone()));
    let mut fill = |rack: &mut Rack, numbers: &mut Numbers, back: &[Tile]| {
        while rack.len() < rules.rack_size && !bag.is_empty() {
            rack.add(bag.swap_remove(numbers.below(bag.len())));
        }
        bag.extend_from_slice(back);
    };
    for seat in Seat::BOTH {
        let mut rack = Rack::EMPTY;
        fill(&mut rack, &mut numbers, &[]);
        position.set_rack(seat, &rack).unwrap();
    }
    let mut positions = vec![position.clone()];
    while position.end().is_none() {
        let rack = *position.mover_rack();
        let tiles: Vec<Tile> = rack.tiles().collect();
        let pass = Turn::Play(Play::Pass);
        let mut turn = match numbers.below(12) {
            0 => pass,
            1 | 2 => Turn::Play(Play::Exchange(tiles.iter().copied().take(1 + numbers.below(tiles.len())).collect())),
            3 => some_placement(&mut numbers, &position).map_or(pass, Turn::Phony),
            _ => some_placement(&mut numbers, &position).map_or(pass, |placement| Turn::Play(Play::Place(placement))),
        };
        if position.after(&turn).is_err() {
            turn = pass;
        }
        game.push_turn(&position, &turn, &rack).unwrap();
        let gone = match &turn {
            Turn::Play(play) => play.rack_tiles(),
            _ => Rack::EMPTY,
        };
        let mut new_rack = rack.minus(&gone).unwrap();
        let back: Vec<Tile> = if matches!(turn, Turn::Play(Play::Exchange(_))) { gone.tiles().collect() } else { vec![] };
        fill(&mut new_rack, &mut numbers, &back);
        position = position.after_draw(&turn, &new_rack).unwrap();
        positions.push(position.clone());
    }
    game.push_end(&position);
    game.push_time(Seat::Second, &Rack::EMPTY, -10);
    position.adjust_score(Seat::Second, -10);
    positions.push(position);
    (game, positions)
}

#[test]
fn a_referees_games_read_back_to_the_same_end() {
    let spanish = letter_distribution::parse("mini", "?,?,2,0,0\nA,a,12,1,1\nCH,ch,9,5,0\nN,n,9,2,0\n").unwrap();
    let small = GameRules::standard(Arc::new(spanish), Arc::new(Layout::standard()));
    let (mut went_out, mut zeros) = (0, 0);
    for seed in 0..60 {
        let rules = if seed % 2 == 0 { GameRules::english() } else { small.clone() };
        let rules = rules.to_builder().max_zero_turns(if seed % 3 == 0 { 2 } else { 6 }).build().unwrap();
        let (game, positions) = random_game(&rules, seed);
        let again = read(&print(&game), &rules);
        assert_eq!(again, game);
        let replayed = replay(&again, &rules, None).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", print(&game)));
        let (end, expected) = (replayed.positions.last().unwrap(), positions.last().unwrap());
        assert_eq!(end, expected, "seed {seed}");
        assert_eq!([game.total(0), game.total(1)], expected.scores().0);
        match end.end() {
            Some(GameEnd::WentOut(_)) => went_out += 1,
            _ => zeros += 1,
        }
    }
    assert!(went_out >= 10 && zeros >= 3, "{went_out} went out, {zeros} ended by zero turns");
}

proptest! {
    #[test]
    fn damaged_games_are_refused_or_read_back(
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..3usize, prop::sample::select("AZa09 >#:-+().?[]\n\r\té".chars().collect::<Vec<_>>())),
            1..8,
        ),
        going_out: bool,
    ) {
        let (text, rules) = if going_out { (GOING_OUT, few_tiles()) } else { (SAMPLE, GameRules::english()) };
        let mut chars: Vec<char> = text.chars().collect();
        for (place, kind, c) in edits {
            let at = place.index(chars.len());
            match kind {
                0 => chars[at] = c,
                1 => chars.insert(at, c),
                _ => drop(chars.remove(at)),
            }
        }
        if let Ok(game) = parse(&chars.iter().collect::<String>(), &rules) {
            prop_assert_eq!(&parse(&print(&game), &rules).unwrap(), &game);
            let _ = replay(&game, &rules, None);
        }
    }

    #[test]
    fn any_text_is_refused_without_panic(text in "([>#]\\PC{0,40}\n?){0,4}") {
        if let Ok(game) = parse(&text, &GameRules::english()) {
            prop_assert_eq!(&parse(&print(&game), &GameRules::english()).unwrap(), &game);
        }
    }
}
