//! A result: the curves of one measurement on one machine, with everything needed to show and to repeat it.

use std::rc::Rc;

use benchbook_contract::catalog::Generator;
use benchbook_contract::protocol::MAX_FUNCTIONS;
use benchbook_host::quality::Priority;
use benchbook_host::response::{Comparison, Point, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::curve::MeasuredCurve;
use crate::id::Id;
use crate::result_setup::ResultSetup;
use crate::trace::Trace;

/// The results of one measurement on one machine. They are independent of the suite, which may have changed since or may
/// not be loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// The identifier, unique in the notebook.
    pub id: Id,
    /// When the measurement started, in milliseconds since 1970.
    pub started: f64,
    /// Whether a reader measured it and sent it to the author.
    #[serde(default, skip_serializing_if = "is_false")]
    pub from_reader: bool,
    /// How the curves were measured.
    pub setup: Rc<ResultSetup>,
    /// One curve for each function of the request, in its order. They were measured on the same inputs.
    pub curves: Vec<FunctionCurve>,
    /// The ratios of pairs of functions, in the order of the request. Only if some raw samples, from which they are computed, are
    /// missing.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub comparisons: Rc<Vec<Comparison>>,
    /// What the calls of a function execute, as a tree, for each function that was profiled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<StoredProfile>,
    /// The code of each function whose code was shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listings: Vec<StoredListing>,
}

/// The profile of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredProfile {
    /// The function's path.
    pub function: String,
    /// `profile` of docs/profile.schema.json.
    pub profile: SharedValue,
}

/// The code of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredListing {
    /// The function's path.
    pub function: String,
    /// An entry of `listings` of docs/assembly.schema.json.
    pub listing: SharedValue,
}

/// JSON stored as it is: only the programs that show it parse it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SharedValue(pub Rc<Value>);

impl PartialEq for SharedValue {
    /// As for [`FunctionCurve`].
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_empty(comparisons: &Rc<Vec<Comparison>>) -> bool {
    comparisons.is_empty()
}

/// The curve of one function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionCurve {
    /// The function's path.
    pub function: String,
    /// The points.
    #[serde(rename = "points")]
    pub curve: Rc<MeasuredCurve>,
}

impl PartialEq for FunctionCurve {
    /// Curves that share their points are equal; only others are compared point by point.
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function && (Rc::ptr_eq(&self.curve, &other.curve) || self.curve == other.curve)
    }
}

impl CellResult {
    /// A result without points yet.
    pub fn new(id: Id, started: f64, setup: Rc<ResultSetup>) -> Self {
        let empty = |function: &String| FunctionCurve { function: function.clone(), curve: Rc::default() };
        let curves = setup.request.functions.iter().map(empty).collect();
        let comparisons = Rc::default();
        Self { id, started, from_reader: false, setup, curves, comparisons, profiles: Vec::new(), listings: Vec::new() }
    }

    /// The result that a runner stored. `generator`: the generator as the suite describes it. Without it, the axis has the name
    /// of its parameter only.
    pub fn stored(id: Id, started: f64, response: Response, generator: Option<&Generator>) -> Self {
        let Response { request, priority, suite, machine, method, points, comparisons, .. } = response;
        let setup = match generator {
            Some(generator) => ResultSetup::new(request, generator, suite, machine, method),
            None => ResultSetup::undescribed(request, suite, machine, method),
        };
        let mut result = Self::new(id, started, Rc::new(setup));
        result.add(priority, points);
        result.comparisons = Rc::new(comparisons);
        result
    }

    /// The result of a single function, to draw it in the plot of another cell.
    pub fn of_trace(id: Id, trace: &Trace) -> Self {
        let curve = FunctionCurve { function: trace.path.clone(), curve: Rc::clone(&trace.curve) };
        Self {
            id,
            started: trace.started,
            from_reader: false,
            setup: Rc::clone(&trace.setup),
            curves: vec![curve],
            comparisons: Rc::default(),
            profiles: Vec::new(),
            listings: Vec::new(),
        }
    }

    /// Adds points of a priority. Points of functions that the request does not have are ignored.
    pub fn add(&mut self, priority: Priority, points: Vec<Point>) {
        for point in points {
            if let Some(measured) = self.curves.iter_mut().find(|curve| curve.function == point.function) {
                Rc::make_mut(&mut measured.curve).insert(self.setup.axis.as_ref(), priority, point);
            }
        }
    }

    /// The profile of a function.
    pub fn profile(&self, function: &str) -> Option<&StoredProfile> {
        self.profiles.iter().find(|profile| profile.function == function)
    }

    /// The code of a function.
    pub fn listing(&self, function: &str) -> Option<&StoredListing> {
        self.listings.iter().find(|listing| listing.function == function)
    }

    /// Adds the code of a function, in place of an earlier listing.
    pub fn add_listing(&mut self, listing: StoredListing) {
        self.listings.retain(|known| known.function != listing.function);
        self.listings.push(listing);
    }

    /// Adds the profile of a function, in place of an earlier one.
    pub fn add_profile(&mut self, profile: StoredProfile) {
        self.profiles.retain(|known| known.function != profile.function);
        self.profiles.push(profile);
    }

    /// The curves, each with the setup.
    pub fn traces(&self) -> impl Iterator<Item = Trace> {
        self.curves.iter().map(|measured| Trace {
            setup: Rc::clone(&self.setup),
            started: self.started,
            from_reader: self.from_reader,
            path: measured.function.clone(),
            curve: Rc::clone(&measured.curve),
            comparisons: Rc::clone(&self.comparisons),
        })
    }

    /// Checks the parts of a result from a file that the types do not guarantee and that later code relies on.
    pub(crate) fn check(&self) -> Result<(), String> {
        let functions = &self.setup.request.functions;
        if !(1..=MAX_FUNCTIONS).contains(&self.curves.len()) {
            return Err(format!("expected 1 to {MAX_FUNCTIONS} curves in a result, found {}", self.curves.len()));
        }
        for (index, FunctionCurve { function, curve }) in self.curves.iter().enumerate() {
            if !functions.contains(function) || self.curves[..index].iter().any(|other| other.function == *function) {
                return Err(format!("the functions of a result do not match its request: `{function}`"));
            }
            curve.check(self.setup.axis.as_ref()).map_err(|reason| format!("`{function}`: {reason}"))?;
        }
        Ok(())
    }

    /// Restores the order of the points of a result from a file.
    pub(crate) fn sort(&mut self) {
        for measured in &mut self.curves {
            Rc::make_mut(&mut measured.curve).sort(self.setup.axis.as_ref());
        }
    }

    /// Whether at least one point has figures.
    pub fn has_figures(&self) -> bool {
        self.curves.iter().any(|measured| measured.curve.has_figures())
    }

    /// The result without raw samples; the figures and the ratios remain.
    pub fn without_samples(&self) -> Self {
        let curves = self.curves.iter().map(|FunctionCurve { function, curve }| FunctionCurve {
            function: function.clone(),
            curve: Rc::new(curve.without_samples()),
        });
        let comparisons =
            if self.comparisons.is_empty() { Rc::new(self.compared()) } else { Rc::clone(&self.comparisons) };
        Self { curves: curves.collect(), comparisons, ..self.clone() }
    }
}
