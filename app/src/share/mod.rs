//! Links to what the page shows.

pub(crate) mod available;
pub(crate) mod excerpt;
pub(crate) mod link;
pub(crate) mod link_arguments;
pub(crate) mod token;
