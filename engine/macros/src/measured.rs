//! `#[measured]`

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, FnArg, Ident, ItemFn, LitStr, Path, Result, Token, Type, parenthesized};

use crate::attributes::{all_errors, at_name, bare_type, call_site, check_callable, docs, signature, spoken};

/// The most parameters that a measured function may have: the modes are implemented for tuples up to this size.
const MAX_PARAMETERS: usize = 8;

/// What stands in the attribute.
#[derive(Default)]
struct Options {
    generators: Vec<Path>,
    native: bool,
    alternatives: Option<String>,
}

pub(crate) fn expand(attribute: TokenStream, function: ItemFn) -> TokenStream {
    match checked(attribute, &function) {
        Ok((options, modes)) => {
            let registration = registration(&options, &function, &modes);
            let function = if options.native { without_body_in_wasm(&function) } else { quote!(#function) };
            quote! { #function #registration }
        }
        // Others may call it: one mistake gives one message.
        Err(error) => {
            let error = error.into_compile_error();
            quote! { #error #function }
        }
    }
}

fn checked(attribute: TokenStream, function: &ItemFn) -> Result<(Options, Modes)> {
    check_callable(function, "a measured function")?;
    match (Options::parse(attribute), modes(function)) {
        (Ok(options), Ok(modes)) => Ok((options, modes)),
        (options, modes) => {
            let errors = options.err().into_iter().chain(modes.err());
            Err(all_errors(errors).expect("one of them is wrong"))
        }
    }
}

impl Options {
    fn parse(attribute: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|meta| options.read(&meta)).parse2(attribute)?;
        if options.generators.is_empty() {
            return Err(Error::new(call_site(), NO_GENERATORS));
        }
        let mut named = HashSet::new();
        match options.generators.iter().find(|path| !named.insert(path.to_token_stream().to_string())) {
            Some(again) => Err(Error::new_spanned(again, "this generator is named twice: leave one out")),
            None => Ok(options),
        }
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
        Err(meta.error("expected generators(…), native or alternatives = \"…\""))
    }
}

const NO_GENERATORS: &str = "name what prepares its inputs, such as #[measured(generators(keys))]";
const GENERATORS_ARE_PATHS: &str =
    "expected the names of generator functions, such as generators(keys, crate::sorting::nearly_sorted)";

/// How each parameter gets at the input.
struct Modes {
    /// `ByRef`, `ByMut` or `ByValue` for each parameter.
    of_parameters: Vec<Ident>,
    mutates: bool,
}

fn modes(function: &ItemFn) -> Result<Modes> {
    let inputs = &function.sig.inputs;
    if inputs.is_empty() {
        return Err(at_name(
            function,
            "a measured function takes its input as a parameter: write one, there is nothing to vary without",
        ));
    }
    if inputs.len() > MAX_PARAMETERS {
        return Err(Error::new_spanned(
            inputs,
            format!("a measured function has at most {MAX_PARAMETERS} parameters: put some into a struct"),
        ));
    }
    let mode = |input: &FnArg| match input {
        FnArg::Typed(typed) => match bare_type(&typed.ty) {
            Type::Reference(reference) if reference.mutability.is_some() => "ByMut",
            Type::Reference(_) => "ByRef",
            _ => "ByValue",
        },
        FnArg::Receiver(_) => unreachable!("methods were refused"),
    };
    let of_parameters: Vec<Ident> = inputs.iter().map(|input| format_ident!("{}", mode(input))).collect();
    Ok(Modes { mutates: of_parameters.iter().any(|mode| mode == "ByMut"), of_parameters })
}

/// The item as it is, but for its body where it is compiled to wasm.
fn without_body_in_wasm(function: &ItemFn) -> TokenStream {
    let ItemFn { attrs, vis, sig, .. } = function;
    quote! {
        #[cfg(not(target_arch = "wasm32"))]
        #function
        #[cfg(target_arch = "wasm32")]
        #(#attrs)* #[allow(unused_variables)] #vis #sig { ::benchbook::__private::native_only() }
    }
}

fn registration(options: &Options, function: &ItemFn, modes: &Modes) -> TokenStream {
    let path = spoken(&function.sig.ident);
    let text = signature(&function.sig);
    let docs = docs(&function.attrs);
    let native = options.native;
    let alternatives = match &options.alternatives {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    };
    let bindings = options.generators.iter().map(|path| binding(options, function, modes, path));
    let count = options.generators.len();
    quote! {
        const _: () = {
            static BINDINGS: [::benchbook::__private::Binding; #count] = [#(#bindings),*];
            ::benchbook::__private::inventory::submit! {
                ::benchbook::__private::FunctionEntry {
                    path: ::core::concat!(::core::module_path!(), "::", #path),
                    signature: #text,
                    docs: #docs,
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

/// One function bound to one generator. All that can be wrong about the pair is found at the generator's path.
fn binding(options: &Options, function: &ItemFn, modes: &Modes, generator: &Path) -> TokenStream {
    // Names of variables are our own: a function may be called `batch`.
    let span = Span::mixed_site().located_at(generator.span());
    let name = &function.sig.ident;
    let of_parameters = &modes.of_parameters;
    let access = format_ident!("{}", if modes.mutates { "Mutates" } else { "Borrows" });
    let arguments: Vec<Ident> =
        (0..of_parameters.len()).map(|index| format_ident!("argument_{index}", span = span)).collect();
    // A plain function's name is no type. Under this one, the compiler's message says what to do about it.
    let alias = format_ident!("this_function_needs_the_generator_attribute", span = span);
    let checks = quote_spanned! {span=> #name(#(#arguments),*) };
    let batch = quote_spanned! {span=> ::benchbook::__private::Batch<'_, Self> };
    let generator_type = quote_spanned! {span=> #alias };
    let bound = quote_spanned! {span=>
        impl ::benchbook::__private::Bound for Bound {
            type Generator = #generator_type;
            type Access = ::benchbook::__private::#access<(#(::benchbook::__private::#of_parameters,)*)>;
            fn time(batch: #batch) -> ::benchbook::__private::LoopTiming {
                batch.time(|(#(#arguments,)*)| #checks)
            }
            fn hash_outputs(batch: #batch) -> ::core::option::Option<u64> {
                #[allow(unused_imports)]
                use ::benchbook::__private::{NoHash as _, ViaHash as _};
                let mut hashes = <::benchbook::__private::Hashes as ::core::default::Default>::default();
                batch.call_untimed(
                    |(#(#arguments,)*)| #checks,
                    |output| hashes.add(output, (&::benchbook::__private::Outcome::of(output)).hasher()),
                );
                hashes.finish()
            }
            fn hash_input(
                input: &::benchbook::__private::InputOf<Self::Generator>,
            ) -> ::core::option::Option<u64> {
                #[allow(unused_imports)]
                use ::benchbook::__private::{NoHash as _, ViaHash as _};
                let hasher = (&::benchbook::__private::Outcome::of(input)).hasher();
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
    let choice = if options.native {
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
        #choice
    }}
}
