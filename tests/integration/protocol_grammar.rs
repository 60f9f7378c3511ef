//! `protocol/grammar.abnf` against the engine. Every line that the engine prints in any of these tests is in the grammar
//! (`engine_process.rs` checks it); here the lines that it reads, and that the grammar is whole.
//!
//! Not here: how the grammar is read and matched (`grammar.rs`). Start with [`the_parser_takes_what_the_grammar_makes`].

use super::engine_process::EngineProcess;
use super::grammar::{ANSWERS, COMMENT, RULES, expression, is_answer, is_for_programs, whole};
use super::sessions::session_files;
use abnf::types::Node;
use proptest::prelude::*;
use proptest::string::string_regex;
use std::collections::BTreeSet;
use tilewright::internals::parse;

#[test]
fn every_rule_of_the_grammar_is_used() {
    fn names(node: &Node, found: &mut BTreeSet<String>) {
        match node {
            Node::Alternatives(nodes) | Node::Concatenation(nodes) => nodes.iter().for_each(|node| names(node, found)),
            Node::Repetition { node, .. } | Node::Group(node) | Node::Optional(node) => names(node, found),
            Node::Rulename(name) => drop(found.insert(name.clone())),
            _ => {}
        }
    }
    let mut used: BTreeSet<String> = ANSWERS.iter().chain(&["line", COMMENT]).map(ToString::to_string).collect();
    RULES.values().for_each(|node| names(node, &mut used));
    let unused: Vec<_> = RULES.keys().filter(|name| !used.contains(*name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn wrong_answers_are_not_in_the_grammar() {
    for line in [
        "info gen move 8D.RETAINS score 66 eq 66.000 leave",
        "info sim move ex.Q wp 51.234 wpse 0.100 eq -3.5 eqse 1.0 iters 40 score 0",
        "info peg move 8D.[CH]A w:A|C d: l:E|[CH] spread -4 wp 31.250",
        "bestmove none",
        "bestmove 8d.RETAINS",
        "bestmove 8D W(O)RD",
        "info string anything at all",
    ] {
        assert!(is_answer(line), "{line}");
    }
    for line in [
        "",
        "info gen move 8D.RETAINS score 66 eq NaN leave",
        "info gen move 8D.RETAINS score 66 eq 1e9 leave",
        "info gen move RETAINS score 66 eq 66.000 leave",
        "info sim move ex.Q wp 51,2 wpse 0.100 eq -3.5 eqse 1.0 iters 40 score 0",
        "bestmove",
        "bestmove 8D.RETAINS ponder pass",
        "readyok ",
        "option name Threads type spin default one min 1 max 256",
    ] {
        assert!(!is_answer(line), "{line}");
    }
}

/// The commands whose answers are for programs: each line has a rule of its own.
#[test]
fn answers_to_programs_have_rules_of_their_own() {
    let mut engine = EngineProcess::start();
    let mut said = Vec::new();
    for line in [
        "siu",
        "position record \"#player1 A A\\n#player2 B B\\n>A: ABEIRSTX 8D BAITERS +84 84\"",
        "turns",
        "position startpos moves 8G.DOG.DGOAEIR ex.3 rack.AEINRSV",
        "cgp",
        "gcg",
        "rules",
        "lexicons",
        "layouts",
        "distributions",
        "score J2.RAVINES",
        "leave ERS Q",
        "eval J2.RAVINES ex.V",
        "check RAVINES ZZZ",
        "hooks CARE",
        "dead",
        "ghost solve minlen 3",
        "ghost play minlen 3",
        "ghost add l",
        "ghost super q minlen 12",
        "play J2.RAVINES",
        "undo",
        "opprack ABC",
    ] {
        said.extend(engine.ask(line));
    }
    for line in [
        "go gen multipv 2 depth 3",
        "go sim plays 3 iterations 30",
        "go replies move ex.V iterations 20",
        "go infer iterations 20",
        "position startpos moves 8D.QUIZX rack.AEINRST",
        "go challenge iterations 20 prob 0.5",
    ] {
        engine.send(line);
        if line.starts_with("go") {
            said.extend(engine.until("bestmove"));
        }
        said.extend(engine.ask("why"));
    }
    assert!(said.len() > 150, "only {} lines", said.len());
    let without: Vec<_> = said.iter().filter(|line| !is_for_programs(line)).collect();
    assert!(without.is_empty(), "{without:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    /// What the grammar makes is a command, as far as it can be judged without a position.
    #[test]
    fn the_parser_takes_what_the_grammar_makes(line in string_regex(&expression("line")).expect("a strategy")) {
        prop_assert!(parse(&line).is_ok(), "{:?}: {:?}", line, parse(&line));
    }
}

/// Lines that the grammar lacks are refused, or a word of theirs is named as ignored.
#[test]
fn the_examples_send_lines_of_the_grammar_unless_they_show_errors() {
    let line_rule = whole(&expression("line"));
    let mut count = 0;
    for path in session_files() {
        let text = std::fs::read_to_string(&path).expect("a session");
        let steps: Vec<&str> = text.lines().collect();
        // A conversation of the Crossword Game Protocol has its own commands.
        if steps.contains(&"< cgpok") {
            continue;
        }
        for (at, step) in steps.iter().enumerate() {
            let Some(line) = step.strip_prefix("> ").filter(|line| !line_rule.is_match(line)) else { continue };
            let is_answer = |step: &&&str| step.starts_with("< ") || step.starts_with('#') || step.starts_with('!') || step.is_empty();
            let answers: Vec<_> = steps[at + 1..].iter().take_while(is_answer).collect();
            let is_named = |answer: &&&str| answer.contains(" error ") || answer.contains(" ignored ");
            assert!(answers.iter().any(is_named), "{}: {line} is not in the grammar", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "only {count} lines that are wrong");
}
