//! A suite whose functions are all in a library crate.

use library_functions as _;

benchbook::suite!("library");
