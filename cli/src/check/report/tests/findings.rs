//! The findings, and which of them fail.

use benchbook_host::history::{AcceptedResult, CheckedResult};

use crate::check::compared::{ComparedRun, ResultToCompare};
use crate::check::fixtures::{accepted, sized_result, to_compare};
use crate::check::report::CheckReport;

/// Results of three functions, the last with other inputs.
fn history() -> Vec<AcceptedResult> {
    let mut other_inputs = sized_result("search", 1.0, 1.0);
    other_inputs.benchmark.inputs = "ef".to_owned();
    [sized_result("sort", 100.0, 2_000.0), sized_result("merge", 100.0, 2_000.0), other_inputs].map(accepted).to_vec()
}

fn compared(results: &[ResultToCompare]) -> ComparedRun {
    ComparedRun::of(results, &history().iter().collect::<Vec<_>>(), 0.99)
}

fn report(run: ComparedRun, results: &[ResultToCompare], failures: &[&str]) -> CheckReport {
    let failures = failures.iter().map(|&failure| failure.to_owned()).collect();
    CheckReport::new(run, results, &history().iter().collect::<Vec<_>>(), failures, 0.99)
}

fn report_of(results: impl IntoIterator<Item = CheckedResult>, failures: &[&str]) -> CheckReport {
    let results: Vec<ResultToCompare> = results.into_iter().map(to_compare).collect();
    report(compared(&results), &results, failures)
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string().replace('\u{202f}', " ")
}

#[test]
fn the_answer_comes_first_and_then_what_needs_attention() {
    let results = [
        sized_result("merge", 100.0, 1_000.0),
        sized_result("sort", 150.0, 2_010.0),
        sized_result("search", 1.0, 1.0),
        sized_result("count", 5.0, 50.0),
    ];
    let report = report_of(results, &["`sum` failed: it panicked"]);
    assert!(report.has_regression() && report.has_failed() && !report.is_undecided());
    assert_eq!(
        plain(&report.text()),
        "
Slower than the accepted results: 1 slower, 1 faster, 2 not comparable, 2 new, 2 the same, 1 failed.
Largest loss: +50 % (sort, size 10). Largest gain: −50 % (merge, size 1 000).

slower          sort  size 10        150 ns  +50 % (+50 % to +50 %)
not comparable  search  size 10     1.00 ns
                the source code of the generator has changed
not comparable  search  size 1 000  1.00 ns
                the source code of the generator has changed
faster          merge  size 1 000   1.00 µs  −50 % (−50 % to −50 %)
new             count  size 10      5.00 ns
new             count  size 1 000   50.0 ns
same            merge  size 10       100 ns  0 % (−0.056 % to +0.056 %)
same            sort  size 1 000    2.01 µs  +0.50 % (+0.44 % to +0.56 %)
failed: `sum` failed: it panicked

Each interval of a change is one of 99.5 %, so that a run without any change has at most a 1 % chance of a false alarm.

To compare later builds with these results:
  cargo benchbook accept --note \"why they are normal\"
"
    );
}

#[test]
fn markdown_shows_the_changes_and_folds_the_rest() {
    let report =
        report_of([sized_result("sort<u32>", 5.0, 50.0), sized_result("merge", 100.0, 1_000.0)], &["`sum` failed"]);
    assert_eq!(
        plain(&report.markdown()),
        r"**No regression found: 1 faster, 2 new, 1 the same, 1 failed.**

Largest gain: −50 % \(merge, size 1 000\).

| finding | function | mean | change |
| --- | --- | ---: | ---: |
| faster | merge, size 1 000 | 1.00 µs | −50 % (−50 % to −50 %) |

- failed: \`sum\` failed

<details><summary>Other points: 3</summary>

| finding | function | mean | change |
| --- | --- | ---: | ---: |
| new | sort\<u32\>, size 10 | 5.00 ns |  |
| new | sort\<u32\>, size 1 000 | 50.0 ns |  |
| same | merge, size 10 | 100 ns | 0 % (−0.048 % to +0.048 %) |

</details>

Each interval of a change is one of 99 %, so that a run without any change has at most a 1 % chance of a false alarm.
"
    );
}

#[test]
fn a_slowdown_that_a_second_measurement_does_not_find_is_undecided() {
    let results = [to_compare(sized_result("sort", 150.0, 2_000.0))];
    let first = compared(&results);
    assert_eq!(first.slower(), [0]);
    let after = |second: &[ResultToCompare]| {
        let mut run = first.clone();
        run.confirm(&compared(second));
        report(run, &results, &[])
    };
    let refuted = after(&[to_compare(sized_result("sort", 100.1, 2_000.0))]);
    assert!(!refuted.has_regression() && refuted.is_undecided());
    assert!(plain(&refuted.text()).contains("a second measurement did not confirm the slowdown"));
    let mut failed = results.clone();
    failed[0].result.points.clear();
    assert!(!after(&failed).has_regression(), "it could not be measured again");
    assert!(after(&results).has_regression());
}
