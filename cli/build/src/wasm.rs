//! Reads the catalog of a suite's wasm module in an interpreter.

use anyhow::{Context, Result, ensure};
use thiserror::Error;
use wasmi::{Caller, CompilationMode, Config, Engine, Extern, Instance, Linker, Module, Store};

use crate::catalog::{CatalogSummary, PROTOCOL};

/// The only functions that a suite may import from its host, as module and name; see `docs/suite-contract.md`.
const NOW: (&str, &str) = ("benchbook", "now");
const SEND: (&str, &str) = ("benchbook", "send");

/// The messages that the module has sent.
type Messages = Vec<Vec<u8>>;

/// Returns the catalog of the module.
pub(crate) fn describe(wasm: &[u8]) -> Result<CatalogSummary> {
    let mut config = Config::default();
    // The catalog needs a small part of the code; the measured functions are not translated.
    config.compilation_mode(CompilationMode::Lazy);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, wasm).context("the module is invalid")?;
    reject_other_imports(&module)?;
    CatalogSummary::request(|message| replies(&engine, &module, message)).context("the wasm module")
}

/// Sends a message to a new instance. A panic ends it with a trap, after the module has reported it.
fn replies(engine: &Engine, module: &Module, message: &str) -> Result<(Vec<String>, Result<()>)> {
    let mut store = Store::new(engine, Messages::new());
    let mut linker = <Linker<Messages>>::new(engine);
    // The catalog contains no times.
    linker.func_wrap(NOW.0, NOW.1, || 0.0_f64)?;
    linker.func_wrap(SEND.0, SEND.1, send)?;
    let instance = linker.instantiate_and_start(&mut store, module)?;
    let ended = handle(&mut store, &instance, message).context("the module, run in an interpreter");
    let replies = store.into_data().into_iter().map(String::from_utf8).collect::<Result<Vec<_>, _>>()?;
    Ok((replies, ended))
}

fn handle(store: &mut Store<Messages>, instance: &Instance, message: &str) -> Result<()> {
    let protocol = instance.get_typed_func::<(), u32>(&*store, "benchbook_protocol")?.call(&mut *store, ())?;
    ensure!(protocol == PROTOCOL, "the module uses version {protocol} of the contract; this build requires {PROTOCOL}");

    let receive = instance.get_typed_func::<u32, u32>(&*store, "benchbook_receive")?;
    let handle = instance.get_typed_func::<u32, ()>(&*store, "benchbook_handle")?;
    let memory = instance.get_memory(&*store, "memory").context("the module exports no `memory`")?;
    let length = message.len() as u32;
    let address = receive.call(&mut *store, length)?;
    memory.write(&mut *store, address as usize, message.as_bytes())?;
    Ok(handle.call(&mut *store, length)?)
}

/// The host's `send`, which copies the message.
fn send(mut caller: Caller<'_, Messages>, start: u32, length: u32) -> Result<(), wasmi::Error> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmi::Error::new("the module exports no `memory`"));
    };
    let mut message = vec![0; length as usize];
    memory.read(&caller, start as usize, &mut message)?;
    caller.data_mut().push(message);
    Ok(())
}

/// The imports of a module that no host provides.
#[derive(Debug, Error)]
#[error(
    "the module imports functions that no host provides:\n{}\n\
     Usually a dependency adds them through wasm-bindgen: `getrandom` with its feature `wasm_js` or `js`, `chrono` with `wasmbind`, \
     `web-time`, `js-sys`. Disable that feature",
    .0.join("\n")
)]
pub(crate) struct ForeignImports(pub(crate) Vec<String>);

impl ForeignImports {
    /// Whether wasm-bindgen is the cause.
    pub(crate) fn has_wasm_bindgen(&self) -> bool {
        self.0.iter().any(|import| import.contains("__wbindgen"))
    }
}

fn reject_other_imports(module: &Module) -> Result<(), ForeignImports> {
    let others: Vec<String> = module
        .imports()
        .filter(|import| ![NOW, SEND].contains(&(import.module(), import.name())))
        .map(|import| format!("  {} {}", import.module(), import.name()))
        .collect();
    if others.is_empty() { Ok(()) } else { Err(ForeignImports(others)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with one import: a function without parameters.
    fn importing(from: &str, name: &str) -> Module {
        let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
        let import = [vec![1], text(from), text(name), vec![0, 0]].concat();
        let wasm = [b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02".to_vec(), vec![import.len() as u8], import].concat();
        Module::new(&Engine::default(), wasm).unwrap()
    }

    #[test]
    fn rejects_imports_other_than_the_two_of_the_contract() {
        for (from, name) in [NOW, SEND] {
            reject_other_imports(&importing(from, name)).unwrap();
        }
        for (from, name) in [("benchbook", "log"), ("__wbindgen_placeholder__", "now")] {
            let error = reject_other_imports(&importing(from, name)).unwrap_err();
            assert_eq!(error.has_wasm_bindgen(), from.starts_with("__wbindgen"));
            let error = error.to_string();
            assert!(error.contains(&format!("  {from} {name}\n")) && error.contains("Disable that feature"), "{error}");
        }
    }
}
