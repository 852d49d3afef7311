//! The wasm face: a module that takes a message and sends answers, run in an interpreter.

use anyhow::{Context, Result, bail, ensure};
use wasmi::{Caller, CompilationMode, Config, Engine, Extern, Instance, Linker, Module, Store};

use super::catalog::{Catalog, DESCRIBE, PROTOCOL};

/// All that a suite may ask of its host: module and name. `docs/suite-contract.md` says what for.
const NOW: (&str, &str) = ("benchbook", "now");
const SEND: (&str, &str) = ("benchbook", "send");

/// The messages that the module sent.
type Sent = Vec<Vec<u8>>;

/// The catalog of the module.
pub(super) fn describe(wasm: &[u8]) -> Result<Catalog> {
    let mut config = Config::default();
    // Describing runs a small part of it; the measured functions need not be translated.
    config.compilation_mode(CompilationMode::Lazy);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, wasm).context("the module is not valid")?;
    refuse_other_imports(&module)?;

    let mut store = Store::new(&engine, Sent::new());
    let mut linker = <Linker<Sent>>::new(&engine);
    // Nothing is timed here.
    linker.func_wrap(NOW.0, NOW.1, || 0.0_f64)?;
    linker.func_wrap(SEND.0, SEND.1, send)?;
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    ask(&mut store, &instance).context("the module, run in an interpreter")?;

    let answers = store.into_data().into_iter().map(String::from_utf8).collect::<Result<Vec<_>, _>>();
    Catalog::from_answers(answers?.iter().map(String::as_str)).context("the wasm module")
}

fn ask(store: &mut Store<Sent>, instance: &Instance) -> Result<()> {
    let protocol = instance.get_typed_func::<(), u32>(&*store, "benchbook_protocol")?.call(&mut *store, ())?;
    ensure!(protocol == PROTOCOL, "it speaks protocol {protocol}, and this is {PROTOCOL}");

    let receive = instance.get_typed_func::<u32, u32>(&*store, "benchbook_receive")?;
    let handle = instance.get_typed_func::<u32, ()>(&*store, "benchbook_handle")?;
    let memory = instance.get_memory(&*store, "memory").context("it exports no `memory`")?;
    let length = DESCRIBE.len() as u32;
    let room = receive.call(&mut *store, length)?;
    memory.write(&mut *store, room as usize, DESCRIBE.as_bytes())?;
    Ok(handle.call(&mut *store, length)?)
}

/// The host's `send`: keeps a copy of the message.
fn send(mut caller: Caller<'_, Sent>, start: u32, length: u32) -> Result<(), wasmi::Error> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        return Err(wasmi::Error::new("the module exports no `memory`"));
    };
    let mut message = vec![0; length as usize];
    memory.read(&caller, start as usize, &mut message)?;
    caller.data_mut().push(message);
    Ok(())
}

fn refuse_other_imports(module: &Module) -> Result<()> {
    let others: Vec<_> = module
        .imports()
        .filter(|import| ![NOW, SEND].contains(&(import.module(), import.name())))
        .map(|import| format!("  {} {}", import.module(), import.name()))
        .collect();
    if others.is_empty() {
        return Ok(());
    }
    bail!(
        "the module imports what no host of suites has:\n{}\n\
         Usually a dependency brings them by wasm-bindgen: `getrandom` with its feature `wasm_js` or `js`, `chrono` with \
         `wasmbind`, `web-time`, `js-sys`. Leave that feature out, or measure the function on a runner only (`native`); \
         `cargo tree --target wasm32-unknown-unknown --invert wasm-bindgen` shows who asks for it.",
        others.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module that does nothing but import a function: one type without parameters, one import of it.
    fn importing(from: &str, name: &str) -> Module {
        let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
        let import = [vec![1], text(from), text(name), vec![0, 0]].concat();
        let wasm = [b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02".to_vec(), vec![import.len() as u8], import].concat();
        Module::new(&Engine::default(), wasm).unwrap()
    }

    #[test]
    fn only_the_two_functions_of_the_contract_are_imported() {
        for (from, name) in [NOW, SEND] {
            refuse_other_imports(&importing(from, name)).unwrap();
        }
        for (from, name) in [("benchbook", "log"), ("__wbindgen_placeholder__", "now")] {
            let error = refuse_other_imports(&importing(from, name)).unwrap_err().to_string();
            assert!(error.contains(&format!("  {from} {name}\n")) && error.contains("native"), "{error}");
        }
    }
}
