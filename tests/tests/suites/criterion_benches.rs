//! Benches written for criterion: their catalog, and their measurement on both targets.

use std::process::Command;

use benchbook_contract::environment::HOST_VARIABLE;
use benchbook_contract::parameter::{Kind, Numeric};
use benchbook_contract::protocol::Counts;
use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::lists_all_of;
use benchbook_host::response::Point;
use benchbook_tests::requests::{quick, request};
use benchbook_tests::suites::{fixture, fixture_of};

use crate::target::{NO_AXIS, Target, axis_of, failure};

#[test]
fn both_targets_list_the_benchmarks() {
    let builds = fixture("criterion_benches").unwrap();
    let (native, target) = (Target::native(&builds), Target::wasm(&builds));
    let wasm = target.suite();
    assert!(lists_all_of(native.suite(), wasm) && !lists_all_of(wasm, native.suite()));
    let only_native = native.suite().functions.iter().filter(|function| wasm.function(&function.path).is_none());
    assert_eq!(only_native.map(|function| function.path.as_str()).collect::<Vec<_>>(), ["from a thread"]);
    let functions: Vec<(&str, &str)> =
        wasm.functions.iter().map(|function| (function.path.as_str(), function.generators[0].as_str())).collect();
    let expected = [
        ("(empty)", "names"),
        ("\\u{1b}[2J", "names"),
        ("async::futures", "asynchronous::async"),
        ("async::own", "asynchronous::async"),
        ("async::smol", "asynchronous::async"),
        ("async::tokio", "asynchronous::async"),
        ("exits", "routines"),
        ("exits_2", "routines + names"),
        ("large drop", "routines"),
        ("panics", "routines"),
        ("sort by reference", "routines"),
        ("sort by value", "routines"),
        ("sum/100", "routines"),
        ("sum::four times", "sums::sum"),
        ("sum::once", "sums::sum"),
        ("texts", "texts::texts"),
        ("texts::empty", "texts::texts#2"),
        ("texts::repeat", "texts + names::texts"),
        ("three microseconds", "routines"),
        ("two threads", "routines"),
        ("without a routine", "routines"),
    ];
    assert_eq!(functions, expected);
    assert_eq!(wasm.name, "criterion_benches");
    let numbers = |generator: &str| &wasm.generator(generator).unwrap().parameters[0].numeric().unwrap().values;
    assert_eq!(*numbers("sums::sum"), [64.0, 1_024.0, 16_384.0]);
    assert_eq!(*numbers("texts + names::texts"), [8.0, 64.0], "two targets add to this function");
    let Kind::Choice { options, default, varied: true } = &wasm.generator("texts::texts").unwrap().parameters[0].kind
    else {
        panic!("a choice")
    };
    let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
    assert_eq!((&names[..], default.as_str()), (&["short", "long"][..], "short"));
    let once = wasm.function("sum::once").unwrap();
    assert!(once.file.ends_with("src/main.rs") && once.line > 10, "{once:?}");
    assert_eq!(once.signature, "sum/once/{input}");
}

#[test]
fn benchmarks_are_measured_natively() {
    let target = Target::native(&fixture("criterion_benches").unwrap());
    check_points(&target);
    assert!(failure(&points(&target, &["exits"])[0]).reason.contains("exit status: 3"));
    assert!(points(&target, &["two threads"])[0].measured().is_some());
}

#[test]
fn benchmarks_are_measured_in_wasm() {
    let target = Target::wasm(&fixture("criterion_benches").unwrap());
    check_points(&target);
    // A browser has neither.
    for (path, expected) in [("exits", "unreachable"), ("two threads", "failed to spawn thread")] {
        let points = points(&target, &[path]);
        assert!(failure(&points[0]).reason.contains(expected), "{points:?}");
    }
}

#[test]
fn mains_and_allocators_of_its_own_are_measured_on_both_targets() {
    for (name, expected, reason) in [
        ("own_main", &["repeat repeat", "sum::10 sum::sum", "sum::100 sum::sum"][..], "a `main` of its own"),
        ("without_groups", &["copy::one copy", "copy::too many copy", "repeat repeat"], "a `main` of its own"),
        ("own_allocator", &["vector vector"], "a global allocator of its own"),
    ] {
        for target in &Target::both(&fixture_of("criterion_benches", name).unwrap()) {
            let suite = target.suite();
            let functions = suite.functions.iter();
            let listed: Vec<_> =
                functions.map(|function| format!("{} {}", function.path, function.generators[0])).collect();
            assert_eq!(
                (&suite.name[..], listed.iter().map(String::as_str).collect::<Vec<_>>().as_slice()),
                (name, expected)
            );
            let note = suite.notes.last().unwrap();
            assert!(note.starts_with("Memory is not measured in `") && note.contains(reason), "{note}");
            assert!(suite.generators.iter().all(|generator| generator.docs == *note), "the page shows it");
            for path in
                suite.functions.iter().map(|function| &function.path[..]).filter(|path| *path != "copy::too many")
            {
                let measured = points(target, &[path])[0].measured().cloned().unwrap();
                assert!(measured.memory.is_none(), "{name}: {path}");
            }
        }
    }
}

#[test]
fn a_throughput_that_is_too_large_fails_its_benchmark_only() {
    let target = Target::native(&fixture_of("criterion_benches", "without_groups").unwrap());
    let compared = points(&target, &["copy::one", "copy::too many"]);
    assert!(compared.iter().all(|point| point.measured().is_some()), "{compared:?}");
    let alone = points(&target, &["copy::too many"]);
    let reason = &failure(&alone[0]).reason;
    assert!(reason.contains("the benchmark `copy::too many` declares 18446744073709551615 bytes per call"), "{reason}");
}

#[test]
fn settings_without_effect_equal_names_and_targets_that_panic_are_listed() {
    let program = fixture("criterion_benches").unwrap().program;
    let listed = Command::new(&program).arg("--list").output().unwrap();
    let note = String::from_utf8(listed.stderr).unwrap();
    for expected in [
        "note: without effect: confidence_level, measurement_time, noise_threshold, nresamples, sample_size, sampling_mode, significance_level, warm_up_time. Benchbook's priorities and precision replace them\n",
        "note: without effect: plot_config, plotting_backend, with_plots, without_plots. `cargo benchbook` shows plots in the notebook\n",
        "note: without effect: retain_baseline, save_baseline. `cargo benchbook check` compares with accepted results and with other commits\n",
        "note: without effect: with_benchmark_filter, with_filter. `cargo bench -- NAME` measures the benchmarks whose path contains NAME\n",
        "note: without effect: with_output_color. `cargo bench` prints a table without colours\n",
        "note: without effect: output_directory. `cargo benchbook measure --save FILE` saves results to a file\n",
        "note: without effect: profile_time, with_profiler. `cargo bench -- --profile-time 10s NAME` runs a benchmark for a profiler\n",
    ] {
        assert_eq!(note.matches(expected).count(), 1, "{note}");
    }
    let of_host = Command::new(&program).arg("--list").env(HOST_VARIABLE, "yes").output().unwrap();
    assert_eq!(String::from_utf8(of_host.stderr).unwrap(), "", "suites started by a host print no notes");
    let suite = NativeSuite::open(&program).unwrap();
    assert_eq!(suite.suite().notes.len(), 9, "{:?}", suite.suite().notes);
    let list = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.status.success() && list.contains("0 tests, 22 benchmarks"), "{list}");
    assert!(note.contains("note: two benchmarks are named `exits`: "), "{note}");
    assert!(
        note.contains("note: `missing` is omitted, since it panicked at tests/suites/criterion_benches/src/main.rs:"),
        "{note}"
    );
    assert!(note.contains("download the corpus first: Os { code: 2, "), "{note}");

    let listed = Command::new(&program).arg("--list").env("MISSING", "yes").output().unwrap();
    let note = String::from_utf8(listed.stderr).unwrap();
    assert!(listed.status.success() && note.contains("note: `routines` is omitted, since it panicked at "), "{note}");
    assert!(
        String::from_utf8(listed.stdout).unwrap().contains("\nexits: benchmark\n"),
        "another target has this name, too"
    );
}

/// Measures functions over all numbers, if they have any.
fn points(target: &Target, functions: &[&str]) -> Vec<Point> {
    let suite = target.suite();
    let generator = suite.generator(&suite.function(functions[0]).unwrap().generators[0]).unwrap();
    let range = axis_of(generator).map_or(NO_AXIS, Numeric::default_range);
    target.measure(request(suite, functions, generator, range), quick(3))
}

fn check_points(target: &Target) {
    let of = |functions: &[&str]| points(target, functions);
    // Two functions in turn, at the numbers of the group.
    let sums = of(&["sum::once", "sum::four times"]);
    assert_eq!(sums.len(), 6, "{sums:?}");
    for point in &sums {
        let size = point.x.number().unwrap();
        assert_eq!(point.measured().unwrap().work.elements, Some(size as u64), "{point:?}");
    }
    // Routines that measure themselves: their times are known.
    for (path, expected) in [("three microseconds", 3_000.0), ("async::own", 2_000.0), ("exits_2", 5_000.0)] {
        let exact = of(&[path]);
        let mean = exact[0].measured().unwrap().summary.mean;
        assert!((mean - expected).abs() < 1e-6, "{path}: {mean}");
    }
    // The memory of a call is that of the routine, not of the executor.
    for path in ["async::tokio", "async::smol"] {
        let points = of(&[path]);
        let memory = points[0].measured().unwrap().memory.unwrap();
        let expected = Counts { allocations: memory.calls, bytes: 100 * memory.calls, peak: 100 };
        assert_eq!(memory.counts, expected, "{path}");
    }
    assert_eq!(of(&["async::futures"])[0].measured().unwrap().memory.unwrap().counts, Counts::default());
    for path in [
        "sort by value",
        "sort by reference",
        "large drop",
        "sum/100",
        "texts",
        "texts::empty",
        "texts::repeat",
        "(empty)",
        "\\u{1b}[2J",
    ] {
        for point in of(&[path]) {
            assert!(point.measured().is_some(), "{point:?}");
        }
    }
    for (path, reason) in [("panics", "there is data"), ("without a routine", "called no method of the bencher")] {
        let points = of(&[path]);
        assert!(failure(&points[0]).reason.contains(reason), "{points:?}");
    }
}
