//! Reports of games for the board: runs `tilewright analyse` on a game that the page sends.
//!
//! | request | answer |
//! |---|---|
//! | `POST /report` with the secret of the run, a line of settings and a GCG | 200 with the report's id; 401, 400 |
//! | `GET /report/<id>` | 202 with the seconds so far; then 200 with the report, or 422 with the reason why there is none; 404 |
//!
//! One report is made at a time: a new one ends the one before. The id is as long as the secret, since anybody who has it can read the game.
//! A report is shown without the rights of the board's page (`sandbox`), so a name in a game cannot use them. Start with [`ReportDesk`].

use crate::engine::resource::ByteSource;
use crate::host::resources::Folders;
use crate::host::{input_file, private_files};
use crate::lexicon::BUILTIN_NAME;
use crate::processes::group::{ProcessGroup, Warden, this_program_again};
use crate::rules::{LetterDistribution, Variant};
use crate::web::secret::{SecretHash, Token};
use anyhow::{Context, Result, bail, ensure};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path as UrlPath, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The path of reports.
pub const REPORT_PATH: &str = "/report";

/// Bytes of the longest game that is taken.
const LONGEST_GAME: usize = 1 << 20;

/// Reports that are kept, and the bytes of the longest one.
const MOST_KEPT: usize = 4;
const LONGEST_REPORT: u64 = 16 << 20;

/// At most this many lines of an error are sent to the page.
const LINES_TOLD: usize = 3;

/// A report may run its own scripts, without the rights of the page that it comes from.
const REPORT_POLICY: &str =
    "sandbox allow-scripts; default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The settings that a page sends with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ReportSettings {
    movetime_ms: u64,
    lexicon: String,
    letters: String,
    layout: String,
    variant: Variant,
}

/// Takes the requests for reports.
pub struct ReportDesk {
    /// The secret of the run.
    pub secret: SecretHash,
    /// The threads of an analysis.
    pub threads: u32,
    /// Folders with lexicons and tables, as in `DataPath`.
    pub data_path: String,
    /// What ends an analysis if this process is killed.
    pub warden: Arc<Warden>,
    /// The reports, the newest last.
    pub reports: Mutex<VecDeque<BoardReport>>,
}

/// A report that was asked for.
pub struct BoardReport {
    id: String,
    progress: ReportProgress,
}

enum ReportProgress {
    Running(RunningAnalysis),
    Done(String),
    Failed(String),
}

/// A process with its folder. It is killed when this is dropped.
struct RunningAnalysis {
    process: ProcessGroup,
    folder: TempDir,
    began: Instant,
}

/// The paths of the reports.
pub fn routes(desk: ReportDesk) -> Router {
    Router::new()
        .route(REPORT_PATH, post(begin))
        .route("/report/{id}", get(look))
        .layer(DefaultBodyLimit::max(LONGEST_GAME))
        .with_state(Arc::new(desk))
}

async fn begin(State(desk): State<Arc<ReportDesk>>, headers: HeaderMap, body: String) -> Response {
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| value.strip_prefix("Bearer "));
    // Guesses need not be slowed down: the secret has 256 random bits.
    if !shown.is_some_and(|secret| desk.secret.is_of(secret)) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    match desk.begin(&body) {
        Ok(id) => id.into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error:#}")).into_response(),
    }
}

async fn look(State(desk): State<Arc<ReportDesk>>, UrlPath(id): UrlPath<String>) -> Response {
    let mut reports = desk.reports.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(report) = reports.iter_mut().find(|report| report.id == id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    report.progress.look();
    match &report.progress {
        ReportProgress::Running(analysis) => (StatusCode::ACCEPTED, analysis.began.elapsed().as_secs().to_string()).into_response(),
        ReportProgress::Failed(why) => (StatusCode::UNPROCESSABLE_ENTITY, why.clone()).into_response(),
        ReportProgress::Done(page) => {
            let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, REPORT_POLICY)];
            (headers, page.clone()).into_response()
        }
    }
}

impl ReportDesk {
    /// Begins a report: the first line has its settings, the rest is the game. Returns its id.
    fn begin(&self, body: &str) -> Result<String> {
        let (first, game) = body.split_once('\n').context("expected a line of settings, then a game")?;
        let settings = ReportSettings::read(first)?;
        let id = Token::generate()?.as_str().to_string();
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports.retain(|report| !matches!(report.progress, ReportProgress::Running(_)));
        while reports.len() >= MOST_KEPT {
            reports.pop_front();
        }
        let progress = ReportProgress::Running(self.start(&settings, game)?);
        reports.push_back(BoardReport { id: id.clone(), progress });
        Ok(id)
    }

    /// Starts the analysis in a folder of its own, so that a name leads to no other file.
    fn start(&self, settings: &ReportSettings, game: &str) -> Result<RunningAnalysis> {
        let folder = private_files::folder("tilewright-report-").context("cannot make a folder")?;
        private_files::write(&folder, "game.gcg", game).context("cannot write the game")?;
        let errors = private_files::create(&folder, "errors").context("cannot make a file for errors")?;
        let mut command = this_program_again()?;
        command.args(["analyse", "game.gcg", "--html=report.html"]);
        command.arg(format!("--movetime={}", settings.movetime_ms)).arg(format!("--threads={}", self.threads));
        command.arg(format!("--variant={}", settings.variant));
        command.args(self.table_flags(settings)?);
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        let process = ProcessGroup::start(&mut command, Some(Arc::clone(&self.warden))).context("cannot start the analysis")?;
        Ok(RunningAnalysis { process, folder, began: Instant::now() })
    }

    /// Words, letters and board: built-in ones by their names, others by their files, which must be in the data path.
    fn table_flags(&self, settings: &ReportSettings) -> Result<Vec<String>> {
        let folders = Folders::of_data_path(&self.data_path);
        let file = |name: &str, extensions: &[&str]| -> Option<PathBuf> { std::path::absolute(folders.find(name, extensions)?).ok() };
        let mut flags = Vec::new();
        if !settings.lexicon.eq_ignore_ascii_case(BUILTIN_NAME) {
            let found = file(&settings.lexicon, &["kwg", "txt"]).with_context(|| format!("there is no lexicon {}", settings.lexicon))?;
            flags.push(format!("--lexicon={}", found.display()));
        }
        let letters = match LetterDistribution::built_in(&settings.letters) {
            Some(_) => None,
            None => file(&settings.letters, &["csv"]),
        };
        for (flag, name, found) in [("letters", &settings.letters, letters), ("layout", &settings.layout, file(&settings.layout, &["txt"]))]
        {
            flags.push(format!("--{flag}={}", found.map_or(name.clone(), |path| path.display().to_string())));
        }
        Ok(flags)
    }
}

impl ReportProgress {
    /// Takes the report of an analysis that has ended.
    fn look(&mut self) {
        let ReportProgress::Running(analysis) = self else { return };
        if !analysis.process.has_ended() {
            return;
        }
        let ended = analysis.process.end().map_err(anyhow::Error::from).and_then(|status| analysis.page(status));
        *self = match ended {
            Ok(page) => ReportProgress::Done(page),
            Err(error) => ReportProgress::Failed(format!("{error:#}")),
        };
    }
}

impl RunningAnalysis {
    fn page(&self, status: ExitStatus) -> Result<String> {
        let path = self.folder.path().join("report.html");
        if !status.success() {
            let errors = input_file::read_text(&self.folder.path().join("errors"), LONGEST_REPORT).unwrap_or_default();
            let lines: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).take(LINES_TOLD).collect();
            bail!("{}", if lines.is_empty() { status.to_string() } else { lines.join("; ") });
        }
        input_file::read_text(&path, LONGEST_REPORT).context("no report was written")
    }
}

impl ReportSettings {
    /// Reads `movetime <ms> lexicon <name> letters <name> layout <name> variant <name>`.
    fn read(line: &str) -> Result<ReportSettings> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["movetime", movetime, "lexicon", lexicon, "letters", letters, "layout", layout, "variant", variant] = words[..] else {
            bail!("expected movetime <ms> lexicon <name> letters <name> layout <name> variant <name>");
        };
        let longest = Duration::from_secs(60).as_millis() as u64;
        let movetime_ms = movetime.parse().ok().filter(|ms| (1..=longest).contains(ms));
        let movetime_ms = movetime_ms.with_context(|| format!("movetime {movetime}: expected 1 to {longest}"))?;
        for name in [lexicon, letters, layout] {
            // No paths, and nothing that could be a flag.
            let is_name = name.starts_with(char::is_alphanumeric) && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
            ensure!(is_name, "{name:?} is not a name");
        }
        let variant = Variant::from_name(variant).with_context(|| format!("variant {variant}: expected {}", Variant::NAMES))?;
        let name = str::to_string;
        Ok(ReportSettings { movetime_ms, lexicon: name(lexicon), letters: name(letters), layout: name(layout), variant })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_names_and_nothing_else() {
        let read_variant = |lexicon: &str, movetime: &str, variant: &str| {
            ReportSettings::read(&format!("movetime {movetime} lexicon {lexicon} letters english layout standard15 variant {variant}"))
        };
        let read = |lexicon: &str, movetime: &str| read_variant(lexicon, movetime, "classic");
        assert_eq!(read_variant("ENABLE", "500", "crossplay").unwrap().variant, Variant::Crossplay);
        assert!(read_variant("ENABLE", "500", "chess").is_err());
        let settings = read("CSW-24_x", "500").unwrap();
        assert_eq!((settings.movetime_ms, settings.lexicon.as_str()), (500, "CSW-24_x"));
        for lexicon in ["../x", "/etc/passwd", "a.txt", "-x", "--html", "a b", "a\\b"] {
            assert!(read(lexicon, "500").is_err(), "{lexicon}");
        }
        for movetime in ["0", "60001", "x", "-1"] {
            assert!(read("ENABLE", movetime).is_err(), "{movetime}");
        }
        assert!(ReportSettings::read("").is_err());
    }
}
