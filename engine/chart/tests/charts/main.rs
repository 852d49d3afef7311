//! Draws charts as SVG and compares them with the files in `golden/`. `BENCHBOOK_BLESS=1 cargo test -p benchbook-chart`
//! rewrites those.
//!
//! The comparison covers the pixels of lines, areas and markers, and the content and anchor of texts. The extent of a text
//! depends on fonts.

mod any;
mod categories;
mod curves;
mod export;
mod fixtures;
mod samples;

use std::fmt::Write;
use std::path::Path;

use benchbook_chart::{Chart, draw};
use plotters::prelude::SVGBackend;

fn svg(chart: &Chart, width: u32, height: u32) -> String {
    let mut svg = String::new();
    let backend = SVGBackend::with_string(&mut svg, (width, height));
    let layout = draw(backend, chart).expect("writing to a string cannot fail");
    assert_eq!(layout, chart.layout(width, height));
    svg
}

/// The value of an attribute in an element's tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value.trim())
}

/// The elements of an SVG, one per line: shapes with colour, opacity, stroke and pixels; texts with content and anchor.
fn geometry(svg: &str) -> String {
    const SHOWN: &str = "fill stroke opacity stroke-width x y width height x1 y1 x2 y2 cx cy r points viewBox";
    let mut lines = String::new();
    let mut rest = svg;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, content) = after.split_once('>').expect("every tag ends");
        rest = content;
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if name == "text" {
            let text = content.split('<').next().unwrap_or_default().trim();
            let [x, y] = ["x", "y"].map(|name| attribute(tag, name).unwrap_or_default());
            writeln!(lines, "text {text} x={x} y={y}").expect("writing to a string cannot fail");
        } else if !name.is_empty() {
            let shown = SHOWN.split(' ').filter_map(|name| Some((name, attribute(tag, name)?)));
            let shown: String = shown.map(|(name, value)| format!(" {name}={value}")).collect();
            writeln!(lines, "{name}{shown}").expect("writing to a string cannot fail");
        }
    }
    lines
}

#[track_caller]
fn golden(name: &str, chart: &Chart) {
    golden_of_size(name, chart, (340, 240));
}

#[track_caller]
fn golden_of_size(name: &str, chart: &Chart, (width, height): (u32, u32)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
    let drawn = geometry(&svg(chart, width, height));
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        std::fs::write(&path, &drawn).expect("the golden folder is writable");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == expected, "{name} differs from {}; it was drawn as\n{drawn}", path.display());
}
