//! Elements that keys of the page act on from anywhere.

use web_sys::{Element, HtmlDialogElement};
use yew::prelude::*;

use super::contents;
use crate::effects::browser::focus;

/// References to these elements; all of them last as long as the page.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Landmarks {
    pub(super) search: NodeRef,
    /// The content next to the sidebar.
    pub(super) main: NodeRef,
    /// The `<details>` of the clock.
    pub(super) clock: NodeRef,
    /// The `<details>` of the runner.
    pub(super) runner: NodeRef,
    /// The sidebar, which is a sheet on a narrow screen.
    pub(super) contents: NodeRef,
    /// The dialog with the help, rendered only while it is open.
    pub(super) help: NodeRef,
}

impl Landmarks {
    /// Whether the card of the clock or of the runner is open, or the sheet with the contents.
    pub(super) fn has_open_card(&self) -> bool {
        self.open_card().is_some() || contents::is_open(&self.contents)
    }

    /// Closes the sheet, or else the open card, and focuses the element that opens it.
    pub(super) fn close_card(&self) {
        if contents::is_open(&self.contents) {
            return contents::close(&self.contents);
        }
        if let Some(details) = self.open_card() {
            // Removing an attribute fails only if its name is invalid.
            let _ = details.remove_attribute("open");
            focus::on_element(details.first_element_child());
        }
    }

    /// Focuses the search field of the list of functions; a notebook without controls has none.
    pub(super) fn find_function(&self) {
        if self.search.cast::<Element>().is_some() {
            contents::reveal(&self.contents);
            focus::on(&self.search);
        }
    }

    /// Whether the dialog with the help is open at this moment.
    pub(super) fn is_help_open(&self) -> bool {
        self.help.cast::<HtmlDialogElement>().is_some_and(|dialog| dialog.open())
    }

    /// Closes the help. The browser returns the focus to the element that had it before.
    pub(super) fn close_help(&self) {
        if let Some(dialog) = self.help.cast::<HtmlDialogElement>() {
            dialog.close();
        }
    }

    fn open_card(&self) -> Option<Element> {
        [&self.clock, &self.runner]
            .into_iter()
            .filter_map(NodeRef::cast::<Element>)
            .find(|card| card.has_attribute("open"))
    }
}
