//! Journals of matches as earlier versions of this program wrote them: a header of its own, and results without moves. They are read as what
//! they would be today; a match that goes on has pairs of today's form behind the old ones.
//!
//! Not here: the form of today (`record.rs`). Start with [`OldMatchHeader::header`].

use crate::formats::english_rules;
use crate::match_play::GameTime;
use crate::match_play::pairs::GameResult;
use crate::tournament::in_process::MatchTerms;
use crate::tournament::record::{GameRecord, PairRecord, TournamentHeader, fingerprinted, player_identity};
use serde::Deserialize;

/// Which match it is.
#[derive(Clone, Debug, Deserialize)]
pub struct OldMatchHeader {
    /// The program's version.
    tilewright: String,
    /// Players a and b.
    players: [String; 2],
    /// The tables of each.
    tables: [OldTableNames; 2],
    /// The lexicon with its fingerprint.
    lexicon: String,
    /// Letters, board and bonus with their fingerprint, if they are not the usual ones.
    #[serde(default)]
    rules: Option<String>,
    /// The seed of all bags.
    seed: u64,
    /// Wall time of each player for a game, ms, if there are clocks.
    #[serde(default)]
    clock_ms: Option<u64>,
    /// Points that each minute begun beyond the clock costs; 0 also in files from before there were penalties.
    #[serde(default)]
    overtime_points: u32,
    /// How the luck of the draws is judged, if it is.
    #[serde(default)]
    luck: Option<OldLuckJudgement>,
    /// Whether exchanges and sacrifices are counted.
    #[serde(default)]
    counts_turns: bool,
}

/// How the luck of the draws is judged: by so many draws, and the lexicon's own tables.
#[derive(Clone, Debug, Deserialize)]
struct OldLuckJudgement {
    redraws: u32,
}

/// A player's tables, with their fingerprints.
#[derive(Clone, Debug, Deserialize)]
struct OldTableNames {
    leaves: String,
    winpct: String,
}

/// The result of a pair.
#[derive(Clone, Debug, Deserialize)]
pub struct OldMatchPair {
    pair: u64,
    divergent: bool,
    games: [GameResult; 2],
}

impl OldMatchHeader {
    /// The header that the same match has today.
    ///
    /// # Errors
    /// None that a header which was read could cause.
    pub fn header(&self) -> serde_json::Result<TournamentHeader> {
        let usual = || {
            let rules = english_rules();
            fingerprinted(rules.distribution.name(), rules.fingerprint())
        };
        let terms = MatchTerms {
            players: self.players.clone(),
            seed: self.seed,
            time: self.clock_ms.map(|ms| GameTime { ms, overtime_points: self.overtime_points }),
            redraws: self.luck.as_ref().map_or(0, |luck| luck.redraws),
            counts_turns: self.counts_turns,
        };
        let identities =
            self.players.iter().zip(&self.tables).map(|(player, tables)| player_identity(player, &tables.leaves, &tables.winpct));
        Ok(TournamentHeader {
            tilewright: self.tilewright.clone(),
            lexicon: self.lexicon.clone(),
            rules: self.rules.clone().unwrap_or_else(usual),
            starts: None,
            machine: None,
            identities: identities.collect(),
            configuration: terms.setting(1, 1).identity()?,
        })
    }
}

impl OldMatchPair {
    /// The pair as a record of a run of this hash: without moves, and without the tiles.
    pub fn record(self, configuration: String) -> PairRecord {
        let game = |result: GameResult| GameRecord { result, plays: Vec::new(), idle_us: [0; 2], fault: None };
        PairRecord {
            pair: self.pair,
            deal: self.pair,
            engines: [0, 1],
            configuration,
            start: None,
            bag: String::new(),
            divergent: self.divergent,
            games: self.games.map(game),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::journal::{Journal, journal_line};

    const OLD: &str = concat!(
        r#"{"tilewright":"0.1.0","players":["static","greedy"],"tables":[{"leaves":"a@1","winpct":"b@2"},{"leaves":"none@3","winpct":"b@2"}],"#,
        r#""lexicon":"ENABLE@4","seed":7,"clock_ms":400,"overtime_points":10,"luck":{"redraws":16,"tables":{"leaves":"a@1","winpct":"b@2"}}}"#,
        "\n",
        r#"{"pair":0,"divergent":true,"games":[{"scores":[401,350],"turns":[12,11],"bingos":[1,0],"time_us":[5,6],"overstepped":[false,true]},"#,
        r#"{"scores":[300,310],"turns":[9,9],"bingos":[0,0],"time_us":[7,8]}]}"#,
        "\n",
    );

    #[test]
    fn an_old_match_is_read_as_what_it_would_be_today_and_goes_on() {
        let read = Journal::<TournamentHeader>::parse(OLD.as_bytes()).unwrap().unwrap();
        let time = Some(GameTime { ms: 400, overtime_points: 10 });
        let players = ["static", "greedy"].map(String::from);
        let terms = MatchTerms { players, seed: 7, time, redraws: 16, counts_turns: false };
        assert_eq!(read.header.configuration, terms.setting(9, 3).identity().unwrap());
        assert_eq!(read.header.identities, ["static, leaves a@1, winpct b@2", "greedy, leaves none@3, winpct b@2"]);
        assert!(read.header.rules.starts_with("english@"));
        let [old] = &read.entries[..] else { panic!("one pair") };
        assert_eq!((old.games[0].result.scores, old.games[1].result.turns, old.engines), ([401, 350], [9, 9], [0, 1]));
        // What follows is of today's form.
        let next = PairRecord { pair: 1, deal: 1, bag: "AB".to_string(), ..old.clone() };
        let more = Journal::<TournamentHeader>::parse(format!("{OLD}{}", journal_line(&next).unwrap()).as_bytes()).unwrap().unwrap();
        assert_eq!(more.entries, [old.clone(), next]);
    }
}
