//! Instrumented modules, executed in an interpreter.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

mod contexts;
mod damaged_maps;
mod execution;
mod hand_counted;
mod random_module;
mod random_modules;
mod ranges;
mod rejected;
mod source_lines;
