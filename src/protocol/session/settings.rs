//! `setoption`, and `help`, which shows every option with its value.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::{HELP, Word};
use crate::protocol::options::{self, OptionError, OptionKind, OptionName, OptionValue, Options};
use crate::protocol::reply::ErrorCode;
use crate::protocol::session::cache::ResourceCache;
use crate::protocol::session::refusal::Refusal;
use crate::protocol::session::state::Session;

impl Session {
    pub(super) fn set_option(&mut self, name: &Word, value: Option<&Word>) -> Result<(), Refusal> {
        let at = |error: OptionError| {
            let column = match (&error, value) {
                (OptionError::BadValue { .. }, Some(value)) => value.column,
                _ => name.column,
            };
            Refusal::Error(ErrorCode::BadOption, format!("column {column}: {error}"))
        };
        let (option, value) = Options::read(&name.text, value.map(|value| value.text.as_str())).map_err(at)?;
        if let OptionValue::Text(text) = &value {
            self.try_text_option(option, text)?;
        }
        self.options.set(option, value);
        if option == OptionName::DataPath {
            // Names may mean other files now.
            self.resources = ResourceCache::default();
        }
        Ok(())
    }

    /// Loads what a value names: a value that leads nowhere is refused, and the old one stays.
    fn try_text_option(&mut self, option: OptionName, text: &str) -> Result<(), Refusal> {
        match option {
            OptionName::DataPath => {
                self.resources.data_path(text)?;
            }
            OptionName::Lexicon => {
                let distribution = self.resources.distribution(self.options.text(OptionName::LetterDistribution))?;
                self.lexicon(text, &distribution)?;
            }
            OptionName::LetterDistribution => {
                self.resources.distribution(text)?;
            }
            OptionName::Layout => {
                self.resources.layout(text)?;
            }
            OptionName::Leaves | OptionName::WinPctTable => {
                let mut options = self.options.clone();
                options.set(option, OptionValue::Text(text.to_string()));
                let distribution = self.resources.distribution(options.text(OptionName::LetterDistribution))?;
                let lexicon = self.lexicon(options.text(OptionName::Lexicon), &distribution)?;
                self.evaluator(&options, &lexicon, &distribution)?;
            }
            OptionName::SimLog if text.is_empty() => self.sample_log = None,
            OptionName::SimLog => {
                self.sample_log = Some(self.resources.sample_log(text)?);
            }
            OptionName::LogFile => {
                self.resources.log_file(text)?;
            }
            // A number, a switch, or a word that names no data.
            _ => {}
        }
        Ok(())
    }

    pub(super) fn help(&mut self) {
        for line in HELP {
            self.say(*line);
        }
        self.say("options: setoption name <Name> value <value>");
        for row in options::TABLE {
            let value = match row.kind {
                OptionKind::Spin { .. } => self.options.number(row.option).to_string(),
                OptionKind::Check { .. } => self.options.is_on(row.option).to_string(),
                OptionKind::String { .. } | OptionKind::Combo { .. } => self.options.text(row.option).to_string(),
            };
            let value = if value.is_empty() { "<empty>".to_string() } else { value };
            self.say(format!("  {} = {value}: {}", row.name, row.effect));
        }
    }
}
