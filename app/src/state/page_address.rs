//! The address of the page, derived from its state.

use super::cell::LiveCell;
use super::page::State;
use crate::share::link::Link;

/// The address that corresponds to the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PageAddress {
    /// The address was not read yet, or its suite is still loading: it remains unchanged.
    Waiting,
    /// The address is invalid: it remains unchanged, so that the user can correct it.
    Invalid,
    /// The start.
    Start,
    /// A cell, the self-test, or a part of the archive.
    Link(Box<Link>),
}

impl State {
    /// The address of the page.
    pub(crate) fn address(&self) -> PageAddress {
        if let (Some(archive), 1..) = (&self.archive, self.followed) {
            return PageAddress::Link(Box::new(archive.link()));
        }
        if self.is_self_test_shown && self.followed > 0 {
            return PageAddress::Link(Box::new(Link { self_test: true, ..Link::default() }));
        }
        match self.cell() {
            _ if self.followed == 0 || self.pending.is_some() => PageAddress::Waiting,
            Some(cell) => PageAddress::Link(Box::new(link_to(cell))),
            None if self.link_problems.is_empty() => PageAddress::Start,
            None => PageAddress::Invalid,
        }
    }
}

fn link_to(cell: &LiveCell) -> Link {
    Link {
        self_test: false,
        archive: None,
        before: None,
        suite: cell.suite.suite.name.clone(),
        function: cell.function.path.clone(),
        generator: Some(cell.generator.path.clone()),
        with: cell.partners.iter().map(|partner| partner.path.clone()).collect(),
        arguments: cell.controls.written(&cell.generator),
        measuring_options: cell.measuring_options.clone(),
        presentation: cell.presentation.clone(),
        problems: Vec::new(),
    }
}
