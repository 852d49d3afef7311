//! `generators!`

use proc_macro2::TokenStream;

use super::expand;
use crate::context::Context;

pub(super) fn expand_list(list: &str) -> TokenStream {
    crate::generator_list::expand(list.parse().expect("the list is tokens"))
}

#[test]
fn imports_the_generators_into_a_module() {
    let table = [
        (
            "sorts = [keys, a::b]",
            "mod sorts",
            vec!["pub (super) use super :: keys ;", "pub (super) use super :: a :: b ;"],
        ),
        ("pub(crate) sorts = [crate::keys,]", "pub (crate) mod sorts", vec!["pub (crate) use crate :: keys ;"]),
        (
            "pub(super) sorts = [self::keys];",
            "pub (super) mod sorts",
            vec!["pub (in super :: super) use super :: keys ;"],
        ),
        (
            "sorts = [super::keys::<T>]",
            "mod sorts",
            vec!["use super :: super :: keys ;", "$ ($ list) * :: keys :: < T >"],
        ),
        ("sorts = [::other::keys]", "mod sorts", vec!["pub (super) use :: other :: keys ;"]),
    ];
    for (list, module, parts) in table {
        let text = expand_list(list).to_string();
        for part in parts.into_iter().chain([module]) {
            assert!(text.contains(part), "{list}: {part} in {text}");
        }
    }
}

#[test]
fn the_list_writes_the_attribute_of_a_function() {
    let item = "#[measured(native, generators(a, ..crate::sorts, b::<u8, 2>, ..others), alternatives = \"x\")] \
                /// Sorts.\n fn sort(keys: &mut [u64]) {}";
    // Tokens have no reliable spaces in between.
    let text = expand(item, &Context::of_source("")).to_string().replace(' ', "");
    let call = "crate::sorts::__list!{(crate::sorts)(a,)(b::<u8,2>,..others,)(native,alternatives=\"x\",)";
    assert!(text.starts_with(call), "{text}");
    assert!(text.ends_with("fnsort(keys:&mut[u64]){}}"), "{text}");
}
