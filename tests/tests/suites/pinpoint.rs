//! Slowdowns that were planted in generated programs, and changes that cost nothing. The test knows the places; the search does not.

use benchbook_contract::parameter::Range;
use benchbook_pinpoint::{Change, FindLimits, Pinpoint};
use benchbook_profile::ProfileMetric;
use benchbook_tests::planted::{HARMLESS_CHANGES, Place, PlantedBuild, Program, SLOWER, one_of, planted_crate};
use benchbook_tests::slower::Slower;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many slowdowns must be found.
const FOUND: usize = 50;

/// How many programs have a planted one: some are never executed.
const PLANTED: usize = 60;

/// How many changes without an effect must have no contributor.
const WITHOUT: usize = 100;

/// How many programs have such a change: the compiler makes other code of some.
const HARMLESS: usize = 104;

fn pinpoint(builds: [&PlantedBuild; 2], path: &str) -> Pinpoint {
    let profiles = builds.map(|build| build.profile(path, Range { low: 100.0, high: 200.0 }, 1).unwrap());
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
    let own = planted_crate().unwrap();
    let builds = [&before, &after].map(|programs| PlantedBuild::new(&own, programs).unwrap());
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
