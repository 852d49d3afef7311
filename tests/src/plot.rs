//! The plot, as a hand uses it: wheel, keys, and what it tells scripts.

use anyhow::{Context, Result, ensure};
use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction, WheelAction, WheelActions};
use fantoccini::key::Key;

use crate::notebook::Notebook;

/// The visible part of the plane, in data coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visible {
    /// Least and greatest axis value.
    pub x: (f64, f64),
    /// Least and most nanoseconds.
    pub y: (f64, f64),
}

impl Visible {
    /// Whether `other` lies within it.
    pub fn holds(&self, other: &Self) -> bool {
        let within = |outer: (f64, f64), inner: (f64, f64)| outer.0 <= inner.0 && inner.1 <= outer.1;
        within(self.x, other.x) && within(self.y, other.y) && self != other
    }
}

impl Notebook {
    /// What of the plane is visible.
    ///
    /// # Errors
    /// Where there is no plot.
    pub async fn visible(&self) -> Result<Visible> {
        let view = self.data("plot").await?.remove("view").context("the plot tells its view")?;
        let numbers: Vec<f64> = view.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        ensure!(numbers.len() == 4, "{view}");
        Ok(Visible { x: (numbers[0], numbers[1]), y: (numbers[2], numbers[3]) })
    }

    /// Whether a part of the plane is cut out.
    ///
    /// # Errors
    /// Where there is no plot.
    pub async fn is_zoomed(&self) -> Result<bool> {
        Ok(self.data("plot").await?["zoomed"] == "true")
    }

    /// Turns the wheel over the plot: down for more than 0.
    ///
    /// # Errors
    /// Where there is no plot.
    pub async fn wheel(&self, at: (f64, f64), down: i64) -> Result<()> {
        let (x, y) = self.place(at).await?;
        let scroll = WheelAction::Scroll { duration: None, x: x as i64, y: y as i64, delta_x: 0, delta_y: down };
        let wheel = WheelActions::new("wheel".to_owned()).then(scroll);
        Ok(self.browser.client.perform_actions(wheel).await?)
    }

    /// Moves the pointer to a place of the plot.
    ///
    /// # Errors
    /// Where there is no plot.
    pub async fn hover(&self, at: (f64, f64)) -> Result<()> {
        let (x, y) = self.place(at).await?;
        let mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        Ok(self.browser.client.perform_actions(mouse).await?)
    }

    /// Drags with Shift held.
    ///
    /// # Errors
    /// Where there is no plot.
    pub async fn shift_drag(&self, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        let shift = char::from(Key::Shift);
        // A key that is down stays so from one sequence to the next.
        let key = |action: KeyAction| KeyActions::new("keys".to_owned()).then(action);
        self.browser.client.perform_actions(key(KeyAction::Down { value: shift })).await?;
        self.drag(from, to).await?;
        Ok(self.browser.client.perform_actions(key(KeyAction::Up { value: shift })).await?)
    }

    /// Types keys into the plot.
    ///
    /// # Errors
    /// Where there is no plot.
    pub async fn type_into_plot(&self, keys: &str) -> Result<()> {
        Ok(self.find("[data-test=plot] canvas").await?.send_keys(keys).await?)
    }
}
