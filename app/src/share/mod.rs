//! Links to what the page shows.

pub(crate) mod excerpt;
pub(crate) mod link;
pub(crate) mod token;
