//! The output of subcommands: results on stdout, and the progress of long runs on stderr, as a line that is redrawn on a terminal, or a
//! line a minute elsewhere. Also errors in readable form.
//!
//! Not here: the protocol server, which has a writer of its own.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Prints a line of the results of a subcommand: [`line()`], or a test that collects them.
pub type LinePrinter<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

/// An error with its causes, `what: why`. A cause that the text already contains is not repeated.
pub fn error_text(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        said if said.ends_with(&cause) => text,
        said => format!("{said}: {cause}"),
    })
}

/// Prints a line.
///
/// # Errors
/// Stdout cannot be written to.
pub fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Flushes stdout. If stdout is gone, there is nowhere to report that.
pub fn flush() {
    let _ = io::stdout().flush();
}

/// The time between two updates of a line on a terminal.
const DRAW_EVERY: Duration = Duration::from_millis(500);

/// The time between two lines in a log.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// The line on a terminal, with the unit for each `#`. In a log it is [`log_line`], which reads the same. A table may follow.
const TEMPLATE: &str = "# {pos} of {len}, {rate} #/s, {eta} left{wide_msg}{prefix}";

/// Prints a line on stderr.
pub fn say_aside(text: &str) {
    // Where stderr cannot be written to, the run goes on in silence.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Progress such as `games 12000 of 1000000, 521 games/s, 31 min left`. The line is removed from a terminal when this is dropped.
#[derive(Debug)]
pub struct RunProgress {
    unit: &'static str,
    started: Instant,
    first: u64,
    last: u64,
    /// When progress was last reported, or the start.
    told: Instant,
    /// Hidden where stderr is not a terminal.
    bar: ProgressBar,
}

impl RunProgress {
    /// A run from `first` to `last`, counted in `unit`s.
    pub fn new(unit: &'static str, first: u64, last: u64) -> RunProgress {
        let bar = ProgressBar::new(last).with_position(first).with_style(style(unit));
        // The rate is that of this run alone, without the work of an earlier one.
        bar.reset_eta();
        let now = Instant::now();
        RunProgress { unit, started: now, first, last, told: now, bar }
    }

    /// Reports the progress of the run, unless it was reported a moment ago.
    /// The end of the run is always reported.
    pub fn tell(&mut self, done: u64) {
        self.tell_with(done, String::new);
    }

    /// Reports progress with details after the time left. `details` is called only if a line is
    /// written.
    pub fn tell_with(&mut self, done: u64, details: impl FnOnce() -> String) {
        self.tell_table(done, || (details(), Vec::new()));
    }

    /// Reports progress with details and a table below, one text per row. Logs do without the table.
    pub fn tell_table(&mut self, done: u64, details: impl FnOnce() -> (String, Vec<String>)) {
        let every = if self.bar.is_hidden() { LOG_EVERY } else { DRAW_EVERY };
        if done < self.last && self.told.elapsed() < every {
            return;
        }
        self.told = Instant::now();
        let (details, rows) = details();
        if self.bar.is_hidden() {
            say_aside(&log_line(self.unit, done, self.last, done - self.first, self.started.elapsed(), &details));
        } else {
            self.bar.set_message(details);
            self.bar.set_prefix(rows.iter().flat_map(|row| ["\n", row]).collect::<String>());
            self.bar.set_position(done);
        }
    }
}

impl Drop for RunProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(unit: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(&TEMPLATE.replace('#', unit)).expect("a test reads the template");
    // Without the four decimals of `per_sec`.
    style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        // Writing to a string does not fail.
        let _ = out.write_str(&rate(state.per_sec()));
    })
}

fn rate(per_second: f64) -> String {
    if per_second < 10.0 { format!("{per_second:.1}") } else { format!("{per_second:.0}") }
}

/// A line of a log. `now` counts what this run has done.
fn log_line(unit: &str, done: u64, last: u64, now: u64, elapsed: Duration, details: &str) -> String {
    let per_second = now as f64 / elapsed.as_secs_f64().max(1e-3);
    let left = (last - done) as f64 / per_second.max(1e-3);
    let left = match left {
        ..90.0 => format!("{left:.0} s"),
        90.0..5400.0 => format!("{:.0} min", left / 60.0),
        _ => format!("{:.1} h", left / 3600.0),
    };
    format!("{unit} {done} of {last}, {} {unit}/s, {left} left{details}", rate(per_second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context, anyhow};

    #[test]
    fn causes_are_said_once() {
        let told = |error: anyhow::Error| error_text(&error);
        assert_eq!(told(anyhow!("no room")), "no room");
        assert_eq!(told(Err::<(), _>(anyhow!("no room")).context("x.txt").unwrap_err()), "x.txt: no room");
        assert_eq!(told(Err::<(), _>(anyhow!("no room")).context("x.txt: no room").unwrap_err()), "x.txt: no room");
    }

    #[test]
    fn progress_is_told_with_speed_and_time_left() {
        let line = |games, played, seconds| log_line("games", games, 1_000_000, played, Duration::from_secs(seconds), "");
        assert_eq!(line(4000, 4000, 8), "games 4000 of 1000000, 500 games/s, 33 min left");
        assert_eq!(line(990_000, 1000, 2), "games 990000 of 1000000, 500 games/s, 20 s left");
        assert_eq!(line(0, 100, 1), "games 0 of 1000000, 100 games/s, 2.8 h left");
        assert_eq!(log_line("pairs", 5, 9, 5, Duration::from_secs(1), ", even"), "pairs 5 of 9, 5.0 pairs/s, 1 s left, even");
    }

    #[test]
    fn the_template_of_the_terminal_is_understood() {
        let bar = ProgressBar::hidden().with_style(style("games"));
        bar.set_position(3);
        assert_eq!(bar.position(), 3);
    }
}
