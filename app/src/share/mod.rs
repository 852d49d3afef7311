//! What leaves the page and comes back to it: links.

pub(crate) mod link;
pub(crate) mod token;
