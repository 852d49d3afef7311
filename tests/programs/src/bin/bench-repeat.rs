//! How well the interval of another day holds on this machine: the same functions every few minutes, for hours or a day. Run it with
//! `cargo xtask bench repeat`. The arguments are the file of the results, the minutes between two rounds, and the minutes of the whole. An
//! interrupted run continues: the file has a line for each point.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use benchbook_contract::catalog::Function;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::child::{MeasurementTask, NativeSuite};
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::repeatability::MachineHistory;
use benchbook_host::request::{Plan, Request};
use benchbook_host::units::{Nanos, percent};
use benchbook_programs::conditions::Conditions;
use benchbook_tests::suites::native;
use serde::{Deserialize, Serialize};

/// The number of functions: the first ones of the demo suite, at the default arguments.
const FUNCTIONS: usize = 12;

/// The earlier occasions from which on the interval of another day is examined.
const EARLIER: u32 = 5;

/// A measured point.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Repeat {
    /// The number of its round.
    round: usize,
    /// When the round began, in seconds since 1970.
    time: f64,
    function: String,
    /// In nanoseconds.
    mean: f64,
    precision: Option<Interval>,
    another_day: Option<Interval>,
    /// How often the point was measured, this time included.
    occasions: u32,
}

/// How many later means an interval contains.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    contained: u32,
    of: u32,
}

impl Coverage {
    fn count(&mut self, interval: Option<Interval>, later: f64) {
        let Some(interval) = interval else { return };
        self.contained += u32::from(interval.contains(later));
        self.of += 1;
    }

    fn text(self) -> String {
        match self.of {
            0 => "–".to_owned(),
            of => format!("{} ({} of {of})", percent(f64::from(self.contained) / f64::from(of)), self.contained),
        }
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, every, minutes] = &arguments[..] else { anyhow::bail!("expected a file and two numbers of minutes") };
    let file = PathBuf::from(file);
    let (every, minutes): (f64, f64) = (every.parse()?, minutes.parse()?);
    ensure!(every >= 1.0, "expected a minute or more between two rounds");
    let conditions = Conditions::now(None);
    let suite = NativeSuite::open(&native("demo")?)?;
    let functions: Vec<&Function> = suite.suite().functions.iter().take(FUNCTIONS).collect();
    let mut repeats = read(&file)?;
    let history_file = file.with_extension("history.json");
    let mut history: MachineHistory = match fs::read_to_string(&history_file) {
        Ok(text) if !repeats.is_empty() => serde_json::from_str(&text)?,
        _ => MachineHistory::default(),
    };
    let first = repeats.last().map_or(0, |last| last.round + 1);
    let rounds = (minutes / every).ceil() as usize + 1;
    for round in first..rounds {
        let start = now();
        eprintln!("Round {} of {rounds}.", round + 1);
        let of_round = measure(&suite, &functions, &mut history, round, start)?;
        append(&file, &of_round)?;
        fs::write(&history_file, serde_json::to_string(&history)?)?;
        repeats.extend(of_round);
        if round + 1 < rounds {
            thread::sleep(Duration::from_secs_f64((60.0 * every - (now() - start)).max(0.0)));
        }
    }
    report(&repeats);
    conditions.print();
    Ok(())
}

fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// Measures all functions, each in a measurement of its own, at the last priority.
fn measure(
    suite: &NativeSuite,
    functions: &[&Function],
    history: &mut MachineHistory,
    round: usize,
    time: f64,
) -> Result<Vec<Repeat>> {
    let past = Arc::new(history.clone()).at(&suite.card().fingerprint, time);
    let quality = Qualities::default().of(Priority::LAST).clone();
    let mut repeats = Vec::new();
    for function in functions {
        let generator = function.generators.first().and_then(|path| suite.suite().generator(path));
        let generator = generator.context("the function has a generator")?;
        let arguments = generator.parameters.iter().map(|one| (one.name.clone(), one.default_argument(false)));
        let request = Request::new(
            suite.suite().name.clone(),
            vec![function.path.clone()],
            generator.path.clone(),
            arguments.collect(),
            Priority::LAST,
        );
        let plan =
            Plan::new(suite.suite(), request).map_err(|problems| anyhow::anyhow!("{}: {problems:?}", function.path))?;
        let task = MeasurementTask { past: past.clone(), ..MeasurementTask::new(&plan, &quality, "this machine") };
        let response = suite.measure(&task, |_| {})?;
        history.record(&past, plan.request(), &response.points);
        for point in &response.points {
            let Some(measured) = point.measured().filter(|measured| measured.upper_bound().is_none()) else { continue };
            repeats.push(Repeat {
                round,
                time,
                function: point.function.clone(),
                mean: measured.summary.mean,
                precision: measured.summary.mean_interval,
                another_day: measured.another_day.map(|another| another.mean),
                occasions: measured.another_day.map_or(0, |another| another.occasions),
            });
        }
    }
    ensure!(!repeats.is_empty(), "no function has a mean above the resolution of the clock");
    Ok(repeats)
}

/// The stored results of an interrupted run.
fn read(file: &Path) -> Result<Vec<Repeat>> {
    let text = if file.exists() { fs::read_to_string(file)? } else { String::new() };
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().with_context(|| format!("{} is not of this program", file.display()))
}

fn append(file: &Path, repeats: &[Repeat]) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let lines: Vec<String> = repeats.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    file.write_all((lines.join("\n") + "\n").as_bytes())?;
    Ok(())
}

/// Prints how many later means both intervals contain, and how far the means of each function are apart.
fn report(repeats: &[Repeat]) {
    let mut by_function: BTreeMap<&str, Vec<&Repeat>> = BTreeMap::new();
    for repeat in repeats {
        by_function.entry(&repeat.function).or_default().push(repeat);
    }
    println!("\n| function | mean | spread of the means | precision | another day |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let mut all: BTreeMap<&str, [Coverage; 2]> = BTreeMap::new();
    for (function, repeats) in &by_function {
        let mut of_function = [Coverage::default(); 2];
        for (index, one) in repeats.iter().enumerate().filter(|(_, one)| one.occasions > EARLIER) {
            for later in &repeats[index + 1..] {
                let minutes = (later.time - one.time) / 60.0;
                let horizon = if minutes < 45.0 { "within 45 minutes" } else { "later" };
                for coverage in [&mut of_function, all.entry(horizon).or_default()] {
                    coverage[0].count(one.precision, later.mean);
                    coverage[1].count(one.another_day, later.mean);
                }
            }
        }
        let means = || repeats.iter().map(|repeat| repeat.mean);
        let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
        let mean = means().sum::<f64>() / repeats.len() as f64;
        let [precision, another] = of_function.map(Coverage::text);
        println!("| {function} | {} | {} | {precision} | {another} |", Nanos(mean), percent(high / low - 1.0));
    }
    for (horizon, coverage) in all {
        let [precision, another] = coverage.map(Coverage::text);
        println!("| all, {horizon} | | | {precision} | {another} |");
    }
}
