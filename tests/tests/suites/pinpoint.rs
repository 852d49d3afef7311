//! Slowdowns that were planted in generated programs, and changes that cost nothing. The test knows the places; the search does not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use benchbook_build::Target;
use benchbook_build::compile;
use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter;
use benchbook_count::{Interpreter, Rounds};
use benchbook_host::request::Plan;
use benchbook_instrument::{ContextCounts, Options, PathPrefix, counting_module};
use benchbook_pinpoint::{BuildCode, Change, FindLimits, Pinpoint, SourceFile};
use benchbook_profile::{FunctionFilter, LibraryFrames, Profile, ProfileMetric};
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::requests;
use benchbook_tests::slower::Slower;
use benchbook_tests::wasm::WasmModule;
use rand::{RngExt as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many slowdowns must be found.
const FOUND: usize = 50;

/// How many programs have a planted one: some are never executed.
const PLANTED: usize = 60;

/// How many changes without an effect must have no contributor.
const WITHOUT: usize = 100;

/// How many programs have such a change: the compiler makes other code of some.
const HARMLESS: usize = 104;

/// What is changed in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plant {
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

const SLOWER: [Plant; 4] = [Plant::Loop, Plant::Call, Plant::Repeated, Plant::Argument];
const HARMLESS_CHANGES: [Plant; 3] = [Plant::Renamed, Plant::Moved, Plant::Layout];

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
struct Program(Vec<Function>);

/// A change: the name of the function, and what is on the line.
#[derive(Clone, Debug)]
struct Place {
    function: String,
    text: String,
}

impl Program {
    fn random(rng: &mut Xoshiro256PlusPlus, counts: Range<usize>) -> Self {
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
    fn plant(&mut self, plant: Plant, rng: &mut Xoshiro256PlusPlus) -> Place {
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
                let Statement::Call { callee, template } = statements[at].clone() else { panic!() };
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

    fn path(&self, function: usize) -> String {
        let Function { name, module, .. } = &self.0[function];
        module.map_or_else(|| name.clone(), |module| format!("{module}::{name}"))
    }

    /// The program as a module.
    fn source(&self, layout: Option<Plant>) -> String {
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
            writeln!(part, "{inline}\npub fn {name}(mut x: u64, n: u64) -> u64 {{").unwrap();
            for statement in statements {
                let line = match statement {
                    Statement::Own(line) => line.clone(),
                    Statement::Call { callee, template } => {
                        template.replace("{f}", &self.path(*callee)).replace("{n}", "n")
                    }
                };
                writeln!(part, "    {line}").unwrap();
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

fn one_of<T: Copy>(rng: &mut Xoshiro256PlusPlus, all: &[T]) -> T {
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
    #[parameter(min = 1, max = 10_000, scale = \"log\", default = 10..=1_000)]
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
        writeln!(main, "mod p{index};").unwrap();
        writeln!(
            main,
            "/// A program.\n#[measured(generators(sizes))]\nfn run{index}(size: &u64) -> u64 {{\n    p{index}::f0(7, *size)\n}}"
        )
        .unwrap();
        files.insert(format!("src/p{index}.rs"), program.clone());
    }
    files.insert("src/main.rs".to_owned(), main + GENERATOR);
    files
}

/// A build of the suite.
struct Build {
    suite: Suite,
    counting: Interpreter,
    code: BuildCode,
}

impl Build {
    fn new(own: &OwnCrate, files: BTreeMap<String, String>) -> Self {
        for (file, text) in &files {
            own.write(file, text).unwrap();
        }
        let built = compile::executables(own.path(), "planted", Target::Wasm, &[]).unwrap();
        let wasm = std::fs::read(&built["planted"]).unwrap();
        let folder = own.path().canonicalize().unwrap().to_string_lossy().into_owned();
        let options =
            Options { path_prefixes: vec![PathPrefix { folder, replacement: String::new() }], read_source: None };
        let counting = Interpreter::new(&counting_module(&wasm, &options).unwrap()).unwrap();
        let code = BuildCode::new(counting.map(), |path| files.get(path).map(|text| SourceFile::read(text)));
        Self { suite: WasmModule::new(&wasm).unwrap().describe().unwrap(), counting, code }
    }

    fn count(&self, path: &str) -> Vec<(AxisValue, ContextCounts)> {
        let generator = self.suite.generator("sizes").unwrap();
        let request = requests::request(&self.suite, &[path], generator, parameter::Range { low: 100.0, high: 200.0 });
        let plan = Plan::new(&self.suite, request).unwrap();
        let count = |x: &AxisValue| {
            let open = plan.open(1, vec![path.to_owned()], x);
            (x.clone(), self.counting.count_contexts(&open, Rounds::One).unwrap())
        };
        plan.axis_values(1).iter().map(count).collect()
    }

    fn profile(&self, path: &str) -> Profile {
        let profile = Profile::by_call(self.counting.map(), path, "size", &self.count(path));
        profile.filtered(&FunctionFilter { library: LibraryFrames::Outermost, ..FunctionFilter::default() })
    }
}

fn pinpoint(builds: [&Build; 2], path: &str) -> Pinpoint {
    let profiles = builds.map(|build| build.profile(path));
    Pinpoint::new(profiles.each_ref(), builds.map(|build| &build.code), ProfileMetric::Instructions, None).unwrap()
}

/// Why the answer is wrong; `None` if it is right.
fn problem(found: &Pinpoint, place: &Place, source: &str) -> Option<String> {
    let Some(cause) = found.cause() else { return Some(format!("nothing was found for {place:?}")) };
    let added: f64 = found.contributors.iter().map(|one| one.difference.added[found.shown]).sum();
    if added != found.added() {
        return Some(format!("the contributors add up to {added} instead of {}", found.added()));
    }
    let is_planted = |name: &str| name.trim_end_matches("::{{closure}}").ends_with(&format!("::{}", place.function));
    let line = source.lines().position(|line| line.trim() == place.text).map(|line| line as u32 + 1);
    let caller = found.chain.len().checked_sub(2).map(|index| found.chain[index].difference.name.as_str());
    let is_own = is_planted(&cause.difference.name) && cause.change == Some(Change::Body);
    let is_call = caller.is_some_and(is_planted) && cause.difference.call_site.as_ref().map(|site| site.line) == line;
    (!is_own && !is_call).then(|| {
        let chain: Vec<&str> = found.chain.iter().map(|step| step.difference.name.as_str()).collect();
        format!("{place:?} in line {line:?}, but found {:?} {:?} {chain:?}", cause.change, cause.difference.call_site)
    })
}

#[test]
fn planted_slowdowns_are_found_and_harmless_changes_contribute_nothing() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(20_261_203);
    let (mut before, mut after, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..PLANTED + HARMLESS {
        let mut program = Program::random(&mut rng, if index < PLANTED { 4..8 } else { 2..5 });
        before.push(program.source(None));
        let plant = match index < PLANTED {
            true => one_of(&mut rng, &SLOWER),
            false => one_of(&mut rng, &HARMLESS_CHANGES),
        };
        places.push(program.plant(plant, &mut rng));
        after.push(program.source(Some(plant)));
    }
    let own = OwnCrate::empty().unwrap();
    let library = benchbook_tests::suites::workspace().unwrap().root().join("engine");
    let dependency = format!("benchbook = {{ path = {library:?}, default-features = false }}\n");
    own.write("Cargo.toml", &format!("{MANIFEST}{dependency}")).unwrap();
    own.lock("Cargo.lock").unwrap();
    let builds = [&before, &after].map(|programs| Build::new(&own, sources(programs)));
    let (mut problems, mut slower, mut without) = (Vec::new(), 0, 0);
    for (index, place) in places.iter().enumerate() {
        let found = pinpoint(builds.each_ref(), &format!("run{index}"));
        let [one, other] = found.points[0].totals;
        let is_same = one == other;
        let problem = match index < PLANTED {
            true if is_same => None,
            true => {
                slower += 1;
                problem(&found, place, &after[index])
            }
            // The counts are right, and differ.
            false if !is_same => None,
            false => {
                without += 1;
                (!found.contributors.is_empty()).then(|| format!("{place:?}: {:?}", found.contributors))
            }
        };
        problems.extend(problem.map(|problem| format!("{index}: {problem}")));
    }
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), places.len(), problems.join("\n"));
    assert!(slower >= FOUND && without >= WITHOUT, "only {slower} are slower, and {without} the same");
}

/// `size` counts its items, behind `Failure::run`, behind `bridge`, behind `run`, beside `foo`, which takes much longer, and `ok`.
#[test]
fn a_slow_call_far_below_is_found_by_counts() {
    let report = Slower::build().unwrap().report(1_000.0, 1.0, FindLimits::default()).unwrap();
    let found = &report.instructions;
    let names: Vec<&str> = found.chain.iter().map(|step| step.short_name.as_str()).collect();
    assert_eq!(names, ["run", "bridge", "Failure::run", "Buf::size"]);
    let answer = &report.answer;
    assert!(
        answer.starts_with("The body of `Buf::size` has changed (tests/suites/slower/src/slow_buf.rs:"),
        "{answer}"
    );
    assert!(answer.ends_with("`Buf::size` grows like n; it was constant"), "{answer}");
}
