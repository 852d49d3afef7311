//! Whatever is asked for, drawing neither fails nor leaves the canvas.

use proptest::prelude::*;

use super::super::*;
use super::fixtures::{chart, keys};
use super::{attribute, svg};

proptest! {
    /// Whatever is asked for, drawing neither fails nor leaves the canvas.
    #[test]
    fn any_view_can_be_drawn(
        x in window(), y in window(), log: bool, width in 1_u32..900, height in 1_u32..400,
    ) {
        let mut chart = chart(if log { Scale::Log } else { Scale::Linear }, keys());
        chart.view = View { x, y };
        let svg = svg(&chart, width, height);
        let (width, height) = (f64::from(width), f64::from(height));
        for place in svg.split('<').filter_map(|tag| attribute(tag, "points")).flat_map(str::split_whitespace) {
            let (x, y) = place.split_once(',').expect("x,y");
            let (x, y): (f64, f64) = (x.parse().expect("a number"), y.parse().expect("a number"));
            // Markers at an edge stand out by their radius.
            prop_assert!((-8.0..=width + 8.0).contains(&x) && (-8.0..=height + 8.0).contains(&y), "{place}");
        }
    }
}

/// Windows that a person may zoom to, and any two numbers that a mistyped link may hold.
fn window() -> impl Strategy<Value = Window> {
    let any = proptest::num::f64::ANY;
    let sensible = (1.0..6.0, 0.001..4.0)
        .prop_map(|(low, decades): (f64, f64)| Window { low: 10_f64.powf(low), high: 10_f64.powf(low + decades) });
    prop_oneof![sensible, (any, any).prop_map(|(low, high)| Window { low, high })]
}
