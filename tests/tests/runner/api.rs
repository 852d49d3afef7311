//! The runner's API: the order of events, stored and partly stored results, figures, and encodings.

use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::analyze::statistics::Summary;
use benchbook_host::api::{Event, MeasureResponse, STREAM, StoredResult, StoredSamples, StreamStart};
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_host::response::Point;
use benchbook_tests::ready_runner::{ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;
use reqwest::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const FUNCTIONS: [&str; 2] = ["rungs::two", "rungs::one"];

async fn start() -> ReadyRunner {
    let suites = ["misbehaving", "ladder"].map(|name| native(name).unwrap()).to_vec();
    RunnerSetup { suites, ..RunnerSetup::default() }.start().await.unwrap()
}

async fn all_events(ready: &ReadyRunner, request: &Request) -> Vec<Event> {
    ready.stream(request).await.unwrap().rest().await.unwrap()
}

async fn read<T: DeserializeOwned>(ready: &ReadyRunner, address: &str) -> T {
    ready.runner.get(address).send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn events_are_in_order_and_stored_points_are_not_measured_again() {
    let ready = start().await;
    let request = ready.request(&FUNCTIONS, 2);
    let events = all_events(&ready, &request).await;
    let order: Vec<u8> = events
        .iter()
        .filter_map(|event| match event {
            Event::Queued { .. } => Some(0),
            Event::Started(_) => Some(1),
            Event::Progress(_) | Event::Counting { .. } => None,
            Event::Point { .. } => Some(2),
            Event::Done(_) => Some(3),
            Event::Failed { .. } | Event::Stopped { .. } => Some(9),
        })
        .collect();
    assert!(order.is_sorted() && order.contains(&1) && order.last() == Some(&3), "{events:?}");
    assert_eq!(order.iter().filter(|index| **index == 2).count(), 10);
    let Some(Event::Done(first)) = events.last() else { panic!("{events:?}") };
    assert_eq!((first.results.len(), first.comparisons.len()), (1, 1));

    let again = all_events(&ready, &request).await;
    let Event::Started(card) = &again[0] else { panic!("{again:?}") };
    assert_eq!((card.stored, card.total, card.machine.name.as_str()), (10, 10, "bench-01"));
    assert_eq!(again.last(), events.last());
    let points = |events: &[Event]| {
        let mut points: Vec<Value> =
            events.iter().filter(|event| matches!(event, Event::Point { .. })).map(|event| json!(event)).collect();
        points.sort_by_key(ToString::to_string);
        points
    };
    assert_eq!(points(&again), points(&events));

    // A request with a lower priority gets the stored points, including their axis values.
    let lower = ready.measure(&Request { priority: Priority::FIRST, ..request.clone() }).await.unwrap();
    assert_eq!((lower.priority.number(), &lower.results), (2, &first.results));
    assert_eq!((lower.points.len(), lower.data.len()), (10, 5));
    assert_compact_data(&lower);
    // A request with a higher priority measures all points, since the stored ones are not precise enough.
    let higher = ready.measure(&Request { priority: Priority::LAST, ..request }).await.unwrap();
    assert_eq!((higher.priority, higher.points.len()), (Priority::LAST, 18));

    // Failed points have no row.
    let failing = ready.measure(&ready.request(&["functions::panics"], 1)).await.unwrap();
    let measured = failing.points.iter().filter(|point| point.measured().is_some());
    let rows: Vec<f64> = failing.data.iter().filter_map(|row| row.0.number()).collect();
    assert_eq!(rows, measured.filter_map(|point| point.x.number()).collect::<Vec<f64>>());
    assert!(rows.len() < failing.points.len());

    // Responses are compressed, streams are not. The first response is measured, and the others are stored.
    let request = ready.request(&["rungs::four"], 1);
    for _ in 0..2 {
        for (accept, encoding) in [(STREAM, None), ("application/json", Some("br"))] {
            let post = ready.runner.post("measure").header("accept", accept).header("accept-encoding", "gzip, br");
            let response = post.json(&request).send().await.unwrap();
            assert_eq!(response.status(), StatusCode::OK);
            let found =
                response.headers().get("content-encoding").map(|encoding| encoding.to_str().unwrap().to_owned());
            assert_eq!(found.as_deref(), encoding, "{accept}");
            assert_eq!(response.text().await.is_ok_and(|text| text.contains("rungs::four")), encoding.is_none());
        }
    }
}

/// Asserts that the compact data contain the figures of the first function.
fn assert_compact_data(response: &MeasureResponse) {
    let (mut expected, mut differ) = (Vec::new(), false);
    for point in response.points.iter().filter(|point| point.function == FUNCTIONS[0]) {
        let Summary { mean, sd, q1, median, q3, .. } = point.measured().unwrap().summary;
        differ |= sd > 0.0 && q1 < median && median < q3;
        expected.push(json!([point.x, [mean - sd, mean, mean + sd], [q1, median, q3]]));
    }
    assert!(differ, "equal figures could hide a wrong order: {expected:?}");
    assert_eq!(json!(response.data), json!(expected));
    assert_eq!((response.units.x.as_str(), response.units.y.as_str()), ("steps", "ns"));
}

/// Points of each of two requests, and points that they share: two functions at two axis values.
const OF: usize = 10;
const STORED: usize = 4;

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

/// Asserts that each point, including its samples, is from the first result if that contains it, and otherwise from the
/// second.
async fn assert_points_are_of_both(ready: &ReadyRunner, points: &[Point], half: &MeasureResponse, ids: [u64; 2]) {
    let mut of_result = [0, 0];
    let results: [StoredResult; 2] =
        [read(ready, &format!("results/{}", ids[0])).await, read(ready, &format!("results/{}", ids[1])).await];
    for point in points {
        let is_it = |other: &&Point| other.function == point.function && other.x == point.x;
        let of_first = half.points.iter().find(is_it);
        assert!(of_first.is_none_or(|first| first == point), "{point:?}");
        let index = usize::from(of_first.is_none());
        of_result[index] += 1;
        let stored = results[index].response.points.iter().find(is_it).unwrap();
        let measured = point.measured().unwrap();
        assert_eq!(stored.measured().unwrap().summary, measured.summary);
        let address = format!("results/{}/samples?function={}&x={}", ids[index], point.function, point.x);
        let samples: StoredSamples = read(ready, &address).await;
        assert_eq!(samples.runs, measured.runs);
    }
    // The second result contains only the points measured for it.
    assert_eq!(of_result, [STORED, OF - STORED]);
    assert_eq!(results.map(|result| result.response.points.len()), [OF, OF - STORED]);
}

/// Requests of which some points are stored and the others are measured: a single response from two results.
#[tokio::test(flavor = "current_thread")]
async fn a_response_contains_stored_and_measured_points() {
    let ready = start().await;
    let whole = Request { seed: Some(1), ..ready.request(&FUNCTIONS, 2) };
    let half = ready.measure(&lower_half(&whole)).await.unwrap();
    assert_eq!((half.results.as_slice(), half.points.len()), (&[1][..], OF));
    // A stream starts with the stored points.
    let events = all_events(&ready, &whole).await;
    let begins = events.iter().position(|event| matches!(event, Event::Started(_))).unwrap();
    let Event::Started(started) = &events[begins] else { unreachable!() };
    let first: StoredResult = read(&ready, "results/1").await;
    let StreamStart { stored, total, newest, .. } = **started;
    assert_eq!((stored, total, newest), (STORED, OF, Some(first.stored)));
    assert_eq!(started.stored_at(), None, "the runner measures the others now");
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
    assert_points_are_of_both(&ready, &points, &half, [1, 2]).await;

    // The same as one object.
    let whole = Request { seed: Some(2), ..whole };
    let half = ready.measure(&lower_half(&whole)).await.unwrap();
    let response = ready.measure(&whole).await.unwrap();
    assert_eq!((&response.results[..], response.points.len(), response.data.len()), (&[3, 4][..], OF, OF / 2));
    assert!(response.points.is_sorted_by(|one, other| one.x.number() <= other.x.number()));
    let [comparison] = &response.comparisons[..] else { panic!("{:?}", response.comparisons) };
    assert_eq!(comparison.ratios.len(), OF / 2);
    assert_points_are_of_both(&ready, &response.points, &half, [3, 4]).await;

    let again = ready.measure(&whole).await.unwrap();
    assert_eq!((again.results, sorted(again.points)), (response.results, sorted(response.points)));
    assert_eq!(ready.results().await.unwrap(), [4, 3, 2, 1]);
}
