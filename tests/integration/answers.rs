//! The engine's lines, read strictly: every token in its place, none left over. A line that does not parse fails the test.
//!
//! Written from `protocol/README.md` alone, without the engine's own printing code. Start with [`Search::of`].

use std::collections::HashMap;

/// A row of `info gen`.
#[derive(Clone, Debug, PartialEq)]
pub struct GenRow {
    pub play: String,
    pub score: i32,
    pub equity: f64,
    pub leave: String,
}

/// A row of `info sim`.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationRow {
    pub play: String,
    pub win: f64,
    pub win_error: f64,
    pub equity: f64,
    pub equity_error: f64,
    pub iterations: u64,
}

/// A row of `info peg`.
#[derive(Clone, Debug, PartialEq)]
pub struct PreEndgameRow {
    pub play: String,
    /// Draws that win, that draw the game level, that lose.
    pub draws: [Vec<String>; 3],
    pub spread: Option<i32>,
}

/// A line of `info endgame`.
#[derive(Clone, Debug, PartialEq)]
pub struct EndgameRow {
    pub depth: u64,
    pub spread: i32,
    /// `lowerbound`, `upperbound`, `estimate`, or nothing for an exact value.
    pub mark: String,
    pub line: Vec<String>,
}

/// One block: an uninterrupted run of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    Gen(Vec<GenRow>),
    Sim(Vec<SimulationRow>),
    Peg(Vec<PreEndgameRow>),
    Endgame(EndgameRow),
}

impl Block {
    /// The plays, best first.
    pub fn plays(&self) -> Vec<&str> {
        match self {
            Block::Gen(rows) => rows.iter().map(|row| row.play.as_str()).collect(),
            Block::Sim(rows) => rows.iter().map(|row| row.play.as_str()).collect(),
            Block::Peg(rows) => rows.iter().map(|row| row.play.as_str()).collect(),
            Block::Endgame(row) => vec![row.line[0].as_str()],
        }
    }
}

/// What one `go` was answered in the siu dialect.
#[derive(Clone, Debug)]
pub struct Search {
    /// `info string` lines other than the provenance, without these two words.
    pub strings: Vec<String>,
    /// Key and value of every general line, in order (`depth`, `time`, `nodes`, `nps`, `hashfull`, `rows`).
    pub general: Vec<HashMap<String, u64>>,
    /// The rankings.
    pub blocks: Vec<Block>,
    /// The move of the only `bestmove`.
    pub best: String,
}

impl Search {
    /// Reads the lines of one search, `bestmove` last, and checks what holds for all: the provenance comes before any
    /// result, the last block stands right before the bestmove and begins with it.
    pub fn of(lines: &[String]) -> Search {
        let (last, lines) = lines.split_last().expect("a search is answered");
        let best = last.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{last:?} is no bestmove")).to_string();
        assert!(is_move_text(&best) || best == "none", "{last:?}");
        let mut search = Search { strings: Vec::new(), general: Vec::new(), blocks: Vec::new(), best };
        let mut provenances = 0;
        let mut in_block = false;
        for line in lines {
            let tokens: Vec<&str> = line.split(' ').collect();
            let was_in_block = std::mem::take(&mut in_block);
            match tokens[..] {
                ["info", "string", "provenance", ..] => {
                    assert!(search.blocks.is_empty(), "provenance after a result");
                    check_provenance(&tokens);
                    provenances += 1;
                }
                ["info", "string", ..] => search.strings.push(tokens[2..].join(" ")),
                ["info", kind @ ("gen" | "sim" | "peg" | "endgame"), ..] => {
                    assert_eq!(provenances, 1, "a result before the provenance: {line:?}");
                    search.add_row(kind, line, was_in_block);
                    in_block = true;
                }
                _ => search.general.push(general_line(line)),
            }
        }
        if let Some(block) = search.blocks.last() {
            assert_eq!(provenances, 1, "provenance lines");
            assert!(in_block, "the last block does not stand right before the bestmove");
            assert_eq!(block.plays()[0], search.best, "the last block begins with the best move");
        }
        let stated = search.general.iter().filter_map(|line| line.get("rows").copied());
        let counted = search.blocks.iter().filter(|block| matches!(block, Block::Sim(_) | Block::Peg(_)));
        assert!(stated.eq(counted.map(|block| block.plays().len() as u64)), "blocks have other numbers of rows than the lines before them");
        for block in &search.blocks {
            let mut plays = block.plays();
            plays.sort_unstable();
            plays.dedup();
            assert_eq!(plays.len(), block.plays().len(), "a play stands twice in a block");
        }
        search
    }

    /// The last block's rows, of a simulation.
    pub fn sim_rows(&self) -> &[SimulationRow] {
        match self.blocks.last() {
            Some(Block::Sim(rows)) => rows,
            other => panic!("expected a block of a simulation, got {other:?}"),
        }
    }

    /// The last block's rows, of a static ranking.
    pub fn gen_rows(&self) -> &[GenRow] {
        match self.blocks.last() {
            Some(Block::Gen(rows)) => rows,
            other => panic!("expected a static block, got {other:?}"),
        }
    }

    /// The last value of a general key.
    pub fn last_general(&self, key: &str) -> u64 {
        let value = self.general.iter().rev().find_map(|line| line.get(key));
        *value.unwrap_or_else(|| panic!("no general line has {key:?}"))
    }

    fn add_row(&mut self, kind: &str, line: &str, goes_on: bool) {
        let last = self.blocks.last_mut().filter(|_| goes_on);
        match (kind, last) {
            ("gen", Some(Block::Gen(rows))) => rows.push(gen_row(line)),
            ("gen", _) => self.blocks.push(Block::Gen(vec![gen_row(line)])),
            ("peg", Some(Block::Peg(rows))) => rows.push(peg_row(line)),
            ("peg", _) => self.blocks.push(Block::Peg(vec![peg_row(line)])),
            ("endgame", _) => self.blocks.push(Block::Endgame(endgame_row(line))),
            (_, last) => {
                let row = sim_row(line);
                match last {
                    // A block that follows another without a line between begins again with its number of rows.
                    Some(Block::Sim(rows)) if !rows.iter().any(|other| other.play == row.play) => rows.push(row),
                    _ => self.blocks.push(Block::Sim(vec![row])),
                }
            }
        }
    }
}

fn check_provenance(tokens: &[&str]) {
    let keys: Vec<&str> = tokens[3..].iter().map(|token| token.split('=').next().unwrap_or_default()).collect();
    assert_eq!(keys, ["engine", "leaves", "winpct", "lexicon"], "{tokens:?}");
    for token in &tokens[3..] {
        let (key, value) = token.split_once('=').unwrap_or_else(|| panic!("{token:?} is no key=value"));
        assert!(!value.is_empty(), "{key} has no value");
    }
    let engine = tokens[3].trim_start_matches("engine=");
    assert_eq!(engine, format!("tilewright/{}", env!("CARGO_PKG_VERSION")));
}

fn gen_row(line: &str) -> GenRow {
    let tokens: Vec<&str> = line.split(' ').collect();
    let (leave, head) = match tokens[..] {
        ["info", "gen", "move", play, "score", score, "eq", equity, "leave"] => ("", [play, score, equity]),
        ["info", "gen", "move", play, "score", score, "eq", equity, "leave", leave] => (leave, [play, score, equity]),
        _ => panic!("{line:?} is no gen row"),
    };
    assert!(is_move_text(head[0]), "{line:?}");
    assert!(is_tiles(leave) || leave.is_empty(), "{line:?}");
    GenRow { play: head[0].to_string(), score: number(head[1]), equity: decimal(head[2]), leave: leave.to_string() }
}

fn sim_row(line: &str) -> SimulationRow {
    let tokens: Vec<&str> = line.split(' ').collect();
    let ["info", "sim", "move", play, "wp", wp, "wpse", wpse, "eq", eq, "eqse", eqse, "iters", iters, "score", score] = tokens[..] else {
        panic!("{line:?} is no sim row");
    };
    assert!(is_move_text(play), "{line:?}");
    let _: i32 = number(score);
    let row = SimulationRow {
        play: play.to_string(),
        win: decimal(wp),
        win_error: decimal(wpse),
        equity: decimal(eq),
        equity_error: decimal(eqse),
        iterations: number(iters),
    };
    assert!((0.0..=100.0).contains(&row.win), "win % out of range: {line:?}");
    assert!(row.win_error >= 0.0 && row.equity_error >= 0.0, "negative error: {line:?}");
    row
}

fn peg_row(line: &str) -> PreEndgameRow {
    let tokens: Vec<&str> = line.split(' ').collect();
    let (play, wins, ties, losses, spread, win) = match tokens[..] {
        ["info", "peg", "move", play, w, d, l] => (play, w, d, l, None, None),
        ["info", "peg", "move", play, w, d, l, "wp", win] => (play, w, d, l, None, Some(decimal(win))),
        ["info", "peg", "move", play, w, d, l, "spread", spread, "wp", win] => (play, w, d, l, Some(signed(spread)), Some(decimal(win))),
        _ => panic!("{line:?} is no peg row"),
    };
    assert!(is_move_text(play), "{line:?}");
    assert!(win.is_none_or(|win| (0.0..=100.0).contains(&win)), "win % out of range: {line:?}");
    assert_eq!(win.is_some(), [wins, ties, losses].iter().any(|text| text.len() > 2), "a chance over the draws examined: {line:?}");
    let draws = [("w:", wins), ("d:", ties), ("l:", losses)].map(|(key, text)| {
        let text = text.strip_prefix(key).unwrap_or_else(|| panic!("{line:?} has no {key}"));
        let draws: Vec<String> = text.split('|').filter(|_| !text.is_empty()).map(String::from).collect();
        assert!(draws.iter().all(|draw| is_tiles(draw)), "{line:?}");
        draws
    });
    PreEndgameRow { play: play.to_string(), draws, spread }
}

fn endgame_row(line: &str) -> EndgameRow {
    let tokens: Vec<&str> = line.split(' ').collect();
    let ["info", "endgame", "depth", depth, "score", "spread", spread, ref rest @ ..] = tokens[..] else {
        panic!("{line:?} is no line of an endgame");
    };
    let (mark, moves) = match rest {
        ["pv", moves @ ..] => ("", moves),
        [mark @ ("lowerbound" | "upperbound" | "estimate"), "pv", moves @ ..] => (*mark, moves),
        _ => panic!("{line:?} is no line of an endgame"),
    };
    assert!(!moves.is_empty() && moves.iter().all(|text| is_move_text(text)), "{line:?}");
    let line = moves.iter().map(|text| (*text).to_string()).collect();
    EndgameRow { depth: number(depth), spread: signed(spread), mark: mark.to_string(), line }
}

/// A whole number with its sign.
fn signed(text: &str) -> i32 {
    assert!(text.starts_with(['+', '-']), "{text:?} has no sign");
    number(text)
}

fn general_line(line: &str) -> HashMap<String, u64> {
    let mut tokens = line.split(' ');
    assert_eq!(tokens.next(), Some("info"), "{line:?}");
    let mut values = HashMap::new();
    while let Some(key) = tokens.next() {
        assert!(["depth", "time", "nodes", "nps", "hashfull", "rows"].contains(&key), "{key:?} in {line:?}");
        let value = tokens.next().unwrap_or_else(|| panic!("{key} has no value in {line:?}"));
        assert!(values.insert(key.to_string(), number(value)).is_none(), "{key} stands twice in {line:?}");
    }
    assert!(!values.is_empty(), "{line:?} says nothing");
    values
}

/// A line of the ucgi dialect other than `bestmove`, as its pairs. `currmove` must be one of them, or `nps` the first.
pub fn ucgi_pairs(line: &str) -> HashMap<String, String> {
    let tokens: Vec<&str> = line.split(' ').collect();
    assert_eq!(tokens[0], "info", "{line:?}");
    assert!(tokens.len() % 2 == 1 && tokens.len() > 1, "{line:?} is no list of pairs");
    let mut pairs = HashMap::new();
    for pair in tokens[1..].chunks(2) {
        let (key, value) = (pair[0], pair[1]);
        assert!(!key.is_empty() && !value.is_empty(), "two blanks in {line:?}");
        if key == "currmove" {
            assert!(is_move_text(value), "{line:?}");
            assert_eq!(value.to_lowercase().split('.').next(), value.split('.').next(), "a column is not in lower case: {line:?}");
        } else if ["sc", "it", "ig", "depth", "time", "nodes", "hashfull"].contains(&key) {
            number::<i64>(value);
        } else {
            decimal(value);
        }
        assert!(pairs.insert(key.to_string(), value.to_string()).is_none(), "{key} stands twice in {line:?}");
    }
    if !pairs.contains_key("currmove") {
        let keys: Vec<&str> = tokens[1..].chunks(2).map(|pair| pair[0]).collect();
        assert!(matches!(keys[..], ["nps", "depth", "time", "nodes"] | ["nps", "depth", "time", "nodes", "hashfull"]), "{line:?}");
        assert_eq!(pairs["nps"].split_once('.').map(|(_, digits)| digits.len()), Some(1), "{line:?}");
    }
    pairs
}

/// A whole number without anything around it.
pub fn number<N: std::str::FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no whole number"))
}

/// A number with a decimal point or none.
pub fn decimal(text: &str) -> f64 {
    parse_decimal(text).unwrap_or_else(|| panic!("{text:?} is no decimal number"))
}

/// Reads a decimal number: no exponent, no NaN, no infinity, no comma.
pub fn parse_decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (all_digits(whole) && all_digits(fraction)).then(|| text.parse().ok())?
}

/// Whether a text has the form of a move that the engine may print.
pub fn is_move_text(text: &str) -> bool {
    let fields: Vec<&str> = text.split('.').collect();
    match fields[..] {
        ["pass"] => true,
        ["ex", tiles] => is_tiles(tiles),
        [coordinate, tiles] => is_coordinate(coordinate) && is_tiles(tiles) && !tiles.contains('?'),
        _ => false,
    }
}

fn is_coordinate(text: &str) -> bool {
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let turns = text.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    (1..=2).contains(&letters) && (1..=2).contains(&digits) && letters + digits == text.len() && turns == 1
}

/// Whether a text is tiles: letters, `?`, groups in brackets.
pub fn is_tiles(text: &str) -> bool {
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            '?' if depth == 0 => {}
            // Catalan has a tile of three characters whose middle one is no letter.
            '·' if depth == 1 => {}
            _ if c.is_alphabetic() => {}
            _ => return false,
        }
        if !(0..=1).contains(&depth) {
            return false;
        }
    }
    depth == 0 && !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strict_readers_refuse_what_they_must() {
        for text in ["NaN", "inf", "1e5", "1,5", "", ".5", "+1", "--1", "1."] {
            assert_eq!(parse_decimal(text), None, "{text:?}");
        }
        for text in ["8D", "8D.", "D.WORD", "8D8.WORD", "8D.WORD.X", "ex.", "none", "Pass", "8D.W?RD", "8D.[CH"] {
            assert!(!is_move_text(text), "{text:?} was read as a move");
        }
        for text in ["8D.WORD", "H11.mAZEY", "ex.AB?", "pass", "8D.[CH]AT"] {
            assert!(is_move_text(text), "{text:?} was not read as a move");
        }
    }
}
