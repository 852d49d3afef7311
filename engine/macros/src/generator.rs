//! `#[generator]`

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::{Error, FnArg, ItemFn, LitStr, PatType, Result, ReturnType, Type};

use crate::attributes::{at_name, call_site, check_callable, docs};
use crate::parameter::Parameter;

/// What stands in the attribute.
#[derive(Default)]
struct Options {
    name: Option<String>,
    native: bool,
}

pub(crate) fn expand(attribute: TokenStream, function: ItemFn) -> Result<TokenStream> {
    let options = Options::parse(attribute)?;
    check_callable(&function, "a generator")?;
    let parameters = parameters(&function)?;
    if !parameters.iter().any(|parameter| parameter.has_range) {
        return Err(at_name(
            &function,
            "no parameter is varied at first: give one number a range as default, such as default = 1_000..=100_000",
        ));
    }
    let implementation = implementation(&options, &function, &parameters)?;
    let function = plain(&options, function);
    Ok(quote! { #function #implementation })
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
        Err(meta.error("expected name = \"…\" or native"))
    }
}

/// All parameters but the service.
fn parameters(function: &ItemFn) -> Result<Vec<Parameter>> {
    let mut inputs = function.sig.inputs.iter();
    match inputs.next() {
        Some(FnArg::Typed(PatType { ty, .. })) if matches!(**ty, Type::Reference(_)) => {}
        _ => return Err(at_name(function, "the first parameter of a generator is `service: &Service`")),
    }
    let mut parameters = Vec::new();
    for input in inputs {
        if let FnArg::Typed(typed) = input {
            parameters.push(Parameter::read(typed)?);
        }
    }
    Ok(parameters)
}

/// The generator as a function like any other: without what only we understand, and without a body where it is not
/// to be compiled.
fn plain(options: &Options, mut function: ItemFn) -> TokenStream {
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed
                .attrs
                .retain(|attribute| !attribute.path().is_ident("parameter") && !attribute.path().is_ident("doc"));
        }
    }
    if !options.native {
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

/// A type with the name of the function, which stands for the generator where types are wanted.
fn implementation(options: &Options, function: &ItemFn, parameters: &[Parameter]) -> Result<TokenStream> {
    let ItemFn { vis, sig, attrs, .. } = function;
    let ident = &sig.ident;
    let workload = match &sig.output {
        ReturnType::Type(_, ty) => ty,
        ReturnType::Default => {
            return Err(at_name(function, "a generator returns a workload: Fresh<I>, Shared<I> or Calls<I>"));
        }
    };
    let name = &options.name;
    let native = options.native;
    let docs = docs(attrs);
    let cards = parameters.iter().map(|parameter| &parameter.card);
    let reads = parameters.iter().map(|parameter| &parameter.read);
    let idents = parameters.iter().map(|parameter| &parameter.ident);
    Ok(quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #ident {}

        impl ::benchbook::__private::Generator for #ident {
            type Workload = #workload;
            const SOURCE: ::benchbook::__private::GeneratorSource = ::benchbook::__private::GeneratorSource {
                path: ::core::concat!(::core::module_path!(), "::", ::core::stringify!(#ident)),
                name: #name,
                docs: #docs,
                mode: <#workload as ::benchbook::__private::Workload>::MODE,
                native: #native,
                parameters: || ::std::vec![#(#cards),*],
            };
            fn prepare(
                service: &::benchbook::Service,
                arguments: &::benchbook::parameter::Arguments,
            ) -> ::core::result::Result<Self::Workload, ::std::string::String> {
                #(#reads)*
                ::core::result::Result::Ok(#ident(service, #(#idents),*))
            }
        }
    })
}
