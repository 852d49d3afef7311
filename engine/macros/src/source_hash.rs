//! Hashes of source code.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, ItemFn};

/// The parameters of FNV-1a with 64 bits: G. Fowler, L. C. Noll and P. Vo, RFC 9923.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A hash of a function's source code in hexadecimal, which is the same for all compilers and targets. Comments, spaces, and attributes
/// of the function and of its parameters do not count.
pub(crate) fn source_hash(function: &ItemFn) -> String {
    let mut signature = function.sig.clone();
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.clear();
        }
    }
    let mut hash = OFFSET;
    add(&mut hash, signature.into_token_stream());
    add(&mut hash, function.block.to_token_stream());
    format!("{hash:016x}")
}

fn add(hash: &mut u64, tokens: TokenStream) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                add_text(hash, open);
                add(hash, group.stream());
                add_text(hash, close);
            }
            other => add_text(hash, &other.to_string()),
        }
    }
}

/// Adds a text and its end.
fn add_text(hash: &mut u64, text: &str) {
    for byte in text.bytes().chain([0]) {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(PRIME);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(source: &str) -> String {
        source_hash(&syn::parse_str(source).expect("a function"))
    }

    #[test]
    fn only_code_counts() {
        let keys = hash("fn keys(service: &Service, size: usize) -> Fresh<u32> { Fresh::new(size) }");
        let documented = "/// Random keys.\nfn keys(service: &Service, #[parameter(min = 1)] size: usize) -> Fresh<u32> {\n // New ones.\n Fresh::new(size)\n}";
        assert_eq!(hash(documented), keys);
        let others = [
            "fn keys(service: &Service, size: u32) -> Fresh<u32> { Fresh::new(size) }",
            "fn keys(service: &Service, size: usize) -> Fresh<u32> { Fresh::new(size + 1) }",
        ];
        assert!(others.iter().all(|other| hash(other) != keys));
        assert_ne!(hash("fn f() { (a)(b) }"), hash("fn f() { (a(b)) }"));
    }

    /// The published test vectors end without our final zero, so it is checked for the text `a` and the zero, computed with Python.
    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = OFFSET;
        add_text(&mut hash, "a");
        assert_eq!(hash, FNV_OF_A);
    }

    const FNV_OF_A: u64 = 0x089be207b544f1e4;
}
