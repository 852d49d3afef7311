//! Fresh measurements: requests that do not use stored points.

use anyhow::{Context, Result};
use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::api::{Event, QueueLoad, StoredResult};
use benchbook_host::request::Request;
use benchbook_tests::metrics::metrics;
use benchbook_tests::ready_runner::{EventStream, ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;

/// The ids of the results in a stream, and the number of stored points.
fn results(events: &[Event]) -> Result<(Vec<u64>, usize)> {
    let started =
        events.iter().find_map(|event| if let Event::Started(card) = event { Some(card.stored) } else { None });
    match events.last() {
        Some(Event::Done(done)) => Ok((done.results.clone(), started.context("the stream has started")?)),
        other => anyhow::bail!("the stream ended with {other:?}"),
    }
}

/// A value of the axis that the first priority does not measure.
fn further_value(request: &Request) -> Result<f64> {
    let mut ranges = request.arguments.values().filter_map(|argument| match argument {
        Argument::Range(range) => Some(*range),
        _ => None,
    });
    ranges.next().map(|Range { low, high }| low + (high - low) / 16.0).context("an argument is a range")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_further_values_of_the_axis_are_measured_in_addition_to_stored_points() -> Result<()> {
    let ready = RunnerSetup::with(&native("ladder")?).start().await?;
    let request = ready.request(&["rungs::one"], 1);
    let further = Request { also_at: vec![further_value(&request)?], ..request.clone() };
    let first = ready.measure(&request).await?;
    assert_eq!(results(&ready.stream(&further).await?.rest().await?)?, (vec![1, 2], first.points.len()));
    let both = ready.measure(&further).await?;
    assert_eq!(both.points[1].x.number(), Some(further.also_at[0]));
    assert_eq!((both.results, both.points.len(), both.request.also_at), (vec![1, 2], 4, further.also_at));
    assert_eq!(ready.measure(&request).await?.results, [1], "the others remain");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fresh_measurement_ignores_stored_points_and_becomes_the_newest() -> Result<()> {
    let suites = vec![native("ladder")?, native("misbehaving")?];
    let ready = RunnerSetup { suites, timeout_ms: Some(3_600_000), ..RunnerSetup::default() }.start().await?;
    let request = ready.request(&["rungs::one", "rungs::two"], 1);
    let fresh = Request { fresh: true, ..request.clone() };
    let first = ready.measure(&request).await?;
    // Also from the cache.
    for _ in 0..2 {
        assert_eq!(ready.measure(&request).await?.results, [1]);
    }
    let second = ready.measure(&fresh).await?;
    assert_eq!((second.results.as_slice(), second.points.len()), (&[2][..], first.points.len()));
    assert_eq!(results(&ready.stream(&fresh).await?.rest().await?)?, (vec![3], 0));
    // Others get the newest points.
    assert_eq!(results(&ready.stream(&request).await?.rest().await?)?, (vec![3], first.points.len()));
    let stored = ready.measure(&request).await?;
    assert_eq!(stored.results, [3]);
    assert_eq!(metrics(&ready).await?["benchbook_measurements_done_total"], 3.0);

    // Older results remain. No result says whether it was measured again.
    assert_eq!(ready.results().await?, [3, 2, 1]);
    let expected = Request { client: String::new(), ..request };
    assert_eq!((&first.request, &second.request, &stored.request), (&expected, &expected, &expected));
    for id in 1..=3 {
        let result: StoredResult = ready.runner.get(&format!("results/{id}")).send().await?.json().await?;
        assert_eq!(result.response.request, expected, "{id}");
    }
    assert_only_fresh_requests_share_a_fresh_measurement(&ready).await
}

/// Requests a measurement for a client, and waits until it is queued.
async fn queue(ready: &ReadyRunner, client: &str, request: &Request) -> Result<EventStream> {
    let mut stream = ready.stream(&Request { client: client.to_owned(), ..request.clone() }).await?;
    stream.until(|event| matches!(event, Event::Queued { .. })).await?;
    Ok(stream)
}

async fn assert_only_fresh_requests_share_a_fresh_measurement(ready: &ReadyRunner) -> Result<()> {
    let mut occupier = ready.stream(&ready.request(&["functions::hangs"], 1)).await?;
    occupier.until(|event| matches!(event, Event::Started(_))).await?;
    let request = ready.request(&["rungs::four"], 1);
    let fresh = Request { fresh: true, ..request.clone() };
    let ordinary = [queue(ready, "a", &request).await?, queue(ready, "b", &request).await?];
    let again = [queue(ready, "c", &fresh).await?, queue(ready, "d", &fresh).await?];
    let further = queue(ready, "e", &Request { also_at: vec![further_value(&fresh)?], ..fresh.clone() }).await?;
    let load: QueueLoad = ready.runner.get("queue").send().await?.json().await?;
    assert_eq!((load.running, load.waiting, load.clients), (1, 3, 6));
    drop(occupier);
    let mut measured = Vec::new();
    for streams in [ordinary, again] {
        for stream in streams {
            measured.push(results(&stream.rest().await?)?);
        }
    }
    // Nothing was stored before, and each pair has a result of its own.
    assert!(measured[0] == measured[1] && measured[2] == measured[3] && measured[0] != measured[2], "{measured:?}");
    assert!(measured.iter().all(|(results, stored)| (results.len(), *stored) == (1, 0)), "{measured:?}");
    assert!(!measured.contains(&results(&further.rest().await?)?), "it has another axis value");
    Ok(())
}
