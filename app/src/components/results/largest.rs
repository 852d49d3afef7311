//! Sentences about the largest axis value within the time limit.

use benchbook_host::units::Nanos;
use yew::prelude::*;

use benchbook_report::largest::FunctionGrowth;
use benchbook_report::shown_trace::ShownTrace;

#[derive(PartialEq, Properties)]
pub(super) struct LargestSentencesProps {
    pub(super) shown: Vec<ShownTrace>,
    pub(super) limit: Nanos,
    /// Whether more points may arrive.
    pub(super) is_measuring: bool,
}

/// A sentence for each function, once its points are complete.
#[component]
pub(super) fn LargestSentences(props: &LargestSentencesProps) -> Html {
    let complete = (!props.is_measuring).then(|| props.shown.clone());
    // Not recomputed while the limit moves, since the growth of a curve takes longer than a frame.
    let functions = use_memo(complete, |complete| complete.as_deref().map(FunctionGrowth::all).unwrap_or_default());
    let sentences = functions.iter().filter_map(|function| function.sentence(props.limit));
    html! {
        { for sentences.map(|sentence| html! {
            <p class="verdict" data-test="largest">{ sentence }</p>
        }) }
    }
}
