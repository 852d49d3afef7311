//! Requests of which some points are stored and the others are measured: a single response from two results.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::api::{Event, MeasureResponse, StoredResult, StoredSamples, StreamStart};
use benchbook_host::request::Request;
use benchbook_host::response::Point;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::fixture;

/// Points of each of the two requests, and points that they share: two functions at two axis values.
const OF: usize = 10;
const STORED: usize = 4;

const FUNCTIONS: [&str; 2] = ["rungs::one", "rungs::two"];

/// The request for the lower half of the range, which shares some axis values with the full range.
fn lower_half(request: &Request) -> Request {
    let mut half = request.clone();
    for argument in half.arguments.values_mut() {
        if let Argument::Range(Range { low, high }) = argument {
            *high = (*low + *high) / 2.0;
        }
    }
    half
}

/// Sorts points by axis value and function.
fn sorted(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|one, other| one.x.total_cmp(&other.x).then_with(|| one.function.cmp(&other.function)));
    points
}

/// Starts a runner that has stored the lower half of a request. Returns the full request and the response for the half.
async fn start(seed: u64) -> (ReadyRunner, Request, MeasureResponse) {
    let ready = RunnerSetup::with(&fixture("ladder").unwrap().program).start().await.unwrap();
    let whole = Request { seed: Some(seed), ..ready.request(&FUNCTIONS, 2) };
    let half = ready.measure(&lower_half(&whole)).await.unwrap();
    assert_eq!((half.results.as_slice(), half.points.len()), (&[1][..], OF));
    (ready, whole, half)
}

/// Asserts that each point, including its samples, is from the first result if that contains it, and otherwise from the
/// second.
async fn assert_points_are_of_both(ready: &ReadyRunner, points: &[Point], half: &MeasureResponse) {
    let mut of_result = [0, 0];
    let results: [StoredResult; 2] = [read(ready, "results/1").await, read(ready, "results/2").await];
    for point in points {
        let is_it = |other: &&Point| other.function == point.function && other.x == point.x;
        let of_first = half.points.iter().find(is_it);
        assert!(of_first.is_none_or(|first| first == point), "{point:?}");
        let index = usize::from(of_first.is_none());
        of_result[index] += 1;
        let stored = results[index].response.points.iter().find(is_it).unwrap();
        let measured = point.measured().unwrap();
        assert_eq!(stored.measured().unwrap().summary, measured.summary);
        let address = format!("results/{}/samples?function={}&x={}", index + 1, point.function, point.x);
        let samples: StoredSamples = read(ready, &address).await;
        assert_eq!(samples.runs, measured.runs);
    }
    // The second result contains only the points measured for it.
    assert_eq!(of_result, [STORED, OF - STORED]);
    assert_eq!(results.map(|result| result.response.points.len()), [OF, OF - STORED]);
}

async fn read<T: serde::de::DeserializeOwned>(ready: &ReadyRunner, address: &str) -> T {
    ready.runner.get(address).send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn a_stream_starts_with_the_stored_points() {
    let (ready, whole, half) = start(1).await;
    let events = ready.stream(&whole).await.unwrap().rest().await.unwrap();
    let begins = events.iter().position(|event| matches!(event, Event::Started(_))).unwrap();
    let Event::Started(started) = &events[begins] else { unreachable!() };
    let StreamStart { stored, total, .. } = **started;
    assert_eq!((stored, total), (STORED, OF));
    let mut points = Vec::new();
    for event in &events[begins + 1..] {
        match event {
            Event::Point { point } => points.push(Point::clone(point)),
            // Stored points count as done.
            Event::Progress(progress) => {
                assert!(progress.total == OF && (STORED..=OF).contains(&progress.done), "{progress:?}");
            }
            Event::Done(done) => assert_eq!((&done.results[..], done.comparisons.len()), (&[1, 2][..], 1)),
            other => panic!("{other:?}"),
        }
        assert!(points.len() > STORED || points.iter().all(|point| half.points.contains(point)), "{event:?}");
    }
    assert!(matches!(events.last(), Some(Event::Done(_))));
    assert_points_are_of_both(&ready, &points, &half).await;

    let again = ready.stream(&whole).await.unwrap().rest().await.unwrap();
    assert!(matches!(&again[0], Event::Started(started) if (started.stored, started.total) == (OF, OF)), "{again:?}");
    assert_eq!(again.last(), events.last());
    assert_eq!(ready.results().await.unwrap(), [2, 1]);
}

#[tokio::test(flavor = "current_thread")]
async fn a_single_response_contains_all_points() {
    let (ready, whole, half) = start(2).await;
    let response = ready.measure(&whole).await.unwrap();
    assert_eq!((&response.results[..], response.points.len(), response.data.len()), (&[1, 2][..], OF, OF / 2));
    assert!(response.points.is_sorted_by(|one, other| one.x.number() <= other.x.number()));
    let [comparison] = &response.comparisons[..] else { panic!("{:?}", response.comparisons) };
    assert_eq!(comparison.ratios.len(), OF / 2);
    assert_points_are_of_both(&ready, &response.points, &half).await;

    let again = ready.measure(&whole).await.unwrap();
    assert_eq!((again.results, sorted(again.points)), (response.results, sorted(response.points)));
    assert_eq!(ready.results().await.unwrap(), [2, 1]);
}
