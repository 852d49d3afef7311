//! What the results say about each pair of functions, their growth, and the machines.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::metric::TIME;
use yew::prelude::*;

use super::conclusions::Conclusions;
use super::growth::Growth;
use super::largest::LargestSentences;
use super::machines::Machines;
use super::margin::MarginSelect;
use super::ranking::has_ratios;
use super::ratio_distribution::RatiosOnMachines;
use super::reproduction::reproduction_view;
use benchbook_notebook::view::{CellView, ViewAction};
use benchbook_report::comparison::one_process_note;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::results::Results;
use benchbook_report::shown_trace::ShownTrace;

#[derive(PartialEq, Properties)]
pub(super) struct ComparisonsProps {
    pub(super) results: Results,
    /// The traces of the results.
    pub(super) shown: Vec<ShownTrace>,
    pub(super) rankings: Rc<Vec<MachineRanking>>,
    pub(super) conclusions: Rc<Conclusions>,
    pub(super) view: CellView,
    /// Whether more points follow.
    pub(super) is_measuring: bool,
    pub(super) on_present: Callback<ViewAction>,
}

#[component]
pub(super) fn Comparisons(props: &ComparisonsProps) -> Html {
    let ComparisonsProps { results, shown, rankings, conclusions, view, is_measuring, on_present } = props;
    let (is_measuring, margin) = (*is_measuring, view.margin.ratio());
    html! {
        <>
            { for conclusions.reproductions.iter().map(reproduction_view) }
            { for conclusions.verdicts.iter().map(|verdict| html! {
                <p class="verdict" data-test="verdict">{ verdict }</p>
            }) }
            <Growth shown={shown.clone()} metric={view.metric()} {is_measuring} />
            if let Some(limit) = view.limit.filter(|_| *view.metric() == TIME) {
                <LargestSentences shown={shown.clone()} {limit} {is_measuring} />
            }
            <Machines shown={shown.clone()} {is_measuring} />
            <RatiosOnMachines results={results.clone()} x={chosen_value(rankings, view)} {margin} {is_measuring} />
            if let Some(note) = one_process_note(shown, rankings, is_measuring) {
                <p class="hints" data-test="one-process">{ note }</p>
            }
            if has_ratios(rankings) {
                <MarginSelect margin={view.margin} on_present={on_present.clone()} />
            }
        </>
    }
}

/// The axis value of the ranking.
fn chosen_value(rankings: &[MachineRanking], view: &CellView) -> Option<AxisValue> {
    let first = rankings.first()?;
    Some(first.ranking.values()[first.value_at(view.ranked_at.as_deref())].clone())
}
