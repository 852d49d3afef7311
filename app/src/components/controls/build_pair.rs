//! The choice of two builds of a function that a runner measures interleaved.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::components::widgets::select_value::use_select_value;
use crate::components::widgets::unique_id::use_unique_id;
use crate::effects::browser::focus;
use crate::state::machines::runner_builds::RunnerBuilds;

#[derive(PartialEq, Properties)]
pub(crate) struct BuildPairProps {
    pub(crate) builds: RunnerBuilds,
    /// The builds of the cell's first two functions, if it compares builds.
    pub(crate) compared: [Option<String>; 2],
    /// Receives the identifiers of two builds: the first is compared with the second.
    pub(crate) on_compare: Callback<[String; 2]>,
}

/// Two lists of builds, and the button that measures both.
#[component]
pub(crate) fn BuildPair(props: &BuildPairProps) -> Html {
    let BuildPairProps { builds, compared, on_compare } = props;
    let label = use_unique_id("builds");
    let is_same = use_state_eq(|| false);
    let [first, second] = chosen(builds, compared);
    let selects = [use_select_value(first), use_select_value(second)];
    let onclick = {
        let (on_compare, selects, is_same) = (on_compare.clone(), selects.clone(), is_same.clone());
        Callback::from(move |_: MouseEvent| {
            let value = |select: &NodeRef| select.cast::<HtmlSelectElement>().map(|select| select.value());
            let [Some(first), Some(second)] = selects.each_ref().map(value) else { return };
            is_same.set(first == second);
            if first == second {
                focus::on(&selects[1]);
            } else {
                on_compare.emit([first, second]);
            }
        })
    };
    let list = |select: &NodeRef, name: &'static str, test: &'static str| {
        html! {
            <select data-test={test} ref={select.clone()} aria-label={name}>
                { for builds.ids().zip(builds.labels()).map(|(id, label)| html! { <option value={id.to_owned()}>{ label }</option> }) }
            </select>
        }
    };
    html! {
        <div class="control build-pair" role="group" aria-labelledby={label.to_string()} data-test="build-pair">
            <div class="label" id={label.to_string()}>{ "Compare builds" }</div>
            <div class="add">
                { list(&selects[0], "Build", "build-first") }
                <span>{ "against" }</span>
                { list(&selects[1], "Compared with build", "build-second") }
                <button data-test="compare-two-builds" {onclick}
                    title="Measures both builds on the runner, interleaved, so that the ratio is paired">{ "Compare" }</button>
            </div>
            <p class="hints" role="status">{ if *is_same { "Choose two different builds." } else { "" } }</p>
        </div>
    }
}

/// The builds that the lists show at first: the compared ones, or the current one and the one before it.
fn chosen(builds: &RunnerBuilds, compared: &[Option<String>; 2]) -> [String; 2] {
    let known = |build: &Option<String>| build.clone().filter(|build| builds.ids().any(|known| known == build));
    let other = |build: &str| builds.ids().find(|known| *known != build).unwrap_or_default().to_owned();
    match compared.each_ref().map(known) {
        [Some(first), Some(second)] => [first, second],
        [Some(first), None] => [first.clone(), other(&first)],
        [None, Some(second)] => [other(&second), second],
        [None, None] => {
            let first = other("");
            [first.clone(), other(&first)]
        }
    }
}
