//! Results of readers.

use std::rc::Rc;

use benchbook_contract::parameter::{Argument, Range};
use benchbook_host::response::{Machine, MachineKind};

use super::{id, measured, measurement_cell, result, result_setup, setup, text_cell};
use crate::cell::MeasurementCell;
use crate::notebook::Notebook;
use crate::result::CellResult;

fn with_results(results: Vec<CellResult>) -> Notebook {
    let results = results.into_iter().map(Rc::new).collect();
    let measurement = MeasurementCell { setup: setup(), results, ..MeasurementCell::default() };
    Notebook { title: "Sorts".to_owned(), cells: vec![text_cell(1, "A text"), measurement_cell(2, measurement)] }
}

/// A result of this machine, which started at this time.
fn of_machine(number: u64, machine: &str, started: f64) -> CellResult {
    let mut result = result(number, vec![measured(1_000.0, 50.0)]);
    let setup = Rc::make_mut(&mut result.setup);
    setup.machine = Machine { id: Some(machine.to_owned()), ..setup.machine.clone() };
    CellResult { started, ..result }
}

fn author() -> Notebook {
    with_results(vec![of_machine(10, "author", 1.0)])
}

fn applied(mut notebook: Notebook, copies: &[Notebook]) -> (Notebook, String) {
    let found = notebook.reader_results(copies);
    let message = found.message();
    for edit in found.edits {
        notebook.apply(edit).expect("it changes something");
    }
    (notebook, message)
}

fn machines(notebook: &Notebook) -> Vec<String> {
    notebook.results().map(|result| result.setup.machine.id.clone().unwrap_or_default()).collect()
}

#[test]
fn results_of_readers_precede_those_of_the_author_without_samples() {
    let copy =
        |number, machine: &str| with_results(vec![of_machine(10, "author", 1.0), of_machine(number, machine, 2.0)]);
    let (notebook, message) = applied(author(), &[copy(11, "one"), copy(12, "other")]);
    assert_eq!(machines(&notebook), ["other", "one", "author"]);
    assert_eq!(message, "Added 2 results, 2 already present.");
    let added = notebook.results().next().expect("a result");
    assert!(added.has_figures() && added.curves[0].curve.lacks_samples());
    let (again, message) = applied(notebook.clone(), &[copy(11, "one")]);
    assert_eq!((again, message.as_str()), (notebook, "Added 0 results, 2 already present."));
}

/// An updated browser is the same machine.
#[test]
fn of_several_results_of_a_machine_the_newest_remains() {
    let mut results = [(11, 2.0), (12, 3.0), (13, 1.0)].map(|(number, started)| of_machine(number, "one", started));
    Rc::make_mut(&mut results[1].setup).machine.name = "Chrome 157".to_owned();
    let (notebook, _) = applied(author(), &results.map(|result| with_results(vec![result])));
    assert_eq!(machines(&notebook), ["one", "author"]);
    assert_eq!(notebook.results().next().map(|result| result.id.clone()), Some(id(12)));
}

#[test]
fn no_file_replaces_a_result_of_the_author() {
    let (notebook, message) = applied(author(), &[with_results(vec![of_machine(11, "author", 9.0)])]);
    assert_eq!((notebook, message.as_str()), (author(), "Added 0 results, 1 already present."));
}

#[test]
fn results_of_other_requests_and_cells_are_rejected() {
    let mut other_arguments = of_machine(11, "one", 2.0);
    let setup = result_setup(Argument::Range(Range { low: 1.0, high: 7.0 }));
    other_arguments.setup = Rc::new(crate::result_setup::ResultSetup {
        machine: Machine { kind: MachineKind::Browser, ..other_arguments.setup.machine.clone() },
        ..(*setup).clone()
    });
    let mut other_cell = with_results(vec![of_machine(12, "one", 2.0)]);
    Rc::make_mut(&mut other_cell.cells[1]).id = id(99);
    let found = author().reader_results(&[with_results(vec![other_arguments]), other_cell]);
    assert!(found.edits.is_empty());
    assert_eq!((found.added, found.rejected.len()), (0, 2), "{:?}", found.rejected);
    assert!(found.rejected[0].ends_with("measured other functions or other arguments."), "{:?}", found.rejected);
    assert!(found.rejected[1].ends_with("this notebook has no such cell."), "{:?}", found.rejected);
    assert_eq!(found.message(), "Added 0 results, rejected 2.");
}

#[test]
fn a_reader_sends_only_own_results_with_the_typed_processor() {
    let mut article = author();
    let (read, _) = applied(article.clone(), &[with_results(vec![of_machine(11, "reader", 2.0)])]);
    article = read;
    let own = article.results().find(|result| result.id == id(11)).map(|result| result.setup.machine.clone());
    let sent = article.results_of(&own.expect("the result"), Some("M5"));
    assert_eq!((sent.cells.len(), machines(&sent)), (1, vec!["reader".to_owned()]));
    assert_eq!(sent.results().next().and_then(|result| result.setup.machine.processor.as_deref()), Some("M5"));
    assert_eq!(author().reader_results(&[sent]).added, 1, "the author can add it");
}
