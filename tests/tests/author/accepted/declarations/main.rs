//! Declarations of every kind, in the modules of one program.

mod asynchronous;
mod from_macro_rules;
mod generic;
mod lists;
mod parameters;
mod passing;
mod threads;

benchbook::suite!("declarations");
