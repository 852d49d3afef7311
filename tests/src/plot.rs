//! The plot: mouse, wheel and keyboard input, and the visible range.

use anyhow::{Context, Result, ensure};
use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction, WheelAction, WheelActions};
use fantoccini::key::Key;

use crate::notebook::Notebook;

/// The visible range of the plot, in data coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisibleRange {
    /// The lowest and highest axis value.
    pub x: (f64, f64),
    /// The lowest and highest time, in nanoseconds.
    pub y: (f64, f64),
}

impl VisibleRange {
    /// Whether `other` is a proper part of this range.
    pub fn contains(&self, other: &Self) -> bool {
        let within = |outer: (f64, f64), inner: (f64, f64)| outer.0 <= inner.0 && inner.1 <= outer.1;
        within(self.x, other.x) && within(self.y, other.y) && self != other
    }
}

impl Notebook {
    /// The visible range.
    ///
    /// # Errors
    /// If there is no plot.
    pub async fn visible(&self) -> Result<VisibleRange> {
        let view = self.data("plot").await?.remove("view").context("the plot has a view")?;
        let numbers: Vec<f64> = view.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        ensure!(numbers.len() == 4, "{view}");
        Ok(VisibleRange { x: (numbers[0], numbers[1]), y: (numbers[2], numbers[3]) })
    }

    /// Whether the plot is zoomed.
    ///
    /// # Errors
    /// If there is no plot.
    pub async fn is_zoomed(&self) -> Result<bool> {
        Ok(self.data("plot").await?["zoomed"] == "true")
    }

    /// Turns the wheel over the plot, downwards if `down` is positive.
    ///
    /// # Errors
    /// If there is no plot.
    pub async fn wheel(&self, at: (f64, f64), down: i64) -> Result<()> {
        let (x, y) = self.plot_pixel(at).await?;
        let scroll = WheelAction::Scroll { duration: None, x: x as i64, y: y as i64, delta_x: 0, delta_y: down };
        let wheel = WheelActions::new("wheel".to_owned()).then(scroll);
        Ok(self.browser.client.perform_actions(wheel).await?)
    }

    /// Moves the pointer over the plot.
    ///
    /// # Errors
    /// If there is no plot.
    pub async fn hover(&self, at: (f64, f64)) -> Result<()> {
        let (x, y) = self.plot_pixel(at).await?;
        let mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        Ok(self.browser.client.perform_actions(mouse).await?)
    }

    /// Drags while Shift is pressed.
    ///
    /// # Errors
    /// If there is no plot.
    pub async fn shift_drag(&self, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        let shift = char::from(Key::Shift);
        // A pressed key stays pressed across action sequences.
        let key = |action: KeyAction| KeyActions::new("keys".to_owned()).then(action);
        self.browser.client.perform_actions(key(KeyAction::Down { value: shift })).await?;
        self.drag(from, to).await?;
        Ok(self.browser.client.perform_actions(key(KeyAction::Up { value: shift })).await?)
    }

    /// Sends keys to the plot.
    ///
    /// # Errors
    /// If there is no plot.
    pub async fn type_into_plot(&self, keys: &str) -> Result<()> {
        Ok(self.find("[data-test=plot] canvas").await?.send_keys(keys).await?)
    }
}
