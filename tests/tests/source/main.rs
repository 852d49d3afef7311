//! Tests that read source text: the structure of our code, its wording, what the compiler reports to authors, and the templates for continuous
//! integration.

mod author;
mod ci_templates;
mod document_links;
mod structure;
mod wording;
