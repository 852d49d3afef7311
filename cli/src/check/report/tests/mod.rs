//! Tests of the report's forms.

mod findings;
