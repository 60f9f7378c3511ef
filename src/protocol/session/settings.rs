//! The commands `setoption`, `lexicons`, `layouts` and `help`. `lexicons` and `layouts` list some
//! of the options' values; `help` shows every option with its value.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::tables::{AUTO, CatalogEntry, NONE};
use crate::formats::suggest::did_you_mean;
use crate::protocol::command::Word;
use crate::protocol::help::{CommandHelp, HELP, command_words};
use crate::protocol::options::{self, OptionError, OptionKind, OptionName, OptionSpecification, OptionValue};
use crate::protocol::parameters::{self, ParameterRow, go_words};
use crate::protocol::parse::shown;
use crate::protocol::reply::{ErrorCode, ErrorReply};
use crate::protocol::resources::{EndgameTableRequest, NamesRequest, ResourceRequest};
use crate::protocol::session::cache::ResourceCache;
use crate::protocol::session::refusal::{Refusal, error_at};
use crate::protocol::session::state::{Session, named_player};
use std::sync::Arc;

impl Session {
    pub(super) fn set_option(&mut self, name: &Word, value: Option<&Word>) -> Result<(), Refusal> {
        let at = |error: OptionError| {
            let wrong = match (&error, value) {
                (OptionError::BadValue { .. }, Some(value)) => value,
                _ => name,
            };
            Refusal::from(ErrorReply::new(ErrorCode::BadOption, error.to_string()).at(wrong.column))
        };
        let written = value.unwrap_or(name);
        let (option, value) = self.options.read(&name.text, value.map(|value| value.text.as_str())).map_err(at)?;
        if let OptionValue::Text(text) = &value {
            self.try_text_option(option, text).map_err(|refusal| refusal.at(written))?;
        }
        if option == OptionName::EndgameHash
            && let OptionValue::Number(megabytes) = value
        {
            let megabytes = usize::try_from(megabytes).unwrap_or(usize::MAX);
            let request = EndgameTableRequest { megabytes, memory: Arc::clone(&self.memory) };
            self.resources.done(ResourceRequest::EndgameTable(request)).map_err(|refusal| refusal.at(written))?;
        }
        self.options.set(option, value);
        self.is_lexicon_chosen |= option == OptionName::Lexicon;
        if option == OptionName::DataPath {
            // Names may mean other files now.
            self.resources = ResourceCache::default();
        }
        Ok(())
    }

    /// Loads the resource that a value names. If there is none, the value is refused, and the old one stays.
    fn try_text_option(&mut self, option: OptionName, text: &str) -> Result<(), Refusal> {
        match option {
            OptionName::DataPath => self.resources.done(ResourceRequest::DataPath(text.to_string()))?,
            OptionName::Lexicon => {
                let distribution = self.resources.distribution(self.options.letters(self.options.variant()))?;
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
                let distribution = self.resources.distribution(options.letters(options.variant()))?;
                let lexicon = self.lexicon(options.text(OptionName::Lexicon), &distribution)?;
                self.evaluator(&options, &lexicon, &distribution)?;
            }
            OptionName::Player => {
                let bad = |reason: String| Refusal::from(ErrorReply::new(ErrorCode::BadOption, reason));
                if let Some(player) = named_player(text).map_err(|refused| bad(refused.to_string()))? {
                    let tables = player.tables();
                    if tables.bag != AUTO || tables.racks != NONE {
                        return Err(bad(
                            "bag and racks are for matches only: leave them out, and the player uses the tables of Leaves".to_string()
                        ));
                    }
                    self.knowledge_by(&self.options_of(&player))?;
                }
            }
            OptionName::SimLog if text.is_empty() => self.sample_log = None,
            // This session already writes to the file.
            OptionName::SimLog if self.sample_log.is_some() && text == self.options.text(option) => {}
            OptionName::SimLog => {
                self.sample_log = Some(self.resources.sample_log(text)?);
            }
            OptionName::LogFile => {
                self.resources.done(ResourceRequest::LogFile(text.to_string()))?;
                (self.silent_log, self.is_log_hole_told) = (None, false);
            }
            // A number, a switch, or a word that names no data.
            _ => {}
        }
        Ok(())
    }

    /// `lexicons`, `layouts`, `distributions`: a line for each name, with its file.
    pub(super) fn list_names(&mut self, what: &str, request: NamesRequest) -> Result<(), Refusal> {
        let entries = self.resources.names(request)?;
        self.say(format!("{what}s {}", entries.len()));
        for CatalogEntry { name, place } in entries.iter() {
            let origin = place.as_ref().map_or("built-in".to_string(), |place| format!("file {place}"));
            // A name with blanks is a JSON string, so that readers find its end.
            let quoted = || serde_json::Value::from(name.as_str()).to_string();
            let name = if name.contains(char::is_whitespace) { quoted() } else { name.clone() };
            self.say(format!("{what} {name} {origin}"));
        }
        Ok(())
    }

    /// `help`: for all commands, or for one command, mode, parameter of `go`, or option.
    pub(super) fn help(&mut self, word: Option<&Word>) -> Result<(), Refusal> {
        let Some(word) = word else {
            HELP.iter().for_each(|line| self.say(*line));
            self.say("options: setoption name <Name> value <value>");
            options::offered(self.options.caps()).for_each(|row| self.say(self.option_line(&row)));
            return Ok(());
        };
        let command = CommandHelp::find(&word.text);
        if let Some(command) = command {
            command.lines.iter().for_each(|line| self.say(*line));
            if command.words.contains(&"go") {
                parameters::TABLE.iter().for_each(|parameter| self.say(format!("  {}", parameter.line())));
            }
        }
        let mode = CommandHelp::find_mode(&word.text);
        if let Some(mode) = mode {
            self.say("a mode of go:");
            mode.lines.iter().for_each(|line| self.say(*line));
        }
        let parameter = ParameterRow::find(&word.text);
        if let Some(parameter) = parameter {
            self.say("a parameter of go:");
            self.say(format!("  {}", parameter.line()));
        }
        let named = OptionSpecification::find(&word.text);
        let option = options::offered(self.options.caps()).find(|row| named.is_some_and(|named| named.option == row.option));
        if let Some(row) = option {
            self.say("an option:");
            self.say(self.option_line(&row));
            self.say(row.line());
        }
        if command.is_none() && mode.is_none() && parameter.is_none() && option.is_none() {
            let known = command_words().chain(go_words()).chain(options::offered(self.options.caps()).map(|row| row.name));
            let hint = did_you_mean(&word.text, known);
            let message = format!("{} is not a command, mode, parameter or option{hint}", shown(&word.text));
            return error_at(ErrorCode::UnknownCommand, word, message);
        }
        Ok(())
    }

    fn option_line(&self, row: &OptionSpecification) -> String {
        let value = match row.kind {
            OptionKind::Spin { .. } => self.options.number(row.option).to_string(),
            OptionKind::Check { .. } => self.options.is_on(row.option).to_string(),
            OptionKind::String { .. } | OptionKind::Combo { .. } => self.options.text(row.option).to_string(),
        };
        let value = if value.is_empty() { "<empty>" } else { &value };
        format!("  {} = {value}: {}", row.name, row.effect)
    }

    /// Notes that the log cannot be written to, or can be written to again. In between, the option has the value that it has without a
    /// file. The trouble is reported once for each file, since a disk may be full again and again.
    pub(super) fn note_log_trouble(&mut self, trouble: Option<&str>) {
        match trouble {
            Some(reason) if self.silent_log.is_none() => {
                let path = self.options.text(OptionName::LogFile).to_string();
                if !self.is_log_hole_told {
                    self.say(format!("LogFile {path}: {reason}: lines are missing in the log until it can be written to again"));
                }
                self.options.set(OptionName::LogFile, OptionValue::Text(String::new()));
                (self.silent_log, self.is_log_hole_told) = (Some(path), true);
            }
            Some(_) => {}
            None => {
                if let Some(path) = self.silent_log.take() {
                    self.options.set(OptionName::LogFile, OptionValue::Text(path));
                }
            }
        }
    }

    /// Reports at once that the samples can no longer be written. The option gets the value that it has without a file.
    pub(super) fn lose_sample_log(&mut self, reason: &str) {
        let path = self.options.text(OptionName::SimLog).to_string();
        self.say(format!("SimLog {path}: {reason}: no more samples are written"));
        self.sample_log = None;
        self.options.set(OptionName::SimLog, OptionValue::Text(String::new()));
    }
}
