//! The help: keys, priorities, plot, comparisons, native runners.

use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::units::{Nanos, count, plus_minus};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

use crate::effects::browser::focus;

/// The sections of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Keys,
    Priorities,
    Plot,
    Comparing,
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

/// The keys and their effects. Browsers use Ctrl Shift P, S and E themselves.
const KEYS: [(&str, &str); 16] = [
    ("/", "find a function"),
    ("Ctrl Enter", "measure the current cell; in a text: finish editing"),
    ("Ctrl Shift Enter", "measure all cells in order"),
    ("Ctrl S", "download the notebook as a file"),
    ("Ctrl Shift L", "copy a link to the notebook"),
    ("Ctrl Z", "undo"),
    ("Ctrl Shift Z", "redo"),
    ("Esc", "stop measuring; in the plot: reset the zoom"),
    ("?", "open or close this help"),
    ("+ −", "in the plot: zoom in or out"),
    ("← → ↑ ↓", "in the plot: move"),
    ("0", "in the plot: reset the zoom"),
    (", .", "in the plot: read the previous or next point"),
    ("Enter, Esc", "in a profile: zoom in or out; arrow keys move"),
    ("Alt ↑ ↓, Del", "in the outline: move or remove a cell"),
    ("← →", "on a slider: 1%; Page up and Page down: 10%"),
];

/// Opens the help; a context of all components.
#[derive(Clone, PartialEq)]
pub(crate) struct OnHelp(pub(crate) Callback<Topic>);

#[derive(PartialEq, Properties)]
pub(crate) struct HelpButtonProps {
    pub(crate) topic: Topic,
}

/// A small button next to an element, which opens the section about it.
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
    /// The section to scroll to.
    pub(crate) topic: Topic,
    /// The meaning of the priorities in this notebook.
    pub(crate) qualities: Qualities,
    /// The dialog.
    pub(crate) dialog: NodeRef,
    pub(crate) on_close: Callback<()>,
}

#[component]
pub(crate) fn Help(props: &HelpProps) -> Html {
    let section = use_node_ref();
    {
        let (dialog, section) = (props.dialog.clone(), section.clone());
        use_effect_with(props.topic, move |topic| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // Fails only for a dialog that is already open, or not in the document.
                let _ = dialog.show_modal();
            }
            if *topic != Topic::Keys {
                focus::scroll_to(&section);
            }
        });
    }
    let heading = |topic: Topic| {
        let node = if topic == props.topic { section.clone() } else { NodeRef::default() };
        html! { <h3 ref={node}>{ topic.title() }</h3> }
    };
    // The browser closes a dialog at Escape, and returns the focus.
    let onclose = props.on_close.reform(|_: Event| ());
    let onclick = {
        let dialog = props.dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    html! {
        <dialog class="help" ref={props.dialog.clone()} aria-labelledby="help-title" data-test="help-text" {onclose}>
            <div class="help-head">
                <h2 id="help-title">{ "Help" }</h2>
                <button data-test="help-close" {onclick}>{ "Close" }</button>
            </div>
            { heading(Topic::Keys) }
            <dl class="keys">{ for KEYS.map(|(key, effect)| html! { <><dt><kbd>{ key }</kbd></dt><dd>{ effect }</dd></> }) }</dl>
            { heading(Topic::Priorities) }
            <p>{ "A measurement is refined in four steps, its priorities, each more precise than the one before. Each point shows its best result so far, \
                  and the curve gets thicker with each step. Precision (±) is half the width of the mean's 95% interval, relative to the mean." }</p>
            { priorities(&props.qualities) }
            { heading(Topic::Plot) }
            <p>{ "A sample is the time of a batch of calls, divided by their number. The line is the median, with a band from the first quartile to the \
                  third. The small marks are the means, with whiskers of one standard deviation; with more than two curves, they are hidden at first. If \
                  mean and median differ, a few slow samples are pulling up the mean. Use the median for a typical call, and the mean for a total. Drag or scroll to zoom, Shift-drag to move, double-click to reset; \
                  on a touch screen, tap to read a point." }</p>
            <p>{ "Hollow marker: the times did not settle. Pale marker: unknown whether they settled. Bar with an arrow down: an \
                  upper bound. At the lower edge, a cross marks a failed point and a dash a skipped one. Arrow at an edge: a \
                  logarithmic axis cannot show the value." }</p>
            <p>{ "Time limit: a horizontal line at a time such as 5 ms. Drag it, or type another time under Show. All comparisons \
                  shows the largest value that each function processes within that time." }</p>
            { heading(Topic::Comparing) }
            <p>{ "Functions in one measurement take turns on the same inputs, so that interference affects all of them. A function has one \
                  colour on all machines. A dashed curve comes from another machine. A curve that was measured separately has no ratio: the machine may have been busier then." }</p>
            <p>{ "The ratio compares the medians of blocks, so that one slow sample never decides it; each block has its own inputs. \
                  If batches are too short for the clock, it compares the means. The intervals [low, high] of all ratios between functions \
                  hold simultaneously with 95% confidence. If an interval contains 1, the functions either take the same time within the chosen margin, or more samples are \
                  needed to decide. A dashed vertical line marks a crossover, and the bracket \
                  on the axis the measured values around it. Between measured values the curve is unknown; more values narrow the bracket." }</p>
            { heading(Topic::Native) }
            <p>{ "The browser runs a function as WebAssembly, with checked memory accesses, 32-bit addresses, 128-bit SIMD and a \
                  coarse clock. A native build may use wider SIMD and special instructions, so a different function may be the fastest there. \
                  A curve therefore never mixes both. Measure on the platform that you deploy to." }</p>
            <p>{ "Only a runner can measure asynchronous functions, functions that several threads call at once, functions declared native, and \
                  suites without a build for browsers." }</p>
        </dialog>
    }
}

/// The meaning of each priority, as a table.
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
            <thead><tr>{ for ["priority", "max. points", "precision", "time per point"].map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
            <tbody>{ for Priority::all().map(row) }</tbody>
        </table>
    }
}
