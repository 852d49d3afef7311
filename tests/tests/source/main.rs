//! Tests that read source text: the structure of our code, its wording, and what the compiler reports to authors.

mod author;
mod document_links;
mod structure;
mod wording;
