//! Tests of lines that wait for a search, for room or for a bench, including `stop` and `quit`.

use super::*;

#[test]
fn an_infinite_search_waits_for_stop_even_when_it_has_ended() {
    check_with_provenance(
        "< position startpos moves rack.AEINRST
         < go gen infinite
         PROVENANCE
         (search gen)
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         < isready
         readyok
         < go
         info string error busy go: a search is running: send stop, or wait for its bestmove
         < setoption name Seed value 3
         info string error busy setoption: a search is running: send stop, or wait for its bestmove
         < ucinewgame
         info string error busy ucinewgame: a search is running: send stop, or wait for its bestmove
         < stop
         (stop)
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass
         < stop",
    );
}

#[test]
fn what_comes_after_stop_waits_for_the_best_move() {
    check_with_provenance(
        "< position startpos moves rack.AEINRST
         < go infinite
         PROVENANCE
         (search sim)
         < stop
         (stop)
         < isready
         readyok
         < stop
         < position startpos moves 8G.CAT rack.QI
         < isready
         < go sim iterations 9
         < stop
         ! finished
         info depth 2 time 10 nodes 16 nps 1600 rows 1
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass
         readyok
         PROVENANCE
         (search sim)
         (stop)
         ! finished
         info depth 2 time 10 nodes 16 nps 1600 rows 1
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass",
    );
}

#[test]
fn quit_lets_what_was_said_before_be_answered() {
    check("< quit\n (quit soon)\n (quit)");
    check("! end\n (quit soon)\n (quit)");
    check_with_provenance(
        "< position startpos moves rack.AEINRST
         ! load later
         < go infinite
         (load)
         ! end
         (quit soon)
         ! loaded
         (load)
         ! loaded
         PROVENANCE
         (search sim)
         (stop)
         ! finished
         info depth 2 time 10 nodes 16 nps 1600 rows 1
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass
         (quit)",
    );
}

#[test]
fn lines_wait_for_room_and_quit_does_not() {
    check(
        "! no room
         < isready
         < xyzzy
         ! room
         readyok
         info string error unknown-command column 1: \"xyzzy\" is not a command: help lists the commands
         < isready
         readyok",
    );
    for end in ["! end", "< quit"] {
        check(&format!(
            "! no room
             < isready
             {end}
             (quit soon)
             ! room
             (quit soon)
             readyok
             (quit)"
        ));
    }
}

#[test]
fn a_search_is_stopped_before_lines_that_wait_for_room_unless_it_refuses_one() {
    let begun = "< position startpos moves rack.AEINRST
         < go infinite
         PROVENANCE
         (search sim)
         ! no room
         < isready";
    let ranking = "info depth 2 time 10 nodes 16 nps 1600 rows 1
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass";
    check_with_provenance(&format!("{begun}\n < stop\n (stop)\n ! finished\n {ranking}\n ! room\n readyok"));
    // `stop` takes effect in its turn, so that the second search is refused, as it is if answers are read at once.
    let busy = "info string error busy go: a search is running: send stop, or wait for its bestmove";
    check_with_provenance(&format!("{begun}\n < go\n < stop\n ! room\n readyok\n {busy}\n (stop)\n ! finished\n {ranking}"));
}

#[test]
fn what_waits_is_weighed() {
    let mut conversation = Conversation::new();
    assert_eq!((conversation.session.waiting(), conversation.session.waiting_bytes()), (0, 0));
    conversation.occur("no room");
    for line in [format!("check {}", "A ".repeat(10_000)), format!("anagram {}", "A".repeat(10_000)), "x".repeat(10_000)] {
        let before = conversation.session.waiting_bytes();
        conversation.say(&line);
        let taken = conversation.session.waiting_bytes() - before;
        let least = if line.starts_with("check") { 10_000 * size_of::<String>() } else { 10_000 };
        assert!((least..1_000_000).contains(&taken), "{taken}");
    }
    assert_eq!(conversation.session.waiting(), 3);
    conversation.occur("room");
    assert_eq!((conversation.session.waiting(), conversation.session.waiting_bytes()), (0, 0));
}

#[test]
fn a_bench_is_stopped_while_other_commands_wait() {
    check_with_provenance(
        "< bench
         (bench)
         < isready
         readyok
         < debug off
         < position startpos moves rack.AEINRST
         < isready
         < go gen infinite
         < stop
         (stop bench)
         ! bench done
         readyok
         PROVENANCE
         (search gen)
         (stop)
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass",
    );
    check("< bench 2\n (bench)\n < quit\n (stop bench)\n (quit soon)\n ! bench done\n (quit)");
}

#[test]
fn the_end_of_the_input_waits_for_a_bench() {
    check("< bench\n (bench)\n ! end\n ! bench done\n (quit soon)\n (quit)");
    check("< bench\n (bench)\n < bench\n ! end\n ! bench done\n (bench)\n ! bench done\n (quit soon)\n (quit)");
}
