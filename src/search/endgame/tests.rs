//! The solver against the oracle.

use super::*;
use crate::formats::{cgp, english_rules};
use std::sync::OnceLock;

fn lexicon() -> &'static Arc<Lexicon> {
    static LEXICON: OnceLock<Arc<Lexicon>> = OnceLock::new();
    LEXICON.get_or_init(|| Arc::new(Lexicon::builtin()))
}

#[test]
fn every_row_of_the_oracle_is_solved() {
    let rows = include_str!("../../../tests/data/endgame_enable.tsv").lines().skip(1);
    let mut solver = Solver::new(16);
    let mut count = 0;
    for row in rows {
        let (text, value) = row.split_once('\t').unwrap();
        let position = cgp::parse(text, &english_rules()).unwrap().position;
        let deal = Deal::of(&position).unwrap();
        solver.set_board(position.rules(), lexicon(), position.board(), &deal.pool());
        let solution = solver.solve(&deal, Goal::Spread, &Limits::default(), &Signals::default(), &mut |_| {});
        assert_eq!((solution.value, solution.bound), (value.parse().unwrap(), Bound::Exact), "{text}");
        count += 1;
    }
    assert_eq!(count, 19);
}
