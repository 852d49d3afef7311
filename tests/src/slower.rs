//! Both commits of the fixture `slower`, and why its function is slower in the later one.

use std::fs;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};
use benchbook_build::Target;
use benchbook_build::compile;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::{Argument, Range};
use benchbook_count::{Interpreter, Rounds};
use benchbook_host::request::{Plan, Request};
use benchbook_instrument::{Options, PathPrefix, counting_module, range_module};
use benchbook_pinpoint::{BuildCode, FindLimits, Pinpoint, PinpointReport, SourceFile, TimeSearch};
use benchbook_profile::{FunctionFilter, LibraryFrames, Profile, ProfileMetric, is_function};

use crate::requests;
use crate::server::Site;
use crate::sites::{RANGE_MODULES, compared_builds};
use crate::suites::workspace;
use crate::wasm::WasmModule;

/// The function that is slower.
pub const FUNCTION: &str = "run";

/// The axis values of the counts, as in a command.
const POINTS: u32 = 9;

/// The items that are counted: about 40 ms.
const SIZE: f64 = 20_000_000.0;

/// The iterations of `foo`: about 50 ms.
const WORK: f64 = 30_000_000.0;

/// The modules of both commits.
#[derive(Clone, Debug)]
pub struct Slower {
    /// As compiled, with debug information; the earlier one first.
    compiled: [Vec<u8>; 2],
}

impl Slower {
    /// Builds them on first use.
    pub fn build() -> Result<Self> {
        static BUILT: Mutex<Option<Slower>> = Mutex::new(None);
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(built) = &*built {
            return Ok(built.clone());
        }
        // Both have the same path.
        let build = |options: &[&str]| -> Result<Vec<u8>> {
            let built = compile::executables(workspace()?.root(), "slower", Target::Wasm, options)?;
            let module = built.get("slower").context("cargo built no module")?;
            fs::read(module).with_context(|| format!("failed to read {}", module.display()))
        };
        let compiled = [build(&[])?, build(&["--features", "slow"])?];
        Ok(built.insert(Self { compiled }).clone())
    }

    /// The modules that time ranges.
    pub fn ranges(&self) -> Result<[Vec<u8>; 2]> {
        let [before, after] = &self.compiled;
        let ranges = |module: &[u8]| {
            range_module(module, &Options::default(), &|name| is_function(name, FUNCTION)).map_err(anyhow::Error::from)
        };
        Ok([ranges(before)?, ranges(after)?])
    }

    /// A request with buffers of these sizes, beside this much work.
    pub fn request(&self, sizes: Range, work: f64) -> Result<Request> {
        let suite = self.suite()?;
        let generator = suite.generator("buffers").context("it has a generator")?;
        let mut request = requests::request(&suite, &[FUNCTION], generator, sizes);
        request.arguments.insert("work".to_owned(), Argument::Number(work));
        Ok(request)
    }

    /// Why the function is slower, by counts. A search of the page has buffers of this size.
    pub fn report(&self, size: f64, work: f64, limits: FindLimits) -> Result<PinpointReport> {
        let root = workspace()?.root();
        let folder = root.to_string_lossy().into_owned();
        let options =
            Options { path_prefixes: vec![PathPrefix { folder, replacement: String::new() }], read_source: None };
        let plan = self.plan(self.request(Range { low: 100.0, high: 100_000.0 }, 1_000.0)?)?;
        let mut profiles = Vec::new();
        let mut code = Vec::new();
        for compiled in &self.compiled {
            let interpreter = Interpreter::new(&counting_module(compiled, &options)?)?;
            let mut counts = Vec::new();
            for x in plan.axis_values(POINTS) {
                let open = plan.open(1, vec![FUNCTION.to_owned()], &x);
                counts.push((x, interpreter.count_contexts(&open, Rounds::One)?));
            }
            let filter = FunctionFilter { library: LibraryFrames::Outermost, ..FunctionFilter::default() };
            profiles.push(Profile::by_call(interpreter.map(), FUNCTION, "size", &counts).filtered(&filter));
            let read = |path: &str| fs::read_to_string(root.join(path)).ok().map(|text| SourceFile::read(&text));
            code.push(BuildCode::new(interpreter.map(), read));
        }
        let pinpoint =
            Pinpoint::new([&profiles[0], &profiles[1]], [&code[0], &code[1]], ProfileMetric::Instructions, None);
        let mut report = PinpointReport::of(pinpoint.context("both have the same calls")?, Vec::new(), "HEAD~1");
        let sizes = Range { low: size / 2.0, high: size };
        let open = self.plan(self.request(sizes, work)?)?.open(1, vec![FUNCTION.to_owned()], &AxisValue::Number(size));
        report.search = Some(TimeSearch { modules: RANGE_MODULES.map(str::to_owned), open, limits });
        Ok(report)
    }

    /// A page with the comparison as its article.
    pub fn site(&self, limits: FindLimits) -> Result<Site> {
        let report = self.report(SIZE, WORK, limits)?;
        let request = self.request(Range { low: SIZE / 2.0, high: SIZE }, WORK)?;
        compared_builds(&request, &report, self.ranges()?)
    }

    fn suite(&self) -> Result<Suite> {
        WasmModule::new(&self.compiled[0])?.describe()
    }

    fn plan(&self, request: Request) -> Result<Plan> {
        Plan::new(&self.suite()?, request).map_err(|problems| anyhow!("{problems:?}"))
    }
}
