//! Whether an error names a place that is in the text.

/// What ends a line, as the format counts lines.
#[derive(Clone, Copy)]
pub enum LineEnds {
    /// `\n` alone, a `\r` before it being a blank.
    LineFeed,
    /// `\n`, `\r\n` and `\r`.
    All,
}

/// Fails if the error's text begins with a place (`line 3, column 7:`, `line 3:`, `column 7:`) that is not in `text`. One behind the
/// last character of a line, or on the line behind the last line, is where something is missing.
pub fn check_place(message: &str, text: &str, ends: LineEnds) {
    assert!(!message.is_empty());
    let (line, rest) = number_behind("line ", message);
    let (column, _) = number_behind("column ", rest.trim_start_matches(", "));
    let lines = lines_of(text, ends);
    let line = line.unwrap_or(1);
    assert!((1..=lines.len()).contains(&line), "{message}: the text has {} lines: {text:?}", lines.len());
    let characters = lines[line - 1].chars().count();
    let column = column.unwrap_or(1);
    assert!((1..=characters + 1).contains(&column), "{message}: line {line} has {characters} characters: {text:?}");
}

/// The number behind a word at the beginning, and what follows.
fn number_behind<'a>(word: &str, text: &'a str) -> (Option<usize>, &'a str) {
    let Some(rest) = text.strip_prefix(word) else { return (None, text) };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (rest[..end].parse().ok(), &rest[end..])
}

fn lines_of(text: &str, ends: LineEnds) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    let is_end = |c: char| c == '\n' || matches!(ends, LineEnds::All) && c == '\r';
    while let Some(at) = rest.find(is_end) {
        lines.push(&rest[..at]);
        let length = if matches!(ends, LineEnds::All) && rest[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[at + length..];
    }
    lines.push(rest);
    lines
}
