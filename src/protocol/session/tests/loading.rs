//! Tests of commands that wait for resources, and of games of Ghost, which the host solves.

use super::*;

#[test]
fn stop_ends_what_is_loaded_and_what_waits_before_it() {
    check(
        "! load later
         < setoption name Layout value protocol/sessions/nine.txt
         (load)
         < setoption name LetterDistribution value src/formats/data/english.csv
         < stop
         (stop load)
         ! loaded
         info string error bad-option setoption: column 29: protocol/sessions/nine.txt: reading it was stopped
         (load)
         (stop load)
         ! loaded
         info string error bad-option setoption: column 41: src/formats/data/english.csv: reading it was stopped
         < setoption name Layout value protocol/sessions/nine.txt
         (load)
         ! loaded",
    );
}

#[test]
fn stop_is_for_the_search_that_waits_for_a_load() {
    check(
        "! load later
         < setoption name Lexicon value ENABLE
         (load)
         < go gen
         < stop
         ! loaded
         (load)
         ! loaded
         info string error no-position go: there is no position: send position startpos or position cgp <position> first",
    );
}

#[test]
fn a_game_of_ghost_is_solved_once_and_isready_does_not_wait_for_it() {
    check(
        "! load later
         < ghost solve
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         < isready
         readyok
         < check CAT
         ! loaded
         info string ghost solve minlen 1 winner first winning H against 55
         ...
         < ghost llam
         info string ghost LLAM minlen 1 onturn loses plies 1 sheet 1 endings 1
         info string ghost letter A loses plies 1 sheet 1
         info string ghost LLAM words 1
         info string LLAMA
         < ghost llam minlen 16
         (load)
         ! loaded
         info string error bad-option ghost: the lexicon has no words of at least 16 letters
         < ghost solve minlen 3
         (load)
         ! end
         ! loaded
         info string ghost solve minlen 3 winner second winning - against 56
         ...",
    );
}

#[test]
fn stop_ends_a_game_of_ghost_before_what_waits_behind_it() {
    check(
        "! load later
         < ghost super solve
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         < check CAT
         < stop
         (stop load)
         ! loaded
         info string error bad-option ghost: Ghost was stopped before it was solved
         info string check CAT valid
         < ghost super solve
         (load)",
    );
}

#[test]
fn a_lexicon_that_a_position_names_may_be_missing_but_not_one_that_an_option_names() {
    check(
        "< position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 A/ 0/0 0 lex CSW21; frob 1;
         info string ignored frob
         info string ignored lex CSW21: no lexicon \"CSW21\": DataPath is empty, so CSW21.kwg or CSW21.txt was not looked for; built in: ENABLE; ENABLE is used
         < setoption name Lexicon value CSW21
         info string error bad-option setoption: column 30: no lexicon \"CSW21\": DataPath is empty, so CSW21.kwg or CSW21.txt was not looked for; built in: ENABLE
         < setoption name lexicon value enable
         < check qi
         info string check QI valid",
    );
}

#[test]
fn while_data_is_loading_everything_waits_its_turn() {
    check_with_provenance(
        "< position startpos
         < rack AEINRST
         ! load later
         < go gen infinite
         (load)
         < stop
         < isready
         < tilt
         ! loaded
         (load)
         ! loaded
         PROVENANCE
         (search gen)
         (stop)
         readyok
         info string error unknown-command column 1: \"tilt\" is not a command: help lists the commands
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass",
    );
}

/// A command is carried out again when its resource has come, so what it did before must not show.
#[test]
fn resources_that_come_late_change_no_answer() {
    let board = "position cgp 15/15/15/15/15/15/15/7CAT5/15/15/15/15/15/15/15 AEINRST/ 0/10 0 lm 8H.CAT;";
    for command in [
        "setoption name Lexicon value ENABLE",
        "setoption name LetterDistribution value german",
        "setoption name Layout value super21",
        "setoption name Leaves value none",
        "setoption name WinPctTable value logistic",
        "setoption name Player value static:leaves=none",
        "setoption name EndgameHash value 2",
        "setoption name Lexicon value nosuch",
        "position startpos moves 8G.CAT",
        "position startpos moves 8G.CATS 8G.DOG",
        "position cgp 15/15/15/15/15/15/15/7CAT5/15/15/15/15/15/15/15 / 0/0 0 lex nosuch; ld german;",
        "go sim movetime 9",
        "go infer",
        "go auto useinference firstwin ponder movetime 9",
        "go gen searchmoves 8A.X",
        "eval",
        "eval 8A.X",
        "isready",
        "lexicons",
        "layouts",
        "distributions",
        "rules",
        "d",
        "score 9G.ASTERN",
        "play 9A.XX",
        "dead",
        "check CAT",
        "anagram CAT",
        "hooks CAT",
        "pattern C?T",
        "ghost solve minlen 12",
        "ghost q minlen 12",
        "ghost super solve minlen 12",
        "ghost play second minlen 12",
        "ghost add q",
        "ghost challenge",
    ] {
        let mut conversation = Conversation::new();
        let mut answers = Vec::new();
        // The second time everything is there.
        for _ in 0..2 {
            for line in ["setoption name Player value auto", board, "ghost play minlen 12", "ghost add z"] {
                conversation.say(line);
            }
            answers.push([conversation.say(command), conversation.say("cgp"), conversation.say("turns")].concat());
            for option in ["LetterDistribution value english", "Layout value standard15", "Leaves value auto", "WinPctTable value auto"] {
                conversation.say("stop");
                conversation.end_search();
                conversation.say(&format!("setoption name {option}"));
            }
        }
        assert_eq!(answers[0], answers[1], "{command}");
    }
}
