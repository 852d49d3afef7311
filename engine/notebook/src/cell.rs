//! A cell of a notebook: text, or a measurement.

use std::rc::Rc;

use benchbook_contract::catalog::name_of;
use serde::{Deserialize, Serialize};

use crate::id::Id;
use crate::result::{CellResult, SharedValue};
use crate::setup::CellSetup;

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedCell")]
pub struct Cell {
    /// The identifier, unique in the notebook.
    pub id: Id,
    /// Whether only its first lines are shown.
    #[serde(default, rename = "collapsed", skip_serializing_if = "std::ops::Not::not")]
    pub is_collapsed: bool,
    /// The content.
    #[serde(flatten)]
    pub content: CellContent,
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellContent {
    /// Text in Markdown.
    Text(String),
    /// A measurement of one function, or of several on the same inputs.
    Measurement(Box<MeasurementCell>),
}

/// A measurement: what to measure, and what was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasurementCell {
    /// The title; the page shows the functions' names in place of an empty one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The setup of the next measurement; the results may have another one.
    pub setup: CellSetup,
    /// The results, oldest first: one for each machine and build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Rc<CellResult>>,
    /// Results of other measurements in the same plot, of one function each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<Rc<CellResult>>,
    /// Why the function is slower than in an earlier build, as docs/pinpoint.schema.json describes it. The page shows it in place of the results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinpoint: Option<SharedValue>,
}

impl Cell {
    /// The measurement; `None` if the cell contains text.
    pub fn measurement(&self) -> Option<&MeasurementCell> {
        match &self.content {
            CellContent::Measurement(measurement) => Some(measurement),
            CellContent::Text(_) => None,
        }
    }

    /// The title of a measurement, or else the names of its functions; the first line of a text, without the marks of a heading. Empty
    /// for a text without a line.
    pub fn name(&self) -> String {
        match &self.content {
            CellContent::Text(text) => {
                let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
                line.trim_start_matches('#').trim_start().to_owned()
            }
            CellContent::Measurement(measurement) if measurement.title.is_empty() => {
                measurement.setup.distinct_functions().into_iter().map(name_of).collect::<Vec<_>>().join(", ")
            }
            CellContent::Measurement(measurement) => measurement.title.clone(),
        }
    }

    /// A copy with identifiers of its own, for itself and its results.
    #[must_use]
    pub fn copied(&self, mut new_id: impl FnMut() -> Id) -> Self {
        let mut copy = Self { id: new_id(), ..self.clone() };
        if let CellContent::Measurement(measurement) = &mut copy.content {
            for result in measurement.results.iter_mut().chain(&mut measurement.overlays) {
                Rc::make_mut(result).id = new_id();
            }
        }
        copy
    }
}

impl MeasurementCell {
    /// The results, then the overlays.
    pub fn all_results(&self) -> impl Iterator<Item = &Rc<CellResult>> {
        self.results.iter().chain(&self.overlays)
    }
}

/// A cell before validation: it may have both contents or neither.
#[derive(Deserialize)]
struct UncheckedCell {
    id: Id,
    #[serde(default)]
    collapsed: bool,
    text: Option<String>,
    measurement: Option<Box<MeasurementCell>>,
}

impl TryFrom<UncheckedCell> for Cell {
    type Error = &'static str;

    fn try_from(cell: UncheckedCell) -> Result<Self, Self::Error> {
        let content = match (cell.text, cell.measurement) {
            (Some(text), None) => CellContent::Text(text),
            (None, Some(measurement)) => CellContent::Measurement(measurement),
            _ => return Err("expected exactly one of `text` and `measurement` in a cell"),
        };
        Ok(Self { id: cell.id, is_collapsed: cell.collapsed, content })
    }
}
