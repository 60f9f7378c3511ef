//! `tilewright sprt`: evaluates a sequential test on five counts, without a match.
//!
//! The formulas are in `match_play/sprt.rs`. Start with [`run`].

use crate::host::output::LinePrinter;
use crate::match_play::sprt::{Hypotheses, MIN_DIVERGENT, Measure, Sprt, Verdict, elo_log_likelihood_ratio, normalised_elo};
use crate::match_play::statistics::CONFIDENCE_95;
use anyhow::{Result, ensure};

/// The end of the help text.
const TEACHING: &str = r#"A pair is two games on the same tiles with the seats swapped. The five counts are the pairs in which
the first player has 0, 1/2, 1, 1 1/2 and 2 points (a tie is half a point), as other match runners print
them: LL, LD, WL and DD together, WD, WW. `tilewright match` and `tilewright tournament` make the same
test of their own pairs.

--test elo:H0,H1   two hypotheses: the first player's normalised Elo is at most H0, or at least H1. 347.4
                   normalised Elo are one standard deviation of a game. Whatever the share of ties, the
                   same number of pairs decides a test.
--alpha, --beta    how often the test may accept H1 although H0 holds, and H0 although H1 holds.

The log-likelihood ratio compares the results under H1 and H0, each with the distribution of the five
results that fits best. H1 is accepted above the upper bound, ln((1-beta)/alpha), and H0 below the lower
bound, ln(beta/(1-alpha)). Between the bounds, play goes on. Counts of 0 are taken as 0.001, so that
one-sided results also have a ratio. The bounds hold for a test that is evaluated after each pair and
stops at the first bound that it crosses. The ratios agree with fishtest, fastchess and OpenBench for the
same counts. Unlike theirs, a match of this program does not stop before 30 pairs differ, since fewer
do not show how much the results vary.

The last line is for scripts: sprt llr <x> low <x> high <x> verdict <h0|h1|undecided>

Example: tilewright sprt 379 10170 21828 10640 343 --test elo:0,2
"#;

/// Flags of `tilewright sprt`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = TEACHING)]
pub struct SprtArguments {
    /// Pairs with 0, 1/2, 1, 1 1/2 and 2 points.
    #[arg(num_args = 5, required = true, value_names = ["0", "1/2", "1", "3/2", "2"], value_parser = clap::value_parser!(u64).range(..=1_000_000_000_000))]
    pub counts: Vec<u64>,
    /// The two hypotheses in normalised Elo: elo:H0,H1.
    #[arg(long, default_value = "elo:0,10", allow_hyphen_values = true)]
    pub test: Hypotheses,
    /// Chance of accepting H1 although H0 holds.
    #[arg(long, default_value_t = 0.05)]
    pub alpha: f64,
    /// Chance of accepting H0 although H1 holds.
    #[arg(long, default_value_t = 0.05)]
    pub beta: f64,
}

/// Runs the subcommand.
///
/// # Errors
/// Five counts cannot decide the test, a chance of error is out of range, or stdout cannot be written to.
pub fn run(arguments: &SprtArguments, say: LinePrinter<'_>) -> Result<()> {
    let SprtArguments { counts, test: hypotheses, alpha, beta } = arguments.clone();
    ensure!(hypotheses.measure == Measure::Elo, "--test {hypotheses}: five counts can only test elo:H0,H1");
    for (flag, chance) in [("alpha", alpha), ("beta", beta)] {
        ensure!((1e-6..0.5).contains(&chance), "--{flag} {chance}: expected a chance above 0 and below 0.5");
    }
    let pentanomial: [u64; 5] = std::array::from_fn(|at| counts.get(at).copied().unwrap_or(0));
    for line in lines(&Sprt { hypotheses, alpha, beta }, &pentanomial) {
        say(&line)?;
    }
    Ok(())
}

fn lines(sprt: &Sprt, pentanomial: &[u64; 5]) -> Vec<String> {
    let pairs: u64 = pentanomial.iter().sum();
    let halves: u64 = pentanomial.iter().zip(0..).map(|(count, halves)| count * halves).sum();
    let mut lines = vec![format!("pairs {pairs}: {pentanomial:?} with 0, 1/2, 1, 1 1/2, 2 points")];
    if pairs > 0 {
        let (elo, error) = normalised_elo(pentanomial);
        let reach = CONFIDENCE_95 * error;
        lines.push(format!("points: {:.3} % of all", 25.0 * halves as f64 / pairs as f64));
        // Without variance, normalised Elo is not defined.
        lines.push(match pentanomial.iter().filter(|count| **count > 0).count() {
            1 => "normalised Elo: unknown, since all pairs have the same result".to_string(),
            _ => format!("normalised Elo: {elo:.2} +- {reach:.2} ({:.2} to {:.2} with 95 % confidence)", elo - reach, elo + reach),
        });
    }
    let Hypotheses { h0, h1, .. } = sprt.hypotheses;
    let ratio = elo_log_likelihood_ratio(pentanomial, h0, h1);
    let (low, high) = sprt.bounds();
    let (verdict, word) = match sprt.verdict_on(ratio) {
        Verdict::Undecided => ("undecided".to_string(), "undecided"),
        Verdict::H0 => (format!("H0 is accepted: at most {h0} normalised Elo"), "h0"),
        Verdict::H1 => (format!("H1 is accepted: at least {h1} normalised Elo"), "h1"),
    };
    lines.push(format!("test {}, alpha {}, beta {}", sprt.hypotheses, sprt.alpha, sprt.beta));
    lines.push(format!("log-likelihood ratio {ratio:.4}, bounds {low:.4} and {high:.4}: {verdict}"));
    if pairs < MIN_DIVERGENT {
        lines.push(format!("fewer than {MIN_DIVERGENT} pairs do not show the variance well enough: a match would go on"));
    }
    lines.push(format!("sprt llr {ratio:.4} low {low:.4} high {high:.4} verdict {word}"));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_line(pentanomial: [u64; 5], test: &str) -> String {
        let sprt = Sprt { hypotheses: test.parse().unwrap(), alpha: 0.05, beta: 0.05 };
        lines(&sprt, &pentanomial).pop().unwrap()
    }

    #[test]
    fn published_results() {
        let sprt = Sprt { hypotheses: "elo:0,2".parse().unwrap(), alpha: 0.05, beta: 0.05 };
        let lines = lines(&sprt, &[379, 10170, 21828, 10640, 343]);
        // The figures that the match runner fastchess prints for the same counts.
        assert!(lines[2].starts_with("normalised Elo: 3.05 +- 2.31 ("), "{}", lines[2]);
        assert!(lines.last().unwrap().starts_with("sprt llr 2.945"), "{lines:?}");
        assert!(lines.last().unwrap().ends_with(" verdict h1"), "{lines:?}");
    }

    #[test]
    fn one_sided_and_empty_results_have_a_verdict() {
        assert!(last_line([1_000, 0, 0, 0, 0], "elo:0,5").ends_with(" verdict h0"));
        assert!(last_line([0, 0, 0, 0, 1_000], "elo:0,5").ends_with(" verdict h1"));
        assert!(last_line([0; 5], "elo:0,5").ends_with(" verdict undecided"));
        assert!(last_line([0, 0, 1_000_000_000, 0, 0], "elo:-5,0").ends_with(" verdict h1"));
    }
}
