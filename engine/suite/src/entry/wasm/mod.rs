//! The entry point of the wasm target: three exports, two imports, no wasm-bindgen.

pub(crate) mod imports;

use std::cell::RefCell;
use std::path::PathBuf;

use benchbook_contract::protocol::PROTOCOL;

use crate::entry::peer::{Peer, Scratch, panicked};
use crate::identity::Identity;
use crate::memory;
use imports::send_bytes;

unsafe extern "C" {
    /// Runs the constructors of the module; the linker makes it, and leaves the calling to us.
    fn __wasm_call_ctors();
}

thread_local! {
    static PEER: RefCell<Option<Peer>> = const { RefCell::new(None) };
    /// Where the host writes a message.
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The version of the protocol; the first call sets the suite up.
pub fn start(identity: Identity, memory_bound: u64) -> u32 {
    PEER.with_borrow_mut(|peer| {
        peer.get_or_insert_with(|| {
            std::panic::set_hook(Box::new(|info| send_bytes(panicked(info).as_bytes())));
            // SAFETY: this is the module's one call of its constructors, before anything looks at what they register:
            // `PEER` is set only here.
            unsafe { __wasm_call_ctors() };
            memory::set_bound(memory_bound);
            Peer::new(identity, Box::new(NoFiles))
        });
    });
    PROTOCOL
}

/// Room for a message of `len` bytes.
pub fn receive(len: usize) -> *mut u8 {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        message.resize(len, 0);
        message.as_mut_ptr()
    })
}

/// Answers the message of `len` bytes that the host wrote.
pub fn handle(len: usize) {
    let message = MESSAGE.take();
    let line = String::from_utf8_lossy(&message[..len.min(message.len())]);
    let answer = PEER.with_borrow_mut(|peer| {
        let peer = peer.as_mut().expect("a host asks for benchbook_protocol() before anything else");
        peer.answer(&line)
    });
    send_bytes(answer.as_bytes());
}

/// A browser has no scratch folders.
struct NoFiles;

impl Scratch for NoFiles {
    fn make(&mut self, _slot: u32) -> Option<PathBuf> {
        None
    }
    fn remove(&mut self, _slot: u32) {}
}
