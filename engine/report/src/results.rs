//! The results of a cell: those of the last measurement, those of other builds and machines, and overlays.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::quality::Priority;
use benchbook_host::request::Request;
use benchbook_host::response::{METHOD, Machine, MachineKind, Point, Run, SuiteCard, WasmCounts};
use benchbook_notebook::cell::MeasurementCell;
use benchbook_notebook::curve::Reading;
use benchbook_notebook::id::Id;
use benchbook_notebook::result::{CellResult, FunctionCurve, StoredListing, StoredProfile};
use benchbook_notebook::result_setup::ResultSetup;
use benchbook_notebook::trace::Trace;

use super::shown_trace::ShownTrace;

/// The maximum number of results of other builds and machines whose curves are shown: more curves are hard to distinguish.
pub const MAX_OTHERS: usize = 4;

/// The results of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Results of the same functions and arguments on other machines or of other builds: those of readers, then the others, oldest first.
    pub earlier: Vec<Rc<CellResult>>,
    /// The results of the last measurement: one for each machine, this browser's first. Empty before the first measurement.
    pub latest: Vec<Rc<CellResult>>,
    /// Curves of other measurements, each with a single function.
    pub overlays: Vec<Rc<CellResult>>,
}

/// The origin of the points of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultOrigin {
    /// The identifier of the result.
    pub id: Id,
    /// When its measurement started, in milliseconds since 1970. If the runner had stored all points, when it measured them.
    pub started: f64,
    /// The machine that measures.
    pub machine: Machine,
    /// The build that it measures.
    pub suite: SuiteCard,
}

impl Results {
    /// The results that a notebook contains for a cell.
    pub fn of(cell: &MeasurementCell) -> Self {
        let mut earlier = cell.results.clone();
        let last = earlier.pop();
        // The runner continues a measurement of this browser, so its result follows the browser's.
        let kind = |result: &CellResult| result.setup.machine.kind;
        let is_continued = |last: &CellResult, before: &CellResult| {
            !before.from_reader
                && (kind(before), kind(last)) == (MachineKind::Browser, MachineKind::Native)
                && before.setup.request == last.setup.request
        };
        let has_both = last.as_ref().zip(earlier.last()).is_some_and(|(last, before)| is_continued(last, before));
        let first = if has_both { earlier.pop() } else { None };
        Self { earlier, latest: first.into_iter().chain(last).collect(), overlays: cell.overlays.clone() }
    }

    /// The results as a notebook stores them, oldest first.
    pub fn stored(&self) -> Vec<Rc<CellResult>> {
        self.earlier.iter().chain(&self.latest).cloned().collect()
    }

    /// The setup of the last measurement; `None` before the first.
    pub fn setup(&self) -> Option<&Rc<ResultSetup>> {
        self.latest.first().map(|result| &result.setup)
    }

    /// The traces of the last measurement: one for each function and machine.
    pub fn traces(&self) -> Vec<Trace> {
        traces(&self.latest)
    }

    /// The traces of the overlays.
    pub fn overlaid(&self) -> Vec<Trace> {
        traces(&self.overlays)
    }

    /// The traces of the last measurement, then those of other builds and machines, then the overlays. Of more than [`MAX_OTHERS`]
    /// others, only the last ones: the author of a notebook may have added those of many readers.
    pub fn shown(&self) -> Vec<ShownTrace> {
        let mut others = traces(&self.earlier[self.hidden()..]);
        others.extend(self.overlaid());
        ShownTrace::all(&self.traces(), &others)
    }

    /// The number of results that are not shown as curves.
    pub fn hidden(&self) -> usize {
        self.earlier.len().saturating_sub(MAX_OTHERS)
    }

    /// The paths of the measured functions.
    pub fn title(&self) -> String {
        self.setup().map(|setup| setup.request.functions.join("-")).unwrap_or_default()
    }

    /// Whether some figures come without their samples.
    pub fn lacks_samples(&self) -> bool {
        self.latest.iter().flat_map(|result| &result.curves).any(|measured| measured.curve.lacks_samples())
    }

    /// Whether there are no results of a measurement.
    pub fn is_empty(&self) -> bool {
        self.latest.is_empty()
    }

    /// Begins the result of a new measurement. It replaces all results of other functions or arguments, and those of this machine and
    /// build; those of other machines and builds remain.
    pub fn start(&mut self, origin: ResultOrigin, setup: ResultSetup) {
        self.earlier.append(&mut self.latest);
        let (profiles, listings) = self.of_same_work(&setup);
        self.earlier.retain(|result| result.has_figures() && result.setup.request.is_of_same_work(&setup.request));
        self.drop_replaced(&setup.machine, &setup.suite);
        let result = CellResult::new(origin.id, origin.started, Rc::new(setup));
        self.latest = vec![Rc::new(CellResult { profiles, listings, ..result })];
    }

    /// The profiles and the code of a measurement, from earlier ones of the same build and inputs: it executes the same.
    fn of_same_work(&self, setup: &ResultSetup) -> (Vec<StoredProfile>, Vec<StoredListing>) {
        let functions = &setup.request.functions;
        let is_same = |result: &&Rc<CellResult>| {
            let request = Request { functions: functions.clone(), ..result.setup.request.clone() };
            result.setup.suite.fingerprint == setup.suite.fingerprint && request.is_of_same_work(&setup.request)
        };
        let same: Vec<&Rc<CellResult>> = self.earlier.iter().filter(is_same).rev().collect();
        (newest(functions, &same, CellResult::profile), newest(functions, &same, CellResult::listing))
    }

    /// Adds an empty result of the runner with the setup of the first one. If there is one of the same build already, only updates its
    /// machine and its time; that of another build becomes an earlier result, since samples of two builds are never pooled.
    pub fn escalate(&mut self, origin: ResultOrigin) {
        let Some(before) = self.setup() else { return };
        let ResultOrigin { id, started, machine, suite } = origin;
        let setup = Rc::new(ResultSetup { machine, suite, method: METHOD, ..(**before).clone() });
        let (profiles, listings) = self.of_same_work(&setup);
        self.drop_replaced(&setup.machine, &setup.suite);
        let is_continued = |native: &CellResult| {
            !native.has_figures()
                || (native.setup.suite.fingerprint == setup.suite.fingerprint
                    && native.setup.machine.is_same(&setup.machine))
        };
        let native = self.latest.iter().position(|result| result.setup.machine.kind == MachineKind::Native);
        match native {
            Some(index) if is_continued(&self.latest[index]) => {
                let native = Rc::make_mut(&mut self.latest[index]);
                // A result is as new as the newest of its points.
                native.started = if native.has_figures() { native.started.max(started) } else { started };
                if native.setup.suite.fingerprint != setup.suite.fingerprint {
                    (native.profiles, native.listings) = (profiles, listings);
                }
                native.setup = setup;
            }
            _ => {
                self.earlier.extend(native.map(|index| self.latest.remove(index)));
                let result = CellResult::new(id, started, setup);
                self.latest.push(Rc::new(CellResult { profiles, listings, ..result }));
            }
        }
    }

    /// Drops earlier results of a build on a machine.
    fn drop_replaced(&mut self, machine: &Machine, suite: &SuiteCard) {
        self.earlier.retain(|result| {
            let setup = &result.setup;
            !setup.machine.is_same(machine) || setup.suite.fingerprint != suite.fingerprint
        });
    }

    /// Adds points to the result of a machine.
    pub fn add_points(&mut self, kind: MachineKind, priority: Priority, points: Vec<Point>) {
        if let Some(result) = self.result_mut(kind) {
            result.add(priority, points);
        }
    }

    /// A request of a machine with the values that its points so far suggest to add to `count` values of a range.
    pub fn refined(&self, kind: MachineKind, count: u32, request: Request) -> Request {
        let Some(result) = self.result(kind) else { return request };
        Request { also_at: result.refined_values(count, &request.also_at), ..request }
    }

    /// Adds the samples of a stored point; `None` if there is no curve of this function.
    pub fn add_samples(&mut self, function: &str, x: &AxisValue, runs: Vec<Run>) -> Option<()> {
        let mut curves = self.latest.iter_mut().flat_map(|result| &mut Rc::make_mut(result).curves);
        let measured = curves.find(|measured| measured.function == function)?;
        Rc::make_mut(&mut measured.curve).add_samples(x, runs);
        Some(())
    }

    /// The axis values of each function at which this browser has measured but not counted, in the order of the request; only functions with any.
    pub fn uncounted(&self) -> Vec<(String, Vec<AxisValue>)> {
        let is_uncounted =
            |reading: &&Reading| reading.measured().is_some_and(|measured| measured.wasm_instructions.is_none());
        let of_curve = |measured: &FunctionCurve| {
            let uncounted = measured.curve.readings().iter().filter(is_uncounted).map(|reading| reading.x.clone());
            (measured.function.clone(), uncounted.collect::<Vec<_>>())
        };
        let curves = self.result(MachineKind::Browser).into_iter().flat_map(|result| &result.curves);
        curves.map(of_curve).filter(|(_, uncounted)| !uncounted.is_empty()).collect()
    }

    /// Adds the counts of a point of this browser.
    pub fn add_counts(&mut self, function: &str, x: &AxisValue, counts: WasmCounts) {
        let curves = self.result_mut(MachineKind::Browser).into_iter().flat_map(|result| &mut result.curves);
        if let Some(measured) = { curves }.find(|measured| measured.function == function) {
            Rc::make_mut(&mut measured.curve).add_counts(x, counts);
        }
    }

    /// Adds the profile of a function of this browser.
    pub fn add_profile(&mut self, profile: StoredProfile) {
        if let Some(result) = self.result_mut(MachineKind::Browser) {
            result.add_profile(profile);
        }
    }

    /// Adds the code of a function to a result of the last measurement.
    pub fn add_listing(&mut self, id: &Id, listing: StoredListing) {
        if let Some(result) = self.latest.iter_mut().find(|result| result.id == *id) {
            Rc::make_mut(result).add_listing(listing);
        }
    }

    /// The last measurement on a machine of this kind.
    pub fn result(&self, kind: MachineKind) -> Option<&Rc<CellResult>> {
        self.latest.iter().find(|result| result.setup.machine.kind == kind)
    }

    fn result_mut(&mut self, kind: MachineKind) -> Option<&mut CellResult> {
        self.latest.iter_mut().find(|result| result.setup.machine.kind == kind).map(Rc::make_mut)
    }
}

fn traces(results: &[Rc<CellResult>]) -> Vec<Trace> {
    results.iter().flat_map(|result| result.traces()).collect()
}

/// What the first of these results with any stores about each function.
fn newest<T: Clone>(
    functions: &[String],
    results: &[&Rc<CellResult>],
    stored: for<'r> fn(&'r CellResult, &str) -> Option<&'r T>,
) -> Vec<T> {
    let of_function = |function: &String| results.iter().find_map(|result| stored(result, function)).cloned();
    functions.iter().filter_map(of_function).collect()
}
