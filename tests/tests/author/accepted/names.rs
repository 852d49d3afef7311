//! Names in the generated code, and keywords.

#![no_implicit_prelude]

use ::benchbook::{Choice, Fresh, Service, generator, measured};
use ::std::prelude::v1::{Clone, String, Vec, derive};
use ::std::vec;

#[derive(Clone, Choice)]
#[allow(non_camel_case_types)]
enum Option {
    None,
    r#type,
}

/// A name in the generated code.
#[measured(generators(result))]
fn batch(input: &mut Vec<u64>) {
    input.clear();
}

/// A name in the generated code.
#[measured(generators(result))]
fn hashes(output: &[u64]) -> bool {
    output.is_empty()
}

/// A name in the generated code.
#[measured(generators(result))]
fn argument_0(argument_0: &[u64]) -> bool {
    argument_0.is_empty()
}

/// A name in the generated code.
#[measured(generators(result))]
fn output(time: &[u64]) -> bool {
    time.is_empty()
}

/// A keyword.
#[measured(generators(result))]
fn r#match(r#type: &[u64]) -> bool {
    r#type.is_empty()
}

/// Numbers.
#[generator(name = "Result")]
fn result(
    host: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    service: usize,
    /// Another.
    #[parameter(default = "")]
    arguments: String,
    /// A third.
    #[parameter(default = "type")]
    r#use: Option,
    /// A flag.
    #[parameter(default = true)]
    value_1: bool,
    /// A fourth.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    value_0: usize,
) -> Fresh<Vec<u64>> {
    let seed = host.seed();
    let length = service + value_0 + value_1 as usize + arguments.len();
    let length = match r#use {
        Option::None => 0,
        Option::r#type => length,
    };
    Fresh::new(move |_| vec![seed; length])
}

::benchbook::suite!("names");
