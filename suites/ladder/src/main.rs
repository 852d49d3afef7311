//! The functions of the crate `benchbook-ladder` as a suite, for browsers and for tests.

use ladder as _;

benchbook::suite!("ladder");
