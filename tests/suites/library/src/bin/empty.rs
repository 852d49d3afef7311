//! A suite without a function.

benchbook::suite!("empty");
