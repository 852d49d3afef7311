//! The code that binds a function to a generator.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Path};

use super::modes::Modes;
use super::options::GeneratorName;

/// A function, or an instance of it, bound to one generator.
pub(super) struct BindingCode<'m> {
    pub(super) function: &'m Ident,
    /// The arguments of a generic function, such as `::<u32>`.
    pub(super) function_arguments: &'m TokenStream,
    pub(super) modes: &'m Modes,
    pub(super) executor: Option<&'m Path>,
    /// Whether several threads make the calls at once.
    pub(super) threads: bool,
    pub(super) native: bool,
    pub(super) generator: &'m GeneratorName,
    /// The arguments of a generic generator, as in its path.
    pub(super) generator_instance: &'m str,
}

impl BindingCode<'_> {
    /// An expression for the binding. If function and generator do not fit, the compiler's error is at the generator's path.
    pub(super) fn tokens(&self) -> TokenStream {
        let Self { generator, generator_instance, .. } = self;
        let GeneratorName { path, arguments } = generator;
        // Hygienic variables: a function may be called `batch`.
        let span = Span::mixed_site().located_at(path.span());
        // A function without the attribute is not a type. The compiler's message then shows the alias, which is the fix.
        let alias = format_ident!("this_function_needs_the_generator_attribute", span = span);
        let generator_type = quote_spanned! {span=> #alias #arguments };
        let name = self.type_name(span);
        let bound = self.bound(&name, &generator_type, span);
        let native_only =
            quote! { ::benchbook::__private::Binding::native_only::<#generator_type>(#generator_instance) };
        let measured = quote! {
            {
                #[allow(non_camel_case_types)]
                struct #name;
                #bound
                ::benchbook::__private::Binding::of::<#name>(#generator_instance)
            }
        };
        // For a misspelt name, the import below fails without a suggestion; this lookup fails with a similar name.
        let lookup = path.get_ident().filter(|_| arguments.is_empty()).map(|name| {
            quote! {
                #[allow(deprecated)]
                const _: () = { let _ = #name; };
            }
        });
        let binding = if self.native {
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
            use #path as #alias;
            #lookup
            #binding
        }}
    }

    /// The name of the type that times the function on the inputs of the generator, such as `sort_u32__keys` for `sort<u32>`. It is a
    /// part of the symbol by which `cargo benchbook check` finds the native code of the function.
    fn type_name(&self, span: Span) -> Ident {
        let instance = |arguments: &TokenStream| letters_and_digits(&arguments.to_string());
        let generator = self.generator.path.segments.last().map(|last| last.ident.unraw().to_string());
        format_ident!(
            "{}{}__{}{}",
            self.function.unraw(),
            instance(self.function_arguments),
            generator.unwrap_or_default(),
            letters_and_digits(self.generator_instance),
            span = span
        )
    }

    /// The implementation that times the function on the inputs of the generator. Its timed loop is a function of its own, whose native
    /// code does not contain the preparation of the inputs.
    fn bound(&self, name: &Ident, generator_type: &TokenStream, span: Span) -> TokenStream {
        let Self { function, function_arguments, modes, executor, .. } = self;
        let of_parameters = &modes.of_parameters;
        let access = match (self.threads, modes.mutates) {
            (true, _) => format_ident!("Contends"),
            (false, true) => format_ident!("Mutates"),
            (false, false) => format_ident!("Borrows"),
        };
        let arguments: Vec<Ident> =
            (0..of_parameters.len()).map(|index| format_ident!("argument_{index}", span = span)).collect();
        let call = quote_spanned! {span=> #function #function_arguments (#(#arguments),*) };
        let call = executor.map_or_else(|| call.clone(), |executor| quote_spanned! {span=> #executor(#call) });
        let batch = quote_spanned! {span=> ::benchbook::__private::Batch<'_, Self> };
        let call = quote_spanned!(span=> |(#(#arguments,)*)| #call);
        let hashes = quote_spanned!(span=> ::core::option::Option<&mut ::benchbook::__private::Hashes>);
        let calls = if self.threads {
            quote_spanned! {span=>
                #[inline(never)]
                fn time(batch: #batch) -> ::benchbook::__private::LoopTiming {
                    batch.time_on_threads(#call)
                }
                fn time_empty(batch: #batch) -> ::benchbook::__private::LoopTiming {
                    batch.time_empty_on_threads()
                }
                fn call_untimed(batch: #batch, hashes: #hashes) -> ::benchbook::__private::Counts {
                    batch.call_untimed_on_threads(#call)
                }
            }
        } else {
            quote_spanned! {span=>
                #[inline(never)]
                fn time(batch: #batch) -> ::benchbook::__private::LoopTiming {
                    batch.time(#call)
                }
                fn call_untimed(batch: #batch, hashes: #hashes) -> ::benchbook::__private::Counts {
                    #[allow(unused_imports)]
                    use ::benchbook::__private::{NoHash as _, ViaHash as _};
                    batch.call_untimed(
                        #call,
                        |output, hashes| hashes.add(output, (&::benchbook::__private::TypeTag::of(output)).hasher()),
                        hashes,
                    )
                }
            }
        };
        quote_spanned! {span=>
            impl ::benchbook::__private::Bound for #name {
                type Generator = #generator_type;
                type Access = ::benchbook::__private::#access<(#(::benchbook::__private::#of_parameters,)*)>;
                #calls
                fn hash_input(
                    input: &::benchbook::__private::InputOf<Self::Generator>,
                ) -> ::core::option::Option<u64> {
                    #[allow(unused_imports)]
                    use ::benchbook::__private::{NoHash as _, ViaHash as _};
                    let hasher = (&::benchbook::__private::TypeTag::of(input)).hasher();
                    hasher.map(|hasher| hasher(input))
                }
            }
        }
    }
}

/// The arguments of an instance as part of a name: `u328` for `<u32, 8>`.
fn letters_and_digits(arguments: &str) -> String {
    arguments.chars().filter(char::is_ascii_alphanumeric).collect()
}
