//! Compiles a suite's module, and rejects it before it runs if it has forbidden imports or lacks an export.

use js_sys::{Array, ArrayBuffer, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::text_of;

/// The imports that a suite may have: `module.name`.
const IMPORTS: [&str; 2] = ["benchbook.now", "benchbook.send"];

/// The exports of every suite.
const EXPORTS: [&str; 4] = ["memory", "benchbook_protocol", "benchbook_receive", "benchbook_handle"];

/// Compiles a suite.
///
/// # Errors
/// The reason why it is not a suite, and how to fix it.
pub(crate) async fn compile(binary: &ArrayBuffer) -> Result<WebAssembly::Module, String> {
    let module = JsFuture::from(WebAssembly::compile(binary)).await;
    let module = module.map_err(|error| format!("It is not a WebAssembly module: {}.", text_of(&error)))?;
    let module: WebAssembly::Module = module.unchecked_into();
    let imports = descriptions(&WebAssembly::Module::imports(&module));
    let imports: Vec<String> = imports.into_iter().map(|(module, name)| format!("{module}.{name}")).collect();
    let exports = descriptions(&WebAssembly::Module::exports(&module));
    let exports: Vec<String> = exports.into_iter().map(|(_, name)| name).collect();
    match rejection(&imports, &exports) {
        Some(reason) => Err(reason),
        None => Ok(module),
    }
}

/// Compiles a suite again, as machine code of its own: browsers share the code of equal bytes, so a custom section with
/// the number of the variant makes them differ.
///
/// # Errors
/// The reason why the browser cannot compile it.
pub(crate) async fn compile_variant(binary: &ArrayBuffer, variant: u32) -> Result<WebAssembly::Module, String> {
    let bytes = variant_bytes(binary, variant);
    let module = JsFuture::from(WebAssembly::compile(&bytes)).await;
    let module = module.map_err(|error| format!("The browser cannot compile the suite again: {}.", text_of(&error)))?;
    Ok(module.unchecked_into())
}

/// The bytes of a variant, which a browser has to compile again.
pub(crate) fn variant_bytes(binary: &ArrayBuffer, variant: u32) -> Uint8Array {
    let section = custom_section(variant);
    let original = Uint8Array::new(binary);
    let bytes = Uint8Array::new_with_length(original.length() + section.len() as u32);
    bytes.set(&original, 0);
    bytes.set(&Uint8Array::from(&section[..]), original.length());
    bytes
}

/// A custom section, which engines ignore: the section's number 0, its size, its name with its length, and the content.
fn custom_section(variant: u32) -> Vec<u8> {
    const NAME: &[u8] = b"variant";
    let content = variant.to_le_bytes();
    let size = 1 + NAME.len() + content.len();
    [&[0, size as u8, NAME.len() as u8], NAME, &content].concat()
}

/// Module and name of each import; the module is empty for exports.
fn descriptions(list: &Array) -> Vec<(String, String)> {
    let field = |entry: &JsValue, name: &str| {
        Reflect::get(entry, &name.into()).ok().and_then(|value| value.as_string()).unwrap_or_default()
    };
    list.iter().map(|entry| (field(&entry, "module"), field(&entry, "name"))).collect()
}

/// The reason why a module is not a suite, and how to fix it; `None` if it is one.
fn rejection(imports: &[String], exports: &[String]) -> Option<String> {
    let foreign: Vec<&str> = imports.iter().map(String::as_str).filter(|import| !IMPORTS.contains(import)).collect();
    if !foreign.is_empty() {
        return Some(format!("It imports {}, which a suite must not: {}.", foreign.join(", "), fix(&foreign)));
    }
    let missing: Vec<&str> = EXPORTS.into_iter().filter(|name| !exports.iter().any(|export| export == name)).collect();
    (!missing.is_empty()).then(|| {
        format!("It is not a suite: it does not export {}. Add `benchbook::suite!` to its main.rs.", missing.join(", "))
    })
}

fn fix(foreign: &[&str]) -> &'static str {
    let any = |prefixes: &[&str]| foreign.iter().any(|import| prefixes.iter().any(|prefix| import.starts_with(prefix)));
    if any(&["wbg.", "./", "__wbindgen"]) {
        "one of its crates uses wasm-bindgen (often getrandom or chrono with a browser feature). Disable that feature"
    } else if any(&["wasi"]) {
        "it was built for WASI. Build it for wasm32-unknown-unknown"
    } else {
        "the page provides only a clock and a channel for messages"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reject(imports: &[&str], exports: &[&str]) -> Option<String> {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        rejection(&owned(imports), &owned(exports))
    }

    #[test]
    fn accepts_a_suite() {
        assert_eq!(reject(&IMPORTS, &EXPORTS), None);
        assert_eq!(
            reject(&[], &["memory", "benchbook_protocol", "benchbook_receive", "benchbook_handle", "more"]),
            None
        );
    }

    #[test]
    fn a_variant_has_a_valid_custom_section() {
        let module = [&b"\0asm\x01\0\0\0"[..], &custom_section(7)].concat();
        assert_eq!(module[8..], [&[0, 12, 7], &b"variant"[..], &[7, 0, 0, 0]].concat());
        assert_ne!(custom_section(1), custom_section(2));
    }

    #[test]
    fn names_a_foreign_import_and_the_fix() {
        let table = [
            ("wbg.__wbg_now_1", "wasm-bindgen"),
            ("__wbindgen_placeholder__.__wbindgen_describe", "wasm-bindgen"),
            ("./page_bg.js.__wbg_now_1", "wasm-bindgen"),
            ("wasi_snapshot_preview1.fd_write", "wasm32-unknown-unknown"),
            ("env.rand", "a clock"),
            ("benchbook.later", "a clock"),
        ];
        for (import, expected) in table {
            let reason = reject(&["benchbook.now", import], &EXPORTS).expect(import);
            assert!(reason.contains(import) && reason.contains(expected), "{reason}");
            assert_eq!(reason.contains("wasm-bindgen"), expected == "wasm-bindgen", "{reason}");
            assert!(!reason.contains("benchbook.now"), "{reason}");
        }
    }

    #[test]
    fn rejects_a_module_without_the_exports() {
        let reason = reject(&[], &["memory"]).expect("it lacks three");
        assert!(
            reason.contains("not a suite") && reason.contains("benchbook_handle") && !reason.contains("memory"),
            "{reason}"
        );
    }
}
