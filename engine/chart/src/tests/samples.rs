//! The samples of one point: in order, and how they are spread.

use super::fixtures::{histogram, in_order, samples, samples_of};
use super::golden;
use crate::samples::in_order::Stretch;
use crate::*;

#[test]
fn few_samples_are_dots_and_the_warm_up_is_apart() {
    golden("in_order", &in_order(Scale::Linear, samples(2000.0, 60), 15));
}

#[test]
fn a_short_warm_up_has_its_words_beside_it() {
    golden("in_order_short_warm_up", &in_order(Scale::Linear, samples(2000.0, 60), 2));
}

#[test]
fn many_samples_are_bars() {
    golden("in_order_many", &in_order(Scale::Linear, samples(2000.0, 1500), 300));
}

#[test]
fn what_a_log_axis_cannot_show_of_samples_is_an_arrow() {
    let mut times = samples(2000.0, 30).to_vec();
    (times[12], times[20]) = (0.0, 90_000.0);
    golden("in_order_log", &in_order(Scale::Log, times.into_iter().collect(), 0));
}

#[test]
fn zoomed_samples_are_dots_again() {
    let mut chart = in_order(Scale::Linear, samples(2000.0, 1500), 300);
    chart.view = View { x: Window { low: 290.0, high: 330.0 }, y: Window { low: 1800.0, high: 2200.0 } };
    golden("in_order_zoomed", &chart);
}

#[test]
fn interrupted_samples_are_marked_among_dots_and_among_bars() {
    for (name, count) in [("in_order_interrupted", 60), ("in_order_interrupted_many", 1500)] {
        let mut times = samples(2000.0, count).to_vec();
        (times[20], times[40]) = (3_000.0, 2_800.0);
        let mut chart = in_order(Scale::Linear, times.into_iter().collect(), 15);
        samples_of(&mut chart).interrupted = vec![20, 40];
        golden(name, &chart);
    }
}

#[test]
fn samples_are_counted_in_bins() {
    golden("histogram", &histogram(Scale::Linear, Scale::Linear, &samples(2000.0, 200)));
}

#[test]
fn severe_outliers_stand_beside_the_histogram_with_words() {
    let mut times = samples(2000.0, 200).to_vec();
    times.extend([9e4, 3e4, 8000.0, 400.0]);
    golden("histogram_outliers", &histogram(Scale::Linear, Scale::Linear, &times));
}

#[test]
fn a_histogram_can_have_log_axes() {
    golden("histogram_log", &histogram(Scale::Log, Scale::Log, &samples(2000.0, 200)));
}

#[test]
fn no_samples_leave_the_axes() {
    golden("in_order_empty", &in_order(Scale::Linear, samples(0.0, 0), 0));
    golden("histogram_empty", &histogram(Scale::Linear, Scale::Linear, &[]));
}

/// What the pointer reads over the column of a sample's number.
fn read(chart: &Chart, number: f64) -> Option<Stretch> {
    let Content::InOrder(samples) = &chart.content else { panic!("samples in order") };
    let frame = chart.frame(&Layout::of(340, 240, chart.density));
    samples.at(&frame, frame.x_to_pixel(number)?)
}

#[test]
fn hovering_reads_the_nearest_of_few_samples() {
    let times = samples(2000.0, 20);
    let mut chart = in_order(Scale::Linear, times.clone(), 5);
    samples_of(&mut chart).interrupted = vec![19];
    let only = |number: usize, warm_up| {
        let (time, interrupted) = (times[number - 1], usize::from(number == 20));
        Some(Stretch { first: number, last: number, low: time, high: time, warm_up, interrupted })
    };
    assert_eq!(read(&chart, 5.0), only(5, true));
    assert_eq!(read(&chart, 6.4), only(6, false));
    assert_eq!(read(&chart, -3.0), only(1, true));
    assert_eq!(read(&chart, 99.0), only(20, false));
    assert_eq!(read(&in_order(Scale::Linear, samples(0.0, 0), 0), 1.0), None);
}

#[test]
fn hovering_reads_all_samples_of_a_column() {
    let times = samples(2000.0, 2570);
    let stretch = read(&in_order(Scale::Linear, times.clone(), 0), 1000.0).expect("in view");
    assert!((9..=11).contains(&(stretch.last - stretch.first + 1)), "{stretch:?}");
    let within = &times[stretch.first - 1..stretch.last];
    assert!(within.iter().all(|time| (stretch.low..=stretch.high).contains(time)), "{stretch:?}");
}

#[test]
fn hovering_reads_the_bin_under_a_column() {
    let chart = histogram(Scale::Linear, Scale::Linear, &samples(2000.0, 200));
    let Content::Histogram(histogram) = &chart.content else { panic!("a histogram") };
    let frame = chart.frame(&Layout::of(340, 240, chart.density));
    for bin in &histogram.bins {
        let middle = bin.place.low.midpoint(bin.place.high);
        assert_eq!(histogram.at(&frame, frame.x_to_pixel(middle).expect("linear")), Some(bin));
    }
    assert_eq!(histogram.at(&frame, 0.0), None);
}
