//! How each parameter of a measured function accesses the input.

use quote::format_ident;
use syn::{Error, FnArg, Ident, ItemFn, Result, Type};

use crate::syntax::bare_type;

/// The most parameters of a measured function: the access modes are implemented for tuples up to this size.
const MAX_PARAMETERS: usize = 8;

/// How each parameter accesses the input.
pub(super) struct Modes {
    /// `ByRef`, `ByMut` or `ByValue` for each parameter.
    pub(super) of_parameters: Vec<Ident>,
    pub(super) mutates: bool,
}

impl Modes {
    pub(super) fn of(function: &ItemFn) -> Result<Self> {
        let inputs = &function.sig.inputs;
        if inputs.len() > MAX_PARAMETERS {
            return Err(Error::new_spanned(
                inputs,
                format!("a measured function has at most {MAX_PARAMETERS} parameters: combine some in a struct"),
            ));
        }
        let mode = |input: &FnArg| match input {
            FnArg::Typed(typed) => match bare_type(&typed.ty) {
                Type::Reference(reference) if reference.mutability.is_some() => "ByMut",
                Type::Reference(_) => "ByRef",
                _ => "ByValue",
            },
            FnArg::Receiver(_) => unreachable!("methods are rejected"),
        };
        let of_parameters: Vec<Ident> = inputs.iter().map(|input| format_ident!("{}", mode(input))).collect();
        Ok(Self { mutates: of_parameters.iter().any(|mode| mode == "ByMut"), of_parameters })
    }
}
