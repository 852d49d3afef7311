//! Writes the results to the documentation: the tables, and plots drawn by the page's chart.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use benchbook_build::compile;
use serde_json::{Value, json};
use xtask::workspace::Workspace;

use super::harness::Harness;
use super::rows::PeerRow;

/// The folder of the results.
const FOLDER: &str = "docs/peers";

/// Writes `results.md` and its plots.
pub(super) fn publish(workspace: &Workspace, report: &str, rows: &[PeerRow]) -> Result<()> {
    let folder = workspace.root().join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("failed to create {}", folder.display()))?;
    let programs = compile::programs(workspace.root(), &["--package", "benchbook-programs", "--bins"], "release")?;
    let program = programs.get("peer-plot").context("the tests have no program `peer-plot`")?;
    let mut plots = String::new();
    for (target, name, place) in [(Target::Native, "native", "natively"), (Target::Wasm, "chromium", "in Chromium")] {
        for (quantity, figure, title) in QUANTITIES {
            let input = plot(rows, Harness::of_target(target), title, figure);
            if input["harnesses"].as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            let file = format!("{quantity}-{name}.svg");
            let svg = draw(Command::new(program), &input)?;
            fs::write(folder.join(&file), svg).with_context(|| format!("failed to write {file}"))?;
            plots += &format!("![{title} {place}]({file})\n\n");
        }
    }
    let page = format!(
        "# Comparison with other harnesses: results\n\n`cargo xtask bench peers --publish` wrote this page; \
         [peers.md](../peers.md) explains the figures.\n\n{plots}{report}"
    );
    let path = folder.join("results.md");
    fs::write(&path, page).with_context(|| format!("failed to write {}", path.display()))?;
    eprintln!("wrote {}", path.display());
    Ok(())
}

/// A figure of a row.
type PlottedFigure = fn(&PeerRow) -> Option<f64>;

/// The plots: the name of the file, the figure, and the title of its axis.
const QUANTITIES: [(&str, PlottedFigure, &str); 2] = [
    ("rms-error", |row| row.rms_error.map(|error| 100.0 * error), "RMS error in per cent"),
    ("wall-time", |row| Some(row.wall_seconds), "Wall time in seconds"),
];

/// The input of the program that draws: the harnesses with a figure.
fn plot(rows: &[PeerRow], harnesses: &[Harness], title: &str, figure: PlottedFigure) -> Value {
    let mut functions: Vec<&str> = rows.iter().map(|row| row.function.as_str()).collect();
    functions.dedup();
    let of = |harness: &Harness| -> Vec<Option<f64>> {
        let row = |function: &&str| rows.iter().find(|row| row.function == *function && row.harness == *harness);
        functions.iter().map(|function| row(function).and_then(figure)).collect()
    };
    let harnesses = harnesses.iter().map(|harness| (harness, of(harness)));
    let known = harnesses.filter(|(_, figures)| figures.iter().any(Option::is_some));
    let known: Vec<Value> =
        known.map(|(harness, figures)| json!({ "name": harness.title(), "figures": figures })).collect();
    json!({ "title": title, "functions": functions, "harnesses": known })
}

fn draw(mut program: Command, input: &Value) -> Result<Vec<u8>> {
    let mut child =
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("failed to start peer-plot")?;
    let mut stdin = child.stdin.take().context("standard input is not piped (this is a bug)")?;
    stdin.write_all(input.to_string().as_bytes()).context("failed to write the figures")?;
    drop(stdin);
    let output = child.wait_with_output().context("failed to wait for peer-plot")?;
    ensure!(output.status.success(), "peer-plot failed");
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_a_figure_per_function_and_skips_harnesses_without_any() {
        let row = |function: &str, harness, rms_error| PeerRow {
            function: function.to_owned(),
            harness,
            estimate: 1.0,
            median: None,
            half_width: None,
            wall_seconds: 2.0,
            rms_error,
            median_rms_error: None,
            coverage: None,
            another_day: None,
            another_day_coverage: None,
        };
        let rows = [
            row("mix", Harness::Criterion, Some(0.01)),
            row("mix", Harness::Divan, None),
            row("sum", Harness::Criterion, None),
        ];
        let (_, error, title) = QUANTITIES[0];
        let drawn = plot(&rows, &Harness::NATIVE, title, error);
        let expected = json!({
            "title": "RMS error in per cent", "functions": ["mix", "sum"],
            "harnesses": [{ "name": "criterion", "figures": [1.0, null] }],
        });
        assert_eq!(drawn, expected);
    }
}
