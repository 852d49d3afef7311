//! Tests of the report's forms.

mod example;
mod findings;
mod golden;
mod schema;
