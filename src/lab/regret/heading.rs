//! Describes a corpus in words, for its header and for people.

use crate::host::game_arguments::OpenedGame;
use crate::match_play::pairs::Contestant;
use crate::regret::record::CorpusHeader;

/// Words and rules of a game, for a header.
pub fn game_text(game: &OpenedGame) -> String {
    let (lexicon, rules) = (game.lexicon(), &game.rules);
    let unusual = game.unusual_rules().map(|rules| format!(" {rules}")).unwrap_or_default();
    format!("{} {:016x}{unusual} {:016x}", lexicon.name(), lexicon.fingerprint(), rules.fingerprint())
}

/// The tables of players, for a header.
pub fn tables_text(contestants: [&Contestant; 2]) -> String {
    let tables = contestants.map(|contestant| {
        let evaluator = &contestant.engine.knowledge().evaluator;
        format!("leaves {} winpct {}", evaluator.leaves_id(), evaluator.win_id())
    });
    tables.join("; ")
}

/// The header in a line, for people.
pub fn headline(header: &CorpusHeader) -> String {
    let CorpusHeader { game, players, oracle, seed, candidates, deals, .. } = header;
    format!("turns of {players} on {game}, {candidates} candidates played out by {oracle}, at most {deals} deals, seed {seed}")
}
