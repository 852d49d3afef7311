//! A suite that only names the library crate in which its functions sit.

use library_functions as _;

benchbook::suite!("library");
