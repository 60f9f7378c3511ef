//! Reports as CSV tables for spreadsheets: a row for each turn, or a row for each player of each game.
//!
//! The columns have the names and units of the JSON document (`docs/analysing.md`). A cell is empty where there is no value: a turn that
//! was not judged has no verdict. Not here: the other forms (`text.rs`, `html/`). Start with [`turn_table`].

use crate::analysis::report::{GameReport, PlayerReport, ReportKind, TurnReport, TurnVerdict};
use crate::rules::Seat;
use serde_json::Value;

/// The columns of [`turn_table`].
pub const TURN_COLUMNS: [&str; 33] = [
    "source",
    "number",
    "line",
    "player",
    "own_score",
    "other_score",
    "in_bag",
    "part",
    "rack",
    "rack_source",
    "play",
    "score",
    "best_play",
    "best_score",
    "best_win",
    "played_win",
    "loss_win",
    "loss_win_error",
    "loss_points",
    "loss_points_error",
    "measure",
    "within_noise",
    "rank",
    "static_rank",
    "plays",
    "certainty",
    "macondo",
    "magpie",
    "luck_points",
    "luck_win",
    "labels",
    "skipped",
    "cgp",
];

/// The columns of [`game_table`].
pub const GAME_COLUMNS: [&str; 19] = [
    "source",
    "player",
    "name",
    "score",
    "opponent",
    "opponent_score",
    "turns",
    "skipped",
    "mistakes",
    "loss_win",
    "loss_win_error",
    "loss_points",
    "luck_points",
    "luck_win",
    "macondo_index",
    "magpie_index",
    "lexicon",
    "budget",
    "date",
];

/// A row for each turn of these games.
pub fn turn_table(games: &[GameReport]) -> String {
    let rows = games.iter().flat_map(|game| game.turns.iter().map(|turn| turn_cells(game, turn).to_vec()));
    table(&TURN_COLUMNS, rows)
}

/// A row for each player of each game who had a turn.
pub fn game_table(games: &[GameReport]) -> String {
    let seats = |game| Seat::BOTH.map(|seat| (game, seat));
    let with_turns = |(game, seat): &(&GameReport, Seat)| game.players[*seat].totals.turns > 0;
    let rows = games.iter().flat_map(seats).filter(with_turns).map(|(game, seat)| game_cells(game, seat).to_vec());
    table(&GAME_COLUMNS, rows)
}

fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let all = std::iter::once(columns.iter().map(|name| (*name).to_string()).collect()).chain(rows);
    for row in all {
        writer.write_record(&row).expect("memory takes every row, and all rows have as many cells");
    }
    let bytes = writer.into_inner().expect("memory takes every row");
    String::from_utf8(bytes).expect("cells are texts")
}

/// A value as JSON writes it, without quotation marks.
fn text(value: impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::Null) | Err(_) => String::new(),
        Ok(Value::String(text)) => text,
        Ok(other) => other.to_string(),
    }
}

fn turn_cells(game: &GameReport, turn: &TurnReport) -> [String; 33] {
    let labels: Vec<String> = turn.labels.iter().map(|label| text(label.kind)).collect();
    let verdict = turn.verdict.as_ref();
    let judged = turn.judged();
    let of = |value: &dyn Fn(&TurnVerdict) -> String, verdict: Option<&TurnVerdict>| verdict.map_or_else(String::new, value);
    let luck = turn.luck;
    [
        game.source.clone(),
        turn.number.to_string(),
        turn.line.to_string(),
        game.players[turn.player].nick.clone(),
        turn.scores[turn.player].to_string(),
        turn.scores[turn.player.opponent()].to_string(),
        turn.in_bag.to_string(),
        turn.part.name().to_string(),
        turn.rack.clone(),
        text(turn.rack_source),
        turn.play.clone(),
        turn.score.to_string(),
        of(&|verdict| verdict.best.play.clone(), verdict),
        of(&|verdict| verdict.best.score.to_string(), verdict),
        of(&|verdict| text(verdict.best.win), verdict),
        of(&|verdict| text(verdict.played.win), judged),
        of(&|verdict| text(verdict.loss.win), judged),
        of(&|verdict| text(verdict.loss.win_error), judged),
        of(&|verdict| text(verdict.loss.points), judged),
        of(&|verdict| text(verdict.loss.points_error), judged),
        of(&|verdict| text(verdict.loss.measure), judged),
        of(&|verdict| verdict.loss.within_noise.to_string(), judged),
        of(&|verdict| text(verdict.rank), judged),
        of(&|verdict| text(verdict.static_rank), judged),
        of(&|verdict| verdict.plays.to_string(), verdict),
        of(&|verdict| text(verdict.certainty), verdict),
        of(&|verdict| text(verdict.macondo), judged),
        of(&|verdict| text(verdict.magpie), judged),
        luck.map_or_else(String::new, |luck| text(luck.points)),
        luck.map_or_else(String::new, |luck| text(luck.win)),
        labels.join(" "),
        turn.skipped.clone().unwrap_or_default(),
        turn.cgp.clone(),
    ]
}

fn game_cells(game: &GameReport, seat: Seat) -> [String; 19] {
    let (PlayerReport { nick, name, score, totals }, other) = (&game.players[seat], &game.players[seat.opponent()]);
    let is_game = game.kind == ReportKind::Game;
    // Without judged turns the losses are unknown.
    let judged = |cell: String| if totals.all.turns > 0 { cell } else { String::new() };
    [
        game.source.clone(),
        nick.clone(),
        name.clone(),
        if is_game { score.to_string() } else { String::new() },
        if is_game { other.nick.clone() } else { String::new() },
        if is_game { other.score.to_string() } else { String::new() },
        totals.turns.to_string(),
        totals.skipped.to_string(),
        judged(totals.all.mistakes.to_string()),
        judged(text(totals.all.win)),
        judged(text(totals.all.win_error)),
        judged(text(totals.all.points)),
        text(totals.luck_points),
        text(totals.luck_win),
        judged(text(totals.macondo_index)),
        judged(text(totals.magpie_index)),
        game.run.lexicon.clone(),
        game.run.budget.clone(),
        game.run.date.clone().unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::report::LossMeasure;
    use crate::analysis::tests::{GAME, report_of};

    /// A table as lists of cells by column.
    fn read(table: &str) -> Vec<Vec<(String, String)>> {
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let columns: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
        reader.records().map(|row| columns.iter().cloned().zip(row.unwrap().iter().map(String::from)).collect()).collect()
    }

    fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
        &row.iter().find(|(name, _)| name == column).unwrap_or_else(|| panic!("{column}")).1
    }

    #[test]
    fn tables_have_what_the_report_has() {
        let (report, _) = report_of(&GAME.replace("Ann Arbor", "Arbor, \"Ann\""));
        let turns = read(&turn_table(std::slice::from_ref(&report)));
        assert_eq!(turns.len(), report.turns.len());
        for (row, turn) in turns.iter().zip(&report.turns) {
            assert_eq!((cell(row, "number"), cell(row, "play"), cell(row, "cgp")), (&*turn.number.to_string(), &*turn.play, &*turn.cgp));
            assert_eq!(cell(row, "skipped"), turn.skipped.clone().unwrap_or_default());
            let loss = turn.judged().map(|verdict| verdict.loss);
            assert_eq!(cell(row, "loss_win").parse().ok(), loss.map(|loss| loss.win));
            assert_eq!(cell(row, "measure"), loss.map_or("", |loss| if loss.measure == LossMeasure::Win { "win" } else { "points" }));
        }
        assert_eq!(cell(&turns[1], "labels"), "phony");
        let games = read(&game_table(&[report.clone(), report.clone()]));
        assert_eq!(games.len(), 4);
        assert_eq!((cell(&games[0], "player"), cell(&games[0], "name"), cell(&games[0], "score")), ("Ann", "Arbor, \"Ann\"", "104"));
        assert_eq!((cell(&games[1], "opponent"), cell(&games[1], "opponent_score")), ("Ann", "104"));
        assert_eq!(cell(&games[1], "loss_win").parse().ok(), Some(report.players[Seat::Second].totals.all.win));
    }
}
