//! Draws figures of several harnesses for several functions as an SVG, with the chart of the page. Reads the figures as JSON from
//! standard input and prints the SVG. `cargo xtask bench peers --publish` runs it.

use std::fmt::Write as _;
use std::io;

use anyhow::{Context, Result};
use benchbook_chart::{
    AxisScale, AxisSpec, Chart, Content, CurveSeries, CurveStage, Curves, Font, Palette, PlotPoint, PointOutcome,
    PointStats, Quartiles, Unit, css, draw,
};
use benchbook_host::analyze::stability::Stability;
use plotters::prelude::SVGBackend;
use serde::Deserialize;

/// The size of the chart in pixels, without the legend.
const SIZE: (u32, u32) = (760, 320);

/// The height of a line of the legend.
const LINE: u32 = 18;

const FAMILY: &str = "system-ui, sans-serif";

/// The figures to draw.
#[derive(Deserialize)]
struct PeerPlot {
    /// The title of the vertical axis, with its unit.
    title: String,
    /// The functions, from left to right.
    functions: Vec<String>,
    harnesses: Vec<PlottedHarness>,
}

/// The figures of one harness.
#[derive(Deserialize)]
struct PlottedHarness {
    name: String,
    /// One figure per function; absent if it was not measured.
    figures: Vec<Option<f64>>,
}

fn main() -> Result<()> {
    let plot: PeerPlot = serde_json::from_reader(io::stdin()).context("failed to parse the figures")?;
    print!("{}", svg(plot)?);
    Ok(())
}

fn svg(plot: PeerPlot) -> Result<String> {
    let x = AxisSpec::categories("", plot.functions);
    let y = AxisSpec { title: plot.title, unit: Unit::Named(String::new()), scale: AxisScale::Log, range: None };
    let series = plot.harnesses.iter().enumerate().map(|(ordinal, harness)| series(ordinal, harness));
    let curves = Curves {
        series: series.collect(),
        crossings: Vec::new(),
        limit: None,
        show_mean: false,
        show_median: true,
        show_samples: false,
    };
    let palette = Palette::light().comparing();
    let view = curves.fit(&x, &y);
    let font = Font::svg(FAMILY);
    let chart = Chart { content: Content::Curves(curves), x, y, view, palette, font, density: 1.0 };
    let mut svg = String::new();
    draw(SVGBackend::with_string(&mut svg, SIZE), &chart).context("drawing the chart")?;
    // The legend is below the chart.
    let (width, height) = SIZE;
    let total = height + plot.harnesses.len() as u32 * LINE;
    svg = svg.replacen(&format!("height=\"{height}\""), &format!("height=\"{total}\""), 1);
    svg = svg.replacen(&format!("viewBox=\"0 0 {width} {height}\""), &format!("viewBox=\"0 0 {width} {total}\""), 1);
    let end = svg.rfind("</svg>").context("the drawing ends")?;
    svg.truncate(end);
    for (ordinal, harness) in plot.harnesses.iter().enumerate() {
        let y = height + ordinal as u32 * LINE;
        let colour = css(palette.median(ordinal));
        write!(svg, "<rect x=\"60\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>", y + 2)?;
        let name = &harness.name;
        writeln!(svg, "<text x=\"80\" y=\"{}\" font-family=\"{FAMILY}\" font-size=\"12\">{name}</text>", y + 12)?;
    }
    Ok(svg + "</svg>\n")
}

/// One marker per function that was measured.
fn series(ordinal: usize, harness: &PlottedHarness) -> CurveSeries {
    let point = |(index, figure): (usize, &Option<f64>)| {
        let median = (*figure)?;
        let quartiles = Some(Quartiles { q1: median, median, q3: median });
        let stats = PointStats { mean: median, sd: 0.0, quartiles };
        Some(PlotPoint::new(index as f64, PointOutcome::Measured { stats, stability: Stability::Settled }))
    };
    let points = harness.figures.iter().enumerate().filter_map(point);
    CurveSeries::new(&harness.name, ordinal, CurveStage::Final, points.collect())
}
