//! Finds the call that takes longer in the later one of two builds, by time, in this browser.

use benchbook_instrument::{RangeFunction, TimedPart};
use benchbook_pinpoint::{
    CallRange, CompareError, ComparedBuilds, ExecutedCall, Found, Layer, MAX_BLOCKS, MIN_BLOCKS, PairedTimes, Pinpoint,
    TimeDifference, TimeSearch, find,
};
use yew::Callback;

use super::turn;
use crate::effects::suites::load::fetch_file;
use crate::effects::worker::ranges::RangeSuite;

/// How long the code is called before it is timed, so that the browser optimises it.
const WARM_UP_MS: f64 = 500.0;

/// How long a comparison takes, unless the fewest blocks take longer.
const COMPARISON_MS: f64 = 3_000.0;

/// The fewest steps of the clock that a call must take to be searched: its parts would be too short.
const MIN_STEPS: f64 = 10.0;

/// What a search reports while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchProgress {
    /// Another tab measures.
    Waiting,
    /// The builds are loaded and called.
    Preparing,
    /// This many ranges have been compared.
    Compared(usize),
}

/// Searches. `pinpoint`: how the counts differ.
///
/// # Errors
/// Why the builds cannot be compared: a sentence.
pub(crate) async fn search(
    pinpoint: &Pinpoint,
    search: &TimeSearch,
    on_progress: Callback<SearchProgress>,
) -> Result<Found, String> {
    let _turn = turn::take({
        let on_progress = on_progress.clone();
        move || on_progress.emit(SearchProgress::Waiting)
    })
    .await;
    on_progress.emit(SearchProgress::Preparing);
    let mut builds = Builds::start(search, pinpoint, on_progress).await.map_err(|reason| format!("{reason}."))?;
    Ok(find(&pinpoint.function, &search.limits, &mut builds).await)
}

/// Both builds in workers, the earlier one first.
struct Builds {
    suites: [RangeSuite; 2],
    /// The path of the measured function.
    function: String,
    /// The functions whose bodies differ.
    changed: Vec<String>,
    /// The resolution of the clock in nanoseconds.
    clock: f64,
    compared: usize,
    on_progress: Callback<SearchProgress>,
}

impl Builds {
    async fn start(
        search: &TimeSearch,
        pinpoint: &Pinpoint,
        on_progress: Callback<SearchProgress>,
    ) -> Result<Self, String> {
        let [before, after] = &search.modules;
        let start = async |address: &String| {
            let module = fetch_file(address).await.map_err(|reason| {
                format!("{address} is not available: {reason}. Run `cargo benchbook pinpoint` with --open again")
            })?;
            RangeSuite::start(&module, &search.open).await
        };
        let mut suites = [start(before).await?, start(after).await?];
        let clock = suites[0].clock().await?;
        let end = js_sys::Date::now() + WARM_UP_MS;
        loop {
            for suite in &mut suites {
                suite.time(&TimedPart::Batch).await?;
            }
            if js_sys::Date::now() >= end {
                let (function, changed) = (pinpoint.function.clone(), pinpoint.changed.clone());
                return Ok(Self { suites, function, changed, clock, compared: 0, on_progress });
            }
        }
    }

    /// Times a block: before, after, after, before.
    async fn block(&mut self, part: &TimedPart) -> Result<[f64; 4], String> {
        let mut times = [0.0; 4];
        for (time, build) in times.iter_mut().zip([0, 1, 1, 0]) {
            *time = self.suites[build].time(part).await?;
        }
        Ok(times)
    }

    async fn paired(&mut self, part: &TimedPart) -> Result<PairedTimes, String> {
        let start = js_sys::Date::now();
        // The browser has not optimised other versions of the functions yet.
        self.block(part).await?;
        let blocks = COMPARISON_MS / (js_sys::Date::now() - start).max(1e-3);
        let blocks = (blocks as usize).clamp(MIN_BLOCKS, MAX_BLOCKS);
        let mut times = PairedTimes::default();
        for _ in 0..blocks {
            times.push(self.block(part).await?);
        }
        Ok(times)
    }
}

impl ComparedBuilds for Builds {
    async fn layer(&mut self, path: &[usize]) -> Result<Layer, String> {
        let mut entered = numbers(path);
        let mut layers = Vec::new();
        for suite in &mut self.suites {
            let calls = suite.calls(entered.clone()).await?;
            layers.push(calls.into_iter().map(|call| suite.map().called(call).map(of_call)).collect::<Vec<_>>());
        }
        let last = entered.pop();
        // The profile names the measured function by its path.
        let mut differs = layers[0] != layers[1] || (path.is_empty() && self.changed.contains(&self.function));
        for suite in &mut self.suites {
            let callers = match last {
                Some(_) => suite.calls(entered.clone()).await?,
                None => Vec::new(),
            };
            let function = last.and_then(|last| suite.map().called(*callers.get(last as usize)?));
            let parts = function.map_or(&suite.map().measured, |function| &function.parts);
            differs |= parts.iter().any(|part| self.changed.contains(part));
        }
        let unknown = || ExecutedCall { function: "a function in a table".to_owned(), is_import: true };
        let calls = layers.pop().unwrap_or_default().into_iter();
        Ok(Layer { calls: calls.map(|call| call.unwrap_or_else(unknown)).collect(), differs })
    }

    async fn compare(&mut self, range: &CallRange) -> Result<TimeDifference, CompareError> {
        let part = timed_part(range);
        let times = self.paired(&part).await.map_err(CompareError::Failed)?;
        self.compared += 1;
        self.on_progress.emit(SearchProgress::Compared(self.compared));
        // A part may be short, but not what is searched.
        if range.calls.is_none() && times.longest() < MIN_STEPS * self.clock {
            return Err(CompareError::TooShort);
        }
        let TimeDifference { low, high } = times.difference();
        Ok(TimeDifference { low: low - self.clock, high: high + self.clock })
    }
}

/// What a module times for a range.
fn timed_part(CallRange { path, calls }: &CallRange) -> TimedPart {
    match (calls, path.split_last()) {
        (Some(calls), _) => TimedPart::Calls(numbers(path), calls.start as u32..calls.end as u32),
        (None, Some((call, entered))) => TimedPart::Calls(numbers(entered), *call as u32..*call as u32 + 1),
        (None, None) => TimedPart::Batch,
    }
}

fn numbers(path: &[usize]) -> Vec<u32> {
    path.iter().map(|call| *call as u32).collect()
}

fn of_call(RangeFunction { name, is_imported, .. }: &RangeFunction) -> ExecutedCall {
    ExecutedCall { function: name.clone(), is_import: *is_imported }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_timed_in_the_layer_of_its_caller() {
        let part = |path: &[usize], calls| timed_part(&CallRange { path: path.to_vec(), calls });
        assert_eq!(part(&[], None), TimedPart::Batch);
        assert_eq!(part(&[3], None), TimedPart::Calls(vec![], 3..4));
        assert_eq!(part(&[3, 1], None), TimedPart::Calls(vec![3], 1..2));
        assert_eq!(part(&[3, 1], Some(2..5)), TimedPart::Calls(vec![3, 1], 2..5));
    }
}
