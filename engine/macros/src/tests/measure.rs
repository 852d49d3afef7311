//! `measure!`

use proc_macro2::TokenStream;

use crate::context::Context;

pub(super) fn expand(entries: &str) -> TokenStream {
    crate::measure::expand(entries.parse().expect("the entries are tokens"), &Context::of_source(""))
}

#[test]
fn each_entry_is_a_measured_function_that_calls_the_path() {
    let entries = "
        /// Finds a byte.
        fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> = memchr::memchr, generators(bytes, ..texts), native;
        /// Sorts.
        pub(crate) fn sort<T: Ord>(keys: &mut [T]) = <[T]>::sort, types(u32), generators(keys::<T>);
        /// Takes nothing.
        async fn now() -> u64 = clock::now, executor = block_on";
    let text = expand(entries).to_string();
    for part in [
        "texts :: __list ! { (texts) (bytes ,) () (native , __line = 3u32 ,)",
        "fn memchr (needle : u8 , haystack : & [u8]) -> Option < usize > { memchr :: memchr (needle , haystack) }",
        "pub (crate) fn sort < T : Ord > (keys : & mut [T]) { < [T] > :: sort (keys) }",
        "\"sort<u32>\"",
        "async fn now () -> u64 { clock :: now () . await }",
        "line : 7u32",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}
