//! Builds that clients upload, stored by their fingerprints in a folder of their own.

mod bounded_builds;
mod error;
mod folder;
mod opener;
mod receive;
mod uploaded_builds;

pub use bounded_builds::UploadBounds;
pub use error::UploadError;
pub use uploaded_builds::UploadedBuilds;

pub(crate) use opener::BuildOpener;
