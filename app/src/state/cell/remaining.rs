//! The estimated remaining time of a measurement run.
//!
//! The estimate is the time that the qualities grant to the remaining points, multiplied by the pace of the run: the ratio of the time
//! that its completed points took to the time that they were granted. The pace is that of all priorities so far, as if a tenth of the
//! run had taken exactly its granted time before: no single point changes the estimate much, and a new priority doesn't reset it. Between
//! two completed points, the estimate counts down.
//!
//! The time that is shown follows the estimate down at once, but up only if the estimate exceeds it by a fifth: the digits that are shown
//! deserve no more.

use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::request::Plan;

/// The share of the run's granted time that counts as measured at exactly the granted pace. At a tenth, the last priority, which has most
/// of the time, soon outweighs it.
const PRIOR_SHARE: f64 = 0.1;

/// How many times its granted time a point counts at most: with slow calls, the short points of the first priority exceed theirs
/// by far more than later ones.
const MAX_RATIO: f64 = 4.0;

/// The ratio of the estimate to the shown time above which the shown time goes up.
const RISE: f64 = 1.2;

/// What a priority is granted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grant {
    /// The points of all functions.
    points: usize,
    /// The time per point, in milliseconds.
    point_ms: f64,
}

impl Grant {
    /// The grants of all priorities of a plan. `own_ms`: the user's time per point of the last priority, if there is one.
    pub(crate) fn of_plan(plan: &Plan, qualities: &Qualities, own_ms: Option<f64>) -> Vec<Self> {
        let request = plan.request();
        let of_priority = |priority: Priority| {
            let quality = qualities.of(priority);
            let points = plan.axis_values(quality.points).len() * request.functions.len();
            let point_ms = own_ms.filter(|_| priority == Priority::LAST).unwrap_or(quality.point_ms);
            // First calls may take as long as the steady state. In a browser, the first priority has none.
            let parts = if request.first_calls && priority > Priority::FIRST { 2.0 } else { 1.0 };
            Self { points, point_ms: parts * point_ms }
        };
        Priority::all().map(of_priority).collect()
    }

    fn ms(&self) -> f64 {
        self.points as f64 * self.point_ms
    }
}

/// The estimate of a run. It reads no clock.
#[derive(Clone, Debug)]
pub(crate) struct RemainingTime {
    /// What each priority is granted.
    grants: Vec<Grant>,
    /// The number of functions, whose points are completed together.
    functions: usize,
    /// The granted time of the completed points, in milliseconds, including the part that counts in advance.
    granted_ms: f64,
    /// The time that they took, in milliseconds.
    spent_ms: f64,
    current: CurrentPriority,
    /// The time that is shown, in milliseconds; `None` before the first priority.
    shown_ms: Option<f64>,
}

/// The priority in progress.
#[derive(Clone, Copy, Debug)]
struct CurrentPriority {
    grant: Grant,
    /// The granted time of everything after it, in milliseconds.
    later_ms: f64,
    /// The completed points; `None` before the first progress, whose points were stored before.
    done: Option<usize>,
    /// When the last point was completed, in milliseconds since the start of the priority.
    completed_ms: f64,
}

impl RemainingTime {
    /// The estimate of a run that has not started.
    pub(crate) fn new(grants: Vec<Grant>, functions: usize) -> Self {
        let prior_ms = PRIOR_SHARE * grants.iter().map(Grant::ms).sum::<f64>();
        let grant = Grant { points: 0, point_ms: 0.0 };
        let current = CurrentPriority { grant, later_ms: 0.0, done: None, completed_ms: 0.0 };
        Self { grants, functions, granted_ms: prior_ms, spent_ms: prior_ms, current, shown_ms: None }
    }

    /// A priority starts. Returns the time to show, in milliseconds. `next_here`: the priority with which this browser continues after the
    /// runner's last one.
    pub(crate) fn start(&mut self, priority: Priority, next_here: Option<Priority>) -> f64 {
        let index = |priority: Priority| usize::from(priority.number()) - 1;
        let from = |index: usize| self.grants.iter().skip(index).map(Grant::ms).sum::<f64>();
        self.current = CurrentPriority {
            grant: self.grants[index(priority)],
            later_ms: from(index(priority) + 1) + next_here.map_or(0.0, |next| from(index(next))),
            done: None,
            completed_ms: 0.0,
        };
        self.show(0.0)
    }

    /// The priority progressed. Returns the time to show, in milliseconds. `elapsed_ms`: since its start, without pauses.
    pub(crate) fn progress(&mut self, done: usize, total: usize, elapsed_ms: f64) -> f64 {
        // A runner's qualities may differ from this page's.
        self.current.grant.points = total;
        let before = *self.current.done.get_or_insert(done);
        if done > before {
            let granted_ms = (done - before) as f64 * self.current.grant.point_ms;
            self.granted_ms += granted_ms;
            self.spent_ms += (elapsed_ms - self.current.completed_ms).clamp(0.0, MAX_RATIO * granted_ms);
            (self.current.done, self.current.completed_ms) = (Some(done), elapsed_ms);
        }
        self.show(elapsed_ms - self.current.completed_ms)
    }

    /// The time to show, in milliseconds. `since_ms`: since the last completed point.
    fn show(&mut self, since_ms: f64) -> f64 {
        let CurrentPriority { grant, later_ms, done, .. } = self.current;
        let pace = self.spent_ms / self.granted_ms;
        let points = grant.points.saturating_sub(done.unwrap_or_default());
        // Points that take longer than expected halt the countdown.
        let in_progress_ms = points.min(self.functions) as f64 * grant.point_ms;
        let left_ms = points as f64 * grant.point_ms + later_ms;
        let estimate_ms = pace * left_ms - since_ms.clamp(0.0, pace * in_progress_ms);
        let shown_ms = self.shown_ms.filter(|shown| (*shown..=RISE * shown).contains(&estimate_ms));
        *self.shown_ms.insert(shown_ms.unwrap_or(estimate_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::cell::LiveCell;
    use crate::state::tests::suite;
    use benchbook_contract::axis_value::AxisValue;
    use benchbook_contract::parameter::Argument;
    use std::rc::Rc;

    /// 5 points of 60 ms, 9 of 150 ms, 17 of 500 ms, 33 of 1 500 ms.
    fn defaults() -> Vec<Grant> {
        [(5, 60.0), (9, 150.0), (17, 500.0), (33, 1_500.0)]
            .map(|(points, point_ms)| Grant { points, point_ms })
            .to_vec()
    }

    const ALL: f64 = 300.0 + 1_350.0 + 8_500.0 + 49_500.0;

    /// The times shown in a run of one function whose points take this multiple of their granted time, at each priority, with the true
    /// remaining times.
    fn run(ratios: [f64; 4]) -> Vec<(f64, f64)> {
        let mut remaining = RemainingTime::new(defaults(), 1);
        let mut left_ms: f64 = defaults().iter().zip(ratios).map(|(grant, ratio)| ratio * grant.ms()).sum();
        let mut shown = Vec::new();
        for (priority, ratio) in Priority::all().zip(ratios) {
            let grant = defaults()[usize::from(priority.number()) - 1];
            shown.push((remaining.start(priority, None), left_ms));
            for tenth in 0..=grant.points * 10 {
                let elapsed_ms = tenth as f64 / 10.0 * ratio * grant.point_ms;
                shown.push((remaining.progress(tenth / 10, grant.points, elapsed_ms), left_ms - elapsed_ms));
            }
            left_ms -= ratio * grant.ms();
        }
        shown
    }

    #[test]
    fn the_time_shown_neither_jumps_nor_goes_back_and_forth() {
        // Quick priorities stop early, because their target is easy; the last one takes all of its time, or does not.
        for ratios in [[0.2, 0.3, 0.4, 1.0], [0.2, 0.3, 0.4, 0.4], [1.0; 4], [0.1; 4]] {
            let shown = run(ratios);
            let rises = shown.windows(2).filter(|pair| pair[1].0 > pair[0].0);
            assert!(rises.count() <= 2, "{ratios:?}: it goes up at most twice");
            for pair in shown.windows(2) {
                let (before, now) = (pair[0].0, pair[1].0);
                assert!((before - now).abs() <= 0.25 * before + 1_500.0, "{ratios:?}: from {before} to {now}");
            }
            let (last, _) = shown.last().expect("there are many");
            assert!(last.abs() < 1e-6, "{ratios:?}: {last} at the end");
        }
        // With the granted times, it is exact.
        for (shown_ms, left_ms) in run([1.0; 4]) {
            assert!((shown_ms - left_ms).abs() < 1e-6, "{shown_ms} instead of {left_ms}");
        }
    }

    #[test]
    fn slow_calls_at_the_first_priority_count_a_little() {
        let mut remaining = RemainingTime::new(defaults(), 1);
        remaining.start(Priority::FIRST, None);
        remaining.progress(0, 5, 0.0);
        // The estimate is a seventh above, which is not enough to go up.
        assert_eq!(remaining.progress(5, 5, 25_000.0), ALL);
    }

    #[test]
    fn points_that_a_runner_has_stored_do_not_change_the_pace() {
        let mut remaining = RemainingTime::new(defaults(), 1);
        assert_eq!(remaining.start(Priority::LAST, Priority::FIRST.next()), 49_500.0 + ALL - 300.0);
        // Its qualities differ from this page's.
        assert_eq!(remaining.progress(20, 40, 1.0), 20.0 * 1_500.0 + ALL - 300.0 - 1.0);
    }

    #[test]
    fn priorities_that_this_browser_measured_while_the_runner_was_lost_do_not_count_again() {
        let mut remaining = RemainingTime::new(defaults(), 1);
        let second = Priority::FIRST.next();
        let third = second.and_then(Priority::next);
        assert_eq!(remaining.start(second.expect("there are four"), third), ALL - 300.0 + ALL - 300.0 - 1_350.0);
        assert_eq!(remaining.start(Priority::LAST, None), 49_500.0);
    }

    #[test]
    fn a_long_point_halts_the_countdown() {
        let mut remaining = RemainingTime::new(defaults(), 2);
        remaining.start(Priority::LAST, None);
        remaining.progress(0, 33, 0.0);
        let shown = [1_000.0, 3_000.0, 9_000.0].map(|elapsed_ms| remaining.progress(0, 33, elapsed_ms));
        assert_eq!(shown, [48_500.0, 46_500.0, 46_500.0]);
    }

    #[test]
    fn a_list_grants_its_values_at_each_priority() {
        let cell = LiveCell::new(&Rc::new(suite()), "sort").expect("it exists");
        let grants = |argument: Argument, first_calls: bool, own_ms: Option<f64>| {
            let mut request = cell.request("me").expect("values");
            request.arguments.insert("size".to_owned(), argument);
            request.first_calls = first_calls;
            let plan = cell.plan(request).expect("valid");
            Grant::of_plan(&plan, &Qualities::default(), own_ms).iter().map(Grant::ms).collect::<Vec<_>>()
        };
        let list = || Argument::Values([100.0, 500.0].map(AxisValue::from).to_vec());
        assert_eq!(grants(list(), false, None), [120.0, 300.0, 1_000.0, 3_000.0]);
        assert_eq!(grants(list(), false, Some(100.0)), [120.0, 300.0, 1_000.0, 200.0]);
        assert_eq!(grants(Argument::Number(500.0), true, None), [60.0, 300.0, 1_000.0, 3_000.0]);
    }
}
