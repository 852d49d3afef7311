//! `#[divan::bench]`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, FnArg, ItemFn, Pat, PatType, Result};

use super::instances::{BenchInstance, constant_parameter, instances};
use super::options::{Above, BenchAttribute, local};
use crate::context::Context;
use crate::syntax::{check_callable, docs, error_and_item, parse_function, plain_name, signature, source};

/// The name of an argument whose parameter has none.
const INPUT: &str = "input";

const ASYNC: &str =
    "a benchmark cannot be async: call an executor in it, such as `bencher.bench_local(|| runtime.block_on(…))`";
const NO_PARAMETER: &str = "the option `args` needs a parameter for the argument, such as fn name(argument: usize)";
const NO_ARGUMENTS: &str = "a benchmark takes a `Bencher`, an argument of the option `args`, or both in this order: list the arguments, such as \
     args = [1, 2]";
const TOO_MANY: &str = "a benchmark takes a `Bencher` and one argument: combine several arguments in a tuple";

/// What a benchmark takes.
struct BenchParameters {
    has_bencher: bool,
    /// The name of the argument; `None` without one.
    argument: Option<String>,
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream, context: &Context) -> TokenStream {
    let mut function = match parse_function(item.clone(), "divan::bench") {
        Ok(function) => function,
        Err(error) => return error_and_item(error, item),
    };
    match registered(attribute, &mut function, context) {
        Ok(registration) => quote! { #function #registration },
        Err(error) => error_and_item(error, function),
    }
}

fn registered(attribute: TokenStream, function: &mut ItemFn, context: &Context) -> Result<TokenStream> {
    let mut options = BenchAttribute::parse(attribute, Above::Function)?;
    options.take_ignore(&mut function.attrs);
    if let Some(keyword) = &function.sig.asyncness {
        return Err(Error::new_spanned(keyword, ASYNC));
    }
    check_callable(function, "a benchmark", "bench", context)?;
    let parameters = parameters(function, &options)?;
    let instances = instances(function, &options)?;
    Ok(registration(function, &options, &parameters, &instances, context))
}

fn parameters(function: &ItemFn, options: &BenchAttribute) -> Result<BenchParameters> {
    let parameters: Vec<&FnArg> = function.sig.inputs.iter().collect();
    match (&options.arguments, parameters.as_slice()) {
        (None, []) => Ok(BenchParameters { has_bencher: false, argument: None }),
        (None, [_]) => Ok(BenchParameters { has_bencher: true, argument: None }),
        (None, [_, second, ..]) => Err(Error::new_spanned(second, NO_ARGUMENTS)),
        (Some(list), []) => Err(Error::new_spanned(list, NO_PARAMETER)),
        (Some(_), [argument]) => Ok(BenchParameters { has_bencher: false, argument: Some(argument_name(argument)) }),
        (Some(_), [_, argument]) => Ok(BenchParameters { has_bencher: true, argument: Some(argument_name(argument)) }),
        (Some(_), [_, _, third, ..]) => Err(Error::new_spanned(third, TOO_MANY)),
    }
}

/// The name of a parameter without a leading underscore; [`INPUT`] for a pattern.
fn argument_name(parameter: &FnArg) -> String {
    let name = match parameter {
        FnArg::Typed(PatType { pat, .. }) => match &**pat {
            Pat::Ident(name) => plain_name(&name.ident).trim_start_matches('_').to_owned(),
            _ => String::new(),
        },
        FnArg::Receiver(_) => String::new(),
    };
    if name.is_empty() { INPUT.to_owned() } else { name }
}

fn registration(
    function: &ItemFn,
    attribute: &BenchAttribute,
    parameters: &BenchParameters,
    instances: &[BenchInstance],
    context: &Context,
) -> TokenStream {
    let (private, options) = (attribute.private(), attribute.options());
    let own_name = plain_name(&function.sig.ident);
    let name = attribute.name.as_ref().map_or_else(|| quote!(#own_name), |name| quote!(#name));
    let (signature, docs, source) =
        (signature(&function.sig), docs(&function.attrs), source(function).unwrap_or_default());
    let line = context.line();
    let constant = constant_parameter(function).unwrap_or_default();
    let argument = parameters.argument.as_deref().unwrap_or_default();
    let count = instances.len();
    let instances = instances.iter().map(|instance| {
        let BenchInstance { type_name, constant, .. } = instance;
        let visit = visit(function, attribute, parameters, instance);
        quote! { #private::BenchInstance { type_name: #type_name, constant: #constant, visit: #visit } }
    });
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #private::{DebugLabel as _, DisplayLabel as _};
            static BENCHBOOK_INSTANCES: [#private::BenchInstance; #count] = [#(#instances),*];
            #private::inventory::submit! {
                #private::BenchEntry {
                    program: #private::program_name(
                        ::core::concat!(::core::env!("CARGO_PKG_NAME"), "/", ::core::env!("CARGO_CRATE_NAME")),
                        ::core::env!("CARGO_CRATE_NAME"),
                        ::core::option_env!("BENCHBOOK_QUALIFIED"),
                    ),
                    module: ::core::module_path!(),
                    name: #name,
                    signature: #signature,
                    docs: #docs,
                    source: #source,
                    file: ::core::file!(),
                    line: #line,
                    version: ::core::env!("CARGO_PKG_VERSION"),
                    // Cargo sets the first one for binaries and examples, and the second one for bench targets.
                    is_in_program: ::core::option_env!("CARGO_BIN_NAME").is_some()
                        || ::core::option_env!("CARGO_TARGET_TMPDIR").is_some(),
                    constant: #constant,
                    argument: #argument,
                    options: #options,
                    instances: &BENCHBOOK_INSTANCES,
                }
            }
        };
    }
}

/// An expression of the type `fn(Visit<'_>)`.
fn visit(
    function: &ItemFn,
    attribute: &BenchAttribute,
    parameters: &BenchParameters,
    instance: &BenchInstance,
) -> TokenStream {
    let private = attribute.private();
    let (visit, bencher, argument) = (local("visit"), local("bencher"), local("argument"));
    let (name, arguments) = (&function.sig.ident, &instance.arguments);
    let call = quote!(#name #arguments);
    let Some(list) = &attribute.arguments else {
        let body = match parameters.has_bencher {
            true => quote! { { let _ = #call(#bencher); } },
            false => quote! { #bencher.bench(|| #call()) },
        };
        return quote! { |#visit| #private::without_argument(#visit, |#bencher| #body) };
    };
    let passed = quote! { #private::black_box(#private::pass(#argument)) };
    let body = match parameters.has_bencher {
        true => quote! { { let _ = #call(#bencher, #passed); } },
        false => quote! { #bencher.bench(|| #call(#passed)) },
    };
    quote! {
        |#visit| {
            static BENCHBOOK_ARGUMENTS: #private::ArgumentList = #private::ArgumentList::new();
            #private::with_argument(
                #visit,
                BENCHBOOK_ARGUMENTS.get(|| #list),
                |#bencher, #argument| #body,
                |#argument| (&#private::Label(#argument)).label(),
            )
        }
    }
}
