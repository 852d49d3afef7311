//! Code that the project's commands share with the end-to-end tests: the layout of the checkout, and the version and the size of the page. The commands are in `main.rs`.

pub mod embedded_page;
pub mod page_version;
pub mod sizes;
pub mod workspace;
