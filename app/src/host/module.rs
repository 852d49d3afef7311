//! A suite's module before anything of it runs: compiled, and refused where it wants more than a suite may have or
//! offers less.

use js_sys::{Array, ArrayBuffer, Reflect, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::worker::text_of;

/// What a suite may import: `module.name`.
const IMPORTS: [&str; 2] = ["benchbook.now", "benchbook.send"];

/// What a suite exports.
const EXPORTS: [&str; 4] = ["memory", "benchbook_protocol", "benchbook_receive", "benchbook_handle"];

/// Compiles a suite.
///
/// # Errors
/// Why it is no suite, and what to do about it.
pub(super) async fn compile(binary: &ArrayBuffer) -> Result<WebAssembly::Module, String> {
    let module = JsFuture::from(WebAssembly::compile(binary)).await;
    let module = module.map_err(|error| format!("It is no WebAssembly module: {}.", text_of(&error)))?;
    let module: WebAssembly::Module = module.unchecked_into();
    let imports = described(&WebAssembly::Module::imports(&module));
    let imports: Vec<String> = imports.into_iter().map(|(module, name)| format!("{module}.{name}")).collect();
    let exports = described(&WebAssembly::Module::exports(&module));
    let exports: Vec<String> = exports.into_iter().map(|(_, name)| name).collect();
    match refusal(&imports, &exports) {
        Some(reason) => Err(reason),
        None => Ok(module),
    }
}

/// Module and name of each import; of an export only the name.
fn described(list: &Array) -> Vec<(String, String)> {
    let field = |entry: &JsValue, name: &str| {
        Reflect::get(entry, &name.into()).ok().and_then(|value| value.as_string()).unwrap_or_default()
    };
    list.iter().map(|entry| (field(&entry, "module"), field(&entry, "name"))).collect()
}

/// Why a module is no suite, and the remedy; absent where it is one.
fn refusal(imports: &[String], exports: &[String]) -> Option<String> {
    let foreign: Vec<&str> = imports.iter().map(String::as_str).filter(|import| !IMPORTS.contains(import)).collect();
    if !foreign.is_empty() {
        return Some(format!("It imports {}, which no suite may: {}.", foreign.join(", "), remedy(&foreign)));
    }
    let missing: Vec<&str> = EXPORTS.into_iter().filter(|name| !exports.iter().any(|export| export == name)).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "It is no suite: it lacks the export {}. A suite's main.rs has a `benchbook::suite!`.",
            missing.join(", ")
        )
    })
}

fn remedy(foreign: &[&str]) -> &'static str {
    let any = |prefixes: &[&str]| foreign.iter().any(|import| prefixes.iter().any(|prefix| import.starts_with(prefix)));
    if any(&["wbg.", "./", "__wbindgen"]) {
        "a crate in it uses wasm-bindgen (getrandom and chrono with their browser features are the usual ones); leave that \
         feature out"
    } else if any(&["wasi"]) {
        "it was built for WASI; build it for wasm32-unknown-unknown"
    } else {
        "all that it is given are a clock and a way to answer"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(imports: &[&str], exports: &[&str]) -> Option<String> {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        refusal(&owned(imports), &owned(exports))
    }

    #[test]
    fn a_suite_is_let_in() {
        assert_eq!(refused(&IMPORTS, &EXPORTS), None);
        assert_eq!(
            refused(&[], &["memory", "benchbook_protocol", "benchbook_receive", "benchbook_handle", "more"]),
            None
        );
    }

    #[test]
    fn a_foreign_import_is_named_with_what_to_do_about_it() {
        let table = [
            ("wbg.__wbg_now_1", "wasm-bindgen"),
            ("__wbindgen_placeholder__.__wbindgen_describe", "wasm-bindgen"),
            ("./page_bg.js.__wbg_now_1", "wasm-bindgen"),
            ("wasi_snapshot_preview1.fd_write", "wasm32-unknown-unknown"),
            ("env.rand", "a clock"),
            ("benchbook.later", "a clock"),
        ];
        for (import, expected) in table {
            let told = refused(&["benchbook.now", import], &EXPORTS).expect(import);
            assert!(told.contains(import) && told.contains(expected), "{told}");
            assert_eq!(told.contains("wasm-bindgen"), expected == "wasm-bindgen", "{told}");
            assert!(!told.contains("benchbook.now"), "{told}");
        }
    }

    #[test]
    fn a_module_without_our_exports_is_no_suite() {
        let told = refused(&[], &["memory"]).expect("it lacks three");
        assert!(told.contains("no suite") && told.contains("benchbook_handle") && !told.contains("memory"), "{told}");
    }
}
