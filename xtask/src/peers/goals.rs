//! The goals of the comparison with other harnesses.

use super::harness::Harness;
use super::rows::{PairRow, PeerRow};
use super::schedule::{EXPERIMENTS, LONGER};

/// The relative difference up to which two harnesses agree.
const AGREEMENT: f64 = 0.02;

/// The largest RMS error relative to the reference.
const ERROR: f64 = 0.01;

/// How many times as long criterion takes, at least.
const SPEED: f64 = 20.0;

/// The largest part of a peer's RMS error in the browser.
const BROWSER_ERROR: f64 = 0.5;

/// The minimum share of tries that detect a difference of 1%.
const DETECTION: f64 = 19.0 / 20.0;

/// A goal, and how often it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PeerGoal {
    pub(crate) text: &'static str,
    /// The number of cases that were measured.
    pub(crate) cases: usize,
    /// A sentence per case that misses the goal.
    pub(crate) misses: Vec<String>,
}

impl PeerGoal {
    fn new(text: &'static str, results: impl IntoIterator<Item = Result<(), String>>) -> Self {
        let results: Vec<_> = results.into_iter().collect();
        Self { text, cases: results.len(), misses: results.into_iter().filter_map(Result::err).collect() }
    }
}

/// All goals.
pub(crate) fn goals(rows: &[PeerRow], pairs: &[PairRow]) -> Vec<PeerGoal> {
    let rows: Vec<PeerRow> = rows.iter().filter(|row| !EXPERIMENTS.contains(&row.function.as_str())).cloned().collect();
    let functions: Vec<&[PeerRow]> = rows.chunk_by(|one, next| one.function == next.function).collect();
    let errors = rows.iter().filter_map(|row| match row.harness {
        Harness::BenchbookThird | Harness::BenchbookFourth => within_error(row),
        _ => None,
    });
    let found = pairs.iter().filter(|row| row.function == LONGER && row.harness == Harness::BenchbookPair);
    vec![
        PeerGoal::new(
            "where the medians of criterion and divan agree within 2%, Benchbook's at priority 4 agrees with both",
            functions.iter().filter_map(|rows| agreement(rows)),
        ),
        PeerGoal::new("Benchbook's RMS error is at most 1% of its reference, at priorities 3 and 4", errors),
        PeerGoal::new(
            "Benchbook reaches ±1% in a twentieth of criterion's wall time, with an RMS error no larger than criterion's",
            functions.iter().filter_map(|rows| speed(rows)),
        ),
        PeerGoal::new(
            "in the browser, Benchbook's RMS error is at most half of the better peer's in the same time",
            functions.iter().filter_map(|rows| browser_error(rows)),
        ),
        PeerGoal::new("Benchbook detects a difference of 1% in a second, in 19 of 20 tries", found.map(detection)),
    ]
}

fn of(rows: &[PeerRow], harness: Harness) -> Option<&PeerRow> {
    rows.iter().find(|row| row.harness == harness)
}

/// Absent if criterion and divan disagree, or a median is missing.
fn agreement(rows: &[PeerRow]) -> Option<Result<(), String>> {
    let median = |harness| of(rows, harness)?.median;
    let [criterion, divan] = [median(Harness::Criterion)?, median(Harness::Divan)?];
    if (criterion / divan - 1.0).abs() > AGREEMENT {
        return None;
    }
    let ours = median(Harness::BenchbookFourth)?;
    let [to_criterion, to_divan] = [criterion, divan].map(|other| ours / other - 1.0);
    let is_met = to_criterion.abs() <= AGREEMENT && to_divan.abs() <= AGREEMENT;
    let miss = || {
        let function = &rows[0].function;
        format!("`{function}`: {:+.1}% to criterion, {:+.1}% to divan", 100.0 * to_criterion, 100.0 * to_divan)
    };
    Some(is_met.then_some(()).ok_or_else(miss))
}

/// Absent until the reference is measured.
fn within_error(row: &PeerRow) -> Option<Result<(), String>> {
    let error = row.rms_error?;
    let miss = || format!("`{}`, {}: {:.2}%", row.function, row.harness.title(), 100.0 * error);
    Some((error <= ERROR).then_some(()).ok_or_else(miss))
}

/// Absent until both harnesses and their references are measured.
fn speed(rows: &[PeerRow]) -> Option<Result<(), String>> {
    let [ours, criterion] = [of(rows, Harness::BenchbookPercent)?, of(rows, Harness::Criterion)?];
    let (our_error, their_error) = ours.rms_error.zip(criterion.rms_error)?;
    let is_narrow = ours.half_width.is_some_and(|half_width| half_width <= ERROR);
    let is_met = ours.wall_seconds * SPEED <= criterion.wall_seconds && our_error <= their_error && is_narrow;
    let miss = || {
        let half_width = ours.half_width.map_or("no interval".to_owned(), |width| format!("±{:.2}%", 100.0 * width));
        format!(
            "`{}`: {half_width} in 1/{:.1} of the time, RMS error {:.2}% (criterion: {:.2}%)",
            ours.function,
            criterion.wall_seconds / ours.wall_seconds,
            100.0 * our_error,
            100.0 * their_error
        )
    };
    Some(is_met.then_some(()).ok_or_else(miss))
}

/// Absent until both peers, Benchbook in the time of the better one, and their references are measured.
fn browser_error(rows: &[PeerRow]) -> Option<Result<(), String>> {
    let error = |harness| of(rows, harness)?.rms_error;
    let [tinybench, mitata] = [error(Harness::Tinybench)?, error(Harness::Mitata)?];
    let (peer, theirs, equal_time) = if tinybench < mitata {
        (Harness::Tinybench, tinybench, Harness::BrowserTinybenchTime)
    } else {
        (Harness::Mitata, mitata, Harness::BrowserMitataTime)
    };
    let ours = error(equal_time)?;
    let miss = || {
        let ([ours, theirs], peer) = ([100.0 * ours, 100.0 * theirs], peer.title());
        format!("`{}`: {ours:.2}%, {peer}: {theirs:.2}%", rows[0].function)
    };
    Some((ours <= BROWSER_ERROR * theirs).then_some(()).ok_or_else(miss))
}

fn detection(row: &PairRow) -> Result<(), String> {
    let is_met = row.slower as f64 >= DETECTION * row.tries as f64;
    is_met.then_some(()).ok_or_else(|| format!("{} of {}", row.slower, row.tries))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(harness: Harness, median: f64, wall_seconds: f64, rms_error: f64) -> PeerRow {
        let (function, half_width) = ("mix".to_owned(), Some(0.01));
        let (median, rms_error) = (Some(median), Some(rms_error));
        PeerRow {
            function,
            harness,
            estimate: 1.0,
            median,
            half_width,
            wall_seconds,
            rms_error,
            median_rms_error: None,
            coverage: None,
            another_day: None,
            another_day_coverage: None,
        }
    }

    /// Benchbook at priority 4 and to ±1%, criterion and divan, and those in the browser; all goals are met.
    fn rows() -> [PeerRow; 8] {
        [
            row(Harness::BenchbookFourth, 101.0, 7.5, 0.01),
            row(Harness::BenchbookPercent, 101.0, 0.5, 0.02),
            row(Harness::Criterion, 100.0, 10.0, 0.02),
            row(Harness::Divan, 102.0, 0.1, 0.2),
            row(Harness::BrowserTinybenchTime, 101.0, 1.25, 0.04),
            row(Harness::Tinybench, 101.0, 1.25, 0.03),
            row(Harness::BrowserMitataTime, 101.0, 0.642, 0.01),
            row(Harness::Mitata, 101.0, 0.642, 0.02),
        ]
    }

    fn pair(slower: usize) -> PairRow {
        let (function, harness) = (LONGER.to_owned(), Harness::BenchbookPair);
        PairRow { function, harness, ratio: 1.01, half_width: None, slower, faster: 0, tries: 20, wall_seconds: 1.0 }
    }

    /// The number of cases and of misses of each goal, after a change.
    fn outcome(change: impl FnOnce(&mut [PeerRow; 8]), slower: usize) -> Vec<(usize, usize)> {
        let mut rows = rows();
        change(&mut rows);
        goals(&rows, &[pair(slower)]).iter().map(|goal| (goal.cases, goal.misses.len())).collect()
    }

    #[test]
    fn goals_are_met_at_their_bounds() {
        assert_eq!(outcome(|_| {}, 19), [(1, 0); 5]);
    }

    #[test]
    fn experiments_count_for_no_goal() {
        let of_experiment =
            |rows: &mut [PeerRow; 8]| rows.iter_mut().for_each(|row| row.function = "identity".to_owned());
        assert_eq!(outcome(of_experiment, 19), [(0, 0), (0, 0), (0, 0), (0, 0), (1, 0)]);
    }

    #[test]
    fn each_goal_can_be_missed() {
        assert_eq!(outcome(|rows| rows[0].median = Some(99.0), 19)[0], (1, 1));
        assert_eq!(outcome(|rows| rows[3].median = Some(103.0), 19)[0], (0, 0), "criterion and divan disagree");
        assert_eq!(outcome(|rows| rows[0].rms_error = Some(0.011), 19)[1], (1, 1));
        assert_eq!(outcome(|rows| rows[1].wall_seconds = 0.51, 19)[2], (1, 1));
        assert_eq!(outcome(|rows| rows[1].rms_error = Some(0.021), 19)[2], (1, 1));
        assert_eq!(outcome(|rows| rows[1].half_width = Some(0.011), 19)[2], (1, 1));
        assert_eq!(outcome(|rows| rows[1].half_width = None, 19)[2], (1, 1));
        assert_eq!(outcome(|rows| rows[6].rms_error = Some(0.011), 19)[3], (1, 1));
        assert_eq!(outcome(|rows| rows[5].rms_error = Some(0.019), 19)[3], (1, 1), "tinybench is better");
        assert_eq!(outcome(|rows| rows[7].rms_error = None, 19)[3], (0, 0), "mitata has no reference yet");
        assert_eq!(outcome(|_| {}, 18)[4], (1, 1));
    }
}
