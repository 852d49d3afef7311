//! The instances of a generic function: one for each combination of the listed types and constants.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    ConstParam, Error, Expr, ExprLit, ExprUnary, GenericParam, Ident, ItemFn, Lit, Result, Type, TypeParam, UnOp,
};

use super::options::{GeneratorName, MeasuredOptions, repeats};
use crate::syntax::{bare_expression, combine};
use crate::type_name::type_name;

/// A function with an argument for each of its type parameters and constants.
pub(super) struct FunctionInstance {
    /// The arguments for a path, such as `<u32, 8>`; empty if the function is not generic.
    pub(super) name: String,
    /// The arguments for a call, such as `::<u32, { 8 }>`; empty if the function is not generic.
    pub(super) arguments: TokenStream,
    /// The parameters with their arguments.
    substitutions: Vec<(Ident, GenericArgument)>,
}

/// An argument for a type parameter or a constant.
#[derive(Clone)]
struct GenericArgument {
    tokens: TokenStream,
    name: String,
}

/// Returns the instances that the options list: a single one if the function is not generic.
///
/// # Errors
/// If the options do not fit the parameters.
pub(super) fn instances(function: &ItemFn, options: &MeasuredOptions) -> Result<Vec<FunctionInstance>> {
    let (mut types, mut constants) = (Vec::new(), Vec::new());
    for parameter in &function.sig.generics.params {
        match parameter {
            GenericParam::Type(parameter) => types.push(parameter),
            GenericParam::Const(parameter) => constants.push(parameter),
            GenericParam::Lifetime(_) => {}
        }
    }
    let (types, constants) = match (type_arguments(&types, options), constant_arguments(&constants, options)) {
        (Ok(types), Ok(constants)) => (types, constants),
        (types, constants) => {
            return Err(combine(types.err().into_iter().chain(constants.err())).expect("one of them is an error"));
        }
    };
    // In Rust, type parameters may follow constants: arguments are in the order of the parameters.
    let is_constant_first = matches!(
        function.sig.generics.params.iter().find(|parameter| !matches!(parameter, GenericParam::Lifetime(_))),
        Some(GenericParam::Const(_))
    );
    let mut instances = Vec::new();
    for of_type in &types {
        for constant in &constants {
            let mut substitutions: Vec<_> = of_type.iter().chain(constant).cloned().collect();
            if is_constant_first {
                substitutions.reverse();
            }
            instances.push(FunctionInstance::new(substitutions));
        }
    }
    Ok(instances)
}

/// The listed types with the parameter; a single absent one without a parameter.
fn type_arguments(
    parameters: &[&TypeParam],
    options: &MeasuredOptions,
) -> Result<Vec<Option<(Ident, GenericArgument)>>> {
    match (parameters, options.types.first()) {
        ([], None) => Ok(vec![None]),
        ([], Some(first)) => {
            Err(Error::new_spanned(first, "the function has no type parameter: remove `types(…)`, or add one"))
        }
        ([parameter], None) => Err(Error::new_spanned(
            parameter,
            "a measured function with a type parameter needs types: list them, such as #[measured(types(u32, u64), …)]",
        )),
        ([parameter], Some(_)) => {
            let argument = |of: &Type| Ok(GenericArgument { tokens: of.to_token_stream(), name: type_name(of)? });
            distinct(&options.types, argument, &parameter.ident)
        }
        ([_, second, ..], _) => Err(Error::new_spanned(
            second,
            "a measured function has at most one type parameter: write a wrapper with one",
        )),
    }
}

/// Like [`type_arguments`], for constants.
fn constant_arguments(
    parameters: &[&ConstParam],
    options: &MeasuredOptions,
) -> Result<Vec<Option<(Ident, GenericArgument)>>> {
    match (parameters, options.constants.first()) {
        ([], None) => Ok(vec![None]),
        ([], Some(first)) => Err(Error::new_spanned(
            first,
            "the function has no constant parameter: remove `consts(…)`, or add one, such as <const N: usize>",
        )),
        ([parameter], None) => Err(Error::new_spanned(
            parameter,
            "a measured function with a constant parameter needs values: list them, such as #[measured(consts(1, 8), …)]",
        )),
        ([parameter], Some(_)) => {
            let argument =
                |value: &Expr| Ok(GenericArgument { tokens: quote!({ #value }), name: constant_name(value)? });
            distinct(&options.constants, argument, &parameter.ident)
        }
        ([_, second, ..], _) => Err(Error::new_spanned(
            second,
            "a measured function has at most one constant parameter: write a wrapper with one",
        )),
    }
}

/// The arguments with their parameter.
///
/// # Errors
/// If two of them have the same name, or one has none.
fn distinct<A: ToTokens>(
    listed: &[A],
    argument: impl Fn(&A) -> Result<GenericArgument>,
    parameter: &Ident,
) -> Result<Vec<Option<(Ident, GenericArgument)>>> {
    let is_again = repeats();
    let argument = |listed: &A| {
        let argument = argument(listed)?;
        match is_again(argument.name.to_token_stream()) {
            true => Err(Error::new_spanned(
                listed,
                "this name is listed twice: remove one, or give one of them another name",
            )),
            false => Ok(Some((parameter.clone(), argument))),
        }
    };
    listed.iter().map(argument).collect()
}

/// The name of a constant: an integer, a `bool`, or the last segment of a path.
fn constant_name(value: &Expr) -> Result<String> {
    let bare = bare_expression(value);
    let text = match bare {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.to_string(),
        Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => value.value.to_string(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => format!("-{}", constant_name(expr)?),
        Expr::Path(path) if path.qself.is_none() => {
            path.path.segments.last().map_or_else(String::new, |segment| segment.ident.to_string())
        }
        _ => {
            return Err(Error::new_spanned(
                value,
                "expected an integer, true, false or the name of a constant: write `const NAME: … = …;`, and list its name",
            ));
        }
    };
    Ok(text)
}

impl FunctionInstance {
    fn new(substitutions: Vec<(Ident, GenericArgument)>) -> Self {
        if substitutions.is_empty() {
            return Self { name: String::new(), arguments: TokenStream::new(), substitutions };
        }
        let names: Vec<&str> = substitutions.iter().map(|(_, argument)| argument.name.as_str()).collect();
        let name = format!("<{}>", names.join(", "));
        let arguments = substitutions.iter().map(|(_, argument)| &argument.tokens);
        Self { name, arguments: quote!(::<#(#arguments),*>), substitutions }
    }

    /// The generator with the arguments of this instance in place of the function's parameters, and their names as in a path.
    pub(super) fn generator(&self, name: &GeneratorName) -> Result<(GeneratorName, String)> {
        let arguments = self.substitute(name.arguments.clone(), &|argument| argument.tokens.clone());
        let shown = self.substitute(name.arguments.clone(), &|argument| {
            argument.name.parse().unwrap_or_else(|_| argument.tokens.clone())
        });
        let shown = if shown.is_empty() { String::new() } else { arguments_name(shown)? };
        Ok((GeneratorName { path: name.path.clone(), arguments }, shown))
    }

    fn substitute(&self, tokens: TokenStream, tokens_of: &dyn Fn(&GenericArgument) -> TokenStream) -> TokenStream {
        let substitute = |token: TokenTree| match token {
            TokenTree::Ident(ident) => match self.substitutions.iter().find(|(parameter, _)| *parameter == ident) {
                // Invisible brackets, so that the argument remains a unit.
                Some((_, argument)) => {
                    let mut group = Group::new(Delimiter::None, tokens_of(argument));
                    group.set_span(ident.span());
                    TokenTree::Group(group)
                }
                None => TokenTree::Ident(ident),
            },
            TokenTree::Group(group) => Group::new(group.delimiter(), self.substitute(group.stream(), tokens_of)).into(),
            other => other,
        };
        tokens.into_iter().map(substitute).collect()
    }
}

/// The text of arguments in angle brackets, such as `<u32, 8>`.
fn arguments_name(arguments: TokenStream) -> Result<String> {
    let named: Type = syn::parse2(quote!(Name #arguments))?;
    let text = type_name(&named)?;
    Ok(text.trim_start_matches("Name").to_owned())
}
