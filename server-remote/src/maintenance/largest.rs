//! The largest axis value that each function of a result processes within a time.

use anyhow::{Context, Result};
use benchbook_host::analyze::growth::{GrowthPoint, growth, largest_within};
use benchbook_host::axis::Variation;
use benchbook_host::messages::largest::{AxisTerms, largest_sentence};
use benchbook_host::response::Response;
use benchbook_host::units::Nanos;

/// A sentence for each function of the result.
///
/// # Errors
/// If the result has no curve: no axis, an axis of texts, or a single point of each function.
pub(crate) fn largest_sentences(response: &Response, limit: Nanos) -> Result<Vec<String>> {
    let mut arguments = response.request.arguments.iter();
    let axis = arguments.find(|(_, argument)| Variation::of(argument).is_some());
    let axis = axis.map(|(name, _)| name).context("the result has no axis. Choose one that varies a number.")?;
    // A result contains neither units nor the type of the parameter.
    let is_whole = response.points.iter().filter_map(|point| point.x.number()).all(|x| x.fract() == 0.0);
    let terms = AxisTerms { name: axis, unit: "", is_whole };
    let sentence = |function: &String| {
        let points = growth_points(response, function);
        let curve = growth(&points).ok().and_then(|growth| growth.verdict.curve());
        let largest = largest_within(&points, curve.as_ref(), limit.0).filter(|_| points.len() > 1)?;
        Some(largest_sentence(function, terms, limit, largest, curve.map(|curve| curve.class)))
    };
    let sentences: Vec<String> = response.request.functions.iter().filter_map(sentence).collect();
    anyhow::ensure!(
        !sentences.is_empty(),
        "no function of the result was measured at two or more values of {axis}. Choose another result."
    );
    Ok(sentences)
}

/// The means of a function at the axis values that are numbers.
fn growth_points(response: &Response, function: &str) -> Vec<GrowthPoint> {
    let own = response.points.iter().filter(|point| point.function == function);
    own.filter_map(|point| Some(point.measured()?.growth_point(point.x.number()?))).collect()
}
