//! Throughput as the page shows it, for times that another harness measured.

use anyhow::{Context, Result, bail};
use benchbook_host::analyze::blocks::RunTimes;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::metric::{BYTES_PER_SECOND, ELEMENTS_PER_SECOND, Metric, MetricValue};
use benchbook_host::response::{DeclaredWork, MeasuredPoint};

/// Returns the low end of the interval, the mean and the high end of the throughput, formatted. `amount`: the elements or bytes
/// of a call; `times`: the low end of the interval of the time, its mean and the high end, in nanoseconds per call.
pub(crate) fn texts(unit: &str, amount: &str, times: [&str; 3]) -> Result<[String; 3]> {
    let amount: u64 = amount.parse().with_context(|| format!("expected a whole number, not `{amount}`"))?;
    let (metric, work): (&Metric, DeclaredWork) = match unit {
        "elements" => (&ELEMENTS_PER_SECOND, DeclaredWork { elements: Some(amount), bytes: None }),
        "bytes" => (&BYTES_PER_SECOND, DeclaredWork { elements: None, bytes: Some(amount) }),
        _ => bail!("unknown unit `{unit}`; expected elements or bytes"),
    };
    let [low, mean, high] = times.map(str::parse::<f64>);
    match (metric.value)(&point([low?, mean?, high?], work)?) {
        Some(MetricValue::Noisy(value)) => {
            let Interval { low, high } = value.interval.context("the throughput has no interval")?;
            Ok([low, value.mean, high].map(|rate| metric.unit.format(rate)))
        }
        other => bail!("expected a throughput with an interval, not {other:?}"),
    }
}

/// A measured point with this mean and interval of the time.
fn point([low, mean, high]: [f64; 3], work: DeclaredWork) -> Result<MeasuredPoint> {
    let times = [mean];
    let basis = Basis {
        runs: &[RunTimes::without_overhead(&times, &[1])],
        calls: 1,
        step_per_call: 0.0,
        uninterrupted_mean: None,
        quartiles_withheld: false,
        stability: Stability::Settled,
    };
    let mut summary = summarize(&basis).context("there is a sample")?;
    summary.mean_interval = Some(Interval { low, high });
    Ok(MeasuredPoint { work, ..MeasuredPoint::new(summary, Vec::new()) })
}
