//! Tests of the formats that results are exported in.

use benchbook_host::response::Warning;
use benchbook_notebook::file;

use super::fixed_results::{build_comparison, categories, comparison, one_function};
use super::golden::assert_golden;
use super::points::sampled;
use super::*;
use benchbook_report::claims::changes;
use benchbook_report::export::ExportFormat;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::builds_compared;

/// The results of `sort` on a machine as Markdown.
fn markdown(machine: Machine, points: Vec<Point>) -> String {
    let results =
        after([CellAction::Run(RunEvent::Started(Box::new(origin(machine)))), in_browser(Priority::LAST, points)])
            .results;
    ExportFormat::Markdown.write(&results, 0.01, None)
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
    let faster = changes(&build_comparison(0.5), None);
    assert_eq!(faster, "Before, `sort_unstable` took 2.04 (1.83 to 2.29) times as long at 1 000.");
    let unchanged = changes(&build_comparison(1.0), None);
    assert!(unchanged.starts_with("`sort_unstable` shows no certain change from before at 1 000: "), "{unchanged}");
    assert_eq!(changes(&comparison(), None), "", "without builds");
}

#[test]
fn a_single_earlier_build_is_named_before_and_several_by_their_fingerprints() {
    let table = [
        (&["sort"][..], &["sort"][..], None),
        (&["sort", "sort_stable"], &["sort", "sort_stable"], None),
        (&["sort", "sort@77c0a41f0b12"], &["sort", "sort · before"], Some("Build fing against 77c0")),
        (
            &["sort", "sort@77c0a41f0b12", "sort@0123456789ab"],
            &["sort · build fing", "sort · build 77c0", "sort · build 0123"],
            Some("Build fing against 77c0 and 0123"),
        ),
    ];
    for (paths, names, compared) in table {
        let partners = paths[1..].iter().map(|path| add_partner(path));
        let points = paths.iter().map(|path| of(path, measured(100.0, 5.0))).collect();
        let shown = after(partners.chain([started(), in_browser(Priority::LAST, points)])).results.shown();
        assert_eq!(shown.iter().map(|shown| shown.name.as_str()).collect::<Vec<_>>(), names);
        assert_eq!(builds_compared(&shown).as_deref(), compared, "{names:?}");
    }
}

#[test]
fn markdown_warns_of_noise() {
    let mut unsettled = sampled(100.0, 5.0);
    if let Outcome::Measured(measured) = &mut unsettled.outcome {
        measured.warnings.push(Warning::Unsettled);
    }
    let text = markdown(machine(), vec![unsettled, sampled(900.0, 40.0)]);
    assert_eq!(text.lines().last(), Some("Noisy: 1 of 2 points did not settle during warm-up."), "{text}");
    assert!(!markdown(machine(), vec![sampled(100.0, 5.0), sampled(900.0, 40.0)]).contains("Noisy"));
}

#[test]
fn foreign_text_is_plain_in_markdown() {
    let machine = Machine { name: "<img src=x>|[a](b)\n# c".to_owned(), ..machine() };
    let text = markdown(machine, vec![measured(100.0, 5.0)]);
    assert!(text.contains(r"on \<img src=x\>\|\[a\]\(b\) \# c (browser);"), "{text}");
}

#[test]
fn json_is_a_notebook_file_with_the_samples() {
    let results = comparison();
    let notebook = file::read(&ExportFormat::Json.write(&results, 0.01, None)).expect("it is a notebook");
    let measurement = notebook.cells[0].measurement().expect("it has a measurement");
    assert_eq!(measurement.setup.functions, results.latest[0].setup.request.functions);
    assert_eq!(measurement.results, results.latest);
}
