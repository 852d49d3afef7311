//! Tests of the formats that results are exported in.

use benchbook_host::analyze::stability::Stability;
use benchbook_host::response::{Overhead, Run, Sample, Warning};
use benchbook_notebook::file;

use super::fixed_results::{build_comparison, categories, comparison, one_function};
use super::golden::assert_golden;
use super::*;
use benchbook_report::export::ExportFormat;
use benchbook_report::ranking::{MachineRanking, changes};
use benchbook_report::results::Results;
use benchbook_report::shown_trace::builds_compared;

/// A point of a function with a warm-up sample and two counted ones, of two calls each.
fn sampled(function: &str, x: f64, mean: f64) -> Point {
    let mut point = Point { function: function.to_owned(), ..measured(x, mean) };
    let sample = |elapsed, warm_up, interrupted| Sample { elapsed, warm_up, interrupted, inferred: false };
    let run = Run {
        calls: 2,
        overhead: Overhead { per_call: 0.5, half_width: 0.0, interference: 0.0 },
        stability: Stability::Settled,
        reference: None,
        samples: vec![
            sample(9.0 * mean, true, false),
            sample(2.0 * mean + 1.0, false, false),
            sample(4.0 * mean, false, true),
        ],
        blocks: vec![2],
        inputs: None,
        new_inputs: None,
    };
    if let Outcome::Measured(measured) = &mut point.outcome {
        measured.runs = vec![run];
    }
    point
}

/// The results of `sort`, and of a partner if there is one, at two sizes, and a failure.
fn results(partner: Option<&str>) -> Results {
    let functions: Vec<&str> = ["sort"].into_iter().chain(partner).collect();
    let points = |(factor, function): (f64, &&str)| {
        [sampled(function, 100.0, 5.0 * factor), sampled(function, 900.0, 40.0 * factor)]
    };
    let points: Vec<Point> = [1.0, 2.0].into_iter().zip(&functions).flat_map(points).chain([failed(500.0)]).collect();
    let add = partner.map(|path| CellAction::AddPartner(path.to_owned()));
    let measured =
        [CellAction::Started(origin(machine())), CellAction::Measured(MachineKind::Browser, Priority::LAST, points)];
    after(add.into_iter().chain(measured)).results
}

fn export(format: ExportFormat, results: &Results) -> String {
    format.write(results, 0.01, None).replace(benchbook_host::units::SPACE, " ")
}

#[test]
fn every_format_has_a_golden_file() {
    let all = [("comparison", comparison()), ("categories", categories()), ("one_function", one_function())];
    for (name, results) in all {
        for format in ExportFormat::ALL {
            assert_golden(&format!("{name}{}", format.extension()), &format.write(&results, 0.01, None));
        }
    }
}

/// The fields of a column of a CSV export.
fn column(text: &str, heading: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().expect("there is a head");
    let index = heads.iter().position(|head| head == heading).unwrap_or_else(|| panic!("no {heading}: {heads:?}"));
    reader.records().map(|record| record.expect("a record")[index].to_owned()).collect()
}

#[test]
fn csv_quotes_only_fields_with_separators_quotes_or_line_breaks() {
    let text = ExportFormat::PointsCsv.write(&categories(), 0.01, None);
    let orders = ["Random", "x|y <z>", "a, \"b\"", "=1+1"];
    assert_eq!(column(&text, "spread"), orders.map(|order| [order; 2]).concat());
    for written in [",Random,", ",x|y <z>,", r#","a, ""b""","#, ",=1+1,"] {
        assert!(text.contains(written), "no {written} in {text}");
    }
    let text = ExportFormat::PointsCsv.write(&comparison(), 0.01, None);
    let reason = "expected 600 \"keys\", found <none>\nat src/lib.rs:3, column 7";
    assert_eq!(column(&text, "failure")[6], reason);
    assert_eq!(column(&text, "function")[1], r#"sort<u64, "a|b">"#);
}

#[test]
fn csv_of_the_samples_lists_every_sample() {
    let text = export(ExportFormat::SamplesCsv, &results(None));
    let expected = "\
function,machine,size,priority,process,calls,batch [ns],per call [ns],warm-up,preempted
sort,Chrome 156,100,4,1,2,45,22,1,0
sort,Chrome 156,100,4,1,2,11,5,0,0
sort,Chrome 156,100,4,1,2,20,9.5,0,1
sort,Chrome 156,900,4,1,2,360,179.5,1,0
sort,Chrome 156,900,4,1,2,81,40,0,0
sort,Chrome 156,900,4,1,2,160,79.5,0,1
";
    assert_eq!(text, expected);
}

#[test]
fn csv_of_the_points_has_a_record_for_each_point() {
    let text = export(ExportFormat::PointsCsv, &results(Some("sort_stable")));
    let columns = ["function", "size", "mean [ns]", "failure", "arguments"].map(|heading| column(&text, heading));
    let records: Vec<[String; 5]> =
        (0..columns[0].len()).map(|row| columns.each_ref().map(|column| column[row].clone())).collect();
    let arguments = "Keys: depth 300, size 100 to 1\u{202f}000, spread A";
    let arguments = arguments.replace('\u{202f}', " ");
    let row = |function: &str, x: &str, mean: &str, failure: &str| {
        [function, x, mean, failure, &arguments].map(str::to_owned)
    };
    let expected = [
        row("sort", "100", "5", ""),
        row("sort_stable", "100", "10", ""),
        row("sort", "500", "", "it panicked"),
        row("sort", "900", "40", ""),
        row("sort_stable", "900", "80", ""),
    ];
    assert_eq!(records, expected);
}

#[test]
fn a_markdown_table_of_one_function_lists_its_points() {
    let expected = "\
**`sort` takes 5.00 ns at 100 and 40.0 ns at 900.**

| The size | Median | Mean | 95 % interval of the mean |
| ---: | ---: | ---: | ---: |
| 100 | 5.00 ns | 5.00 ns |  |
| 500 | failed: it panicked |  |  |
| 900 | 40.0 ns | 40.0 ns |  |

Keys: depth 300, size 100 to 1 000, spread A. Measured with Benchbook on Chrome 156 (browser); demo 0.1.0 (fingerpr), rustc 1.95.0.
";
    assert_eq!(export(ExportFormat::Markdown, &results(None)), expected);
}

#[test]
fn a_markdown_table_of_several_functions_ranks_them() {
    let text = export(ExportFormat::Markdown, &results(Some("sort_stable")));
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].starts_with("| `sort` | 40.0 ns | 1 × |"), "{text}");
    assert!(rows[1].starts_with("| `sort_stable` | 80.0 ns | "), "{text}");
    assert!(text.contains("| Function | Median at 900 | Ratio to fastest (95 %) | Fastest range |"), "{text}");
}

#[test]
fn the_change_since_the_earlier_build_is_stated_at_the_chosen_value() {
    let changes = |results: &Results, at| {
        let shown = results.shown();
        let changes = changes(&shown, &MachineRanking::all(&shown)[0], at);
        changes.concat().replace(benchbook_host::units::SPACE, " ")
    };
    let slower = build_comparison(2.0);
    assert_eq!(changes(&slower, None), "`sort_unstable` takes 1.96 (1.75 to 2.19) times as long as before at 1 000.");
    assert_eq!(
        changes(&slower, Some("200")),
        "`sort_unstable` takes 1.95 (1.72 to 2.21) times as long as before at 200."
    );
    let unchanged = changes(&build_comparison(1.0), None);
    assert!(unchanged.starts_with("`sort_unstable` shows no certain change from before at 1 000: "), "{unchanged}");
    assert_eq!(changes(&comparison(), None), "", "without builds");
}

#[test]
fn a_single_earlier_build_is_named_before_and_several_by_their_fingerprints() {
    let names = |results: &Results| results.shown().into_iter().map(|shown| shown.name).collect::<Vec<_>>();
    let two = results(Some("sort@77c0a41f0b12"));
    assert_eq!(names(&two), ["sort", "sort · before"]);
    assert_eq!(builds_compared(&two.shown()).as_deref(), Some("Build fing against 77c0"));
    assert_eq!(builds_compared(&results(Some("sort_stable")).shown()), None);
    assert_eq!(builds_compared(&results(None).shown()), None);
    let paths = ["sort", "sort@77c0a41f0b12", "sort@0123456789ab"];
    let points = paths.map(|path| sampled(path, 100.0, 5.0)).to_vec();
    let partners = paths[1..].iter().map(|path| CellAction::AddPartner((*path).to_owned()));
    let measured =
        [CellAction::Started(origin(machine())), CellAction::Measured(MachineKind::Browser, Priority::LAST, points)];
    let three = after(partners.chain(measured)).results;
    assert_eq!(names(&three), ["sort · build fing", "sort · build 77c0", "sort · build 0123"]);
    assert_eq!(builds_compared(&three.shown()).as_deref(), Some("Build fing against 77c0 and 0123"));
}

#[test]
fn markdown_warns_of_noise() {
    let mut unsettled = sampled("sort", 100.0, 5.0);
    if let Outcome::Measured(measured) = &mut unsettled.outcome {
        measured.warnings.push(Warning::Unsettled);
    }
    let points = vec![unsettled, sampled("sort", 900.0, 40.0)];
    let started = CellAction::Started(origin(machine()));
    let noisy = after([started, CellAction::Measured(MachineKind::Browser, Priority::LAST, points)]).results;
    let text = export(ExportFormat::Markdown, &noisy);
    assert_eq!(text.lines().last(), Some("Noisy: 1 of 2 points did not settle during warm-up."), "{text}");
    assert!(!export(ExportFormat::Markdown, &results(None)).contains("Noisy"));
}

#[test]
fn foreign_text_is_plain_in_markdown() {
    let mut machine = machine();
    machine.name = "<img src=x>|[a](b)\n# c".to_owned();
    let results = after([
        CellAction::Started(origin(machine)),
        CellAction::Measured(MachineKind::Browser, Priority::LAST, vec![sampled("sort", 100.0, 5.0)]),
    ])
    .results;
    let text = export(ExportFormat::Markdown, &results);
    assert!(
        text.contains(r"on \<img src=x\>\|\[a\]\(b\) \# c \(browser\);")
            || text.contains(r"on \<img src=x\>\|\[a\]\(b\) \# c (browser);"),
        "{text}"
    );
}

#[test]
fn json_is_a_notebook_file_with_the_samples() {
    let results = results(Some("sort_stable"));
    let notebook = file::read(&ExportFormat::Json.write(&results, 0.01, None)).expect("it is a notebook");
    let measurement = notebook.cells[0].measurement().expect("it has a measurement");
    assert_eq!(measurement.setup.functions, ["sort", "sort_stable"]);
    assert_eq!(measurement.results, results.latest);
}
