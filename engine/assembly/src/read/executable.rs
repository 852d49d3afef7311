//! The functions of an executable, and what its addresses refer to.

use std::collections::BTreeMap;

use iced_x86::{Decoder, DecoderOptions};
use object::read::elf::ElfFile64;
use object::{
    Architecture, Endianness, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationFlags,
    RelocationTarget, SectionFlags, SymbolKind, elf,
};
use rustc_demangle::demangle;

/// The bytes of an entry in the procedure linkage table: psABI for x86-64, section 5.2.
const STUB_BYTES: u64 = 16;

/// Why an executable cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableExecutable {
    /// Another format, or a damaged file.
    #[error("the executable is no ELF file, which is what Linux uses: {0}")]
    Format(#[from] object::Error),
    /// Another processor.
    #[error("the executable is for {0:?}, not for x86-64")]
    Processor(Architecture),
}

/// An ELF file for x86-64.
#[derive(Debug)]
pub struct Executable {
    /// By their addresses. Several functions with the same code may have the same address.
    functions: BTreeMap<u64, Vec<FunctionSymbol>>,
    sections: Vec<Section>,
    /// The addresses that data contain, by where they are.
    pointers: BTreeMap<u64, u64>,
    /// The symbols of other libraries whose addresses the dynamic linker writes, by where it writes them.
    imports: BTreeMap<u64, String>,
}

/// The symbol of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSymbol {
    /// Demangled and without its hash.
    pub name: String,
    /// As in the file.
    pub symbol: String,
    /// The address of its code.
    pub address: u64,
    /// The bytes of its code; 0 if they are unknown.
    pub size: u64,
}

#[derive(Debug)]
struct Section {
    name: String,
    start: u64,
    is_writable: bool,
    /// Empty if it is all zeros.
    data: Vec<u8>,
}

impl Executable {
    /// Reads an executable. Without symbols, it has no functions.
    ///
    /// # Errors
    /// If it is no ELF file for x86-64.
    pub fn read(program: &[u8]) -> Result<Self, UnreadableExecutable> {
        let file = ElfFile64::<Endianness>::parse(program)?;
        if file.architecture() != Architecture::X86_64 {
            return Err(UnreadableExecutable::Processor(file.architecture()));
        }
        let mut functions: BTreeMap<u64, Vec<FunctionSymbol>> = BTreeMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.address() > 0) {
            let (mangled, address) = (symbol.name().unwrap_or_default(), symbol.address());
            let name = format!("{:#}", demangle(mangled));
            let function = FunctionSymbol { name, symbol: mangled.to_owned(), address, size: symbol.size() };
            functions.entry(address).or_default().push(function);
        }
        let sections = file.sections().filter(|section| section.address() > 0).map(|section| Section {
            name: section.name().unwrap_or_default().to_owned(),
            start: section.address(),
            is_writable: matches!(section.flags(), SectionFlags::Elf { sh_flags, .. } if sh_flags.0 & elf::SHF_WRITE.0 != 0),
            data: section.data().unwrap_or_default().to_vec(),
        });
        let sections = sections.collect();
        let (mut pointers, mut imports) = (BTreeMap::new(), BTreeMap::new());
        let dynamic = file.dynamic_symbol_table();
        for (address, relocation) in file.dynamic_relocations().into_iter().flatten() {
            if let RelocationTarget::Symbol(index) = relocation.target() {
                let symbol = dynamic.as_ref().and_then(|table| table.symbol_by_index(index).ok());
                let name = symbol.and_then(|symbol| symbol.name().ok().map(str::to_owned));
                imports.insert(address, name.unwrap_or_default());
            } else if matches!(relocation.flags(), RelocationFlags::Elf { r_type: elf::R_X86_64_RELATIVE }) {
                pointers.insert(address, relocation.addend().cast_unsigned());
            }
        }
        Ok(Self { functions, sections, pointers, imports })
    }

    /// All functions, in the order of their addresses.
    pub fn functions(&self) -> impl Iterator<Item = &FunctionSymbol> {
        self.functions.values().flatten()
    }

    /// The functions that start at an address: several if they have the same code.
    pub fn functions_at(&self, address: u64) -> &[FunctionSymbol] {
        self.functions.get(&address).map_or(&[], Vec::as_slice)
    }

    /// The code of a function; `None` if the file does not contain it.
    pub fn code(&self, function: &FunctionSymbol) -> Option<&[u8]> {
        (function.size > 0).then(|| self.bytes(function.address, function.size))?
    }

    /// The address of the executable itself that data contain at an address.
    pub fn pointer_at(&self, address: u64) -> Option<u64> {
        self.pointers.get(&address).copied()
    }

    /// The symbol of another library whose address the dynamic linker writes at an address.
    pub fn import_at(&self, address: u64) -> Option<&str> {
        self.imports.get(&address).map(String::as_str)
    }

    /// The name of the function that is called by a call to an address: also through a stub of the linker.
    pub fn called_at(&self, address: u64) -> Option<&str> {
        if let Some(function) = self.functions_at(address).last() {
            return Some(&function.name);
        }
        let section = self.section_at(address).filter(|section| section.name.starts_with(".plt"))?;
        let size = STUB_BYTES.min(section.start + section.data.len() as u64 - address);
        let stub = self.bytes(address, size)?;
        let mut instructions = Decoder::with_ip(64, stub, address, DecoderOptions::NONE).into_iter();
        let jump = instructions.find(iced_x86::Instruction::is_jmp_near_indirect)?;
        self.pointed_at(jump.ip_rel_memory_address())
    }

    /// The name of the function whose address data contain at an address.
    pub fn pointed_at(&self, address: u64) -> Option<&str> {
        let own = || Some(self.functions_at(self.pointer_at(address)?).last()?.name.as_str());
        self.import_at(address).or_else(own)
    }

    /// The bytes of a constant; `None` if they may change.
    pub(crate) fn constant(&self, address: u64, size: u64) -> Option<&[u8]> {
        let is_writable = self.section_at(address)?.is_writable;
        let is_relocated = self.pointers.range(address..address.saturating_add(size)).next().is_some();
        (!is_writable && !is_relocated).then(|| self.bytes(address, size))?
    }

    fn bytes(&self, address: u64, size: u64) -> Option<&[u8]> {
        let section = self.section_at(address)?;
        let start = usize::try_from(address - section.start).ok()?;
        section.data.get(start..start.checked_add(usize::try_from(size).ok()?)?)
    }

    /// The section whose data contain an address. Sections of zeros have no data.
    fn section_at(&self, address: u64) -> Option<&Section> {
        let contains = |section: &&Section| {
            address.checked_sub(section.start).is_some_and(|offset| offset < section.data.len() as u64)
        };
        self.sections.iter().find(contains)
    }
}

#[cfg(test)]
impl Executable {
    /// Functions one after the other, from an address on.
    pub(crate) fn of_functions(start: u64, functions: &[(&str, &[u8])]) -> Self {
        let (mut data, mut symbols) = (Vec::new(), BTreeMap::new());
        for (name, code) in functions {
            let (address, size) = (start + data.len() as u64, code.len() as u64);
            let symbol = FunctionSymbol { name: (*name).to_owned(), symbol: (*name).to_owned(), address, size };
            symbols.insert(address, vec![symbol]);
            data.extend_from_slice(code);
        }
        let sections = vec![Section { name: ".text".to_owned(), start, is_writable: false, data }];
        Self { functions: symbols, sections, pointers: BTreeMap::new(), imports: BTreeMap::new() }
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use std::fs;
    use std::hint::black_box;

    use proptest::prelude::*;

    use super::*;
    use crate::listing::Instruction;
    use crate::read::{Program, SourceFiles, SourceLines};

    static POINTER: fn(u32) -> u32 = through_a_pointer;

    #[inline(never)]
    fn outer(value: u32) -> u32 {
        let pointer = *black_box(&POINTER);
        pointer(directly(value))
    }

    #[inline(never)]
    fn directly(value: u32) -> u32 {
        black_box(value)
    }

    #[inline(never)]
    fn through_a_pointer(value: u32) -> u32 {
        black_box(value)
    }

    /// This test program itself.
    fn own() -> Vec<u8> {
        fs::read("/proc/self/exe").unwrap()
    }

    #[test]
    fn calls_have_the_names_of_functions() {
        let executable = Executable::read(&own()).unwrap();
        let is_outer = |symbol: &&FunctionSymbol| symbol.name.ends_with("executable::tests::outer");
        let outer_at = executable.functions().find(is_outer).unwrap().address;
        let listing = executable.program(None).listing(outer_at).unwrap();
        let called: Vec<&str> = listing.instructions.iter().filter_map(|one| one.calls.as_deref()).collect();
        assert!(outer(1) == 1 && called.iter().any(|name| name.ends_with("tests::directly")), "{listing:?}");
    }

    #[test]
    fn calls_and_pointers_are_references() {
        let executable = Executable::read(&own()).unwrap();
        let address = |end: &str| executable.functions().find(|symbol| symbol.name.ends_with(end)).unwrap().address;
        let references = executable.program(None).references(address("executable::tests::outer"));
        let has = |end: &str| references.contains(&address(end));
        assert!(outer(1) == 1 && has("tests::directly") && has("tests::through_a_pointer") && !has("tests::own"));
    }

    #[test]
    fn functions_of_libraries_have_names() {
        let executable = Executable::read(&own()).unwrap();
        let code = executable.program(None);
        let mut listings = code.functions().filter_map(|(_, address)| code.listing(address));
        let calls = |one: &Instruction| one.calls.as_deref() == Some("memcpy");
        assert!(listings.any(|listing| listing.instructions.iter().any(calls)));
    }

    #[test]
    fn other_files_are_rejected() {
        let error = |bytes: &[u8]| Executable::read(bytes).unwrap_err().to_string();
        assert!(error(b"\xcf\xfa\xed\xfe").starts_with("the executable is no ELF file"));
        let mut arm = own();
        // The machine: 183 is AArch64.
        arm[18..20].copy_from_slice(&183_u16.to_le_bytes());
        assert_eq!(error(&arm), "the executable is for Aarch64, not for x86-64");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn damaged_files_never_panic(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..200),
            in_headers in prop::collection::vec((0..1024_usize, any::<u8>()), 0..3),
            end in any::<prop::sample::Index>(),
        ) {
            let mut program = own();
            for (index, byte) in changes {
                let index = index.index(program.len());
                program[index] = byte;
            }
            for (index, byte) in in_headers {
                program[index] = byte;
            }
            if end.index(4) == 0 {
                program.truncate(end.index(program.len()));
            }
            let lines = SourceLines::of_executable(&program, SourceFiles { workspace: "", read: |_| None });
            let Ok(executable) = Executable::read(&program) else { return Ok(()) };
            let code = executable.program(lines.as_ref());
            for (_, address) in code.functions().step_by(500) {
                let _ = code.listing(address);
            }
        }
    }
}
