//! Sentences about the growth of the shown functions.

use benchbook_host::metric::Metric;
use yew::prelude::*;

use crate::effects::browser::own_frame::in_own_frame;
use benchbook_report::growth::growth_sentences;
use benchbook_report::shown_trace::ShownTrace;

#[derive(PartialEq, Properties)]
pub(super) struct GrowthProps {
    pub(super) shown: Vec<ShownTrace>,
    pub(super) metric: &'static Metric,
    /// Whether more points may arrive, which may change the growth.
    pub(super) is_measuring: bool,
}

/// A sentence for each function, once its points are complete. They are computed in a separate frame: resampling several curves
/// takes up most of one.
#[component]
pub(super) fn Growth(props: &GrowthProps) -> Html {
    let sentences = use_state_eq(|| None::<Vec<String>>);
    let complete = (!props.is_measuring).then(|| (props.shown.clone(), props.metric));
    {
        let sentences = sentences.setter();
        use_effect_with(complete, move |complete| {
            sentences.set(None);
            let task = complete
                .clone()
                .map(|(shown, metric)| in_own_frame(move || sentences.set(Some(growth_sentences(&shown, metric)))));
            move || drop(task)
        });
    }
    html! {
        <div data-test="growths" aria-busy={sentences.is_none().to_string()}>
            { for sentences.iter().flatten().map(|sentence| html! {
                <p class="verdict" data-test="growth">{ sentence }</p>
            }) }
        </div>
    }
}
