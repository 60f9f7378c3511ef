//! Writes the manual pages and the shells' completions of the program, from the definition that its help texts come from. `scripts/release` packs them.
//!
//! `cargo run --release --example manual -- <folder>`
//!
//! The folder gets `man/` with a page for the program and one for each subcommand, and `completions/` with a file for each shell.

use clap::Command;
use clap_complete::Shell;
use clap_mangen::{Man, roff};
use roff::{Roff, bold, roman};
use std::error::Error;
use std::fs;
use std::path::Path;

/// The sections of the program's page that no help text has. An entry is a name with a text, or a text alone.
const SECTIONS: [(&str, &[(&str, &str)]); 5] = [
    (
        "EXAMPLES",
        &[
            ("tilewright", "A conversation: `help` tells the commands."),
            (
                "tilewright \"position startpos\" \"rack AEINRST\" \"go movetime 3000\"",
                "Rank the plays of an opening rack for three seconds.",
            ),
            ("tilewright board", "The board, in the browser."),
            ("tilewright analyse game.gcg --html game.html", "Show where a recorded game was won and lost."),
            ("tilewright match static greedy --pairs 100", "Compare two players."),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "All went well."),
            ("1", "A command was answered by an error, or something could not be done."),
            ("2", "The arguments are neither a subcommand nor commands of the protocol."),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            ("TILEWRIGHT_LOG", "What is logged: a level, or <part>=<level>, with commas between them."),
            (
                "TILEWRIGHT_CPU",
                "Where the program is there for several processors, the level to start, for example x86-64-v2, instead of the one that fits.",
            ),
            ("NO_COLOR", "If it is set and not empty, a terminal is written to without colours."),
            ("TERM", "If it is dumb, a terminal gets the lines of the protocol."),
            ("XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME", "Where the folders below are. A path that is not absolute is ignored."),
        ],
    ),
    (
        "FILES",
        &[
            ("~/.cache/tilewright/", "Word graphs of lists that were read as text. They can be removed at any time."),
            ("~/.config/tilewright/engines.toml", "The engines that the bridge may start."),
            ("~/.local/state/tilewright/", "The lines that were typed at a terminal, and the pages that may use the bridge."),
        ],
    ),
    ("LICENCE", &[("", "MIT or Apache-2.0, as you like. The built-in word list, ENABLE, is in the public domain.")]),
];

/// A command and all below it that are shown, each with the words that lead to it.
fn commands<'c>(command: &'c Command, before: &str) -> Vec<(String, &'c Command)> {
    let name = format!("{before}{}", command.get_name());
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    let below = below.flat_map(|below| commands(below, &format!("{name}-"))).collect::<Vec<_>>();
    [(name, command)].into_iter().chain(below).collect()
}

/// How far the text beside a list's names is from the left, at least.
const LIST: usize = 15;

/// The text after a help text: paragraphs, lists of names with a text beside them, and lines that stay as they are.
fn notes(text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["NOTES"]);
    for block in text.split("\n\n") {
        let lines = block.lines().filter(|line| !line.trim().is_empty()).map(|line| (line.len() - line.trim_start().len(), line.trim()));
        let lines: Vec<(usize, &str)> = lines.collect();
        let is_list = lines.iter().any(|(indent, line)| *indent >= LIST && !line.starts_with('#'));
        roff.control("PP", []);
        if !is_list && lines.iter().any(|(indent, _)| *indent > 0) {
            roff.control("nf", []);
            block.lines().for_each(|line| _ = roff.text([roman(line)]));
            roff.control("fi", []);
            continue;
        }
        let (mut was_in_list, mut name) = (false, String::new());
        for (at, (indent, line)) in lines.iter().enumerate() {
            // A name may need two lines. The second is indented.
            let goes_on = lines.get(at + 1).is_some_and(|(next, _)| (4..LIST).contains(next));
            match line.split_once("  ") {
                _ if *indent >= LIST => _ = roff.text([roman(*line)]),
                _ if (4..LIST).contains(indent) || (*indent > 0 && goes_on) => {
                    name += line;
                    if !goes_on {
                        roff.control("TP", []).text([bold(std::mem::take(&mut name))]);
                        was_in_list = true;
                    }
                }
                Some((short, beside)) => {
                    roff.control("TP", []).text([bold(short)]).text([roman(beside.trim())]);
                    was_in_list = true;
                }
                None if *indent > 0 => {
                    roff.control("TP", []).text([bold(*line)]);
                    was_in_list = true;
                }
                None => {
                    if std::mem::take(&mut was_in_list) {
                        roff.control("PP", []);
                    } else if is_list && at > 0 {
                        roff.control("br", []);
                    }
                    roff.text([roman(*line)]);
                }
            }
        }
    }
    roff
}

/// The page of a command.
fn page(name: &str, command: &Command, program: &Command) -> Result<Vec<u8>, Box<dyn Error>> {
    let version = program.get_version().ok_or("the program has a version")?;
    let mut shown = command.clone().display_name(name.to_string()).bin_name(name.replace('-', " ")).disable_help_subcommand(true);
    shown.build();
    let man = Man::new(shown.clone());
    // Without a date, which would change with every build.
    let mut page = format!(".TH {name} 1 \"\" \"tilewright {version}\" \"Tilewright\"\n").into_bytes();
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if shown.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if shown.get_subcommands().any(|below| !below.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(after) = shown.get_after_help() {
        notes(&after.to_string()).to_writer(&mut page)?;
    }
    if command.get_name() == program.get_name() {
        for (section, entries) in SECTIONS {
            let mut roff = Roff::new();
            roff.control("SH", [section]);
            for (term, text) in entries {
                if !term.is_empty() {
                    roff.control("TP", []).text([bold(*term)]);
                }
                roff.text([roman(*text)]);
            }
            roff.to_writer(&mut page)?;
        }
    } else {
        let above = name.rsplit_once('-').map_or(program.get_name(), |(above, _)| above);
        let mut roff = Roff::new();
        roff.control("SH", ["SEE ALSO"]).text([bold(above), roman("(1)")]);
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}

/// The program without the subcommands that it starts itself: shells would offer them.
fn for_shells(program: &Command) -> Command {
    let shown = Command::new(env!("CARGO_PKG_NAME")).version(env!("CARGO_PKG_VERSION"));
    let shown = shown.args(program.get_arguments().cloned()).disable_help_subcommand(true);
    shown.subcommands(program.get_subcommands().filter(|below| !below.is_hide_set()).cloned())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("where to? manual <folder>")?;
    let (pages, completions) = (Path::new(&folder).join("man"), Path::new(&folder).join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    let program = tilewright::cli::command();
    for (name, command) in commands(&program, "") {
        fs::write(pages.join(format!("{name}.1")), page(&name, command, &program)?)?;
    }
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut for_shells(&program), program.get_name(), &completions)?;
    }
    Ok(())
}
