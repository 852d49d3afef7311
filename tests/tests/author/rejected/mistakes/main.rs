//! Mistakes of every kind, in the modules of one program.

mod associated_functions;
mod choice_default;
mod unfit_generators;
mod unfit_lists;
mod unfit_paths;
mod unfit_types;
mod unknown_generators;

benchbook::suite!("mistakes");
