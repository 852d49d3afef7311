//! Links to what the page shows.

pub(crate) mod available;
pub(crate) mod embed;
pub(crate) mod excerpt;
pub(crate) mod file_address;
pub(crate) mod link;
pub(crate) mod link_arguments;
mod stored_setup;
pub(crate) mod token;
