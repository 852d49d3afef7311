//! `#[measured]`

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, FnArg, Ident, ItemFn, LitStr, Path, Result, Token, Type, parenthesized, parse_quote};

use crate::context::Context;
use crate::syntax::{
    bare_type, check_callable, combine, description, error_and_item, parse_function, plain_name, signature,
    without_body_in_wasm,
};

/// The most parameters of a measured function: the access modes are implemented for tuples up to this size.
const MAX_PARAMETERS: usize = 8;

/// The options of the attribute.
#[derive(Default)]
struct MeasuredOptions {
    generators: Vec<Path>,
    native: bool,
    alternatives: Option<String>,
}

/// A measured function without errors.
struct MeasuredFunction<'f> {
    function: &'f ItemFn,
    description: String,
    options: MeasuredOptions,
    modes: Modes,
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream, context: &Context) -> TokenStream {
    let function = match parse_function(item.clone(), "measured") {
        Ok(function) => function,
        Err(error) => return error_and_item(error, item),
    };
    match MeasuredFunction::read(attribute, &function, context) {
        Ok(measured) => {
            let registration = measured.registration();
            let function = if measured.options.native { without_body_in_wasm(&function) } else { quote!(#function) };
            let suite_check = context.take_suite_check().then(suite_check);
            quote! { #function #registration #suite_check }
        }
        // Other code may call the function, so it stays: one mistake gives one message.
        Err(error) => error_and_item(error, function),
    }
}

/// Fails to compile in a crate without `suite!`. The compiler's message shows the name of the constant.
fn suite_check() -> TokenStream {
    quote! {
        #[cfg(not(test))]
        const _: () = crate::WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT;
    }
}

impl MeasuredOptions {
    fn parse(attribute: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|meta| options.read(&meta)).parse2(attribute)?;
        let mut named = HashSet::new();
        match options.generators.iter().find(|path| !named.insert(path.to_token_stream().to_string())) {
            Some(again) => Err(Error::new_spanned(again, "this generator is listed twice: remove one")),
            None => Ok(options),
        }
    }

    /// Adds the generator of functions without parameters. Rejects a function with parameters that names no generator, and one
    /// without parameters that names one.
    fn with_generators(mut self, function: &ItemFn) -> Result<Self> {
        match (function.sig.inputs.is_empty(), self.generators.first()) {
            (true, None) => self.generators.push(parse_quote!(::benchbook::__private::NoInput)),
            (true, Some(generator)) => return Err(Error::new_spanned(generator, GENERATORS_WITHOUT_INPUT)),
            (false, Some(_)) => {}
            (false, None) => return Err(Error::new(Span::call_site(), NO_GENERATORS)),
        }
        Ok(self)
    }

    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("generators") {
            let paths;
            parenthesized!(paths in meta.input);
            let named = paths.parse_terminated(Path::parse_mod_style, Token![,]);
            self.generators.extend(named.map_err(|error| Error::new(error.span(), GENERATORS_ARE_PATHS))?);
            return Ok(());
        }
        if meta.path.is_ident("native") {
            self.native = true;
            return Ok(());
        }
        if meta.path.is_ident("alternatives") {
            self.alternatives = Some(meta.value()?.parse::<LitStr>()?.value());
            return Ok(());
        }
        Err(meta.error("unknown option: write generators(…), native or alternatives = \"…\""))
    }
}

const NO_GENERATORS: &str =
    "a measured function needs a generator for its input: name one, such as #[measured(generators(keys))]";
const GENERATORS_WITHOUT_INPUT: &str = "a function without parameters needs no generator: remove `generators(…)`, or add a parameter for the generator's input";
const GENERATORS_ARE_PATHS: &str =
    "expected names of generators without quotes, such as generators(keys, crate::sorting::nearly_sorted)";

/// How each parameter accesses the input.
struct Modes {
    /// `ByRef`, `ByMut` or `ByValue` for each parameter.
    of_parameters: Vec<Ident>,
    mutates: bool,
}

fn modes(function: &ItemFn) -> Result<Modes> {
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
    Ok(Modes { mutates: of_parameters.iter().any(|mode| mode == "ByMut"), of_parameters })
}

impl<'f> MeasuredFunction<'f> {
    fn read(attribute: TokenStream, function: &'f ItemFn, context: &Context) -> Result<Self> {
        check_callable(function, "a measured function", "measured", context)?;
        let description = description(&function.attrs, &function.sig.ident, "Sorts the keys in place.");
        let options = MeasuredOptions::parse(attribute).and_then(|options| options.with_generators(function));
        match (description, options, modes(function)) {
            (Ok(description), Ok(options), Ok(modes)) => Ok(Self { function, description, options, modes }),
            (description, options, modes) => {
                let errors = description.err().into_iter().chain(options.err()).chain(modes.err());
                Err(combine(errors).expect("one of them is an error"))
            }
        }
    }

    fn registration(&self) -> TokenStream {
        let Self { function, description, options, .. } = self;
        let path = plain_name(&function.sig.ident);
        let signature = signature(&function.sig);
        let native = options.native;
        let alternatives = match &options.alternatives {
            Some(text) => quote!(::core::option::Option::Some(#text)),
            None => quote!(::core::option::Option::None),
        };
        let bindings = options.generators.iter().map(|path| self.binding(path));
        let count = options.generators.len();
        quote! {
            const _: () = {
                static BINDINGS: [::benchbook::__private::Binding; #count] = [#(#bindings),*];
                ::benchbook::__private::inventory::submit! {
                    ::benchbook::__private::FunctionEntry {
                        path: ::core::concat!(::core::module_path!(), "::", #path),
                        signature: #signature,
                        docs: #description,
                        file: ::core::file!(),
                        line: ::core::line!(),
                        native: #native,
                        alternatives: #alternatives,
                        bindings: &BINDINGS,
                    }
                }
            };
        }
    }

    /// The function bound to one generator. If the two do not fit, the compiler's error is at the generator's path.
    fn binding(&self, generator: &Path) -> TokenStream {
        let Self { function, options, modes, .. } = self;
        // Hygienic variables: a function may be called `batch`.
        let span = Span::mixed_site().located_at(generator.span());
        let name = &function.sig.ident;
        let of_parameters = &modes.of_parameters;
        let access = format_ident!("{}", if modes.mutates { "Mutates" } else { "Borrows" });
        let arguments: Vec<Ident> =
            (0..of_parameters.len()).map(|index| format_ident!("argument_{index}", span = span)).collect();
        // A function without the attribute is not a type. The compiler's message then shows the alias, which is the remedy.
        let alias = format_ident!("this_function_needs_the_generator_attribute", span = span);
        let call = quote_spanned! {span=> #name(#(#arguments),*) };
        let batch = quote_spanned! {span=> ::benchbook::__private::Batch<'_, Self> };
        let generator_type = quote_spanned! {span=> #alias };
        let bound = quote_spanned! {span=>
            impl ::benchbook::__private::Bound for Bound {
                type Generator = #generator_type;
                type Access = ::benchbook::__private::#access<(#(::benchbook::__private::#of_parameters,)*)>;
                fn time(batch: #batch) -> ::benchbook::__private::LoopTiming {
                    batch.time(|(#(#arguments,)*)| #call)
                }
                fn call_untimed(
                    batch: #batch,
                    hashes: ::core::option::Option<&mut ::benchbook::__private::Hashes>,
                ) -> ::benchbook::__private::Counts {
                    #[allow(unused_imports)]
                    use ::benchbook::__private::{NoHash as _, ViaHash as _};
                    batch.call_untimed(
                        |(#(#arguments,)*)| #call,
                        |output, hashes| hashes.add(output, (&::benchbook::__private::TypeTag::of(output)).hasher()),
                        hashes,
                    )
                }
                fn hash_input(
                    input: &::benchbook::__private::InputOf<Self::Generator>,
                ) -> ::core::option::Option<u64> {
                    #[allow(unused_imports)]
                    use ::benchbook::__private::{NoHash as _, ViaHash as _};
                    let hasher = (&::benchbook::__private::TypeTag::of(input)).hasher();
                    hasher.map(|hasher| hasher(input))
                }
            }
        };
        let native_only = quote! { ::benchbook::__private::Binding::native_only::<#generator_type>() };
        let measured = quote! {
            {
                struct Bound;
                #bound
                ::benchbook::__private::Binding::of::<Bound>()
            }
        };
        // For a misspelt name, the import below fails without a suggestion; this lookup fails with a similar name.
        let lookup = generator.get_ident().map(|name| {
            quote! {
                #[allow(deprecated)]
                const _: () = { let _ = #name; };
            }
        });
        let binding = if options.native {
            quote! {{
                #[cfg(target_arch = "wasm32")]
                let binding = #native_only;
                #[cfg(not(target_arch = "wasm32"))]
                let binding = #measured;
                binding
            }}
        } else {
            measured
        };
        quote! {{
            #[allow(unused_imports)]
            use #generator as #alias;
            #lookup
            #binding
        }}
    }
}
