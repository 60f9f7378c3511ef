//! The arguments that choose a subcommand's game: letters, words, the whole game,
//! or also a variant.
//!
//! Not here: how names become files (`resources.rs`), and the tables that a player's options name.
//! Start with [`GameArguments::open`].

use crate::engine::Engine;
use crate::engine::tables::{NONE, TableNames, Tables};
use crate::host::resources::{self, Folders, OpenedLexicon};
use crate::lexicon::Lexicon;
use crate::match_play::LuckSetting;
use crate::match_play::pairs::Contestant;
use crate::players::PlayerSpec;
use crate::rules::{DeadBoard, GameRules, LetterDistribution, Variant, VariantSupport};
use crate::search::RunSettings;
use anyhow::{Result, ensure};
use std::path::PathBuf;
use std::sync::Arc;

/// Where letters and boards that are given by name are looked for: in this folder and those right below it.
const HERE: &str = ".";

/// The heading of the game's flags in help texts.
const GAME: &str = "The game";

/// The letters.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct LetterArguments {
    /// The alphabet, with the count and the value of each letter (.csv) [default: that of the variant, `english` or `english_crossplay`].
    #[arg(long, value_name = "FILE", global = true, help_heading = GAME)]
    pub letters: Option<String>,
}

/// The words and their letters.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct WordArguments {
    /// A word list (.txt or .kwg) in place of the built-in one. Tables of its name are looked for in its folder.
    #[arg(long, value_name = "FILE", global = true, help_heading = GAME)]
    pub lexicon: Option<PathBuf>,
    /// The letters of the words.
    #[command(flatten)]
    pub letters: LetterArguments,
}

/// The game: words, letters, board, rules.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct GameArguments {
    /// Words and letters.
    #[command(flatten)]
    pub words: WordArguments,
    /// The board's premium squares (.txt) [default: those of the variant, `standard15` or `crossplay15`].
    #[arg(long, value_name = "FILE", global = true, help_heading = GAME)]
    pub layout: Option<String>,
    /// Points for a play of the whole rack [default: 50, in crossplay 40].
    #[arg(long, value_name = "POINTS", global = true, help_heading = GAME, value_parser = clap::value_parser!(i32).range(0..=1000))]
    pub bonus: Option<i32>,
    /// Tiles that must be in the bag for an exchange [default: 7].
    #[arg(long, value_name = "TILES", global = true, help_heading = GAME, value_parser = clap::value_parser!(u16).range(0..=9999))]
    pub exchange_limit: Option<u16>,
    /// End the game as soon as no possible rack has a play (rule 9 in the game's box): each player loses the value of their rack.
    /// Without this flag such a game ends after six turns without points, as in tournaments.
    #[arg(long, global = true, help_heading = GAME)]
    pub end_when_dead: bool,
}

/// The variant, where a subcommand plays more than one.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct VariantArguments {
    /// The variant: classic, wordsmog (words in any order of their letters), crossplay (one more turn each once the bag is empty) or,
    /// where it is supported, misere (the lower score wins).
    #[arg(long, value_name = "NAME", default_value = "classic", help_heading = GAME, value_parser = variant)]
    pub variant: Variant,
}

fn variant(text: &str) -> Result<Variant, String> {
    Variant::from_name(text).ok_or_else(|| format!("expected {}", Variant::NAMES))
}

/// The game that [`GameArguments`] name.
#[derive(Clone, Debug)]
pub struct OpenedGame {
    /// The rules.
    pub rules: Arc<GameRules>,
    lexicon: OpenedLexicon,
}

impl LetterArguments {
    /// Reads the alphabet.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn alphabet(&self) -> Result<Arc<LetterDistribution>> {
        self.alphabet_of(Variant::Classic)
    }

    /// The alphabet of a game of this variant.
    fn alphabet_of(&self, variant: Variant) -> Result<Arc<LetterDistribution>> {
        let name = self.letters.as_deref().unwrap_or(variant.letters());
        Ok(Arc::new(Tables::of(&Folders::of_data_path(HERE)).distribution(name)?))
    }
}

impl WordArguments {
    /// Opens the words, for the usual game on the usual board.
    ///
    /// # Errors
    /// As for [`GameArguments::open`].
    pub fn open(&self) -> Result<OpenedGame> {
        GameArguments { words: self.clone(), ..GameArguments::default() }.open()
    }
}

impl GameArguments {
    /// The rules alone, without words.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn rules(&self, variant: Variant) -> Result<GameRules> {
        let layout = Tables::of(&Folders::of_data_path(HERE)).layout(self.layout.as_deref().unwrap_or(variant.layout()))?;
        let mut rules = GameRules::builder(self.words.letters.alphabet_of(variant)?, layout).variant(variant);
        if let Some(bonus) = self.bonus {
            rules = rules.bingo_bonus(bonus);
        }
        if let Some(tiles) = self.exchange_limit {
            rules = rules.exchange_limit(tiles.into());
        }
        if self.end_when_dead {
            rules = rules.dead_board(DeadBoard::EndsGame);
        }
        Ok(rules.build()?)
    }

    /// Opens what is named, for searches and players of the classic game.
    ///
    /// # Errors
    /// Too few letters for two racks, or what is wrong with a file.
    pub fn open(&self) -> Result<OpenedGame> {
        self.open_variant(Variant::Classic, VariantSupport::CLASSIC)
    }

    /// Opens what is named, for a subcommand that plays these variants.
    ///
    /// # Errors
    /// Another variant, and as for [`GameArguments::open`].
    pub fn open_variant(&self, variant: Variant, supported: VariantSupport) -> Result<OpenedGame> {
        variant.require(supported, "this subcommand")?;
        let rules = self.rules(variant)?;
        let (tiles, rack_size) = (rules.distribution.total(), rules.rack_size);
        ensure!(tiles >= 2 * rack_size, "the {} alphabet has {tiles} tiles: two racks need {}", rules.distribution.name(), 2 * rack_size);
        let mut lexicon = resources::lexicon_or_builtin(self.words.lexicon.as_deref(), &rules.distribution)?;
        ensure!(
            lexicon.lexicon.fits(&rules.distribution),
            "the lexicon {} has letters that the {} alphabet lacks: name another list with --lexicon",
            lexicon.lexicon.name(),
            rules.distribution.name()
        );
        lexicon.lexicon = lexicon.lexicon.by_rule(rules.variant.words())?;
        Ok(OpenedGame { rules: Arc::new(rules), lexicon })
    }
}

impl OpenedGame {
    /// How luck is judged: by the lexicon's own tables and `redraws` draws for each draw.
    ///
    /// # Errors
    /// The tables cannot be read.
    pub fn luck(&self, redraws: u32) -> Result<LuckSetting> {
        Ok(LuckSetting { engine: self.own_engine()?, redraws: redraws as usize })
    }

    /// The words.
    pub fn lexicon(&self) -> &Arc<Lexicon> {
        &self.lexicon.lexicon
    }

    /// The words with their own leave values, terms for the end of the bag and win % model, which a player without options uses.
    ///
    /// # Errors
    /// What is wrong with a table.
    pub fn own_engine(&self) -> Result<Engine> {
        self.engine(TableNames { racks: NONE.to_string(), ..TableNames::default() })
    }

    /// The words with these tables.
    ///
    /// # Errors
    /// What is wrong with a table.
    pub fn engine(&self, tables: TableNames) -> Result<Engine> {
        let knowledge = resources::knowledge(&self.lexicon, &self.rules.distribution, tables)?;
        Ok(Engine::of_parts(Arc::clone(&self.rules), knowledge, RunSettings::default()))
    }

    /// A player with the words and the tables that its description names.
    ///
    /// # Errors
    /// What is wrong with a table.
    pub fn contestant(&self, player: &PlayerSpec) -> Result<Contestant> {
        Ok(Contestant { spec: player.clone(), engine: self.engine(player.tables())? })
    }

    /// The words and the unusual parts of the rules, for headings of reports: `lexicon ENABLE`.
    pub fn heading(&self) -> String {
        let rules = self.unusual_rules().map(|rules| format!(" {rules}")).unwrap_or_default();
        format!("lexicon {}{rules}", self.lexicon().name())
    }

    /// Words and rules with their fingerprints, for the header of a journal.
    pub fn identity(&self) -> String {
        let (lexicon, rules) = (self.lexicon(), &self.rules);
        let unusual = self.unusual_rules().map(|rules| format!(" {rules}")).unwrap_or_default();
        format!("{} {:016x}{unusual} {:016x}", lexicon.name(), lexicon.fingerprint(), rules.fingerprint())
    }

    /// The unusual parts of the rules, for reports; `None` for English letters on the standard board with the usual bonus.
    pub fn unusual_rules(&self) -> Option<String> {
        unusual_rules(&self.rules)
    }
}

/// The unusual parts of rules, for reports; `None` for the usual rules.
pub fn unusual_rules(rules: &GameRules) -> Option<String> {
    let usual = GameRules::english();
    if rules.fingerprint() == usual.fingerprint() {
        return None;
    }
    let variant = if rules.variant.is_classic() { String::new() } else { format!(" variant {}", rules.variant) };
    let is_usual = rules.exchange_limit == usual.exchange_limit;
    let exchanges = if is_usual { String::new() } else { format!(" exchange-limit {}", rules.exchange_limit) };
    let dead = if rules.dead_board == usual.dead_board { "" } else { " end-when-dead" };
    let (letters, layout, bonus) = (rules.distribution.name(), rules.layout.name(), rules.bingo_bonus);
    Some(format!("letters {letters} layout {layout} bonus {bonus}{variant}{exchanges}{dead}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct GameLine {
        #[command(flatten)]
        game: GameArguments,
        #[command(flatten)]
        variant: VariantArguments,
    }

    fn open(words: &[&str]) -> Result<OpenedGame, String> {
        let line = GameLine::try_parse_from(words).map_err(|error| error.to_string())?;
        line.game.open_variant(line.variant.variant, VariantSupport::CLASSIC).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn without_flags_the_game_is_english_on_the_standard_board() {
        let game = open(&[]).unwrap();
        assert_eq!((game.lexicon().name(), game.unusual_rules()), ("ENABLE", None));
        assert_eq!(
            open(&["--letters", "English", "--layout", "standard", "--bonus", "50", "--variant", "Classic"]).unwrap().unusual_rules(),
            None
        );
        assert_eq!(open(&["--bonus", "35"]).unwrap().unusual_rules().unwrap(), "letters english layout standard15 bonus 35");
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        for variant in ["misere", "wordsmog", "crossplay"] {
            let error = open(&["--variant", variant]).unwrap_err();
            assert!(error.starts_with(&format!("this subcommand does not play {variant}, where ")), "{error}");
        }
        assert!(open(&["--variant", "chess"]).unwrap_err().contains("expected classic, wordsmog, misere or crossplay"));
        assert!(open(&["--layout", "no/such.txt"]).unwrap_err().starts_with("no/such.txt: "));
        let folder = tempfile::tempdir().unwrap();
        let letters = folder.path().join("few.csv");
        let letters = letters.to_str().unwrap();
        fs::write(letters, "?,?,2,0,0\nA,a,9,1,1\nB,b,2,3,0\n").unwrap();
        assert_eq!(open(&["--letters", letters]).unwrap_err(), "the few alphabet has 13 tiles: two racks need 14");
        fs::write(letters, "?,?,2,0,0\nA,a,9,1,1\nB,b,4,3,0\n").unwrap();
        let error = open(&["--letters", letters]).unwrap_err();
        assert_eq!(error, "the lexicon ENABLE has letters that the few alphabet lacks: name another list with --lexicon");
    }
}
