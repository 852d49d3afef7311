//! Generated programs, with slowdowns that are planted in them, and changes that cost nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use anyhow::{Context, Result, anyhow};
use benchbook_build::Target;
use benchbook_build::compile;
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter;
use benchbook_contract::protocol::Open;
use benchbook_count::{Interpreter, Rounds};
use benchbook_host::request::{Plan, Request};
use benchbook_instrument::{Options, PathPrefix, counting_module, range_module};
use benchbook_pinpoint::{BuildCode, SourceFile};
use benchbook_profile::{FunctionFilter, LibraryFrames, Profile, is_function};
use rand::RngExt as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::own_crate::OwnCrate;
use crate::requests;
use crate::suites::workspace;
use crate::wasm::WasmModule;

/// What is changed in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A loop in the body of a function.
    Loop,
    /// A call of a function that is called elsewhere, too.
    Call,
    /// A call is made three times.
    Repeated,
    /// A call gets four times as much to do.
    Argument,
    /// A function has another name.
    Renamed,
    /// A function is in another module.
    Moved,
    /// Comments and empty lines, and another order of functions.
    Layout,
}

/// Changes that cost something.
pub const SLOWER: [Plant; 4] = [Plant::Loop, Plant::Call, Plant::Repeated, Plant::Argument];
/// Changes that cost nothing.
pub const HARMLESS_CHANGES: [Plant; 3] = [Plant::Renamed, Plant::Moved, Plant::Layout];

/// A function of a program.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    module: Option<&'static str>,
    is_inlined: bool,
    statements: Vec<Statement>,
}

#[derive(Clone, Debug)]
enum Statement {
    /// A line of code.
    Own(String),
    /// A call of another function, by its index.
    Call { callee: usize, template: &'static str },
}

/// The ways to call a function: directly, under a condition, in a loop, in a closure, and through a pointer. `{f}` is the function, and `{n}` its argument.
const CALLS: [&str; 5] = [
    "x = {f}(x, {n});",
    "if x % 3 != 1 { x = {f}(x, {n}); }",
    "for _ in 0..2 { x = {f}(x, {n}); }",
    "x = [x, 1].iter().map(|y| {f}(*y, {n})).fold(0, |sum, y| sum ^ y);",
    "x = black_box({f} as fn(u64, u64) -> u64)(x, {n});",
];

/// What functions do themselves: work that depends on `n`, without an effect on what is returned, so that a change of the work changes nothing else. `{k}` is
/// another number each time: the compiler merges equal functions.
const OWN: [&str; 4] = [
    "let mut w = x; for i in 0..n { w = w.rotate_left(5) ^ i ^ {k}; } black_box(w);",
    "let items: Vec<u64> = (0..n).map(|i| i ^ x ^ {k}).collect(); black_box(items.iter().max());",
    "x = x.wrapping_mul({k}) >> 3;",
    "let mut text = String::new(); for i in 0..n % 7 { text += if i % 2 == 0 { \"ab\" } else { \"c\" }; } black_box(text.len() ^ {k});",
];

/// A program: its functions, the first one of which is called first. A function calls only later ones.
#[derive(Clone, Debug)]
pub struct Program(Vec<Function>);

/// A change: the name of the function, and what is on the line.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name of the function.
    pub function: String,
    /// The line.
    pub text: String,
}

impl Program {
    /// A program with so many functions.
    pub fn random(rng: &mut Xoshiro256PlusPlus, counts: Range<usize>) -> Self {
        let count = rng.random_range(counts);
        let mut functions: Vec<Function> = (0..count)
            .map(|index| {
                let own = (0..rng.random_range(1..4)).map(|_| {
                    let number = rng.random::<u32>().to_string();
                    Statement::Own(one_of(rng, &OWN).replace("{k}", &number))
                });
                let statements = own.collect();
                Function { name: format!("f{index}"), module: None, is_inlined: rng.random_bool(0.3), statements }
            })
            .collect();
        // Each is called by an earlier one, some by two.
        for callee in 1..count {
            for _ in 0..rng.random_range(1..3) {
                let caller = rng.random_range(callee.saturating_sub(4)..callee);
                let call = Statement::Call { callee, template: one_of(rng, &CALLS) };
                let at = rng.random_range(0..=functions[caller].statements.len());
                functions[caller].statements.insert(at, call);
            }
        }
        Self(functions)
    }

    /// Changes the program. Returns where.
    pub fn plant(&mut self, plant: Plant, rng: &mut Xoshiro256PlusPlus) -> Place {
        let with_calls: Vec<usize> = (0..self.0.len()).filter(|index| !self.calls(*index).is_empty()).collect();
        let function = match plant {
            Plant::Loop => rng.random_range(0..self.0.len()),
            // The suite calls the first one.
            Plant::Renamed | Plant::Moved | Plant::Layout => rng.random_range(1..self.0.len()),
            Plant::Call | Plant::Repeated | Plant::Argument => one_of(rng, &with_calls),
        };
        let (count, calls) = (self.0.len(), self.calls(function));
        let names: Vec<String> = (0..count).map(|index| self.path(index)).collect();
        let statements = &mut self.0[function].statements;
        let mut text = String::new();
        match plant {
            Plant::Loop => {
                "let mut planted = x; for i in 0..3 * n { planted = planted.rotate_left(7) ^ i; } black_box(planted);"
                    .clone_into(&mut text);
                statements.insert(rng.random_range(0..=statements.len()), Statement::Own(text.clone()));
            }
            Plant::Call => {
                let callee = &names[rng.random_range(function + 1..count)];
                text = format!("black_box({callee}(black_box(x), n + 40));");
                statements.insert(rng.random_range(0..=statements.len()), Statement::Own(text.clone()));
            }
            Plant::Repeated | Plant::Argument => {
                let at = one_of(rng, &calls);
                let Statement::Call { callee, template } = statements[at].clone() else { unreachable!("it is a call") };
                let call = template.replace("{f}", &names[callee]);
                text = match plant {
                    Plant::Argument => call.replace("{n}", "4 * n + 64"),
                    _ => {
                        let again = format!("for _ in 0..2 {{ black_box({}(black_box(x), n)); }}", names[callee]);
                        format!("{again} {}", call.replace("{n}", "n"))
                    }
                };
                statements[at] = Statement::Own(text.clone());
            }
            Plant::Renamed => self.0[function].name += "_renamed",
            Plant::Moved => self.0[function].module = Some("moved"),
            Plant::Layout => {}
        }
        Place { function: self.0[function].name.clone(), text }
    }

    /// The indices of the calls that a function makes.
    fn calls(&self, function: usize) -> Vec<usize> {
        let statements = self.0[function].statements.iter().enumerate();
        let is_call = |statement: &Statement| matches!(statement, Statement::Call { .. });
        statements.filter(|(_, statement)| is_call(statement)).map(|(index, _)| index).collect()
    }

    /// The names of the functions that a function calls, and of those that these call, with its own.
    pub fn reached(&self, name: &str) -> BTreeSet<String> {
        let Some(function) = self.0.iter().position(|function| function.name == name) else { return BTreeSet::new() };
        let mut reached = BTreeSet::from([name.to_owned()]);
        for statement in &self.0[function].statements {
            if let Statement::Call { callee, .. } = statement {
                reached.extend(self.reached(&self.0[*callee].name));
            }
        }
        reached
    }

    fn path(&self, function: usize) -> String {
        let Function { name, module, .. } = &self.0[function];
        module.map_or_else(|| name.clone(), |module| format!("{module}::{name}"))
    }

    /// The program as a module.
    pub fn source(&self, layout: Option<Plant>) -> String {
        let mut parts = [String::new(), String::new()];
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        if layout == Some(Plant::Layout) {
            order.reverse();
        }
        for index in order {
            let Function { name, module, is_inlined, statements } = &self.0[index];
            let part = &mut parts[usize::from(module.is_some())];
            if layout == Some(Plant::Layout) {
                *part += "\n// A comment.\n\n";
            }
            let inline = if *is_inlined { "#[inline]" } else { "#[inline(never)]" };
            *part += &format!("{inline}\npub fn {name}(mut x: u64, n: u64) -> u64 {{\n");
            for statement in statements {
                let line = match statement {
                    Statement::Own(line) => line.clone(),
                    Statement::Call { callee, template } => {
                        template.replace("{f}", &self.path(*callee)).replace("{n}", "n")
                    }
                };
                *part += &format!("    {line}\n");
            }
            *part += "    x\n}\n";
        }
        let [own, moved] = parts;
        let moved = if moved.is_empty() {
            moved
        } else {
            format!("pub mod moved {{\nuse std::hint::black_box;\nuse super::*;\n{moved}}}\n")
        };
        format!("#![allow(unused)]\nuse std::hint::black_box;\n{own}{moved}")
    }
}

/// One of these.
pub fn one_of<T: Copy>(rng: &mut Xoshiro256PlusPlus, all: &[T]) -> T {
    all[rng.random_range(0..all.len())]
}

const MANIFEST: &str =
    "[package]\nname = \"planted\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n";

const GENERATOR: &str = "
/// Sizes.
#[generator(name = \"Sizes\")]
fn sizes(
    _service: &Service,
    /// The size.
    #[parameter(min = 1, max = 10_000_000, scale = \"log\", default = 10..=1_000)]
    size: u64,
) -> Shared<u64> {
    Shared::new(move |_| size)
}

benchbook::suite!(\"planted\");
";

/// The sources of a suite with these programs, by their files.
fn sources(programs: &[String]) -> BTreeMap<String, String> {
    let mut main = "use benchbook::prelude::*;\n".to_owned();
    let mut files = BTreeMap::new();
    for (index, program) in programs.iter().enumerate() {
        main += &format!(
            "mod p{index};\n/// A program.\n#[measured(generators(sizes))]\nfn run{index}(size: &u64) -> u64 {{\n    p{index}::f0(7, *size)\n}}\n"
        );
        files.insert(format!("src/p{index}.rs"), program.clone());
    }
    files.insert("src/main.rs".to_owned(), main + GENERATOR);
    files
}

/// An empty crate for the programs.
pub fn planted_crate() -> Result<OwnCrate> {
    let own = OwnCrate::empty()?;
    let library = workspace()?.root().join("engine");
    let dependency = format!("benchbook = {{ path = {library:?}, default-features = false }}\n");
    own.write("Cargo.toml", &format!("{MANIFEST}{dependency}"))?;
    own.lock("Cargo.lock")?;
    Ok(own)
}

/// A build of a suite with programs: the function `run3` calls the program 3.
pub struct PlantedBuild {
    suite: Suite,
    /// As compiled, with debug information.
    compiled: Vec<u8>,
    counting: Interpreter,
    /// The code of its functions.
    pub code: BuildCode,
}

impl PlantedBuild {
    /// Builds it in a crate.
    pub fn new(own: &OwnCrate, programs: &[String]) -> Result<Self> {
        let files = sources(programs);
        files.iter().try_for_each(|(file, text)| own.write(file, text))?;
        let built = compile::executables(own.path(), "planted", Target::Wasm, &[])?;
        let compiled = fs::read(&built["planted"])?;
        let folder = own.path().canonicalize()?.to_string_lossy().into_owned();
        let options =
            Options { path_prefixes: vec![PathPrefix { folder, replacement: String::new() }], read_source: None };
        let counting = Interpreter::new(&counting_module(&compiled, &options)?)?;
        let code = BuildCode::new(counting.map(), |path| files.get(path).map(|text| SourceFile::read(text)));
        Ok(Self { suite: WasmModule::new(&compiled)?.describe()?, compiled, counting, code })
    }

    /// The profile of a function by call, with this many sizes.
    pub fn profile(&self, path: &str, sizes: parameter::Range, points: u32) -> Result<Profile> {
        let plan = self.plan(path, sizes)?;
        let mut counts = Vec::new();
        for x in plan.axis_values(points) {
            let open = plan.open(1, vec![path.to_owned()], &x);
            counts.push((x, self.counting.count_contexts(&open, Rounds::One)?));
        }
        let profile = Profile::by_call(self.counting.map(), path, "size", &counts);
        Ok(profile.filtered(&FunctionFilter { library: LibraryFrames::Outermost, ..FunctionFilter::default() }))
    }

    /// The inputs of a function at the largest size.
    pub fn open(&self, path: &str, sizes: parameter::Range) -> Result<Open> {
        let plan = self.plan(path, sizes)?;
        let x = plan.axis_values(2).pop().context("a range has values")?;
        Ok(plan.open(1, vec![path.to_owned()], &x))
    }

    /// A request for a function.
    pub fn request(&self, path: &str, sizes: parameter::Range) -> Result<Request> {
        let generator = self.suite.generator("sizes").context("it has a generator")?;
        Ok(requests::request(&self.suite, &[path], generator, sizes))
    }

    /// The module that times ranges of the calls of a function.
    pub fn ranges(&self, path: &str) -> Result<Vec<u8>> {
        Ok(range_module(&self.compiled, &Options::default(), &|name| is_function(name, path))?)
    }

    fn plan(&self, path: &str, sizes: parameter::Range) -> Result<Plan> {
        Plan::new(&self.suite, self.request(path, sizes)?).map_err(|problems| anyhow!("{problems:?}"))
    }
}
