//! The positions of the checks. A test below compares the known answers with this program's own
//! endgame solver.
//!
//! Opening, one tile in the bag and the empty bag of [`ENDGAME`] are those of the SIU conformance suite of the open-protocols project.

use crate::conform::expectations::KnownAnswer;

/// No tile on the board.
pub const EMPTY_BOARD: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

/// A rack of many plays on it.
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

/// The input of engines that infer: an opening play of the opponent's, and a rack.
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
