//! The instances of a generic benchmark: one for each combination of the listed types and constants.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{ConstParam, Error, Expr, ExprArray, GenericParam, ItemFn, Result, Type, TypeParam};

use super::options::BenchAttribute;
use crate::syntax::{bare_expression, plain_name};
use crate::type_name::{type_name, type_text};

/// The most constants of a list with a name: its length is unknown to the attribute.
const MAX_NAMED: usize = 20;

/// A function with an argument for its type parameter and its constant parameter.
pub(super) struct BenchInstance {
    /// The type as in a path, such as `<u32>`; empty without one.
    pub(super) type_name: String,
    /// The constant, as an expression of the type `Option<InstanceConstant>`.
    pub(super) constant: TokenStream,
    /// The arguments for a call, such as `::<u32, { 8 }>`; empty if the function is not generic.
    pub(super) arguments: TokenStream,
}

/// The parameters of a function.
struct GenericParameters<'f> {
    of_type: Option<&'f TypeParam>,
    constant: Option<&'f ConstParam>,
    is_constant_first: bool,
}

/// Returns the instances: a single one if the function is not generic.
///
/// # Errors
/// If the options do not fit the parameters.
pub(super) fn instances(function: &ItemFn, attribute: &BenchAttribute) -> Result<Vec<BenchInstance>> {
    let parameters = GenericParameters::of(function)?;
    let types = types(&parameters, attribute)?;
    let constants = constants(&parameters, attribute)?;
    let mut instances = Vec::new();
    for (of_type, type_name) in &types {
        for (value, constant) in &constants {
            let mut arguments: Vec<&TokenStream> = of_type.iter().chain(value).collect();
            if parameters.is_constant_first {
                arguments.reverse();
            }
            let arguments = if arguments.is_empty() { TokenStream::new() } else { quote!(::<#(#arguments),*>) };
            instances.push(BenchInstance { type_name: type_name.clone(), constant: constant.clone(), arguments });
        }
    }
    Ok(instances)
}

/// The name of the constant parameter; `None` without one.
pub(super) fn constant_parameter(function: &ItemFn) -> Option<String> {
    let name = |parameter: &GenericParam| match parameter {
        GenericParam::Const(parameter) => Some(plain_name(&parameter.ident)),
        GenericParam::Type(_) | GenericParam::Lifetime(_) => None,
    };
    function.sig.generics.params.iter().find_map(name)
}

impl<'f> GenericParameters<'f> {
    fn of(function: &'f ItemFn) -> Result<Self> {
        let mut parameters = Self { of_type: None, constant: None, is_constant_first: false };
        for parameter in &function.sig.generics.params {
            match parameter {
                GenericParam::Type(of_type) if parameters.of_type.is_none() => parameters.of_type = Some(of_type),
                GenericParam::Const(constant) if parameters.constant.is_none() => {
                    parameters.is_constant_first = parameters.of_type.is_none();
                    parameters.constant = Some(constant);
                }
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(_) | GenericParam::Const(_) => {
                    return Err(Error::new_spanned(
                        parameter,
                        "a benchmark has at most one type parameter and one constant parameter: write a wrapper with one of each",
                    ));
                }
            }
        }
        Ok(parameters)
    }
}

/// The listed types as they are written and as in a path; a single absent one without a parameter.
fn types(parameters: &GenericParameters<'_>, attribute: &BenchAttribute) -> Result<Vec<(Option<TokenStream>, String)>> {
    match (parameters.of_type, &attribute.types) {
        (None, None) => Ok(vec![(None, String::new())]),
        (None, Some(types)) => Err(Error::new_spanned(
            quote!(#(#types),*),
            "the function has no type parameter: remove `types`, or add one, such as fn name<T>()",
        )),
        (Some(parameter), None) => Err(Error::new_spanned(
            parameter,
            "a benchmark with a type parameter needs types: list them, such as types = [u32, String]",
        )),
        (Some(_), Some(types)) => {
            let short: Vec<String> = types.iter().map(|of| type_name(of).unwrap_or_else(|_| type_text(of))).collect();
            // Types of the same name in different modules have different paths.
            let is_unique = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
            let named = |(of, short): (&Type, &String)| {
                let name = if is_unique(short) { short.clone() } else { type_text(of) };
                (Some(of.to_token_stream()), format!("<{name}>"))
            };
            Ok(types.iter().zip(&short).map(named).collect())
        }
    }
}

/// The listed constants as arguments and as expressions of the type `Option<InstanceConstant>`; a single absent one without a parameter.
fn constants(
    parameters: &GenericParameters<'_>,
    attribute: &BenchAttribute,
) -> Result<Vec<(Option<TokenStream>, TokenStream)>> {
    match (parameters.constant, &attribute.constants) {
        (None, None) => Ok(vec![(None, quote!(::core::option::Option::None))]),
        (None, Some(list)) => Err(Error::new_spanned(
            list,
            "the function has no constant parameter: remove `consts`, or add one, such as fn name<const N: usize>()",
        )),
        (Some(parameter), None) => Err(Error::new_spanned(
            parameter,
            "a benchmark with a constant parameter needs values: list them, such as consts = [1, 8]",
        )),
        (Some(parameter), Some(list)) => Ok(match bare_expression(list) {
            Expr::Array(ExprArray { elems, .. }) => {
                elems.iter().map(|value| constant(&parameter.ty, value, attribute)).collect()
            }
            list => (0..MAX_NAMED).map(|index| named_constant(&parameter.ty, list, index, attribute)).collect(),
        }),
    }
}

/// A constant of a list in the attribute.
fn constant(of: &Type, value: &Expr, attribute: &BenchAttribute) -> (Option<TokenStream>, TokenStream) {
    let private = attribute.private();
    let constant = quote! {
        ::core::option::Option::Some(#private::InstanceConstant {
            is_listed: true,
            text: || { const VALUE: #of = #value; ::std::string::ToString::to_string(&VALUE) },
        })
    };
    (Some(quote!({ #value })), constant)
}

/// The constant at `index` of a list with a name. Beyond its end, it is that of the first one, and not listed.
fn named_constant(
    of: &Type,
    list: &Expr,
    index: usize,
    attribute: &BenchAttribute,
) -> (Option<TokenStream>, TokenStream) {
    let private = attribute.private();
    let value = quote!({ #private::constant_at::<#of>(&#list, #index) });
    let constant = quote! {
        ::core::option::Option::Some(#private::InstanceConstant {
            is_listed: #private::has_constant_at::<#of>(&#list, #index, #MAX_NAMED),
            text: || { const VALUE: #of = #value; ::std::string::ToString::to_string(&VALUE) },
        })
    };
    (Some(value), constant)
}
