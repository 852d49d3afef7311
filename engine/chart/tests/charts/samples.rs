//! The samples of one point, in measurement order and as a histogram.

use super::fixtures::{histogram, samples, sequence, sequence_of};
use super::golden;
use benchbook_chart::{AxisScale, Chart, Content, Layout, SampleRange, View, Window};

/// A short warm-up has its label next to it.
#[test]
fn few_samples_are_dots_many_are_bars_and_warm_up_is_shaded() {
    for (name, count, warm_up) in [
        ("sequence", 60, 15),
        ("sequence_short_warm_up", 60, 2),
        ("sequence_many", 1500, 300),
        ("sequence_empty", 0, 0),
    ] {
        golden(name, &sequence(AxisScale::Linear, samples(2000.0, count), warm_up));
    }
    let mut times = samples(2000.0, 30).to_vec();
    // One is below a logarithmic axis: an arrow.
    (times[12], times[20]) = (0.0, 90_000.0);
    golden("sequence_log", &sequence(AxisScale::Log, times.into_iter().collect(), 0));
}

#[test]
fn zoomed_samples_are_dots() {
    let mut chart = sequence(AxisScale::Linear, samples(2000.0, 1500), 300);
    chart.view = View { x: Window { low: 290.0, high: 330.0 }, y: Window { low: 1800.0, high: 2200.0 } };
    golden("sequence_zoomed", &chart);
}

#[test]
fn interrupted_samples_have_markers_among_dots_and_bars() {
    for (name, count) in [("sequence_interrupted", 60), ("sequence_interrupted_many", 1500)] {
        let mut times = samples(2000.0, count).to_vec();
        (times[20], times[40]) = (3_000.0, 2_800.0);
        let mut chart = sequence(AxisScale::Linear, times.into_iter().collect(), 15);
        sequence_of(&mut chart).interrupted = vec![20, 40];
        golden(name, &chart);
    }
}

/// Extreme outliers have labelled bars next to it.
#[test]
fn histogram_counts_samples() {
    let times = samples(2000.0, 200).to_vec();
    let with_outliers = [&times[..], &[9e4, 3e4, 8000.0, 400.0]].concat();
    for (name, scale, times) in [
        ("histogram", AxisScale::Linear, &times[..]),
        ("histogram_log", AxisScale::Log, &times),
        ("histogram_outliers", AxisScale::Linear, &with_outliers),
        ("histogram_empty", AxisScale::Linear, &[]),
    ] {
        golden(name, &histogram(scale, scale, times));
    }
}

/// The samples at the column of a sample's number.
fn samples_at(chart: &Chart, number: f64) -> Option<SampleRange> {
    let Content::Sequence(samples) = &chart.content else { panic!("not a sample sequence") };
    let frame = chart.frame(&Layout::of(340, 240, chart.density));
    samples.at(&frame, frame.x_to_pixel(number)?)
}

#[test]
fn finds_nearest_of_few_samples() {
    let times = samples(2000.0, 20);
    let mut chart = sequence(AxisScale::Linear, times.clone(), 5);
    sequence_of(&mut chart).interrupted = vec![19];
    let only = |number: usize, warm_up| {
        let (time, interrupted) = (times[number - 1], usize::from(number == 20));
        Some(SampleRange { first: number, last: number, low: time, high: time, warm_up, interrupted })
    };
    assert_eq!(samples_at(&chart, 5.0), only(5, true));
    assert_eq!(samples_at(&chart, 6.4), only(6, false));
    assert_eq!(samples_at(&chart, -3.0), only(1, true));
    assert_eq!(samples_at(&chart, 99.0), only(20, false));
    assert_eq!(samples_at(&sequence(AxisScale::Linear, samples(0.0, 0), 0), 1.0), None);
}

#[test]
fn each_process_has_a_warm_up() {
    let mut chart = sequence(AxisScale::Linear, samples(2000.0, 60), 5);
    sequence_of(&mut chart).warm_up = vec![0..5, 20..30, 40..43];
    golden("sequence_of_three_processes", &chart);
    let is_warm_up = |number| samples_at(&chart, number).map(|range| range.warm_up);
    assert_eq!([5.0, 6.0, 20.0, 21.0, 30.0, 31.0].map(is_warm_up), [true, false, false, true, true, false].map(Some));
}

#[test]
fn finds_all_samples_of_column() {
    let times = samples(2000.0, 2570);
    let range = samples_at(&sequence(AxisScale::Linear, times.clone(), 0), 1000.0).expect("in view");
    assert!((9..=11).contains(&(range.last - range.first + 1)), "{range:?}");
    let in_range = &times[range.first - 1..range.last];
    assert!(in_range.iter().all(|time| (range.low..=range.high).contains(time)), "{range:?}");
}

#[test]
fn finds_bin_at_column() {
    let chart = histogram(AxisScale::Linear, AxisScale::Linear, &samples(2000.0, 200));
    let Content::Histogram(histogram) = &chart.content else { panic!("not a histogram") };
    let frame = chart.frame(&Layout::of(340, 240, chart.density));
    for bin in &histogram.bins {
        let middle = bin.window.low.midpoint(bin.window.high);
        assert_eq!(histogram.at(&frame, frame.x_to_pixel(middle).expect("linear")), Some(bin));
    }
    assert_eq!(histogram.at(&frame, 0.0), None);
}
