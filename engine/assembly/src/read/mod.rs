//! Reads the code of functions from executables and modules.

mod executable;
mod lines;
mod loops;
mod native;
mod program;
mod text;
mod wasm;

pub use executable::{Executable, FunctionSymbol, UnreadableExecutable};
pub use lines::{SourceFiles, SourceLines};
pub use native::MachineCode;
pub use program::{Program, called, measured_code, measured_functions, reached};
pub use wasm::{UnreadableModule, WasmModule};
