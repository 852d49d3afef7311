//! `#[measured]`

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, Expr, FnArg, Ident, ItemFn, LitStr, Path, Result, Type};

use crate::attributes::{at_name, call_site, check_callable, docs, signature};

/// The most parameters that a measured function may have: the modes are implemented for tuples up to this size.
const MAX_PARAMETERS: usize = 8;

/// What stands in the attribute.
#[derive(Default)]
struct Options {
    generators: Vec<Path>,
    native: bool,
    alternatives: Option<String>,
}

pub(crate) fn expand(attribute: TokenStream, function: ItemFn) -> Result<TokenStream> {
    let options = Options::parse(attribute)?;
    check_callable(&function, "a measured function")?;
    let modes = modes(&function)?;
    if options.generators.is_empty() {
        return Err(Error::new(call_site(), "name what prepares its inputs, such as #[measured(generators(keys))]"));
    }
    let registration = registration(&options, &function, &modes);
    let function = if options.native { without_body_in_wasm(&function) } else { quote!(#function) };
    Ok(quote! { #function #registration })
}

impl Options {
    fn parse(attribute: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|meta| options.read(&meta)).parse2(attribute)?;
        Ok(options)
    }

    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("generators") {
            return meta.parse_nested_meta(|generator| {
                self.generators.push(generator.path);
                Ok(())
            });
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
            "a measured function takes its input as a parameter: there is nothing to vary without one",
        ));
    }
    if inputs.len() > MAX_PARAMETERS {
        return Err(Error::new_spanned(
            inputs,
            format!("a measured function has at most {MAX_PARAMETERS} parameters: put some into a struct"),
        ));
    }
    let mode = |input: &FnArg| match input {
        FnArg::Typed(typed) => match &*typed.ty {
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
    let name = &function.sig.ident;
    let text = signature(&function.sig);
    let docs = docs(&function.attrs);
    let native = options.native;
    let alternatives: Expr = match &options.alternatives {
        Some(text) => syn::parse_quote!(::core::option::Option::Some(#text)),
        None => syn::parse_quote!(::core::option::Option::None),
    };
    let bindings = options.generators.iter().map(|path| binding(options, function, modes, path));
    let count = options.generators.len();
    quote! {
        const _: () = {
            static BINDINGS: [::benchbook::__private::Binding; #count] = [#(#bindings),*];
            ::benchbook::__private::inventory::submit! {
                ::benchbook::__private::FunctionEntry {
                    path: ::core::concat!(::core::module_path!(), "::", ::core::stringify!(#name)),
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
    let span = generator.span();
    let name = &function.sig.ident;
    let of_parameters = &modes.of_parameters;
    let access = format_ident!("{}", if modes.mutates { "Mutates" } else { "Borrows" });
    let arguments: Vec<Ident> =
        (0..of_parameters.len()).map(|index| format_ident!("argument_{index}", span = span)).collect();
    // A plain function's name is no type. Under this one, the compiler's message says what to do about it.
    let alias = format_ident!("this_function_needs_the_generator_attribute", span = span);
    let checks = quote_spanned! {span=> #name(#(#arguments),*) };
    let batch = quote! {
        ::benchbook::__private::Batch<
            '_,
            <<Self::Generator as ::benchbook::__private::Generator>::Workload as ::benchbook::__private::Workload>::Input,
            Self::Modes,
            Self::Access,
        >
    };
    let generator_type = quote_spanned! {span=> #alias };
    let bound = quote_spanned! {span=>
        impl ::benchbook::__private::Bound for Bound {
            type Generator = #generator_type;
            type Modes = (#(::benchbook::__private::#of_parameters,)*);
            type Access = ::benchbook::__private::#access;
            fn time(batch: #batch) -> ::benchbook::__private::Timed {
                batch.time(|(#(#arguments,)*)| #checks)
            }
            fn hash_outputs(batch: #batch) -> ::core::option::Option<u64> {
                #[allow(unused_imports)]
                use ::benchbook::__private::{NoHash as _, ViaHash as _};
                let mut hashes = ::benchbook::__private::Hashes::default();
                batch.call_untimed(
                    |(#(#arguments,)*)| #checks,
                    |output| hashes.add(output, (&::benchbook::__private::Outcome::of(output)).hasher()),
                );
                hashes.finish()
            }
            fn hash_input(
                input: &<<Self::Generator as ::benchbook::__private::Generator>::Workload as
                    ::benchbook::__private::Workload>::Input,
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
