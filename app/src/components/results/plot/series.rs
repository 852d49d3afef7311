//! The names of the curves: at the ends of their lines, and as a list. A click hides or shows the curves of a function, a double click hides all others.

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_chart::{Palette, Rect, css};
use gloo::timers::callback::Timeout;
use yew::prelude::*;

use super::model;
use benchbook_notebook::view::{CellView, ViewAction};
use benchbook_report::shown_trace::ShownTrace;

/// What the names can change.
pub(super) struct SeriesCommands<'a> {
    pub(super) shown: &'a [ShownTrace],
    pub(super) view: &'a CellView,
    pub(super) on_present: &'a Callback<ViewAction>,
}

/// What a click does, for a pointer.
const TITLE: &str = "Click to hide or show, double-click to show only this one";

impl SeriesCommands<'_> {
    fn is_hidden(&self, path: &str) -> bool {
        self.view.hidden_functions.iter().any(|hidden| hidden == path)
    }

    /// The callbacks of a click and of a double click on the name of a function.
    fn of(&self, path: &str) -> [Callback<MouseEvent>; 2] {
        let mut toggled = self.view.hidden_functions.clone();
        toggled.retain(|hidden| hidden != path);
        toggled.extend((!self.is_hidden(path)).then(|| path.to_owned()));
        let mut others: Vec<String> = Vec::new();
        for other in self.shown.iter().map(|one| &one.trace.path).filter(|other| *other != path) {
            if !others.contains(other) {
                others.push(other.clone());
            }
        }
        [toggled, others]
            .map(|hidden| self.on_present.reform(move |_: MouseEvent| ViewAction::HideFunctions(hidden.clone())))
    }
}

/// A click on a name at a line that has no effect yet.
pub(super) type PendingClick = Rc<RefCell<Option<Timeout>>>;

/// The longest time between the clicks of a double click, in milliseconds.
const DOUBLE_CLICK: u32 = 300;

/// Buttons over the names that the plot draws. Keyboards and screen readers use the list. A click takes effect once it is not the first half of a double
/// click: then the name is gone, and the second half would hit what is in its place.
pub(super) fn names_on_lines(names: &[(String, Rect)], commands: &SeriesCommands<'_>, pending: &PendingClick) -> Html {
    let button = |(name, area): &(String, Rect)| {
        let one = commands.shown.iter().find(|one| one.label == *name)?;
        let [toggle, isolate] = commands.of(&one.trace.path);
        let onclick = {
            let pending = Rc::clone(pending);
            Callback::from(move |event: MouseEvent| {
                let toggle = toggle.clone();
                pending.replace(Some(Timeout::new(DOUBLE_CLICK, move || toggle.emit(event))));
            })
        };
        let ondblclick = {
            let pending = Rc::clone(pending);
            Callback::from(move |event: MouseEvent| {
                pending.take();
                isolate.emit(event);
            })
        };
        let style =
            format!("left:{}px;top:{}px;width:{}px;height:{}px", area.left, area.top, area.width(), area.height());
        Some(html! {
            <button class="line-name" tabindex="-1" data-test="line-name" data-path={one.trace.path.clone()} title={TITLE} {style} {onclick} {ondblclick}></button>
        })
    };
    html! { <div class="line-names" aria-hidden="true">{ for names.iter().filter_map(button) }</div> }
}

/// The names of the curves in their colours.
pub(super) fn series_list(commands: &SeriesCommands<'_>, palette: Palette) -> Html {
    let SeriesCommands { shown, view, .. } = commands;
    let entry = |one: &ShownTrace| {
        let [onclick, ondblclick] = commands.of(&one.trace.path);
        html! {
            <li data-test="series" class={one.is_elsewhere.then_some("elsewhere")}
                data-hidden={model::is_hidden(one, shown, view).then_some("true")}>
                <button class="plain" aria-pressed={(!commands.is_hidden(&one.trace.path)).to_string()} title={TITLE} {onclick} {ondblclick}>
                    <i style={format!("color:{}", css(palette.median(one.hue)))}></i>{ &one.label }
                </button>
                if one.is_separate {
                    <small title="Measured at another time or with other inputs, so there is no ratio">{ "measured separately" }</small>
                }
            </li>
        }
    };
    html! {
        <ul class="series" aria-label="Curves">
            if shown.len() > 1 || shown.iter().any(|one| model::is_hidden(one, shown, view)) {
                { for shown.iter().map(entry) }
            }
        </ul>
    }
}
