//! The machine code of functions: bytes of an executable or of a wasm module in, listings and their differences out. Nothing here does input or output.
//!
//! # Which code
//!
//! With the feature `read`, `Executable` reads ELF files for x86-64, and `WasmModule` reads modules with the names of their functions. A [`Listing`] is
//! the code of one function: instructions without addresses, with labels, loops, the names of what is called, and, from debug information
//! (`SourceLines`), the places in the source. Listings are stored as JSON, and everything else works on them alone.
//!
//! # Which code is measured
//!
//! `measured_code` follows the calls of a function's timed loop. If they lead to the function, that is its code. Otherwise the compiler has inlined it
//! into the loop, or into something that the loop calls; the function may still have a symbol, but the copy there is not what is measured.
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
mod listing;
pub mod names;
#[cfg(feature = "read")]
mod read;
mod registers;
mod shape;
mod steps;
mod table;
mod text;

pub use difference::Difference;
pub use listing::{CodeFormat, Flow, Instruction, Listing, Loop, Place, RegisterUse};
#[cfg(feature = "read")]
pub use read::{
    Executable, FunctionSymbol, MachineCode, Program, SourceFiles, SourceLines, UnreadableExecutable, UnreadableModule,
    WasmModule, called, measured_code, measured_functions, reached,
};
pub use table::{LISTINGS_FORMAT, LISTINGS_SECTION, ListedFunction, ListingTable};
pub use text::{ListingRow, answer, difference_answer, left_out, listing_text, number_of, source_line};
