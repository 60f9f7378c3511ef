//! Tests that pages are well formed for any record, and complete.

use crate::analysis::html::{LinkedGame, overview, page};
use crate::analysis::report::{LOSS_RULE, STRENGTH_GAMES, UnreadSource};
use crate::analysis::tests::report_of;
use crate::analysis::totals;
use crate::pages::sheet::tests::faults;

#[test]
fn a_page_is_well_formed_and_has_all_turns() {
    let (report, rules) = report_of(crate::analysis::tests::GAME);
    let page = page(&report, &rules);
    assert_eq!(faults(&page), Vec::<String>::new());
    assert_eq!(page.matches("<section class=\"turn\"").count(), report.turns.len());
    for needed in ["id=\"quiz\"", "prefers-color-scheme: dark", "@media print", "default-src 'none'", "aria-label=\"Rack EGOP\""] {
        assert!(page.contains(needed), "{needed}");
    }
    // Each judged turn is a point of the curve, and each play of a ranking that is a placement can be shown on its board.
    let judged = report.turns.iter().filter(|turn| turn.verdict.is_some()).count();
    assert_eq!(page.matches("<circle class=\"dot").count(), judged);
    let placements = report.turns.iter().filter_map(|turn| turn.verdict.as_ref()).flat_map(|verdict| &verdict.ranking);
    let placements = placements.filter(|row| row.play != "pass" && !row.play.starts_with("ex.")).count();
    assert!(placements > 5);
    assert_eq!(page.matches("<g class=\"new candidate\"").count(), placements);
}

#[test]
fn what_stands_in_a_record_is_text_on_the_page() {
    let game = crate::analysis::tests::GAME.replace("Ann Arbor", "<script>alert(1)</script> & \"Ann\"");
    let (report, rules) = report_of(&game);
    let page = page(&report, &rules);
    assert_eq!(faults(&page), Vec::<String>::new());
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp;") && !page.contains("<script>alert"));
}

#[test]
fn the_page_of_many_games_has_all_of_them_and_what_each_player_lost() {
    let (first, _) = report_of(crate::analysis::tests::GAME);
    let (second, _) = report_of(&crate::analysis::tests::GAME.replace("Ben", "<b>").replace("Ann Arbor", "Ann Other"));
    let reports = [first, second];
    let careers = totals::of_games(&reports);
    let games = [("./one.html", &reports[0]), ("./two%20.html", &reports[1])].map(|(address, report)| LinkedGame { report, address });
    let unread = UnreadSource { source: "a <b>.gcg".to_string(), reason: "no turn of a game in it".to_string() };
    let page = overview(&games, &careers, std::slice::from_ref(&unread));
    assert!(page.contains("a &lt;b&gt;.gcg: no turn of a game in it"));
    assert!(!overview(&games, &careers, &[]).contains("Not read"));
    // It leads to the pages of the games, and nowhere else.
    assert_eq!(faults(&page), ["./one.html", "./one.html#t2", "./two%20.html", "./two%20.html#t2"]);
    assert!(!page.contains("<b>") && page.contains("&lt;b&gt;"), "nicks are text");
    for needed in [
        "<h1>2 games</h1>",
        "href=\"./one.html\"",
        "href=\"./two%20.html\"",
        "prefers-color-scheme: dark",
        "@media print",
        "default-src 'none'",
    ] {
        assert!(page.contains(needed), "{needed}");
    }
    assert!(page.contains(LOSS_RULE));
    assert!(page.contains(&format!("from {STRENGTH_GAMES} games on")), "no strength from two games");
    // A row for each part of the game in which a player had a turn, with their sums.
    assert_eq!(careers.iter().map(|career| (career.nick.as_str(), career.games)).collect::<Vec<_>>(), [("<b>", 1), ("Ann", 2), ("Ben", 1)]);
    assert_eq!(page.matches("class=\"bar-of\"").count(), careers.iter().map(|career| career.parts.len()).sum::<usize>());
    // The largest loss is a link to its turn.
    let turn = reports[0].turns.iter().filter(|turn| turn.judged().is_some_and(|verdict| verdict.loss.is_real()));
    assert!(turn.clone().any(|turn| page.contains(&format!("href=\"./one.html#t{}\"", turn.number))), "{}", turn.count());
}
