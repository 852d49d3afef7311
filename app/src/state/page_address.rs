//! The address of the page, derived from its state.

use super::page::State;
use crate::share::link::Link;

/// The address that corresponds to the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PageAddress {
    /// The address was not read yet, or its suite or its notebook is still loading: it remains unchanged.
    Waiting,
    /// The address is invalid: it remains unchanged, so that the user can correct it.
    Invalid,
    /// The start.
    Start,
    /// A cell of a notebook, the self-test, a history, or a part of the archive.
    Link(Box<Link>),
}

impl State {
    /// The address of the page. That of a measurement cell also contains its settings, so that it opens elsewhere, too.
    pub(crate) fn address(&self) -> PageAddress {
        if let (Some(archive), 1..) = (&self.archive, self.followed) {
            return PageAddress::Link(Box::new(archive.link()));
        }
        if let (Some(history), 1..) = (&self.history, self.followed) {
            return PageAddress::Link(Box::new(history.link()));
        }
        if self.is_self_test_shown && self.followed > 0 {
            return PageAddress::Link(Box::new(Link { self_test: true, ..Link::default() }));
        }
        match self.notebook() {
            _ if self.is_embedded => PageAddress::Waiting,
            _ if self.followed == 0 || self.pending.is_some() => PageAddress::Waiting,
            Some(notebook) => {
                let settings = self.cell().map(|cell| cell.link()).unwrap_or_default();
                let suite = self.cell().and_then(|cell| self.own_suites.address_of(cell.suite.id));
                let (cell, suite_address) = (notebook.current.clone(), suite.cloned());
                let link = match notebook.file.clone() {
                    Some(file) => Link { file: Some(file), cell, ..Link::default() },
                    None => Link { notebook: Some(notebook.id.clone()), cell, suite_address, ..settings },
                };
                PageAddress::Link(Box::new(link))
            }
            None if self.link_problems.is_empty() => PageAddress::Start,
            None => PageAddress::Invalid,
        }
    }
}
