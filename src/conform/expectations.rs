//! The expectations of `tilewright conform`: forms of lines, and positions with known answers.
//! They need no processes. A test compares the known answers with this program's own endgame solver.
//!
//! [`OPENING`], [`PRE_ENDGAME`] and [`ENDGAME`] are positions of the SIU conformance suite of the open-protocols project.
//! The forms are those of SIU, draft 0.2. Not here: the checks, which talk to an engine (the rest of this folder). Start with
//! [`OptionLine::read`] and [`ResultRow::read`].

use std::collections::BTreeMap;

/// The modes of `go` that an engine may declare.
pub const MODES: [&str; 6] = ["gen", "sim", "infer", "endgame", "peg", "auto"];

/// The other capabilities.
pub const BEHAVIOURS: [&str; 2] = ["stream", "stop"];

/// Options whose names have a meaning, with their types.
pub const RESERVED_OPTIONS: [(&str, &str); 9] = [
    ("DataPath", "string"),
    ("EndgameHash", "spin"),
    ("Lexicon", "string"),
    ("LetterDistribution", "string"),
    ("Leaves", "string"),
    ("WinPctTable", "string"),
    ("ChallengeRule", "combo"),
    ("Variant", "combo"),
    ("Threads", "spin"),
];

/// An option as the handshake states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name, which may contain spaces.
    pub name: String,
    /// What it takes.
    pub kind: OptionType,
}

/// The values that an option takes, with its default if one is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// `true` or `false`.
    Check(Option<bool>),
    /// A whole number within bounds.
    Spin {
        /// The default.
        default: Option<i64>,
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// One of some words.
    Combo {
        /// The default.
        default: Option<String>,
        /// The words.
        choices: Vec<String>,
    },
    /// Nothing: it does something.
    Button,
    /// A text.
    Text(Option<String>),
}

impl OptionType {
    /// Its word in the handshake.
    pub fn word(&self) -> &'static str {
        match self {
            OptionType::Check(_) => "check",
            OptionType::Spin { .. } => "spin",
            OptionType::Combo { .. } => "combo",
            OptionType::Button => "button",
            OptionType::Text(_) => "string",
        }
    }
}

impl OptionLine {
    /// Reads a line `option name <Name> type <type> [default <v>] [min <n>] [max <n>] [var <v>]...`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(line: &str) -> Result<OptionLine, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let type_at = words.iter().position(|word| *word == "type").ok_or("the option has no type")?;
        let name = match words.get(..type_at) {
            Some(["option", "name", name @ ..]) if !name.is_empty() => name.join(" "),
            _ => return Err("expected option name <Name> type <type>".to_string()),
        };
        if name.split(' ').any(|word| word == "value") {
            return Err("a name may not contain the word value".to_string());
        }
        let kind = words.get(type_at + 1).copied().unwrap_or("");
        let rest = words.get(type_at + 2..).unwrap_or(&[]);
        let kind = match kind {
            "string" => OptionType::Text(match rest {
                ["default", text @ ..] => Some(text.join(" ")),
                [] => None,
                _ => return Err(format!("{:?} after type string: expected default <v>", rest.join(" "))),
            }),
            "check" | "spin" | "combo" | "button" => read_values(kind, rest)?,
            _ => return Err(format!("type {kind:?}: expected check, spin, combo, button or string")),
        };
        Ok(OptionLine { name, kind })
    }
}

/// The values of an option that is not a text.
fn read_values(kind: &str, words: &[&str]) -> Result<OptionType, String> {
    let mut values: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut key = "";
    for word in words {
        if ["default", "min", "max", "var"].contains(word) {
            key = word;
            values.entry(key).or_default().push(String::new());
        } else {
            let value = values.get_mut(key).and_then(|values| values.last_mut()).ok_or(format!("{word:?} cannot follow type {kind}"))?;
            *value = format!("{value} {word}").trim().to_string();
        }
    }
    let allowed: &[&str] = match kind {
        "spin" => &["default", "min", "max"],
        "combo" => &["default", "var"],
        "check" => &["default"],
        _ => &[],
    };
    if let Some(key) = values.keys().find(|key| !allowed.contains(key)) {
        return Err(format!("{key} has no place in an option of type {kind}"));
    }
    let one = |key: &str| values.get(key).and_then(|values| values.first()).cloned();
    let number = |key: &str| one(key).map(|text| text.parse::<i64>().map_err(|_| format!("{key} {text:?} is not an integer"))).transpose();
    Ok(match kind {
        "spin" => {
            let (default, min, max) = (number("default")?, number("min")?, number("max")?);
            let is_below = |low: Option<i64>, high: Option<i64>| low.zip(high).is_none_or(|(low, high)| low <= high);
            if !is_below(min, max) || !is_below(min, default) || !is_below(default, max) {
                return Err("expected min <= default <= max".to_string());
            }
            OptionType::Spin { default, min, max }
        }
        "combo" => {
            let choices = values.get("var").cloned().unwrap_or_default();
            let default = one("default");
            if choices.is_empty() {
                return Err("an option of type combo needs var".to_string());
            }
            if default.as_ref().is_some_and(|default| !choices.iter().any(|choice| choice.eq_ignore_ascii_case(default))) {
                return Err("the default is not among the values".to_string());
            }
            OptionType::Combo { default, choices }
        }
        "check" => OptionType::Check(match one("default").as_deref() {
            None => None,
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(other) => return Err(format!("default {other:?}: expected true or false")),
        }),
        _ => OptionType::Button,
    })
}

/// A row of a result: `info gen move ...` and its like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    /// `gen`, `sim`, `infer`, `endgame` or `peg`.
    pub mode: &'static str,
    /// The move that it is about, if it names one: for an endgame the first move of its line.
    pub play: Option<String>,
    /// The whole number after `score` or `score spread`.
    pub score: Option<i64>,
    /// Whether the number is marked as a bound or an estimate.
    pub is_bound: bool,
}

impl ResultRow {
    /// Reads a row. `None` for a line that is not a row.
    ///
    /// # Errors
    /// A line that begins like a row but is not one: what is wrong with it, in words.
    pub fn read(line: &str) -> Option<Result<ResultRow, String>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mode = match words.as_slice() {
            ["info", mode, ..] => MODES.iter().take(5).copied().find(|known| known == mode)?,
            _ => return None,
        };
        Some(read_row(mode, &words))
    }
}

fn read_row(mode: &'static str, words: &[&str]) -> Result<ResultRow, String> {
    let after = |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1)).copied();
    let number = |key: &str| -> Result<f64, String> {
        let text = after(key).ok_or(format!("the row has no {key}"))?;
        text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or(format!("{key} {text:?} is not a number"))
    };
    let whole = |key: &str| -> Result<i64, String> {
        let text = after(key).ok_or(format!("the row has no {key}"))?;
        text.parse::<i64>().map_err(|_| format!("{key} {text:?} is not an integer"))
    };
    let play = || after("move").map(String::from).ok_or("the row names no move".to_string());
    let mut row = ResultRow { mode, play: None, score: None, is_bound: false };
    match mode {
        "gen" => {
            row.play = Some(play()?);
            row.score = Some(whole("score")?);
            number("eq")?;
            if !words.contains(&"leave") {
                return Err("the row has no leave".to_string());
            }
        }
        "sim" => {
            row.play = Some(play()?);
            for key in ["wp", "wpse", "eq", "eqse"] {
                number(key)?;
            }
            if !(0.0..=100.0).contains(&number("wp")?) || number("wpse")? < 0.0 || whole("iters")? < 0 {
                return Err("wp must be a percentage, and wpse and iters must not be negative".to_string());
            }
        }
        "infer" => {
            if !words.contains(&"leave") || number("prob")? < 0.0 {
                return Err("expected a leave with its probability".to_string());
            }
        }
        "endgame" => {
            row.score = Some(whole("spread")?);
            row.play = Some(after("pv").map(String::from).ok_or("the row has no pv")?);
            row.is_bound = ["lowerbound", "upperbound", "estimate"].iter().any(|word| words.contains(word));
        }
        _ => {
            // The move comes after `move` in the table of results, and right after `peg` in the
            // accompanying text.
            row.play = after("move").or(after("peg")).map(String::from);
            if !words.iter().any(|word| ["w:", "d:", "l:"].iter().any(|draws| word.starts_with(draws))) {
                return Err("the row lists no draws: expected w:, d: or l:".to_string());
            }
        }
    }
    Ok(row)
}

/// A position whose answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownAnswer {
    /// The position, with an empty bag.
    pub cgp: &'static str,
    /// The moves that are right.
    pub plays: &'static [&'static str],
    /// How the lead changes with best play, if the answer depends on it.
    pub spread: Option<i64>,
    /// What kind of answer it is.
    pub what: &'static str,
}

/// No tile on the board.
pub const EMPTY_BOARD: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

/// The empty board, and a rack with many plays.
pub const OPENING: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";

/// The middle of a game, with a blank on the board.
pub const MIDGAME: &str = "7Q2TUBAE/5PsI4U2/2JURAT3A1G2/5CITTERNS2/4PAM3T1E2/4I1Y2WE1E2/4S1I2OR1D2/4TEND1OI4/3YO1G3E4/3EL5S4/3AE10/3H11/15/15/15 AADORSW/ 232/220 0";

/// Another one, after a word down the middle.
pub const SECOND_MIDGAME: &str = "15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 CDEIOTT/ 48/34 0";

/// Two blanks on the rack: tens of thousands of plays.
pub const TWO_BLANKS: &str = "15/9R5/9A5/4M4T5/4I4O5/4N4O5/4N4N5/4YUPONS5/6AR7/15/15/15/15/15/15 AEIRS??/ 42/82 0";

/// One tile in the bag.
pub const PRE_ENDGAME: &str = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ 356/378 0";

/// An empty bag and full racks.
pub const ENDGAME: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0";

/// The position for an inference: an opening play by the opponent, and a rack.
pub const AFTER_AN_OPENING: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0 moves 8H.ZA rack.AEINRST";

/// A bingo that goes out and wins; every other play loses by 27 points or more.
pub const WINNING_BINGO: KnownAnswer = KnownAnswer {
    cgp: "COIF2BIZE5/1SNEAKY2N2D2/4D4G2R2/3AJEE5A1W/4U7F1H/4R7T1O/4O3REIfIES/1C1WRISTY3n1O/VOX3HOED2G2/1LUSTRED7/1O4Q8/1N4EM7/1I4LOP6/1A5MAGENTA1/BLIP3ET6 AEILNTV/AAINRUU 300/350 0",
    plays: &["6A.INTERVAL"],
    spread: Some(85),
    what: "the bingo that wins",
};

/// Nothing but a pass is possible.
pub const FORCED_PASS: KnownAnswer = KnownAnswer {
    cgp: "FA13/ALP9R2/1LI7W1e2/MOC5CHIPS2/ID7ET1I2/DI3Z2AXE1S2/GAN1TOE1N3T2/E1U2ENAtIONS1B/2T1FA2E5U/GOATEES1R5L/2T1R2OI1LEV1K/1JIVE2DOW1MIRY/1EN2HOORAYED2/1AG4U1B5/1N5R7 Q/U 494/460 0",
    plays: &["pass"],
    spread: None,
    what: "the only play",
};

/// One play wins: it goes out.
pub const OUT_PLAY: KnownAnswer = KnownAnswer {
    cgp: "INfANTA8/2O2U1PEH5/1OXIDIZE7/3A2AHA6/3M11/1JIBE10/OOT1YOU8/ET1PENNER5W/2MU8F1O/1WAB1Q1L4O1R/1AGILITIES2R1L/1V1C3G1REEKED/1Y4CAVIL1E2/7N4R2/ORDAINeD2GUSTS FS/ET 380/400 0",
    plays: &["13M.EFS"],
    spread: Some(25),
    what: "the only play that wins",
};

/// One play wins, and it does not go out.
pub const TWO_STEPS: KnownAnswer = KnownAnswer {
    cgp: "2b12/1QI12/1UT12/1AE12/1R8JAB2/RE3V3Z1TUX1/E3GIT1FANON2/FLOW1O1DEGUMS1A/2SHELTIE2Y2M/1A1E1I2LUV3N/1W1ERNE3A3E/KA1P3NOtCHERS/BRISANT7T/ADD1GOOPY5I/R5DIOL4C II/EO 427/420 0",
    plays: &["10N.IN"],
    spread: Some(-5),
    what: "the only play that wins",
};

/// A game that is over.
pub const GAME_OVER: &str = "15/15/15/15/15/15/15/6DOG6/15/15/15/15/15/15/15 AEINRST/ 10/0 6";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::rules::{Play, Turn};

    #[test]
    fn options_are_read_strictly() {
        let read = |line: &str| OptionLine::read(line).map(|option| (option.name, option.kind));
        let spin = OptionType::Spin { default: Some(8), min: Some(1), max: Some(256) };
        assert_eq!(read("option name Threads type spin default 8 min 1 max 256"), Ok(("Threads".to_string(), spin)));
        assert_eq!(read("option name Clear Hash type button"), Ok(("Clear Hash".to_string(), OptionType::Button)));
        let text = OptionType::Text(Some("a b".to_string()));
        assert_eq!(read("option name Data Path type string default a b"), Ok(("Data Path".to_string(), text)));
        let combo = OptionType::Combo { default: Some("a".to_string()), choices: vec!["a".to_string(), "b c".to_string()] };
        assert_eq!(read("option name X type combo default a var a var b c"), Ok(("X".to_string(), combo)));
        for wrong in [
            "option name type spin",
            "option Threads type spin",
            "option name Threads",
            "option name Threads type number",
            "option name Threads type spin default 9 min 1 max 8",
            "option name Threads type spin default x",
            "option name X type combo default c var a var b",
            "option name X type combo default c",
            "option name X type check default yes",
            "option name X type button default 1",
            "option name X type check 1",
        ] {
            assert!(OptionLine::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rows_are_read_strictly() {
        let read = |line: &str| ResultRow::read(line).unwrap().map(|row| (row.play, row.score, row.is_bound));
        let play = |text: &str| Some(text.to_string());
        assert_eq!(read("info gen move 8D.DOG score 10 eq 12.500 leave AEI"), Ok((play("8D.DOG"), Some(10), false)));
        assert_eq!(read("info gen move 8D.DOG score 10 eq 12.500 leave"), Ok((play("8D.DOG"), Some(10), false)));
        assert_eq!(read("info sim move 8D.DOG wp 61.2 wpse 0.9 eq 74.1 eqse 1.1 iters 400"), Ok((play("8D.DOG"), None, false)));
        assert_eq!(read("info endgame depth 3 score spread +12 lowerbound pv pass 8D.DOG"), Ok((play("pass"), Some(12), true)));
        assert_eq!(read("info infer leave AEI prob 0.25"), Ok((None, None, false)));
        assert_eq!(read("info peg 8D.QI w:AB|AC d:BB l:AH"), Ok((play("8D.QI"), None, false)));
        for wrong in [
            "info gen move 8D.DOG score ten eq 1 leave",
            "info gen score 10 eq 1 leave",
            "info sim move 8D.DOG wp 161.2 wpse 0.9 eq 74.1 eqse 1.1 iters 400",
            "info sim move 8D.DOG wp 61.2 eq 74.1 iters 400",
            "info sim move 8D.DOG wp NaN wpse 0.9 eq 74.1 eqse 1.1 iters 400",
            "info endgame depth 3 score spread pv pass",
            "info infer leave AEI",
            "info peg move 8D.QI",
        ] {
            assert!(ResultRow::read(wrong).unwrap().is_err(), "{wrong}");
        }
        assert_eq!(ResultRow::read("info depth 3 time 10"), None);
        assert_eq!(ResultRow::read("bestmove pass"), None);
    }

    /// How the lead changes by this play and best play from there.
    fn value(engine: &Engine, cgp: &str, play: &Play) -> i32 {
        let position = engine.position(cgp).unwrap();
        let next = position.after(&Turn::Play(*play)).unwrap();
        let rest = if next.end().is_some() { 0 } else { engine.solve(&next).unwrap().value };
        -next.spread() - rest - position.spread()
    }

    #[test]
    fn one_play_alone_wins() {
        let engine = Engine::builtin();
        for answer in [OUT_PLAY, TWO_STEPS] {
            let position = engine.position(answer.cgp).unwrap();
            let mut winning = Vec::new();
            for row in engine.static_ranking(&position, 1_000).unwrap() {
                let value = value(&engine, answer.cgp, &row.play);
                if position.spread() + value >= 0 {
                    winning.push((engine.play_text(&row.play, &position), value));
                }
            }
            assert_eq!(winning, [(answer.plays[0].to_string(), answer.spread.unwrap() as i32)]);
        }
    }

    #[test]
    fn the_bingo_is_best_and_the_pass_alone() {
        let engine = Engine::builtin();
        let position = engine.position(WINNING_BINGO.cgp).unwrap();
        let solution = engine.solve(&position).unwrap();
        let play = solution.line.first().map(|play| engine.play_text(&play.play, &position));
        assert_eq!((play.as_deref(), Some(i64::from(solution.value))), (Some(WINNING_BINGO.plays[0]), WINNING_BINGO.spread));
        assert!(position.spread() < 0 && position.spread() + solution.value > 0);
        let position = engine.position(FORCED_PASS.cgp).unwrap();
        let plays = engine.static_ranking(&position, 10).unwrap();
        assert_eq!(plays.iter().map(|row| engine.play_text(&row.play, &position)).collect::<Vec<_>>(), FORCED_PASS.plays);
    }

    #[test]
    fn every_position_can_be() {
        let engine = Engine::builtin();
        for (cgp, in_bag) in [(OPENING, 86), (MIDGAME, 30), (SECOND_MIDGAME, 78), (TWO_BLANKS, 68), (PRE_ENDGAME, 1), (ENDGAME, 0)] {
            assert_eq!(engine.position(cgp).unwrap().in_bag(), in_bag, "{cgp}");
        }
        assert!(engine.position(GAME_OVER).unwrap().end().is_some());
    }
}
