//! `suite_allocator!`

use proc_macro2::TokenStream;
use quote::quote;

/// The crates with a global allocator of their own, separated by commas: an environment variable that `cargo benchbook` sets.
const OWN_ALLOCATORS: &str = "BENCHBOOK_OWN_ALLOCATORS";

/// The allocator of the crate that is compiled. `private`: the path of the items for macros.
pub(crate) fn expand(private: &TokenStream) -> TokenStream {
    let variable = |name: &str| std::env::var(name).ok();
    definition(private, variable(OWN_ALLOCATORS).as_deref(), &variable("CARGO_CRATE_NAME").unwrap_or_default())
}

/// Defines it for builds of `cargo benchbook`. A bench that is compiled without the tool has the allocator that it had before.
fn definition(private: &TokenStream, own_allocators: Option<&str>, crate_name: &str) -> TokenStream {
    let is_defined = own_allocators.is_some_and(|names| names.split(',').all(|name| name != crate_name));
    let allocator = is_defined.then(|| {
        quote! {
            #[global_allocator]
            static BENCHBOOK_ALLOCATOR: #private::BoundedAllocator = #private::BoundedAllocator::system();
        }
    });
    quote! {
        // Cargo compiles the crate again when the variable changes.
        const _: ::core::option::Option<&str> = ::core::option_env!(#OWN_ALLOCATORS);
        #allocator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tool_adds_an_allocator_and_only_to_crates_without_one() {
        let is_defined = |own_allocators| {
            definition(&quote!(private), own_allocators, "mine").to_string().contains("global_allocator")
        };
        for (own_allocators, expected) in
            [(None, false), (Some(""), true), (Some("other"), true), (Some("mine"), false), (Some("other,mine"), false)]
        {
            assert_eq!(is_defined(own_allocators), expected, "{own_allocators:?}");
        }
    }
}
