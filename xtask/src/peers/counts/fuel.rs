//! The table of totals, compared with wasmtime's fuel.

use anyhow::{Result, ensure};

use super::points::{CountedPoint, by_function, grouped};

/// Prints the totals of each function.
///
/// # Errors
/// If the fuel of a function differs.
pub(super) fn print(points: &[CountedPoint]) -> Result<()> {
    println!("| function | sizes | messages | batches | wasm instructions | bytes of bulk instructions | fuel |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | --- |");
    let mut differences = Vec::new();
    for of_function in by_function(points) {
        println!("{}", row(of_function));
        let at = |point: &CountedPoint| {
            let place = format!("`{}` at {}", point.function, point.x);
            point.differences.iter().map(move |difference| format!("{place}: {difference}")).collect::<Vec<_>>()
        };
        differences.extend(of_function.iter().flat_map(at));
    }
    let total = |number: fn(&CountedPoint) -> u64| grouped(points.iter().map(number).sum());
    println!(
        "\n{} instructions in {} messages, with {} bytes of bulk instructions.",
        total(|point| point.instructions),
        total(|point| point.messages),
        total(|point| point.amounts)
    );
    ensure!(differences.is_empty(), "the fuel of wasmtime differs from the count:\n{}", differences.join("\n"));
    Ok(())
}

/// The totals of all points of a function.
fn row(points: &[CountedPoint]) -> String {
    let function = points.first().map_or("", |point| point.function.as_str());
    let total = |number: fn(&CountedPoint) -> u64| grouped(points.iter().map(number).sum());
    let sizes = match points {
        [one] => one.x.clone(),
        [first, .., last] => format!("{} from {} to {}", points.len(), first.x, last.x),
        [] => String::new(),
    };
    let verdict = match points.iter().find_map(|point| point.failure.as_ref()) {
        Some(reason) => format!("not compared: {reason}"),
        None if points.iter().all(|point| point.differences.is_empty()) => "equal".to_owned(),
        None => "**different**".to_owned(),
    };
    format!(
        "| `{function}` | {sizes} | {} | {} | {} | {} | {verdict} |",
        total(|point| point.messages),
        total(|point| point.batches),
        total(|point| point.instructions),
        total(|point| point.amounts)
    )
}
