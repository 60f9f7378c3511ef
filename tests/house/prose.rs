//! Documents are in plain English, as far as a program can judge it: they have no long lines, no long sentences, and no phrases that make
//! readers stumble. Code and the addresses of links are not judged.
//!
//! Not here: what documents say (`references.rs`; the blocks in them are run by the integration tests). Start with [`faults`].

use super::{Finding, judge, own_files, read, without_code};

/// Columns of a line of prose. Rows of tables may be longer.
const COLUMNS: usize = 100;
/// Words of a sentence at most, and of all sentences of a document on average.
const WORDS: usize = 40;
const MEAN_WORDS: usize = 18;

/// Phrases to avoid, each with a plain one. Documents, comments and messages are held to these.
const PHRASES: [(&str, &str); 11] = [
    ("so many", "this many, or the number"),
    ("stands beside", "is next to"),
    ("stand beside", "are next to"),
    ("stands behind", "follows"),
    ("stand behind", "follow"),
    ("stands before", "comes before"),
    ("stands above", "is above"),
    ("stands below", "is below"),
    ("that is none", "an invalid one"),
    ("that are none", "invalid ones"),
    ("none but", "only"),
];

/// More of them, for documents only.
const PHRASES_OF_DOCUMENTS: [(&str, &str); 3] =
    [("in one breath", "at once"), ("whoever", "a player who"), (", too.", "also, before the verb")];

/// Sources with a phrase that has to stay: text in a table that was made with it, whose checksum is published.
const KEPT: [&str; 1] = ["src/lab/train/static_games.rs"];

/// A piece of text with sentences: a paragraph, an item of a list, a cell of a table.
struct Passage {
    /// Where it begins, from 1.
    line: usize,
    text: String,
}

/// The passages of a document, without its code.
fn passages(document: &str) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut is_open = false;
    for (number, line) in without_code(document) {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            is_open = false;
        } else if trimmed.starts_with('|') {
            passages.extend(trimmed.split('|').map(|cell| Passage { line: number, text: cell.to_string() }));
            is_open = false;
        } else {
            let bullet = trimmed
                .split(' ')
                .next()
                .is_some_and(|word| word == "-" || word == "*" || word.ends_with('.') && word.parse::<f64>().is_ok());
            match passages.last_mut().filter(|_| is_open && !bullet) {
                Some(passage) => passage.text.push_str(&format!(" {trimmed}")),
                None => passages.push(Passage { line: number, text: trimmed.to_string() }),
            }
            is_open = true;
        }
    }
    for passage in &mut passages {
        passage.text = shown(&passage.text);
    }
    passages
}

/// A text as a reader sees it: `X` for code, links without their addresses.
fn shown(text: &str) -> String {
    let without_code: String = text.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "X" }).collect();
    let mut shown = String::new();
    let mut rest = without_code.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        shown.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    (shown + rest).replace('[', "")
}

/// The sentences of a passage.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let mut next = text[at + 1..].chars();
        let ends = next.next() == Some(' ') && next.next().is_some_and(|c| c.is_uppercase() || c == '*');
        if ends {
            sentences.push(text[start..=at].trim());
            start = at + 1;
        }
    }
    sentences.push(text[start..].trim());
    sentences.retain(|sentence| sentence.split_whitespace().count() > 3);
    sentences
}

/// Whether the subject of a sentence is a clause: `What a search prints is ...`. A question may begin so.
fn has_clause_as_subject(sentence: &str) -> bool {
    let first = sentence.split(' ').next().unwrap_or_default();
    ["Who", "What", "Whoever", "Whatever"].contains(&first) && !sentence.ends_with('?')
}

/// The phrases of a text that are among these, each with a plain one.
fn to_avoid<'p>(text: &str, phrases: impl Iterator<Item = &'p (&'p str, &'p str)>) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    phrases.filter(move |(phrase, _)| lower.contains(phrase)).map(|(phrase, instead)| format!("{phrase:?}: write {instead:?}"))
}

/// The places of a document at which readers would stumble.
fn faults(name: &str, document: &str) -> Vec<Finding> {
    let finding = |line: usize, what: String| Finding { what, place: format!("{name}:{line}") };
    let mut found = Vec::new();
    for (number, line) in without_code(document) {
        // A picture is one link.
        let can_be_broken = !line.starts_with(['|', '#', '!', '<']) && line.trim().contains(' ');
        if can_be_broken && line.chars().count() > COLUMNS {
            found.push(finding(number, format!("a line of {} columns", line.chars().count())));
        }
    }
    let (mut words, mut count) = (0, 0);
    for Passage { line, text } in passages(document) {
        let phrases = PHRASES.iter().chain(&PHRASES_OF_DOCUMENTS);
        found.extend(to_avoid(&text, phrases).map(|what| finding(line, what)));
        for sentence in sentences(&text) {
            let length = sentence.split_whitespace().count();
            (words, count) = (words + length, count + 1);
            if length > WORDS {
                found.push(finding(line, format!("a sentence of {length} words: {sentence}")));
            }
            if has_clause_as_subject(sentence) {
                found.push(finding(line, format!("a clause as subject: {sentence}")));
            }
        }
    }
    if words > MEAN_WORDS * count {
        found.push(finding(1, format!("{:.1} words a sentence", f64::from(words as u32) / f64::from(count as u32))));
    }
    found
}

#[test]
fn documents_are_in_plain_english() {
    let names = own_files();
    // The map is written from sentences of the sources.
    let documents: Vec<_> = names.iter().filter(|name| name.ends_with(".md") && *name != "src/MAP.md").collect();
    assert!(documents.len() > 30, "only {documents:?}");
    let findings: Vec<Finding> = documents.into_iter().flat_map(|name| faults(name, &read(name))).collect();
    judge("documents are in plain English", &findings);
}

#[test]
fn sources_lack_the_worst_phrases() {
    // This folder has the phrases themselves.
    let is_source = |name: &&String| {
        let is_code = [".rs", ".py", ".js"].iter().any(|end| name.ends_with(end));
        is_code && !name.starts_with("tests/house/") && !KEPT.contains(&name.as_str())
    };
    let mut findings = Vec::new();
    for name in own_files().iter().filter(is_source) {
        for (index, line) in read(name).lines().enumerate() {
            findings.extend(to_avoid(line, PHRASES.iter()).map(|what| Finding { what, place: format!("{name}:{}", index + 1) }));
        }
    }
    judge("comments and messages are in plain English", &findings);
}

#[test]
fn what_readers_stumble_over_is_found() {
    let wrong =
        |text: &str| faults("x.md", text).into_iter().map(|finding| format!("{} {}", finding.place, finding.what)).collect::<Vec<_>>();
    let long = format!("One.\n\nA sentence has {}end.\n", "word ".repeat(WORDS));
    assert!(wrong(&long).iter().any(|what| what.starts_with("x.md:3 a sentence of")), "{:?}", wrong(&long));
    assert!(wrong(&long).iter().any(|what| what.contains("a line of")));
    assert_eq!(wrong("It plays none but words.\n"), ["x.md:1 \"none but\": write \"only\""]);
    assert_eq!(wrong("Words. What a player keeps is a leave.\n"), ["x.md:1 a clause as subject: What a player keeps is a leave."]);
    assert_eq!(wrong("| a | It is small, too. |\n").len(), 1);
    for right in [
        "What does a player keep? It keeps `so many` tiles.\n",
        "```text\nso many\n```\n",
        "A [link](a_so many_address) is short.\n",
        "- One item\n- Another item\n",
    ] {
        assert_eq!(wrong(right), [""; 0], "{right}");
    }
}
