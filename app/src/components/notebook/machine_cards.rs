//! The machines and the builds behind the results of a notebook.

use benchbook_host::response::{Machine, SuiteCard};
use benchbook_host::units::Nanos;
use benchbook_notebook::notebook::Notebook;
use yew::prelude::*;

/// The cards of a notebook; nothing without results.
pub(super) fn machine_cards(notebook: &Notebook) -> Html {
    let (machines, suites) = (notebook.machines(), notebook.suites());
    if machines.is_empty() {
        return html! {};
    }
    html! {
        <section class="cell note origins" data-test="origins">
            <h2>{ "Machines and builds" }</h2>
            <table>
                <thead><tr><th scope="col">{ "Machine" }</th><th scope="col">{ "Kind" }</th><th scope="col">{ "Steps of the clock" }</th></tr></thead>
                <tbody>{ for machines.into_iter().map(machine_row) }</tbody>
            </table>
            <table>
                <thead><tr><th scope="col">{ "Suite" }</th><th scope="col">{ "Compiler" }</th><th scope="col">{ "Target" }</th><th scope="col">{ "Fingerprint" }</th></tr></thead>
                <tbody>{ for suites.into_iter().map(suite_row) }</tbody>
            </table>
        </section>
    }
}

fn machine_row(machine: &Machine) -> Html {
    html! {
        <tr data-test="machine">
            <th scope="row">{ machine.name_and_processor() }</th>
            <td>{ machine.kind.name() }</td>
            <td>{ Nanos(machine.clock.resolution).to_string() }</td>
        </tr>
    }
}

fn suite_row(suite: &SuiteCard) -> Html {
    let build = &suite.build;
    let commit = suite.commit.as_ref().map(|commit| format!(", commit {commit}"));
    html! {
        <tr data-test="build">
            <th scope="row">{ format!("{} {}", suite.name, suite.version) }</th>
            <td>{ &build.rustc }</td>
            <td>{ format!("{}, {}", build.target, build.settings()) }</td>
            <td><code>{ suite.fingerprint.chars().take(16).collect::<String>() }</code>{ commit }</td>
        </tr>
    }
}
