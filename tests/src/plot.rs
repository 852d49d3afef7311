//! The plot: mouse, wheel and keyboard input, and the visible range.

use std::str::FromStr;

use anyhow::{Context, Result};
use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction, WheelAction, WheelActions};
use fantoccini::key::Key;

use crate::notebook::Notebook;

/// The visible range of a chart, as its label states it: with three significant digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisibleRange {
    /// The lowest and highest value of the horizontal axis.
    pub x: (f64, f64),
    /// The lowest and highest value of the vertical axis; times in nanoseconds.
    pub y: (f64, f64),
}

impl FromStr for VisibleRange {
    type Err = anyhow::Error;

    fn from_str(label: &str) -> Result<Self> {
        let range = label.split_once("Visible range: ").context("the label states no range")?.1.trim_end_matches('.');
        let (x, y) = range.rsplit_once("; ").with_context(|| format!("one axis: {label}"))?;
        Ok(Self { x: window(x)?, y: window(y)? })
    }
}

/// The ends of a window such as `Time per call, 1.25 to 8.60 µs`.
fn window(text: &str) -> Result<(f64, f64)> {
    let (_, range) = text.rsplit_once(", ").with_context(|| format!("no title: {text}"))?;
    let (low, high) = range.split_once(" to ").with_context(|| format!("no range: {text}"))?;
    // Groups of digits are separated by narrow spaces, and a unit follows.
    let is_part = |letter: &char| letter.is_ascii_digit() || "−.\u{202f}".contains(*letter);
    let number = |text: &str| -> Result<f64> {
        let digits: String = text.chars().take_while(is_part).collect();
        digits.replace('\u{202f}', "").replace('−', "-").parse().with_context(|| format!("not a number: {text}"))
    };
    let nanoseconds = match high.split('\u{202f}').next_back() {
        Some("ps") => 1e-3,
        Some("µs") => 1e3,
        Some("ms") => 1e6,
        Some("s") => 1e9,
        _ => 1.0,
    };
    Ok((number(low)? * nanoseconds, number(high)? * nanoseconds))
}

impl VisibleRange {
    /// Whether `other` is a proper part of this range.
    pub fn contains(&self, other: &Self) -> bool {
        let within = |outer: (f64, f64), inner: (f64, f64)| outer.0 <= inner.0 && inner.1 <= outer.1;
        within(self.x, other.x) && within(self.y, other.y) && self != other
    }
}

/// The button that a chart shows only while it is zoomed, as a script.
fn reset_button(chart: &str) -> String {
    format!("document.querySelector('[data-test={chart}] [data-test=reset-zoom]')")
}

impl Notebook {
    /// The visible range.
    pub async fn visible(&self) -> Result<VisibleRange> {
        self.chart_label("plot").await?.parse()
    }

    /// The text alternative of a chart with this `data-test`.
    pub async fn chart_label(&self, chart: &str) -> Result<String> {
        let label = format!("document.querySelector('[data-test={chart}] canvas').getAttribute('aria-label')");
        Ok(self.browser.value(&label).await?.as_str().context("the chart has no label")?.to_owned())
    }

    /// Waits until the text alternative of a chart with this `data-test` is another one than `before`, and returns it.
    pub async fn label_after(&self, chart: &str, before: &str) -> Result<String> {
        let label = format!("document.querySelector('[data-test={chart}] canvas').ariaLabel");
        self.browser.until(&format!("{label} !== {}", serde_json::to_string(before)?)).await?;
        self.chart_label(chart).await
    }

    /// Whether the plot is zoomed.
    pub async fn is_zoomed(&self) -> Result<bool> {
        Ok(self.browser.value(&format!("!!{}", reset_button("plot"))).await? == true)
    }

    /// Waits until a chart with this `data-test` is zoomed, or until it is not.
    pub async fn until_zoomed(&self, chart: &str, is_zoomed: bool) -> Result<()> {
        let not = if is_zoomed { "" } else { "!" };
        self.browser.until(&format!("{not}{}", reset_button(chart))).await
    }

    /// Turns the wheel over the plot, downwards if `down` is positive.
    pub async fn wheel(&self, at: (f64, f64), down: i64) -> Result<()> {
        let (x, y) = self.plot_pixel(at).await?;
        let scroll = WheelAction::Scroll { duration: None, x: x as i64, y: y as i64, delta_x: 0, delta_y: down };
        let wheel = WheelActions::new("wheel".to_owned()).then(scroll);
        Ok(self.browser.client.perform_actions(wheel).await?)
    }

    /// Moves the pointer over the plot.
    pub async fn hover(&self, at: (f64, f64)) -> Result<()> {
        let (x, y) = self.plot_pixel(at).await?;
        let mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        Ok(self.browser.client.perform_actions(mouse).await?)
    }

    /// Drags while Shift is pressed.
    pub async fn shift_drag(&self, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        let shift = char::from(Key::Shift);
        // A pressed key stays pressed across action sequences.
        let key = |action: KeyAction| KeyActions::new("keys".to_owned()).then(action);
        self.browser.client.perform_actions(key(KeyAction::Down { value: shift })).await?;
        self.drag(from, to).await?;
        Ok(self.browser.client.perform_actions(key(KeyAction::Up { value: shift })).await?)
    }

    /// Sends keys to the plot.
    pub async fn type_into_plot(&self, keys: &str) -> Result<()> {
        Ok(self.find("[data-test=plot] canvas").await?.send_keys(keys).await?)
    }
}
