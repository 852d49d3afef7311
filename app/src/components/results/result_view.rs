//! The results of a cell, wherever they come from: a measurement in progress, a notebook, or a runner's archive.

use std::rc::Rc;

use yew::prelude::*;

use super::Output;
use super::cell_footer::cell_footer;
use super::quality::Quality;
use super::ranking::{Answer, RowCommands, use_rankings};
use super::reproduction::reproduction_view;
use benchbook_notebook::view::{CellView, ViewAction};
use benchbook_report::reproduction::reproduction;
use benchbook_report::results::Results;

#[derive(PartialEq, Properties)]
pub(crate) struct ResultViewProps {
    pub(crate) results: Results,
    pub(crate) view: CellView,
    /// Whether more points follow.
    #[prop_or_default]
    pub(crate) is_measuring: bool,
    /// Whether the settings of the cell have changed since the measurement.
    #[prop_or_default]
    pub(crate) is_outdated: bool,
    /// Adds a function to the comparison, if that is possible.
    #[prop_or_default]
    pub(crate) on_add: Option<Callback<()>>,
    /// The commands of each ranked function, if the cell can be changed.
    #[prop_or_default]
    pub(crate) row_commands: Option<RowCommands>,
    /// Notes above the plot.
    #[prop_or_default]
    pub(crate) notes: Html,
    /// The controls next to the plot, if there are any.
    #[prop_or_default]
    pub(crate) controls: Option<Html>,
    pub(crate) on_present: Callback<ViewAction>,
}

/// The answer first, then its quality, then plot, table and samples.
#[component]
pub(crate) fn ResultView(props: &ResultViewProps) -> Html {
    let ResultViewProps { results, view, is_measuring, on_present, .. } = props;
    let shown = results.shown();
    let rankings = use_rankings(&shown);
    let margin = view.margin.ratio();
    // Later points may change the conclusions.
    let complete = (!is_measuring).then(|| (shown.clone(), margin));
    let repetition = use_memo(complete, |complete| {
        complete.as_ref().map(|(shown, margin)| reproduction(shown, &rankings, *margin)).unwrap_or_default()
    });
    html! {
        <>
            <Answer shown={shown.clone()} rankings={Rc::clone(&rankings)} {margin}
                ranked_at={view.ranked_at.clone()} {on_present} on_add={props.on_add.clone()} row_commands={props.row_commands.clone()} />
            { for repetition.iter().map(reproduction_view) }
            <Quality {shown} {is_measuring} />
            { props.notes.clone() }
            <div class={classes!("body", props.controls.is_none().then_some("alone"))}>
                { for props.controls.clone() }
                <Output results={results.clone()} {rankings} view={view.clone()} {is_measuring}
                    is_outdated={props.is_outdated} {on_present} />
            </div>
            { cell_footer(results) }
        </>
    }
}
