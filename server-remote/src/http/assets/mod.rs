//! Files that are served from memory.

mod asset;
mod backend;
mod folder;
mod table;

pub use folder::read_folder;
pub use table::AssetTable;
