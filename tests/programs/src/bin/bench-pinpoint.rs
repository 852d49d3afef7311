//! The search by time for planted slowdowns, in Chromium. The programs are those of the test by counts; only the place of a slowdown is known here.
//!
//! An answer is right if it ends at the function that has changed, a range if that is below what it names, and wrong otherwise.

use std::time::Instant;

use anyhow::{Context, Result};
use benchbook_contract::parameter::Range;
use benchbook_pinpoint::{FindLimits, Pinpoint, PinpointReport, TimeSearch};
use benchbook_profile::ProfileMetric;
use benchbook_tests::browser::Browser;
use benchbook_tests::notebook::{DESKTOP, Notebook};
use benchbook_tests::planted::{Place, PlantedBuild, Program, SLOWER, one_of, planted_crate};
use benchbook_tests::sites::{RANGE_MODULES, compared_builds};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The programs.
const PROGRAMS: usize = 20;

/// The loops of the programs take milliseconds.
const SIZES: Range = Range { low: 500_000.0, high: 1_000_000.0 };

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    Range,
    NotSlower,
    Wrong,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut before, mut after, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PROGRAMS {
        let mut program = Program::random(&mut rng, 4..8);
        before.push(program.source(None));
        let original = program.clone();
        let place = program.plant(one_of(&mut rng, &SLOWER), &mut rng);
        places.push((original, place));
        after.push(program.source(None));
    }
    let own = planted_crate()?;
    let builds = [PlantedBuild::new(&own, &before)?, PlantedBuild::new(&own, &after)?];
    let mut verdicts = Vec::new();
    for (index, (program, place)) in places.iter().enumerate() {
        let start = Instant::now();
        let path = format!("run{index}");
        let profile = |build: &PlantedBuild| build.profile(&path, Range { low: 100.0, high: 200.0 }, 1);
        let profiles = [profile(&builds[0])?, profile(&builds[1])?];
        let code = builds.each_ref().map(|build| &build.code);
        let pinpoint = Pinpoint::new(profiles.each_ref(), code, ProfileMetric::Instructions, None);
        let mut report = PinpointReport::of(pinpoint.context("both have the same calls")?, Vec::new(), "before");
        let added = report.instructions.added();
        if added == 0.0 {
            println!("{path}: never executed");
            continue;
        }
        let [instructions, _] = report.instructions.points[report.instructions.shown].totals;
        let modules = RANGE_MODULES.map(str::to_owned);
        let open = builds[0].open(&path, SIZES)?;
        report.search = Some(TimeSearch { modules, open, limits: FindLimits::default() });
        let ranges = [builds[0].ranges(&path)?, builds[1].ranges(&path)?];
        let site = compared_builds(&builds[0].request(&path, SIZES)?, &report, ranges)?;
        let notebook = Notebook::load(Browser::reuse(DESKTOP.0, DESKTOP.1).await?, site, "").await?;
        notebook.until_shown("pinpoint-start").await?;
        notebook.click("pinpoint-start").await?;
        notebook.until_shown("pinpoint-stop").await?;
        // A search takes up to two minutes.
        if notebook.until_shown("pinpoint-found").await.is_err() {
            notebook.until_shown("pinpoint-found").await?;
        }
        let found = notebook.texts("pinpoint-found").await?.concat();
        let comparisons = notebook.texts("pinpoint-range").await?;
        notebook.close().await?;
        let verdict = verdict(&found, program, place);
        println!(
            "{path}, instructions +{:.0}% by {}: {verdict:?} after {:.0} s: {found}",
            100.0 * added / instructions,
            place.function,
            start.elapsed().as_secs_f64()
        );
        comparisons.iter().for_each(|comparison| println!("  {comparison}"));
        verdicts.push(verdict);
    }
    let count = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    println!(
        "{} searches: {} right, {} ranges, {} not slower, {} wrong",
        verdicts.len(),
        count(Verdict::Right),
        count(Verdict::Range),
        count(Verdict::NotSlower),
        count(Verdict::Wrong)
    );
    Ok(())
}

fn verdict(found: &str, program: &Program, place: &Place) -> Verdict {
    let Some((_, name)) = found.split_once("Most of the added time is in ") else { return Verdict::NotSlower };
    let name = name.split_once(". ").map_or(name, |(name, _)| name);
    let (path, among) = match name.split_once(": ") {
        Some((range, among)) => (range.split_once(',').map_or(range, |(path, _)| path), among),
        None => (name, ""),
    };
    let last = path.rsplit(" > ").next().unwrap_or_default();
    let is_below = |name: &str| name.starts_with("run") || program.reached(name).contains(&place.function);
    match among {
        "" if last == place.function => Verdict::Right,
        "" if is_below(last) => Verdict::Range,
        among if !among.is_empty() && (last == place.function || among.split(", ").any(is_below)) => Verdict::Range,
        _ => Verdict::Wrong,
    }
}
