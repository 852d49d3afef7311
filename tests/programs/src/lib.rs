//! What several of the programs use.

pub mod conditions;
pub mod figures;
