//! Tests of the report's forms.

mod baseline;
mod example;
mod files;
mod findings;
mod golden;
mod schema;
