//! The help: keys, priorities, bands, and why two machines differ.

use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::units::{Nanos, count, plus_minus};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

use super::focus;
use super::keys::KEYS;

/// What there is help about; each is a part of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// The keys of the page.
    Keys,
    /// What priorities mean.
    Priorities,
    /// How to read the plot.
    Plot,
    /// What measuring together means.
    Comparing,
    /// Why browser and native differ.
    Native,
}

impl Topic {
    fn id(self) -> &'static str {
        match self {
            Self::Keys => "help-keys",
            Self::Priorities => "help-priorities",
            Self::Plot => "help-plot",
            Self::Comparing => "help-comparing",
            Self::Native => "help-native",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Keys => "Keys",
            Self::Priorities => "Priorities",
            Self::Plot => "Reading the plot",
            Self::Comparing => "Comparing",
            Self::Native => "Browser and native",
        }
    }
}

/// Shows the help; it is there for every component.
#[derive(Clone, PartialEq)]
pub(crate) struct OnHelp(pub(crate) Callback<Topic>);

#[derive(PartialEq, Properties)]
pub(crate) struct HelpButtonProps {
    pub(crate) topic: Topic,
}

/// A small button that shows the help about something, beside it.
#[component]
pub(crate) fn HelpButton(props: &HelpButtonProps) -> Html {
    let on_help = use_context::<OnHelp>();
    let topic = props.topic;
    let onclick = Callback::from(move |_: MouseEvent| {
        if let Some(OnHelp(on_help)) = &on_help {
            on_help.emit(topic);
        }
    });
    html! {
        <button class="hint" aria-label={format!("Help: {}", topic.title())} title={topic.title()} data-test={topic.id()} {onclick}>{ "?" }</button>
    }
}

#[derive(PartialEq, Properties)]
pub(crate) struct HelpProps {
    /// What is looked for.
    pub(crate) topic: Topic,
    /// What the priorities mean here.
    pub(crate) qualities: Qualities,
    pub(crate) on_close: Callback<()>,
}

#[component]
pub(crate) fn Help(props: &HelpProps) -> Html {
    let element = use_node_ref();
    {
        let element = element.clone();
        use_effect_with(props.topic, move |topic| {
            if let Some(element) = element.cast::<HtmlDialogElement>() {
                // A dialog that is in the document and closed can be shown.
                let _ = element.show_modal();
            }
            if *topic != Topic::Keys {
                focus::scroll_to(&format!("#{}", topic.id()));
            }
        });
    }
    // The browser closes a dialog at Esc, and gives the focus back.
    let onclose = props.on_close.reform(|_: Event| ());
    let onclick = {
        let element = element.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(element) = element.cast::<HtmlDialogElement>() {
                element.close();
            }
        })
    };
    html! {
        <dialog class="help" ref={element} aria-labelledby="help-title" data-test="help-text" {onclose}>
            <div class="help-head">
                <h2 id="help-title">{ "Help" }</h2>
                <button data-test="help-close" {onclick}>{ "Close" }</button>
            </div>
            { heading(Topic::Keys) }
            <dl class="keys">{ for KEYS.map(|(key, does)| html! { <><dt><kbd>{ key }</kbd></dt><dd>{ does }</dd></> }) }</dl>
            { heading(Topic::Priorities) }
            <p>{ "One press measures four times, each time better. A point \
                  keeps the best figures that it got; a curve is dashed until its last priority is done. Precision (±) is half the width of the \
                  95 % interval of the mean, relative to the mean." }</p>
            { priorities(&props.qualities) }
            { heading(Topic::Plot) }
            <p>{ "A sample is the time of a batch of calls, divided by their number. Green: their mean, with a band of one standard \
                  deviation; severe outliers are left out of both, and counted under the plot. Blue: the median, with a band from the first \
                  quartile to the third. Where mean and median part, a few slow samples are at work; trust the median for the \
                  usual call, and the mean for a total." }</p>
            <p>{ "A hollow mark never settled while warming up. A bar with an arrow down is an upper bound. At the lower edge a \
                  cross failed and a dash was skipped. An arrow at an edge is what a logarithmic axis cannot show." }</p>
            { heading(Topic::Comparing) }
            <p>{ "Functions that are measured together take turns on the same inputs, so what disturbs the machine strikes all of \
                  them. The double line is the median. A curve from another measurement is dotted and unpaired: it gets no ratio, \
                  since the machine may have been busier then." }</p>
            <p>{ "The ratio is that of the medians of blocks, each block on inputs of its own, so that one slow sample never decides; \
                  of their means where batches are too short for this clock. All intervals [from, to] shown together hold at 95 %. \
                  Where one holds 1, no difference was found. A dashed line up the plot is where one function overtakes another, and the \
                  bracket on the axis its interval." }</p>
            { heading(Topic::Native) }
            <p>{ "Here a function runs as WebAssembly: compiled by the browser, with its memory accesses checked, 32-bit addresses, SIMD \
                  of 128 bits, and a coarse clock. A native build may use wider SIMD and special instructions. So figures of the two \
                  are never joined in one curve, and which function is faster may differ: measure where it will run." }</p>
        </dialog>
    }
}

fn heading(topic: Topic) -> Html {
    html! { <h3 id={topic.id()}>{ topic.title() }</h3> }
}

/// What each priority means, as a table.
fn priorities(qualities: &Qualities) -> Html {
    let row = |priority: Priority| {
        let quality = qualities.of(priority);
        html! {
            <tr>
                <th scope="row">{ priority.number() }</th>
                <td>{ count(u64::from(quality.points)) }</td>
                <td>{ plus_minus(quality.precision) }</td>
                <td>{ Nanos(quality.point_ms * 1e6).to_string() }</td>
            </tr>
        }
    };
    html! {
        <table>
            <thead><tr>{ for ["priority", "points at most", "precision", "time a point"].map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
            <tbody>{ for Priority::all().map(row) }</tbody>
        </table>
    }
}
