//! The machine code of functions: bytes of an executable or of a wasm module in, listings and their differences out. Nothing here does input or output.
//!
//! # Which code
//!
//! [`Executable`] reads ELF files for x86-64, and [`WasmModule`] reads modules with the names of their functions. A [`Listing`] is the code of one
//! function: instructions without addresses, with labels, loops, the names of what is called, and, from debug information
//! ([`SourceLines`]), the places in the source.
//!
//! # Which code is the same
//!
//! [`Difference`] ignores
//! - addresses: distances to other functions and to data, and the numbers of labels. The name of a called function counts, and so does the value of a
//!   constant that an instruction reads.
//! - the choice of registers, where each read finds the value that the other function has in the register of the same operand. A register that an
//!   instruction implies, or that passes an argument or a result, has to be the same one.
//!
//! It doesn't look into data whose address is only passed on, nor into other functions.

mod difference;
mod executable;
mod lines;
mod listing;
mod loops;
mod registers;
mod steps;
mod text;
mod wasm;

pub use difference::Difference;
pub use executable::{Executable, FunctionSymbol, UnreadableExecutable};
pub use lines::{Place, SourceLines};
pub use listing::{CodeFormat, Instruction, Listing};
pub use loops::Loop;
pub use wasm::{UnreadableModule, WasmModule};
