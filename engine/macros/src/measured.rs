//! `#[measured]`

mod binding;
mod instances;
mod modes;
mod options;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, Ident, ItemFn, Path, Result, parse_quote};

use crate::context::Context;
use crate::syntax::{
    check_callable, combine, description, error_and_item, parse_function, plain_name, signature, source,
    without_body_in_wasm,
};
use binding::BindingCode;
use instances::{FunctionInstance, instances};
use modes::Modes;
use options::{GeneratorName, ListUse, MeasuredOptions};

/// A measured function without errors.
struct MeasuredFunction<'f> {
    function: &'f ItemFn,
    description: String,
    options: MeasuredOptions,
    modes: Modes,
    instances: Vec<(FunctionInstance, Vec<(GeneratorName, String)>)>,
    /// An expression for the line in the source.
    line: TokenStream,
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream, context: &Context) -> TokenStream {
    let function = match parse_function(item.clone(), "measured") {
        Ok(function) => function,
        Err(error) => return error_and_item(error, item),
    };
    if let Some(list) = ListUse::find(&attribute) {
        return with_list(&list, &function, context);
    }
    match MeasuredFunction::read(attribute, &function, context) {
        Ok(measured) => {
            let registrations = measured.instances.iter().map(|(instance, generators)| {
                let bindings = generators.iter().map(|generator| measured.binding(instance, generator)).collect();
                measured.registration(instance, bindings)
            });
            let registrations: TokenStream = registrations.collect();
            let function = with_link(&function, measured.options.documents.as_ref());
            let function = if measured.options.native { without_body_in_wasm(&function) } else { quote!(#function) };
            let suite_check = context.take_suite_check().then(suite_check);
            quote! { #function #registrations #suite_check }
        }
        // Other code may call the function, so it stays: one mistake gives one message.
        Err(error) => error_and_item(error, function),
    }
}

/// Adds a line to the documentation of the function, with a link to the item that it measures. `cargo benchbook doc` finds the page of the
/// item by this link, which rustdoc resolves.
fn with_link(function: &ItemFn, item: Option<&Path>) -> ItemFn {
    let mut function = function.clone();
    let Some(item) = item else { return function };
    let path = item.to_token_stream().to_string().replace(' ', "");
    let line = format!("\n\n<span class=\"benchbook-documents\">Measures [`{path}`]({path}).</span>");
    function.attrs.push(parse_quote!(#[doc = #line]));
    function
}

/// Lets the list, which is a macro, write the attribute again, with its generators in place of its name.
/// The attribute has no other way to know the line of a function in `measure!`.
fn with_list(list: &ListUse, function: &ItemFn, context: &Context) -> TokenStream {
    let ListUse { list, before, after, others } = list;
    let line = context.known_line().map(|line| quote!(__line = #line,));
    quote! { #list::__list! { (#list) (#before) (#after) (#others #line) #function } }
}

/// Fails to compile in a crate without `suite!`. The compiler's message shows the name of the constant.
fn suite_check() -> TokenStream {
    quote! {
        #[cfg(not(test))]
        const _: () = crate::WRITE_BENCHBOOK_SUITE_IN_THE_CRATE_ROOT;
    }
}

const NO_GENERATORS: &str =
    "a measured function needs a generator for its input: name one, such as #[measured(generators(keys))]";
const GENERATORS_WITHOUT_INPUT: &str = "a function without parameters needs no generator: remove `generators(…)`, or add a parameter for the generator's input";
const NO_EXECUTOR: &str = "a measured function cannot be async or unsafe: write a wrapper that is neither, or name an executor, such as \
     #[measured(executor = pollster::block_on, …)]";
const THREADS_WITHOUT_INPUT: &str = "a function with the option `threads` needs a parameter for the input that the threads share: its generator determines their number";
const MUTATES_ON_THREADS: &str = "a function with the option `threads` cannot take `&mut`, since all threads use the input at once: take `&`, such as `&Mutex<…>`";
const EXECUTOR_WITHOUT_ASYNC: &str = "the function is not async: remove `executor`, or write `async fn`";

/// Adds the generator of functions without parameters. Rejects a function with parameters that names no generator, and one
/// without parameters that names one.
fn with_generators(mut options: MeasuredOptions, function: &ItemFn, context: &Context) -> Result<MeasuredOptions> {
    match (function.sig.inputs.is_empty(), options.generators.first()) {
        (true, None) if options.threads => return Err(Error::new_spanned(&function.sig, THREADS_WITHOUT_INPUT)),
        (true, None) => options.generators.push(GeneratorName::no_input()),
        (true, Some(generator)) => return Err(Error::new_spanned(generator.tokens(), GENERATORS_WITHOUT_INPUT)),
        (false, Some(_)) => {}
        (false, None) => return Err(Error::new(context.attribute(), NO_GENERATORS)),
    }
    Ok(options)
}

/// Makes functions that need an executor native. Rejects one without it, and an executor without an async function.
fn with_executor(mut options: MeasuredOptions, function: &ItemFn) -> Result<MeasuredOptions> {
    match (&function.sig.asyncness, &options.executor) {
        (Some(keyword), None) => return Err(Error::new_spanned(keyword, NO_EXECUTOR)),
        (None, Some(executor)) => return Err(Error::new_spanned(executor, EXECUTOR_WITHOUT_ASYNC)),
        // In a browser, an executor cannot block.
        (Some(_), Some(_)) => options.native = true,
        (None, None) => {}
    }
    Ok(options)
}

impl<'f> MeasuredFunction<'f> {
    fn read(attribute: TokenStream, function: &'f ItemFn, context: &Context) -> Result<Self> {
        check_callable(function, "a measured function", "measured", context)?;
        let description = description(&function.attrs, &function.sig.ident, "Sorts the keys in place.");
        let options = MeasuredOptions::parse(attribute)
            .and_then(|options| with_executor(options, function))
            .and_then(|options| with_generators(options, function, context));
        let is_contended = options.as_ref().is_ok_and(|options| options.threads);
        let modes = Modes::of(function).and_then(|modes| match is_contended && modes.mutates {
            true => Err(Error::new_spanned(&function.sig.inputs, MUTATES_ON_THREADS)),
            false => Ok(modes),
        });
        match (description, options, modes) {
            (Ok(description), Ok(options), Ok(modes)) => {
                let with_bindings = |instance: FunctionInstance| {
                    let generators = options.generators.iter().map(|name| instance.generator(name));
                    let generators = generators.collect::<Result<_>>()?;
                    Ok((instance, generators))
                };
                let instances = instances(function, &options)?.into_iter().map(with_bindings).collect::<Result<_>>()?;
                let line = options.line.as_ref().map_or_else(|| context.line(), ToTokens::to_token_stream);
                Ok(Self { function, description, options, modes, instances, line })
            }
            (description, options, modes) => {
                let errors = description.err().into_iter().chain(options.err()).chain(modes.err());
                Err(combine(errors).expect("one of them is an error"))
            }
        }
    }

    fn registration(&self, instance: &FunctionInstance, bindings: Vec<TokenStream>) -> TokenStream {
        let Self { function, description, options, line, .. } = self;
        let path = format!("{}{}", plain_name(&function.sig.ident), instance.name);
        let signature = signature(&function.sig);
        let source = source(function).unwrap_or_default();
        let native = options.native;
        let alternatives = match &options.alternatives {
            Some(text) => quote!(::core::option::Option::Some(#text)),
            None => quote!(::core::option::Option::None),
        };
        let count = bindings.len();
        quote! {
            const _: () = {
                static BINDINGS: [::benchbook::__private::Binding; #count] = [#(#bindings),*];
                ::benchbook::__private::inventory::submit! {
                    ::benchbook::__private::FunctionEntry {
                        path: ::core::concat!(::core::module_path!(), "::", #path),
                        signature: #signature,
                        docs: #description,
                        source: #source,
                        file: ::core::file!(),
                        line: #line,
                        native: #native,
                        alternatives: #alternatives,
                        bindings: &BINDINGS,
                    }
                }
            };
        }
    }

    fn binding(&self, instance: &FunctionInstance, (generator, name): &(GeneratorName, String)) -> TokenStream {
        let function: &Ident = &self.function.sig.ident;
        let binding = BindingCode {
            function,
            function_arguments: &instance.arguments,
            modes: &self.modes,
            executor: self.options.executor.as_ref(),
            threads: self.options.threads,
            native: self.options.native,
            generator,
            generator_instance: name,
        };
        binding.tokens()
    }
}
