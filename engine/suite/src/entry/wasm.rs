//! The entry point of the wasm target: three exports, two imports, no wasm-bindgen.

use std::cell::RefCell;
use std::path::PathBuf;

use benchbook_contract::protocol::PROTOCOL;

use crate::entry::peer::{Peer, Scratch, panic_message};
use crate::identity::Identity;
use crate::memory;
use crate::wasm_imports::send_bytes;

unsafe extern "C" {
    /// Runs the module's constructors. The linker generates it; we have to call it.
    fn __wasm_call_ctors();
}

thread_local! {
    static PEER: RefCell<Option<Peer>> = const { RefCell::new(None) };
    /// The buffer for a message from the host.
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the version of the protocol. The first call initialises the suite. `identity` is called after the module's constructors.
pub fn start(identity: impl FnOnce() -> Identity, memory_bound: u64) -> u32 {
    PEER.with_borrow_mut(|peer| {
        peer.get_or_insert_with(|| {
            std::panic::set_hook(Box::new(|info| send_bytes(panic_message(info).as_bytes())));
            // SAFETY: the constructors run only once, since `PEER` is set only here, and before `Peer::new` reads their
            // registrations.
            unsafe { __wasm_call_ctors() };
            memory::set_bound(memory_bound);
            Peer::new(identity(), Box::new(NoScratch))
        });
    });
    PROTOCOL
}

/// Allocates the buffer for a message of `len` bytes.
pub fn receive(len: usize) -> *mut u8 {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        message.resize(len, 0);
        message.as_mut_ptr()
    })
}

/// Handles the message of `len` bytes in the buffer, and sends the reply.
pub fn handle(len: usize) {
    let message = MESSAGE.take();
    let line = String::from_utf8_lossy(&message[..len.min(message.len())]);
    let reply = PEER.with_borrow_mut(|peer| {
        let peer = peer.as_mut().expect("a host calls benchbook_protocol() first");
        peer.reply(&line)
    });
    send_bytes(reply.as_bytes());
}

/// A browser has no scratch folders.
struct NoScratch;

impl Scratch for NoScratch {
    fn create(&mut self, _slot: u32) -> Option<PathBuf> {
        None
    }
    fn remove(&mut self, _slot: u32) {}
}
