//! The address of the page, derived from its state.

use super::notebook::OpenNotebook;
use super::{Shown, State};
use crate::address::{Address, CellAddress};

/// The address that corresponds to the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PageAddress {
    /// The address was not read yet, or its suite or its notebook is still loading: it remains unchanged.
    Waiting,
    /// The address is invalid: it remains unchanged, so that the user can correct it.
    Invalid,
    /// The start.
    Start,
    /// Anything but the start.
    At(Box<Address>),
}

impl State {
    /// The address of the page. That of a measurement cell also contains its settings, so that it opens elsewhere, too.
    pub(crate) fn address(&self) -> PageAddress {
        if self.followed == 0 {
            return PageAddress::Waiting;
        }
        let address = match &self.shown {
            Shown::Archive(archive) => archive.address(),
            Shown::History(history) => Address::History(history.address()),
            Shown::SelfTest => Address::SelfTest,
            _ if self.is_embedded || self.is_opening_link() => return PageAddress::Waiting,
            Shown::Notebook(_) => match self.notebook() {
                Some(notebook) => self.address_of(notebook),
                None => return PageAddress::Waiting,
            },
            Shown::Start if self.link_problems.is_empty() => return PageAddress::Start,
            Shown::Start => return PageAddress::Invalid,
        };
        PageAddress::At(Box::new(address))
    }

    fn address_of(&self, notebook: &OpenNotebook) -> Address {
        let cell = notebook.current.clone();
        if let Some(file) = notebook.file.clone() {
            return Address::File { file, cell };
        }
        let elsewhere = self.cell().map(|cell| {
            let suite_url = self.own_suites.address_of(cell.suite.id).cloned();
            Box::new(CellAddress { suite_url, setup: cell.setup() })
        });
        Address::Stored { notebook: notebook.id.clone(), cell, elsewhere }
    }
}
