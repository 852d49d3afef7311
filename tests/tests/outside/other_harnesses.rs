//! Benches written for criterion and for divan: `cargo benchbook` measures them, imports the saved results of criterion, and serves them; and
//! `cargo bench` measures them.

use std::fs;
use std::process::Command;

use anyhow::Result;
use benchbook_tests::browser::turn;
use benchbook_tests::checked_crate::CheckedCrate;
use benchbook_tests::notebook::Notebook;
use benchbook_tests::own_crate::OwnCrate;
use benchbook_tests::packages::run;
use fantoccini::Locator;
use fantoccini::key::Key;
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
fn benches_are_measured_and_the_saved_results_of_criterion_are_imported_once() -> Result<()> {
    let checked = CheckedCrate::new(OwnCrate::with_unedited_benches("imported")?)?;
    let (status, stdout, stderr) = checked.run(&["measure", "mix", "fold", "--precision", "20%", "--time", "50ms"])?;
    assert_eq!(status, 0, "{stderr}");
    for setting in ["sample_size", "sample_count"] {
        let note = format!("note: without effect: {setting}. Benchbook's priorities and precision replace them\n");
        assert_eq!(stderr.matches(&note).count(), 1, "{stderr}");
    }
    for expected in ["mixing::mix", "10 000", "fold"] {
        assert!(stdout.contains(expected), "{stdout}");
    }
    assert!(!stdout.contains("words") && !stdout.contains("split"), "{stdout}");

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

    // The function has both series.
    let (status, stdout, stderr) = checked.run(&["history", "mixing::mix", "--history", &checked.history])?;
    assert_eq!(status, 0, "{stdout}{stderr}");
    let titles: Vec<&str> = stdout.lines().filter(|line| line.starts_with("time of mixing::mix, on ")).collect();
    let [of_criterion, own] = titles[..] else { panic!("two series: {stdout}") };
    assert!(of_criterion.ends_with(", measured by criterion") && !own.contains("measured by"), "{stdout}");
    assert_eq!((stdout.matches("  input 1 000\n").count(), stdout.matches("  7.00 µs  ").count()), (2, 1), "{stdout}");
    Ok(())
}

/// A bench that compiles only natively.
const NATIVE_BENCH: &str = "use std::os::unix::process::parent_id;

use criterion::{Criterion, criterion_group, criterion_main};

fn parent(c: &mut Criterion) {
    c.bench_function(\"parent\", |b| b.iter(parent_id));
}

criterion_group!(benches, parent);
criterion_main!(benches);
";

/// Measures, and compares the values in the table with the expected ones: each in the browser and on the runner.
async fn assert_measured(notebook: &Notebook, values: &[&str]) -> Result<()> {
    let rows = notebook.measure().await?;
    assert!(rows.iter().all(|row| row.mean.is_some()), "{rows:?}");
    let mut measured: Vec<(&str, &str)> = rows.iter().map(|row| (row.x.as_str(), row.machine.as_str())).collect();
    measured.sort_unstable();
    let mut expected: Vec<_> =
        values.iter().flat_map(|value| ["browser", "native"].map(|machine| (*value, machine))).collect();
    expected.sort_unstable();
    assert_eq!(measured, expected);
    Ok(())
}

/// Whether the x axis of the plot has a scale, as that of a curve has.
async fn has_scale(notebook: &Notebook) -> Result<bool> {
    notebook.click("tab-plot").await?;
    notebook.until_present("[data-current] [data-test=plot] canvas").await?;
    Ok(notebook.browser.value("document.querySelector('[data-current] [data-test=scale-x]') !== null").await? == true)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "nightly: compiles hundreds of benchmarks for both targets"]
async fn numbers_are_curves_and_other_inputs_bars_in_the_browser_and_on_the_runner() -> Result<()> {
    let _turn = turn().await;
    let own = OwnCrate::with_benches_of_others("served_benches")?;
    own.write("benches/native_bench.rs", NATIVE_BENCH)?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    own.write("Cargo.toml", &format!("{manifest}\n[[bench]]\nname = \"native_bench\"\nharness = false\n"))?;
    let mut served = own.serve(&["--no-watch"])?;
    served.until_all_printed([
        "`native_bench` does not compile for wasm.",
        "To measure it in browsers, move the benchmarks that need the operating system to a separate target.",
        "Built criterion_bench for the runner and for browsers: 302 functions, 3 generators.",
        "note: without effect: sample_size. ",
        "note: without effect: sample_count. ",
        "Built native_bench for the runner only: 1 function, 1 generator.",
    ])?;
    let notebook = served.open().await?;
    let listed = "[...document.querySelectorAll('[data-test=function]')].map(one => one.dataset.path)";
    notebook.browser.until(&format!("{listed}.length === 305")).await?;
    let others = format!("{listed}.filter((path) => !path.startsWith('many::'))");
    let paths = notebook.browser.value(&others).await?.to_string();
    assert_eq!(paths, r#"["words","mixing::mix","fold","split","parent"]"#);
    // The search finds one of hundreds.
    let search = notebook.browser.client.find(Locator::Css("[data-test=search]")).await?;
    search.send_keys("number 271").await?;
    notebook.browser.until(&format!("{listed}.join() === 'many::number 271'")).await?;
    notebook.choose("many::number 271").await?;
    notebook.set_target("point-time", "0.02").await?;
    assert_measured(&notebook, &[""]).await?;
    search.send_keys(&Key::Escape.to_string()).await?;
    notebook.browser.until(&format!("{listed}.length === 305")).await?;

    let curves = [("mixing::mix", "mixing", &["100", "1000", "10000"][..]), ("fold", "benchmarks", &["100", "1000"])];
    for (path, generator, sizes) in curves {
        notebook.choose(path).await?;
        notebook.set_target("point-time", "0.02").await?;
        let generators = "document.querySelector('[data-current] [data-test=generator]').innerText";
        assert_eq!(notebook.browser.value(generators).await?, generator);
        assert_measured(&notebook, sizes).await?;
        assert!(has_scale(&notebook).await?, "{path}");
        notebook.assert_accessible(path).await?;
    }
    for (path, texts) in [("words", ["long", "short"]), ("split", ["a b", "a b c d e f g h"])] {
        notebook.choose(path).await?;
        notebook.set_target("point-time", "0.02").await?;
        assert_measured(&notebook, &texts).await?;
        assert!(!has_scale(&notebook).await?, "{path}");
    }
    notebook.choose("parent").await?;
    notebook.set_target("point-time", "0.02").await?;
    let rows = notebook.measure().await?;
    assert!(rows.len() == 1 && rows[0].machine == "native" && rows[0].mean.is_some(), "{rows:?}");
    notebook.close().await
}

#[test]
#[ignore = "nightly: compiles the library with what `cargo bench` needs"]
fn cargo_bench_measures_benches_of_other_harnesses() -> Result<()> {
    let own = OwnCrate::with_benches_of_others("benches")?;
    let manifest = fs::read_to_string(own.path().join("Cargo.toml"))?;
    own.write("Cargo.toml", &manifest.replace(", default-features = false", ""))?;
    for (bench, filter, function, others, count) in
        [("criterion_bench", "mix", "mixing::mix", "words", 302), ("divan_bench", "fold", "fold", "split", 2)]
    {
        // Unoptimised.
        let arguments = ["bench", "--profile", "test", "--bench", bench, "--", filter];
        let output = run(Command::new("cargo").current_dir(own.path()).args(arguments))?;
        let head = format!("{bench} 0.1.0: 1 of {count} functions; profile `dev`");
        assert!(output.contains(&head) && output.contains(&format!("\n{function}\n")), "{output}");
        for expected in ["  median", "  100  ", "1 000  "] {
            assert!(output.contains(expected), "{expected}: {output}");
        }
        assert!(!output.contains(others), "{output}");
    }
    Ok(())
}
