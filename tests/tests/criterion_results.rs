//! `cargo benchbook import-criterion`: the saved results of criterion become accepted results, and the second import adds nothing.

use std::fs;

use anyhow::Result;
use benchbook_tests::checked_crate::CheckedCrate;
use serde_json::json;

/// Saves results as criterion 0.8 does: the mean in nanoseconds for each input.
fn save(checked: &CheckedCrate, baseline: &str, means: &[(&str, f64)]) -> Result<()> {
    for (input, mean) in means {
        let folder = format!("saved/sums/add/{input}/{baseline}");
        let benchmark = json!({
            "group_id": "sums", "function_id": "add", "value_str": input, "throughput": null,
            "full_id": format!("sums/add/{input}"), "directory_name": format!("sums/add/{input}"), "title": format!("sums/add/{input}"),
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
    let checked = CheckedCrate::new()?;
    let import = || checked.run(&["import-criterion", "saved", "--by", "Ada", "--history", &checked.history]);
    let (status, _, stderr) = import()?;
    assert!(status == 1 && stderr.contains("saved does not exist"), "{status}: {stderr}");

    save(&checked, "before", &[("1000", 2_000.0), ("100", 200.0)])?;
    save(&checked, "new", &[("1000", 3_000.0), ("100", 300.0)])?;
    let (status, stdout, stderr) = import()?;
    assert!(status == 0 && stdout.starts_with("Imported 2 criterion results into "), "{stdout}{stderr}");
    let (status, stdout, stderr) = import()?;
    assert!(status == 0 && stdout.starts_with("Imported 0 criterion results into "), "{stdout}{stderr}");
    assert!(stdout.contains("2 were imported before."), "{stdout}");
    assert_eq!(fs::read_dir(checked.own.path().join("history/criterion/sums.add"))?.count(), 2);

    let (status, stdout, stderr) = checked.run(&["history", "sums::add", "--history", &checked.history])?;
    assert_eq!(status, 0, "{stdout}{stderr}");
    for expected in ["criterion", "3.00 µs", "2.00 µs", "Ada"] {
        assert!(stdout.contains(expected), "{expected}: {stdout}");
    }
    // They don't take part in checks.
    let (stdout, _) = checked.check(0, &["--set", "size=1k"])?;
    assert!(stdout.starts_with("\nNothing was compared: 1 new."), "{stdout}");
    Ok(())
}
