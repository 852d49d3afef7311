//! `#[generator]`

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, LitStr, PatType, Result, ReturnType, Type};

use crate::attributes::{all_errors, at_name, bare_type, call_site, check_callable, docs, spoken};
use crate::parameter::Parameter;

/// What stands in the attribute.
#[derive(Default)]
struct Options {
    name: Option<String>,
    native: bool,
}

pub(crate) fn expand(attribute: TokenStream, function: ItemFn) -> TokenStream {
    if let Err(error) = check_callable(&function, "a generator") {
        let (error, function) = (error.into_compile_error(), plain(false, function));
        return quote! { #error #function };
    }
    let (implementation, native) = match checked(attribute, &function) {
        Ok((options, parameters)) => (implementation(&options, &function, &parameters), options.native),
        Err(error) => (stand_in(&function, error), false),
    };
    let function = plain(native, function);
    quote! { #function #implementation }
}

/// Attribute and parameters, or all that is wrong with them.
fn checked(attribute: TokenStream, function: &ItemFn) -> Result<(Options, Vec<Parameter>)> {
    let options = Options::parse(attribute);
    let parameters = parameters(function);
    let output = match &function.sig.output {
        ReturnType::Type(..) => None,
        ReturnType::Default => {
            Some(at_name(function, "a generator returns a workload: write -> Fresh<I>, Shared<I> or Calls<I>"))
        }
    };
    match (options, parameters, output) {
        (Ok(options), Ok(parameters), None) => Ok((options, parameters)),
        (options, parameters, output) => {
            let errors = options.err().into_iter().chain(parameters.err()).chain(output);
            Err(all_errors(errors).expect("one of them is wrong"))
        }
    }
}

impl Options {
    fn parse(attribute: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|meta| options.read(&meta)).parse2(attribute)?;
        match options.name {
            Some(_) => Ok(options),
            None => Err(Error::new(call_site(), "name it for the page, such as #[generator(name = \"Keys\")]")),
        }
    }

    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("name") {
            self.name = Some(meta.value()?.parse::<LitStr>()?.value());
            return Ok(());
        }
        if meta.path.is_ident("native") {
            self.native = true;
            return Ok(());
        }
        Err(meta.error("expected name = \"…\" or native; what the generator is about goes into its doc comment"))
    }
}

/// All parameters but the service.
fn parameters(function: &ItemFn) -> Result<Vec<Parameter>> {
    let mut inputs = function.sig.inputs.iter();
    match inputs.next() {
        Some(FnArg::Typed(PatType { ty, .. })) if matches!(bare_type(ty), Type::Reference(_)) => {}
        _ => {
            return Err(at_name(function, "the first parameter of a generator is `service: &Service`: write it there"));
        }
    }
    let mut parameters = Vec::new();
    let mut errors = Vec::new();
    for input in inputs {
        match input {
            FnArg::Typed(typed) => match Parameter::read(typed) {
                Ok(parameter) => parameters.push(parameter),
                Err(error) => errors.push(error),
            },
            FnArg::Receiver(_) => unreachable!("methods were refused"),
        }
    }
    if errors.is_empty() && !parameters.iter().any(|parameter| parameter.has_range) {
        errors.push(at_name(
            function,
            "no parameter is varied at first: give one number a range as default, such as default = 1_000..=100_000",
        ));
    }
    match all_errors(errors) {
        Some(error) => Err(error),
        None => Ok(parameters),
    }
}

/// The generator as a function like any other: without what only we understand, and without a body where it is not
/// to be compiled.
fn plain(native: bool, mut function: ItemFn) -> TokenStream {
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed
                .attrs
                .retain(|attribute| !attribute.path().is_ident("parameter") && !attribute.path().is_ident("doc"));
        }
    }
    if !native {
        return quote!(#function);
    }
    let ItemFn { attrs, vis, sig, .. } = &function;
    quote! {
        #[cfg(not(target_arch = "wasm32"))]
        #function
        #[cfg(target_arch = "wasm32")]
        #(#attrs)* #[allow(unused_variables)] #vis #sig { ::benchbook::__private::native_only() }
    }
}

fn implementation(options: &Options, function: &ItemFn, parameters: &[Parameter]) -> TokenStream {
    let ident = &function.sig.ident;
    let service_type = function.sig.inputs.first().map_or_else(Span::call_site, Spanned::span);
    let cards = parameters.iter().map(|parameter| &parameter.card);
    let reads = parameters.iter().map(|parameter| &parameter.read);
    // Names of our own, whatever the parameters are called.
    let own = Span::mixed_site();
    let values: Vec<_> = (0..parameters.len()).map(|index| format_ident!("value_{index}", span = own)).collect();
    let call = quote_spanned! {own.located_at(service_type)=> #ident(service, #(#values),*) };
    let prepare = quote_spanned! {own=>
        #(let #values = #reads;)*
        ::core::result::Result::Ok(#call)
    };
    let workload = match &function.sig.output {
        ReturnType::Type(_, ty) => quote!(#ty),
        ReturnType::Default => quote!(()),
    };
    implement(function, options, &workload, &quote!(#(#cards),*), &prepare)
}

/// The error, and what lets functions name the generator nevertheless: one mistake gives one message.
fn stand_in(function: &ItemFn, error: Error) -> TokenStream {
    let error = error.into_compile_error();
    let ReturnType::Type(_, workload) = &function.sig.output else { return error };
    let options = Options { name: Some(String::new()), native: false };
    let unreachable = quote!(::core::unreachable!());
    let implementation = implement(function, &options, &quote!(#workload), &TokenStream::new(), &unreachable);
    quote! { #error #implementation }
}

/// A type with the name of the function, which stands for the generator where types are wanted.
fn implement(
    function: &ItemFn,
    options: &Options,
    workload: &TokenStream,
    cards: &TokenStream,
    prepare: &TokenStream,
) -> TokenStream {
    let ItemFn { vis, sig, attrs, .. } = function;
    let ident = &sig.ident;
    let path = spoken(ident);
    let name = &options.name;
    let native = options.native;
    let docs = docs(attrs);
    // Names of variables are our own: a parameter may be called `arguments`.
    quote_spanned! {Span::mixed_site()=>
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #ident {}

        impl ::benchbook::__private::Generator for #ident {
            type Workload = #workload;
            const SOURCE: ::benchbook::__private::GeneratorSource = ::benchbook::__private::GeneratorSource {
                path: ::core::concat!(::core::module_path!(), "::", #path),
                name: #name,
                docs: #docs,
                mode: <Self::Workload as ::benchbook::__private::Workload>::MODE,
                native: #native,
                parameters: || ::std::vec![#cards],
            };
            #[allow(unused_variables)]
            fn prepare(
                service: &::benchbook::Service,
                arguments: &::benchbook::__private::parameter::Arguments,
            ) -> ::core::result::Result<Self::Workload, ::std::string::String> {
                #prepare
            }
        }
    }
}
