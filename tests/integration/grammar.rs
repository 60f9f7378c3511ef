//! Reads `protocol/grammar.abnf`, and matches lines with it. The grammar has no recursion, so each rule is a regular expression.
//!
//! Not here: the tests of the grammar (`protocol_grammar.rs`). Start with [`is_answer`].

use abnf::types::{Node, Repeat, TerminalValues};
use regex_lite::Regex;
use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex};

const TEXT: &str = include_str!("../../protocol/grammar.abnf");

/// The rules that a line of the engine is held against, in any dialect; [`COMMENT`] allows everything that is said to people.
pub const ANSWERS: [&str; 4] = ["answer", "ucgi-answer", "tilefish-answer", "crossword-game-answer"];
pub const COMMENT: &str = "comment";

/// Regular expressions for the rules in words, and for the core rules of RFC 5234.
const PROSE: [(&str, &str); 3] = [
    ("any character that is not white space", r"\S"),
    ("any character that is not white space or \";\"", r"[^\s;]"),
    // Beyond ASCII all characters but white space and punctuation of other scripts: the library has no classes of Unicode.
    ("any letter", r"[A-Za-z\x{AA}-\x{167F}\x{1681}-\x{1FFF}\x{2C00}-\x{2FFF}\x{3001}-\x{10FFFF}]"),
];
const CORE: [(&str, &str); 5] = [("SP", " "), ("HTAB", r"\t"), ("DIGIT", "[0-9]"), ("ALPHA", "[A-Za-z]"), ("DQUOTE", "\"")];

/// The rules, by their names.
pub static RULES: LazyLock<BTreeMap<String, Node>> = LazyLock::new(|| {
    let rules = abnf::rulelist(TEXT).unwrap_or_else(|error| panic!("grammar.abnf: {error}"));
    let count = rules.len();
    let rules: BTreeMap<_, _> = rules.into_iter().map(|rule| (rule.name().to_string(), rule.node().clone())).collect();
    assert_eq!(rules.len(), count, "two rules have the same name");
    rules
});

/// The rules of single lines that programs read, below [`ANSWERS`].
static LINES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    fn add(node: &Node, lines: &mut Vec<Regex>) {
        match node {
            Node::Alternatives(nodes) => nodes.iter().for_each(|node| add(node, lines)),
            Node::Rulename(name) => add(&RULES[name], lines),
            node => lines.push(whole(&of_node(node))),
        }
    }
    let mut lines = Vec::new();
    ANSWERS.iter().for_each(|rule| add(&RULES[*rule], &mut lines));
    lines
});
static SAID_TO_PEOPLE: LazyLock<Regex> = LazyLock::new(|| whole(&expression(COMMENT)));

/// Whether programs read this line: it has a rule of its own.
pub fn is_for_programs(line: &str) -> bool {
    /// For the first words of a line, the rule of an earlier line with these words. Tests that measure time read thousands of rows.
    static KNOWN: LazyLock<Mutex<HashMap<String, usize>>> = LazyLock::new(Mutex::default);
    let first: String = line.split(' ').take(3).collect();
    let known = KNOWN.lock().expect("a lock").get(&first).copied();
    if known.is_some_and(|rule| LINES[rule].is_match(line)) {
        return true;
    }
    let found = LINES.iter().position(|rule| rule.is_match(line));
    if let Some(rule) = found {
        KNOWN.lock().expect("a lock").insert(first, rule);
    }
    found.is_some()
}

/// Whether the grammar has this line of the engine, in any dialect.
pub fn is_answer(line: &str) -> bool {
    SAID_TO_PEOPLE.is_match(line) || is_for_programs(line)
}

/// Matches whole lines.
pub fn whole(expression: &str) -> Regex {
    Regex::new(&format!("^(?:{expression})$")).expect("a regular expression")
}

/// A rule as a regular expression.
pub fn expression(rule: &str) -> String {
    if let Some((_, expression)) = CORE.iter().find(|(name, _)| *name == rule) {
        return (*expression).to_string();
    }
    of_node(RULES.get(rule).unwrap_or_else(|| panic!("there is no rule {rule}")))
}

fn of_node(node: &Node) -> String {
    let all = |nodes: &[Node]| nodes.iter().map(of_node).collect::<Vec<_>>();
    match node {
        Node::Alternatives(nodes) => format!("(?:{})", all(nodes).join("|")),
        Node::Concatenation(nodes) => all(nodes).concat(),
        Node::Repetition { repeat, node } => format!("(?:{}){}", of_node(node), times(repeat)),
        Node::Rulename(name) => expression(name),
        Node::Group(node) => format!("(?:{})", of_node(node)),
        Node::Optional(node) => format!("(?:{})?", of_node(node)),
        Node::String(text) if text.is_case_sensitive() => regex_lite::escape(text.value()),
        Node::String(text) => text.value().chars().map(in_any_case).collect::<Vec<_>>().concat(),
        Node::TerminalValues(TerminalValues::Range(first, last)) => format!(r"[\x{{{first:X}}}-\x{{{last:X}}}]"),
        Node::TerminalValues(TerminalValues::Concatenation(values)) => {
            values.iter().map(|value| format!(r"\x{{{value:X}}}")).collect::<Vec<_>>().concat()
        }
        Node::Prose(text) => PROSE.iter().find(|(prose, _)| prose == text).unwrap_or_else(|| panic!("what is <{text}>?")).1.to_string(),
    }
}

/// A character of RFC 5234, whose letters are those of ASCII: a flag of the library would let other letters in, such as `ſ` for `s`.
fn in_any_case(c: char) -> String {
    match c {
        _ if c.is_ascii_alphabetic() => format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase()),
        _ => regex_lite::escape(&c.to_string()),
    }
}

fn times(repeat: &Repeat) -> String {
    match repeat {
        Repeat::Specific(times) => format!("{{{times}}}"),
        Repeat::Variable { min, max } => {
            format!("{{{},{}}}", min.unwrap_or(0), max.map_or_else(String::new, |most| most.to_string()))
        }
    }
}
