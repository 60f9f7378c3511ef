//! `tilewright conform`: checks how an engine speaks SIU or UCGI, and whether its moves are right.
//!
//! Start with [`run`]. A check is added to the table `CHECKS` of its file, with
//! its name and demand; `tests/integration/conform.rs` needs an engine that fails it.

pub mod expectations;
pub mod probe;
pub mod handshake;
pub mod search;
pub mod known;

use crate::conform::expectations::OptionLine;
use crate::host::game_arguments::WordArguments;
use crate::host::output::LinePrinter;
use crate::processes::group::Warden;
use crate::tournament::configuration::EngineDialect;
use crate::tournament::dialogue::EngineLine;
use anyhow::{Result, bail, ensure};
use probe::{Check, CheckResult, CheckScope, CheckStart, CheckedEngine, Probe, Survey, Trouble};
use std::sync::Arc;
use std::time::Instant;

/// Lines of a transcript that a failure shows.
const SHOWN_LINES: usize = 14;

/// The end of the help text.
const TEACHING: &str = r#"Every check has a process of its own, so that one failure does not cause the next. It prints a line:

  PASS stop               bestmove 3 ms after stop
  FAIL useinference       without go infer, useinference is not reported as ignored
       > go sim movetime 300 useinference
       < info string provenance engine=x/1 leaves=none winpct=none lexicon=ENABLE
       ...
  SKIP go-peg             the engine does not declare peg

Lines with > were sent, lines with < came from the engine, lines with 2> are the last ones of its standard
error. SKIP means that the engine does not claim what is checked, or that its words are needed to judge it.
The exit status is 0 if nothing has failed, else 1.

Nothing waits for ever. An answer that needs no thinking may take ten seconds. A movetime may be overrun by half
a second, or by more if the engine takes long for any answer (the first process measures it), and only an
engine that is late three times in a row fails. --slow 3 multiplies all these times on a slow machine.

Words are judged by ENABLE, which is built in, if the engine reports that it uses it; --lexicon names another
list. If your engine must be set to it: --option Lexicon=ENABLE.

SIU is draft 0.2 of the open-protocols project. UCGI (June 2023) defines less, so some checks are for SIU alone,
and say why. What can be seen from moves is checked in both, by positions with known answers. Numbers after
a demand (--list) are sections of that draft; a demand without one is what a match runner relies on.

Examples: tilewright conform ./my_engine
          tilewright conform --check stop --check quit -- ./my_engine --threads 2
          tilewright conform --dialect ucgi --option Lexicon=ENABLE ./my_engine
"#;

/// How to talk to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ConformDialect {
    /// SIU, draft 0.2.
    Siu,
    /// UCGI.
    Ucgi,
}

/// Flags of `tilewright conform`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = TEACHING)]
pub struct ConformArguments {
    /// The engine and its arguments.
    #[arg(trailing_var_arg = true, required_unless_present = "list", value_name = "COMMAND")]
    pub command: Vec<String>,
    /// The protocol [default: siu is tried first, then ucgi].
    #[arg(long, value_enum)]
    pub dialect: Option<ConformDialect>,
    /// An option to set first; may be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Make only this check; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub check: Vec<String>,
    /// List the checks with their demands.
    #[arg(long)]
    pub list: bool,
    /// Multiply all times by this.
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    pub slow: f64,
    /// Print one JSON object per check instead of text: check, result, text, transcript, stderr.
    #[arg(long)]
    pub json: bool,
    /// Which words moves are judged by.
    #[command(flatten)]
    pub words: WordArguments,
}

/// All checks, in the order in which they are made.
pub fn all_checks() -> impl Iterator<Item = &'static Check> {
    [handshake::CHECKS, search::CHECKS, known::CHECKS].into_iter().flatten()
}

/// What a check found.
#[derive(Clone, Debug)]
struct Finding {
    result: CheckResult,
    transcript: Vec<String>,
    /// The last lines of the engine's standard error.
    stderr: Vec<String>,
}

impl Finding {
    /// The finding of a check for which no engine runs.
    fn without_engine(trouble: Trouble) -> Finding {
        Finding { result: Err(trouble), transcript: Vec::new(), stderr: Vec::new() }
    }
}

/// Runs the subcommand.
///
/// # Errors
/// Unknown checks, an engine that cannot be started, or, after all checks, that some have failed.
pub fn run(arguments: &ConformArguments, say: LinePrinter<'_>) -> Result<()> {
    if arguments.list {
        for check in all_checks() {
            let scope = if matches!(check.scope, CheckScope::Siu(_)) { "siu" } else { "" };
            say(&format!("{:<18} {scope:<4} {}", check.name, check.demand))?;
        }
        return Ok(());
    }
    let checks = chosen(&arguments.check)?;
    ensure!((0.1..=1000.0).contains(&arguments.slow), "--slow {}: expected a factor from 0.1 to 1000", arguments.slow);
    let options = arguments.option.iter().map(|text| option(text)).collect::<Result<Vec<_>>>()?;
    let game = arguments.words.open()?;
    let warden = Warden::start().ok().map(Arc::new);
    let unknown = CheckedEngine {
        command: &arguments.command,
        dialect: EngineDialect::Siu,
        options: &options,
        survey: &Survey::default(),
        slow: arguments.slow,
        rules: &game.rules,
        lexicon: game.lexicon(),
        warden: warden.as_ref(),
    };
    let (dialect, survey, greeting) = survey(arguments.dialect, unknown)?;
    let engine = CheckedEngine { dialect, survey: &survey, ..unknown };
    let mut counts = [0; 3];
    for check in checks {
        let finding = match &greeting {
            Some(text) => skipped_or(check, engine, text),
            None => make(check, engine),
        };
        counts[match &finding.result {
            Ok(_) => 0,
            Err(Trouble::Fail(_)) => 1,
            Err(Trouble::Skip(_)) => 2,
        }] += 1;
        tell(check, &finding, arguments.json, say)?;
    }
    let [passed, failed, skipped] = counts;
    if !arguments.json {
        say(&format!("conform passed {passed} failed {failed} skipped {skipped}"))?;
    }
    match failed {
        0 => Ok(()),
        1 => bail!("1 check failed"),
        failed => bail!("{failed} checks failed"),
    }
}

fn chosen(names: &[String]) -> Result<Vec<&'static Check>> {
    for name in names {
        ensure!(all_checks().any(|check| check.name == name), "there is no check {name:?}: --list names them all");
    }
    Ok(all_checks().filter(|check| names.is_empty() || names.iter().any(|name| name == check.name)).collect())
}

fn option(text: &str) -> Result<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !text.contains(char::is_control) => {
            Ok((name.trim().to_string(), value.to_string()))
        }
        _ => bail!("--option {text:?}: expected NAME=VALUE"),
    }
}

/// A first process: which protocol the engine speaks, what it reports about itself,
/// and how soon it answers. If it gives no handshake, the text says why.
fn survey(dialect: Option<ConformDialect>, unknown: CheckedEngine<'_>) -> Result<(EngineDialect, Survey, Option<String>)> {
    let dialects = match dialect {
        Some(ConformDialect::Siu) => vec![EngineDialect::Siu],
        Some(ConformDialect::Ucgi) => vec![EngineDialect::Ucgi],
        None => vec![EngineDialect::Siu, EngineDialect::Ucgi],
    };
    let mut why = String::new();
    for dialect in &dialects {
        let mut probe = match Probe::start(CheckedEngine { dialect: *dialect, ..unknown }) {
            Ok(probe) => probe,
            Err(Trouble::Fail(text) | Trouble::Skip(text)) => bail!("the engine cannot be started: {text}"),
        };
        probe.send(dialect.handshake().0);
        match probe.handshake_lines().map(|lines| surveyed(&mut probe, lines)) {
            Ok(survey) => return Ok((*dialect, survey, None)),
            Err(Trouble::Fail(text) | Trouble::Skip(text)) => why = text,
        }
    }
    Ok((dialects.first().copied().unwrap_or(EngineDialect::Siu), Survey::default(), Some(why)))
}

fn surveyed(probe: &mut Probe<'_>, lines: Vec<String>) -> Survey {
    let mut survey = Survey::default();
    for line in &lines {
        match EngineLine::read(line) {
            EngineLine::Capabilities(words) => survey.capabilities.extend(words.split_whitespace().map(String::from)),
            EngineLine::Option(_) => survey.options.extend(OptionLine::read(line)),
            _ => {}
        }
    }
    survey.lines = lines;
    // The first isready waits for what there is to load.
    let _ = probe.ready();
    let started = Instant::now();
    if probe.ready().is_ok() {
        survey.round_trip = started.elapsed();
    }
    survey
}

/// Without a handshake nothing can be checked but the handshake.
fn skipped_or(check: &Check, engine: CheckedEngine<'_>, why: &str) -> Finding {
    if check.start == CheckStart::Silent {
        return make(check, engine);
    }
    Finding::without_engine(Trouble::Skip(format!("no handshake: {why}")))
}

fn make(check: &Check, engine: CheckedEngine<'_>) -> Finding {
    if let CheckScope::Siu(why) = check.scope
        && !engine.is_siu()
    {
        return Finding::without_engine(Trouble::Skip(format!("for SIU alone: {why}")));
    }
    let mut probe = match Probe::start(engine) {
        Ok(probe) => probe,
        Err(trouble) => return Finding::without_engine(trouble),
    };
    let begun = if check.start == CheckStart::Ready { probe.introduce() } else { Ok(()) };
    let result = begun.and_then(|()| (check.run)(&mut probe));
    let stderr = probe.last_errors().unwrap_or_else(|error| vec![format!("2> cannot be read: {error}")]);
    Finding { result, transcript: probe.transcript().to_vec(), stderr }
}

fn tell(check: &Check, finding: &Finding, json: bool, say: LinePrinter<'_>) -> Result<()> {
    let (word, text) = match &finding.result {
        Ok(text) => ("PASS", text),
        Err(Trouble::Fail(text)) => ("FAIL", text),
        Err(Trouble::Skip(text)) => ("SKIP", text),
    };
    let from = finding.transcript.len().saturating_sub(SHOWN_LINES);
    let (shown, stderr): (&[String], &[String]) = if word == "FAIL" { (&finding.transcript[from..], &finding.stderr) } else { (&[], &[]) };
    if json {
        let object = serde_json::json!({
            "check": check.name, "result": word.to_lowercase(), "text": text, "transcript": shown, "stderr": stderr
        });
        return Ok(say(&object.to_string())?);
    }
    say(format!("{word} {:<18} {text}", check.name).trim_end())?;
    if word == "FAIL" {
        say(&format!("     demanded: {}", check.demand))?;
        if from > 0 {
            say(&format!("     ... {from} lines"))?;
        }
        for line in shown.iter().chain(stderr) {
            say(&format!("     {line}"))?;
        }
    }
    Ok(())
}
