//! The phases of a game, and which search `auto` picks in each.
//!
//! Not here: how much of a clock one turn may take (`players/clock.rs`). Start with [`Phase::of`].

use crate::search::analysis::SearchKind;

/// A part of a game, determined by the number of tiles in the bag. The variants are in the order of
/// the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The first turns: little is lost by playing fast.
    Opening,
    /// Most turns.
    Midgame,
    /// The end comes into sight.
    LateMidgame,
    /// Near enough to the end to play it out.
    Approach,
    /// The last tiles are drawn.
    PreEndgame,
    /// Nothing is left to chance.
    Endgame,
}

/// A row of [`TABLE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseRow {
    /// The phase.
    pub phase: Phase,
    /// The fewest tiles in the bag that belong to the phase.
    pub least_in_bag: usize,
    /// The search that `auto` makes in it.
    pub search: SearchKind,
}

/// The phases in the order of the game.
pub const TABLE: [PhaseRow; 6] = [
    row(Phase::Opening, 80, SearchKind::Simulation),
    row(Phase::Midgame, 15, SearchKind::Simulation),
    row(Phase::LateMidgame, 10, SearchKind::Simulation),
    row(Phase::Approach, 5, SearchKind::Simulation),
    row(Phase::PreEndgame, 1, SearchKind::PreEndgame),
    row(Phase::Endgame, 0, SearchKind::Endgame),
];

/// The most tiles in the bag of a pre-endgame.
pub const MOST_IN_PRE_ENDGAME: usize = 4;

const fn row(phase: Phase, least_in_bag: usize, search: SearchKind) -> PhaseRow {
    PhaseRow { phase, least_in_bag, search }
}

impl Phase {
    /// The phase of a position with `in_bag` tiles in the bag.
    pub fn of(in_bag: usize) -> Phase {
        row_of(in_bag).phase
    }

    /// Its name in reports and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Midgame => "midgame",
            Phase::LateMidgame => "late-midgame",
            Phase::Approach => "approach",
            Phase::PreEndgame => "pre-endgame",
            Phase::Endgame => "endgame",
        }
    }
}

/// The search that `auto` makes with `in_bag` tiles in the bag, if the racks are known.
pub fn search_of(in_bag: usize) -> SearchKind {
    row_of(in_bag).search
}

fn row_of(in_bag: usize) -> &'static PhaseRow {
    TABLE.iter().find(|row| in_bag >= row.least_in_bag).expect("the last row begins at 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_change_where_the_table_says() {
        let ends = [
            (Phase::Opening, [80, 186]),
            (Phase::Midgame, [15, 79]),
            (Phase::LateMidgame, [10, 14]),
            (Phase::Approach, [5, 9]),
            (Phase::PreEndgame, [1, 4]),
            (Phase::Endgame, [0, 0]),
        ];
        for (phase, ends) in ends {
            assert_eq!(ends.map(Phase::of), [phase; 2]);
        }
        assert!(TABLE.iter().enumerate().all(|(at, row)| row.phase as usize == at), "phases are numbered as in the table");
        assert_eq!(Phase::of(MOST_IN_PRE_ENDGAME), Phase::PreEndgame);
        assert!(TABLE.windows(2).all(|rows| rows[0].phase < rows[1].phase && rows[0].least_in_bag > rows[1].least_in_bag));
    }
}
