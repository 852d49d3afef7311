//! `cargo benchbook import-criterion`: the saved results of criterion become accepted results, those of a benchmark that the suites have
//! as an earlier series of it, and the second import adds nothing.

use std::fs;

use anyhow::Result;
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::own_crate::OwnCrate;
use serde_json::json;

/// Saves results of a function of a group as criterion 0.8 does: the mean in nanoseconds for each input.
fn save(checked: &CheckedCrate, [group, function]: [&str; 2], baseline: &str, means: &[(&str, f64)]) -> Result<()> {
    for (input, mean) in means {
        let name = format!("{group}/{function}/{input}");
        let folder = format!("saved/{name}/{baseline}");
        let benchmark = json!({
            "group_id": group, "function_id": function, "value_str": input, "throughput": null,
            "full_id": name, "directory_name": name, "title": name,
        });
        let interval = json!({ "confidence_level": 0.95, "lower_bound": 0.9 * mean, "upper_bound": 1.1 * mean });
        let estimate =
            json!({ "confidence_interval": interval, "point_estimate": mean, "standard_error": 0.05 * mean });
        checked.own.write(&format!("{folder}/benchmark.json"), &benchmark.to_string())?;
        let estimates = json!({ "mean": estimate, "median": estimate, "slope": null });
        checked.own.write(&format!("{folder}/estimates.json"), &estimates.to_string())?;
    }
    Ok(())
}

#[test]
fn saved_results_of_criterion_are_imported_once() -> Result<()> {
    let checked = CheckedCrate::with(OwnCrate::with_benches_of_others)?;
    let import = || checked.run(&["import-criterion", "saved", "--by", "Ada", "--history", &checked.history]);
    let (status, _, stderr) = import()?;
    assert!(status == 1 && stderr.contains("saved does not exist"), "{status}: {stderr}");

    save(&checked, ["sums", "add"], "before", &[("1000", 2_000.0), ("100", 200.0)])?;
    save(&checked, ["sums", "add"], "new", &[("1000", 3_000.0), ("100", 300.0)])?;
    save(&checked, ["mixing", "mix"], "new", &[("100", 70.0), ("1000", 700.0), ("10000", 7_000.0)])?;
    let (status, stdout, stderr) = import()?;
    assert!(status == 0 && stdout.starts_with("Imported 3 criterion results into "), "{stdout}{stderr}");
    assert!(
        stdout.contains("\nThe suites lack these functions, so they belong to a suite `criterion`: sums::add.\n"),
        "{stdout}"
    );
    let (status, stdout, stderr) = import()?;
    assert!(status == 0 && stdout.starts_with("Imported 0 criterion results into "), "{stdout}{stderr}");
    assert!(stdout.contains("3 were imported before."), "{stdout}");
    let folder = |function: &str| checked.own.path().join("history").join(function);
    assert_eq!(fs::read_dir(folder("criterion/sums.add"))?.count(), 2);
    assert_eq!(fs::read_dir(folder("criterion_bench/mixing.mix"))?.count(), 1);

    let (status, stdout, stderr) = checked.run(&["history", "sums::add", "--history", &checked.history])?;
    assert_eq!(status, 0, "{stdout}{stderr}");
    for expected in ["criterion", "3.00 µs", "2.00 µs", "Ada"] {
        assert!(stdout.contains(expected), "{expected}: {stdout}");
    }
    // They don't take part in checks.
    let (stdout, _) = checked.check(0, &["mixing::mix"])?;
    assert!(stdout.starts_with("\nNothing was compared: 3 new."), "{stdout}");
    checked.accept()?;
    let (stdout, _) = checked.check(0, &["mixing::mix"])?;
    assert!(!stdout.contains("harness"), "{stdout}");

    // The function has both series.
    let (status, stdout, stderr) = checked.run(&["history", "mixing::mix", "--history", &checked.history])?;
    assert_eq!(status, 0, "{stdout}{stderr}");
    let titles: Vec<&str> = stdout.lines().filter(|line| line.starts_with("time of mixing::mix, on ")).collect();
    let [of_criterion, own] = titles[..] else { panic!("two series: {stdout}") };
    assert!(of_criterion.ends_with(", measured by criterion") && !own.contains("measured by"), "{stdout}");
    assert_eq!((stdout.matches("  input 1 000\n").count(), stdout.matches("  7.00 µs  ").count()), (2, 1), "{stdout}");
    Ok(())
}
