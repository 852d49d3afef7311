//! `#[generator]`

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{
    ConstParam, Error, FnArg, GenericParam, Ident, ItemFn, LitStr, PatType, Result, ReturnType, Type, TypeParam,
};

use crate::context::Context;
use crate::parameter::ValidParameter;
use crate::source_hash::source_hash;
use crate::syntax::{
    bare_type, check_callable, combine, description, docs, error_and_item, error_at_name, not_async_or_unsafe,
    parse_function, plain_name, without_body_in_wasm,
};

/// The options of the attribute.
#[derive(Default)]
struct GeneratorOptions {
    name: Option<String>,
    native: bool,
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream, context: &Context) -> TokenStream {
    let function = match parse_function(item.clone(), "generator") {
        Ok(function) => function,
        Err(error) => return error_and_item(error, item),
    };
    let is_callable =
        check_callable(&function, "a generator", "generator", context).and_then(|()| match &function.sig.asyncness {
            Some(keyword) => Err(not_async_or_unsafe(keyword.span(), "a generator")),
            None => Ok(()),
        });
    if let Err(error) = is_callable {
        return error_and_item(error, plain(false, function));
    }
    let (implementation, native) = match checked(attribute, &function) {
        Ok((options, parameters)) => (implementation(&options, &function, &parameters), options.native),
        Err(error) => (stand_in(&function, error), false),
    };
    let function = plain(native, function);
    quote! { #function #implementation }
}

/// Reads the attribute and the parameters, or returns all errors in them.
fn checked(attribute: TokenStream, function: &ItemFn) -> Result<(GeneratorOptions, Vec<ValidParameter>)> {
    let description = description(&function.attrs, &function.sig.ident, "Random keys.");
    let options = GeneratorOptions::parse(attribute);
    let parameters = parameters(function);
    let output = match &function.sig.output {
        ReturnType::Type(..) => None,
        ReturnType::Default => Some(error_at_name(
            function,
            "a generator must return a workload: write -> Fresh<I>, -> Owned<I>, -> Shared<I> or -> Calls<I>",
        )),
    };
    match (description, options, parameters, output) {
        (Ok(_), Ok(options), Ok(parameters), None) => Ok((options, parameters)),
        (description, options, parameters, output) => {
            let errors = description.err().into_iter().chain(options.err()).chain(parameters.err()).chain(output);
            Err(combine(errors).expect("one of them is an error"))
        }
    }
}

impl GeneratorOptions {
    fn parse(attribute: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|meta| options.read(&meta)).parse2(attribute)?;
        match options.name {
            Some(_) => Ok(options),
            None => Err(Error::new(
                Span::call_site(),
                "the generator has no name for the page: write one, such as #[generator(name = \"Keys\")]",
            )),
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
        Err(meta.error("unknown option: write name = \"…\" or native; the description is the doc comment"))
    }
}

/// All parameters except the service.
fn parameters(function: &ItemFn) -> Result<Vec<ValidParameter>> {
    let mut inputs = function.sig.inputs.iter();
    match inputs.next() {
        Some(FnArg::Typed(PatType { ty, .. })) if matches!(bare_type(ty), Type::Reference(_)) => {}
        _ => {
            return Err(error_at_name(
                function,
                "the first parameter of a generator must be `service: &Service`: add it",
            ));
        }
    }
    let mut parameters = Vec::new();
    let mut errors = Vec::new();
    for input in inputs {
        match input {
            FnArg::Typed(typed) => match ValidParameter::read(typed) {
                Ok(parameter) => parameters.push(parameter),
                Err(error) => errors.push(error),
            },
            FnArg::Receiver(_) => unreachable!("methods are rejected"),
        }
    }
    match combine(errors) {
        Some(error) => Err(error),
        None => Ok(parameters),
    }
}

/// The generator as a plain function, without the attributes of its parameters.
fn plain(native: bool, mut function: ItemFn) -> TokenStream {
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed
                .attrs
                .retain(|attribute| !attribute.path().is_ident("parameter") && !attribute.path().is_ident("doc"));
        }
    }
    if native { without_body_in_wasm(&function) } else { quote!(#function) }
}

fn implementation(options: &GeneratorOptions, function: &ItemFn, parameters: &[ValidParameter]) -> TokenStream {
    let ident = &function.sig.ident;
    let service_type = function.sig.inputs.first().map_or_else(Span::call_site, Spanned::span);
    let cards = parameters.iter().map(|parameter| &parameter.card);
    let reads = parameters.iter().map(|parameter| &parameter.read);
    // Hygienic names: they cannot collide with those of the parameters.
    let own = Span::mixed_site();
    let values: Vec<_> = (0..parameters.len()).map(|index| format_ident!("value_{index}", span = own)).collect();
    let arguments = Generics::of(function).arguments;
    let call = quote_spanned! {own.located_at(service_type)=> #ident::#arguments(service, #(#values),*) };
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

/// The error, and a generator that cannot run: functions may name it, so that one mistake gives one message.
fn stand_in(function: &ItemFn, error: Error) -> TokenStream {
    let error = error.into_compile_error();
    let ReturnType::Type(_, workload) = &function.sig.output else { return error };
    let options = GeneratorOptions { name: Some(String::new()), native: false };
    let unreachable = quote!(::core::unreachable!());
    let implementation = implement(function, &options, &quote!(#workload), &TokenStream::new(), &unreachable);
    quote! { #error #implementation }
}

/// A type with the name of the function, which represents the generator in type positions.
fn implement(
    function: &ItemFn,
    options: &GeneratorOptions,
    workload: &TokenStream,
    cards: &TokenStream,
    prepare: &TokenStream,
) -> TokenStream {
    let ItemFn { vis, sig, attrs, .. } = function;
    let ident = &sig.ident;
    let path = plain_name(ident);
    let name = &options.name;
    let native = options.native;
    let source_hash = source_hash(function);
    let docs = docs(attrs);
    let Generics { declared, bounded, arguments, marked } = Generics::of(function);
    let conditions = &sig.generics.where_clause;
    // Hygienic variables: a parameter may be called `arguments`.
    quote_spanned! {Span::mixed_site()=>
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #ident #declared {
            marker: ::core::marker::PhantomData<fn() -> (#(#marked,)*)>,
        }

        impl #bounded ::benchbook::__private::WorkloadGenerator for #ident #arguments #conditions {
            type Workload = #workload;
            const SOURCE: ::benchbook::__private::GeneratorSource = ::benchbook::__private::GeneratorSource {
                path: ::core::concat!(::core::module_path!(), "::", #path),
                type_name: ::core::any::type_name::<Self>,
                name: #name,
                docs: #docs,
                mode: <Self::Workload as ::benchbook::__private::Workload>::MODE,
                native: #native,
                source_hash: #source_hash,
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

/// The type parameters and constants of a generator, in the forms that a type with the same ones needs.
struct Generics<'f> {
    /// `<T, const N: usize>`
    declared: TokenStream,
    /// `<T: Ord + 'static, const N: usize>`
    bounded: TokenStream,
    /// `<T, N>`
    arguments: TokenStream,
    /// The types, which the type must contain.
    marked: Vec<&'f Ident>,
}

impl<'f> Generics<'f> {
    fn of(function: &'f ItemFn) -> Self {
        let (mut declared, mut bounded, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        let mut marked = Vec::new();
        for parameter in &function.sig.generics.params {
            let ident = match parameter {
                GenericParam::Type(of) => {
                    let TypeParam { ident, bounds, .. } = of;
                    let bounds = bounds.iter();
                    declared.push(quote!(#ident));
                    // A workload outlives the call that prepares it.
                    bounded.push(quote!(#ident: #(#bounds +)* 'static));
                    marked.push(ident);
                    ident
                }
                GenericParam::Const(ConstParam { ident, ty, .. }) => {
                    declared.push(quote!(const #ident: #ty));
                    bounded.push(quote!(const #ident: #ty));
                    ident
                }
                GenericParam::Lifetime(_) => continue,
            };
            arguments.push(quote!(#ident));
        }
        let (declared, bounded) = (quote!(<#(#declared),*>), quote!(<#(#bounded),*>));
        Self { declared, bounded, arguments: quote!(<#(#arguments),*>), marked }
    }
}
