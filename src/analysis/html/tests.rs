//! Pages are well formed, whatever stands in a record, and have what they promise.

use crate::analysis::html::page;
use crate::analysis::tests::report_of;
use crate::pages::tests::faults;

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
