//! Tests of refused commands and their messages.

use super::*;

#[test]
fn without_a_position_or_a_rack_there_is_no_search() {
    check(
        "< go gen
         info string error no-position go: there is no position: send position startpos or position cgp <position> first
         < position startpos
         < go
         info string error bad-position go: the rack of the player on turn is unknown: send rack <tiles> first
         < go infer
         info string error bad-position go: there is no turn of the opponent to infer from: send position ... moves ..., or play <move>
         < rack AEIN5
         info string error bad-position rack: column 10: \"5\" is not a tile of the english alphabet (? is a blank)
         < rack AEINRSTU
         info string error bad-position rack: column 6: 8 tiles, a rack holds 7
         < stop",
    );
}

#[test]
fn an_error_in_a_position_keeps_the_old_one() {
    check(
        "< position startpos moves 8G.CAT rack.AEINRST
         < position startpos moves 8G.CAT 8G.DOG
         info string error bad-move position: column 32: 8G.DOG: there is already another tile on 8G
         < position startpos moves rack.A 8G.CAT
         info string error bad-move position: column 25: rack.<tiles> can only be the last word of the moves
         < position startpos moves 8G.CAT rack.AX#
         info string error bad-position position: column 39: \"#\" is not a tile of the english alphabet (? is a blank)
         < position cgp 15/15 /
         info string error bad-position position: column 21: the text ends before the scores
         < position
         info string error bad-position position: column 9: the line ends, expected startpos, cgp <position>, gcg <file> or record <text>
         < play 9G.AE
         info string error bad-move play: column 6: not in ENABLE: CA
         < play I8.TAO.AO
         info string play I8.TAO.AO score 4 challenge 0 final 0/0 scores 10/4 onturn 1 over no invalid -
         < undo
         < undo
         < undo
         info string error bad-move undo: there is no move to take back",
    );
}

#[test]
fn an_error_in_a_position_or_a_move_is_at_its_column_in_the_line() {
    let empty = ["15"; 15].join("/");
    check(&format!(
        "< position cgp {empty} / 0/0 0 ld english; bdn nosuch;
         info string error bad-position position: column 83: no board layout \"nosuch\": DataPath is empty, so nosuch.txt was not looked for; built in: standard15 standard CrosswordGame super21 super SuperCrosswordGame crossplay15 crossplay CrossplayGame
         < position cgp {empty} / 0/0 0 gid 4; -moevs 8D.CAT
         info string error bad-position position: column 75: unexpected \"moevs\", did you mean moves?
         < position cgp\r{empty}\r/ 0/0 0 mcnz 0;
         info string error bad-position position: column 72: mcnz takes a number of turns from 1 to 9999, not \"0\"
         < position startpos moves 8H.C*T
         info string error bad-move position: column 29: \"*\" is not a tile of the english alphabet, in \"8H.C*T\"
         < position startpos moves phony.99Z.CAT
         info string error bad-move position: column 31: \"99Z\" is not a square of this board"
    ));
}

#[test]
fn moves_to_search_must_be_possible() {
    check(
        "< position startpos moves rack.AEINRST
         < go gen searchmoves 8D.RETAINS 8A.NO
         info string error bad-move go: column 31: 8A.NO: the first play must cover 8H
         < go gen searchmoves 8H.QI
         info string error bad-move go: column 20: 8H.QI: there is no Q for this play: it is not on the rack
         < go gen searchmoves ex.3
         info string error bad-move go: column 20: the exchanged tiles are not named, expected ex.<tiles>
         < go movetime soon
         info string error bad-option go: column 13: movetime is \"soon\", expected a whole number",
    );
}

#[test]
fn a_player_who_infers_is_not_asked_about_an_impossible_rack() {
    check(
        "< setoption name Player value inference
         < position startpos moves phony.8G.QI rack.AEINRST
         < opprack BBCCDDD
         < go
         info string error bad-position go: after their last turn the opponent cannot hold the tiles that this position has on their rack",
    );
}

#[test]
fn a_variant_that_a_search_does_not_serve_is_refused_by_name() {
    check(
        "< setoption name Variant value misere
         < go
         info string error no-position go: there is no position: send position startpos or position cgp <position> first
         < position startpos moves rack.AEINRST
         < go endgame
         info string error unsupported-mode go: the endgame search does not play misere, where the lower score wins
         < go gen plays 3
         ...
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass
         < position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0 var wordsmog;
         < go endgame
         info string error unsupported-mode go: the endgame search does not play wordsmog, where the letters of a word may stand in any order
         < check TCA TCAX
         info string check TCA valid
         info string check TCAX invalid
         < play 8D.RETINAS
         info string play 8D.RETINAS score 66 challenge 0 final 0/0 scores 66/0 onturn 2 over no invalid -
         < undo
         < play 8D.STARNIE
         info string play 8D.STARNIE score 66 challenge 0 final 0/0 scores 66/0 onturn 2 over no invalid -
         < undo
         < play 8G.ST
         info string error bad-move play: column 6: not in ENABLE: ST",
    );
}

#[test]
fn options_are_refused_with_what_they_take() {
    check(
        "< setoption name Threads value many
         info string error bad-option setoption: column 30: Threads is \"many\", expected a whole number from 1 to 256
         < setoption name THREADS value 2
         < setoption name DataPath value /no/such/place
         info string error bad-option setoption: column 31: DataPath: there is no directory /no/such/place
         < setoption name Leaves value nonsense
         info string error bad-option setoption: column 29: no leave values \"nonsense\": DataPath is empty, so nonsense.klv2 or nonsense.leaves was not looked for; built in: auto enable crossplay none rack-heuristic-1 rack-heuristic-2 rack-heuristic-3 tile-quantiles
         < setoption name SimLog value /no/such/place/log
         info string error bad-option setoption: column 29: /no/such/place/log: No such file or directory (os error 2)
         < isready
         readyok",
    );
}

#[test]
fn a_pre_endgame_needs_one_to_four_tiles_in_the_bag_and_a_full_rack() {
    let board = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7";
    check(&format!(
        "< position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0
         < go peg
         info string error bad-position go: a pre-endgame has 1 to 4 tiles in the bag, not 86: send go auto instead
         < position cgp {board} ENOSTX/ 356/378 0
         < go peg
         info string error bad-position go: with 1 in the bag all 7 tiles of the rack must be known, not only 6: send rack <tiles> first"
    ));
    check_with_provenance(&format!(
        "< position cgp {board} ENOSTXY/ 356/378 0
         < go peg depth 3 seed 4 iterations 9
         info string ignored depth
         info string ignored iterations
         info string limit movetime 5000
         PROVENANCE
         (search peg for 5000 ms)
         ! report
         info string peg 1 has the best share, proved; 1 solved by model
         info depth 3 time 5 nodes 16 nps 3200 rows 1
         info peg move pass w:EA|A? d: l:IE spread -3 wp 75.000
         ! finished
         info string peg 1 has the best share, proved; 1 solved by model
         info depth 3 time 10 nodes 16 nps 1600 rows 1
         info peg move pass w:EA|A? d: l:IE spread -3 wp 75.000
         bestmove pass"
    ));
}
