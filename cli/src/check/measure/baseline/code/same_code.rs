//! Whether a function has the same native code in two executables.
//!
//! It is, if its instructions are equal, apart from the distances to other functions and to data, and if all those functions and data are
//! equal, too. Functions that end in a panic are not compared, since a measured call does not panic. A call through a pointer could reach
//! any function, so code with one counts as different, unless the pointer is a constant.

use std::collections::BTreeSet;

use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

use benchbook_assembly::names::is_never_reached;

use super::executable::{DataRelocation, LinkedProgram};
use super::import_flow::ImportFlow;
use super::link_map::InputSection;

/// Compares two executables.
#[derive(Debug)]
pub(super) struct CodeComparison<'e> {
    executables: [&'e LinkedProgram; 2],
    /// Whether the initial values of all thread-local variables are the same: code refers to them by their distance from a register.
    is_thread_data_same: bool,
    /// The starts of the sections that were compared.
    compared: BTreeSet<[u64; 2]>,
    /// References that are still to be followed.
    pending: Vec<Reference>,
    /// Whether only instructions are compared, whatever they refer to.
    is_alone: bool,
}

/// The same reference in both executables.
#[derive(Clone, Copy, Debug)]
struct Reference {
    /// The addresses to which it refers.
    to: [u64; 2],
    /// The starts of the functions or data that contain it.
    from: [u64; 2],
}

impl<'e> CodeComparison<'e> {
    pub(super) fn new(executables: [&'e LinkedProgram; 2]) -> Self {
        let [one, other] = executables.map(LinkedProgram::thread_data);
        let is_thread_data_same = one.is_some() && one == other;
        Self { executables, is_thread_data_same, compared: BTreeSet::new(), pending: Vec::new(), is_alone: false }
    }

    /// Whether the functions at two addresses are the same. If this is unknown, they are not.
    pub(super) fn is_same(&mut self, addresses: [u64; 2]) -> bool {
        self.pending = vec![Reference { to: addresses, from: addresses }];
        while let Some(reference) = self.pending.pop() {
            if self.compare(reference).is_none() {
                return false;
            }
        }
        true
    }

    /// Whether the functions at two addresses have the same instructions, whatever those refer to.
    pub(super) fn is_same_alone(&mut self, addresses: [u64; 2]) -> bool {
        self.is_alone = true;
        self.compare(Reference { to: addresses, from: addresses }).is_some()
    }

    /// Compares what a reference refers to; `None` if it differs.
    fn compare(&mut self, Reference { to: [one, other], from }: Reference) -> Option<()> {
        let [first, second] = self.executables;
        let is_code = first.is_code(one);
        if is_code != second.is_code(other) {
            return None;
        }
        let names = [first.name_at(one), second.name_at(other)];
        if is_code && names[0] == names[1] && names[0].is_some_and(is_never_reached) {
            return Some(());
        }
        let (section, same) = (first.map.at(one)?, second.map.at(other)?);
        if section.name.starts_with(".plt") && same.name.starts_with(".plt") {
            return self.compare_import_stub([one, other]);
        }
        if is_code && !(first.is_function(section) && second.is_function(same)) {
            return None;
        }
        if let (Some(length), Some(same_length)) = (entry_length(section), entry_length(same)) {
            return self.compare_entry([one, other], [length, same_length], from);
        }
        let starts = [section.start, same.start];
        if one - starts[0] != other - starts[1] || section.size != same.size {
            return None;
        }
        if !self.compared.insert(starts) {
            return Some(());
        }
        match is_code {
            true => self.compare_code(starts, section.size),
            false => self.compare_data(starts, section.size, from),
        }
    }

    fn compare_code(&mut self, starts: [u64; 2], size: u64) -> Option<()> {
        let bytes = self.bytes(starts, [size, size])?;
        let decoder = |side: usize| Decoder::with_ip(64, &bytes[side], starts[side], DecoderOptions::NONE);
        let (mut one, mut other) = (decoder(0), decoder(1));
        let mut earlier = [Instruction::default(); 2];
        let function: Vec<Instruction> = decoder(0).iter().collect();
        let imports = ImportFlow::of(&function, |instruction| self.is_import(instruction));
        while one.can_decode() {
            let position = one.position();
            let pair = [one.decode(), other.decode()];
            if pair[0].is_invalid() || pair[0].len() != pair[1].len() {
                return None;
            }
            let refers_to_thread = matches!(pair[0].segment_prefix(), Register::FS | Register::GS);
            let is_known = has_known_target(&pair[0], &earlier) || self.is_constant_call(&pair[0], &imports);
            if !self.is_alone && (!is_known || (refers_to_thread && !self.is_thread_data_same)) {
                return None;
            }
            let mut masked = 0..0;
            let constants = one.get_constant_offsets(&pair[0]);
            if pair[0].is_ip_rel_memory_operand() {
                let to = pair.map(|instruction| instruction.ip_rel_memory_address());
                self.pending.push(Reference { to, from: starts });
                masked =
                    constants.displacement_offset()..constants.displacement_offset() + constants.displacement_size();
            } else if pair[0].op0_kind() == OpKind::NearBranch64 {
                let to = pair.map(|instruction| instruction.near_branch_target());
                // Within the function, the distances are the same.
                if to[0].wrapping_sub(starts[0]) >= size {
                    self.pending.push(Reference { to, from: starts });
                    masked = constants.immediate_offset()..constants.immediate_offset() + constants.immediate_size();
                }
            }
            for offset in (0..pair[0].len()).filter(|offset| !masked.contains(offset)) {
                if bytes[0][position + offset] != bytes[1][position + offset] {
                    return None;
                }
            }
            earlier = [earlier[1], pair[0]];
        }
        Some(())
    }

    /// Whether a call or jump through a pointer always has the same target, which an earlier or later comparison of the pointer covers.
    fn is_constant_call(&self, instruction: &Instruction, imports: &ImportFlow) -> bool {
        match instruction.op0_kind() {
            OpKind::Register => imports.is_import(instruction, instruction.op0_register()),
            _ => self.is_import(instruction),
        }
    }

    /// Whether an instruction of the first executable reads an address that the dynamic linker has written.
    fn is_import(&self, instruction: &Instruction) -> bool {
        let slot = self.executables[0].map.at(instruction.ip_rel_memory_address());
        instruction.is_ip_rel_memory_operand() && slot.is_some_and(|slot| slot.name.starts_with(".got"))
    }

    fn compare_data(&mut self, starts: [u64; 2], size: u64, from: [u64; 2]) -> Option<()> {
        let [mut one, mut other] = self.bytes(starts, [size, size])?;
        let mut offset = 0;
        while offset < size {
            let length = self.compare_relocation(starts.map(|start| start + offset), starts, from)?;
            // Zero the bytes that a relocation covers: they were compared as a reference.
            for position in offset..(offset + length).min(size) {
                one[position as usize] = 0;
                other[position as usize] = 0;
            }
            offset += length.max(1);
        }
        (one == other).then_some(())
    }

    /// Compares the relocations at two addresses in data. Returns their length in bytes, 0 without any; `None` if they differ.
    fn compare_relocation(&mut self, [one, other]: [u64; 2], starts: [u64; 2], from: [u64; 2]) -> Option<u64> {
        const ADDRESS: u64 = 8;
        const DIFFERENCE: u64 = 4;
        let [first, second] = self.executables;
        match (first.import_at(one), second.import_at(other)) {
            (None, None) => {}
            (symbol, same) => return (symbol == same).then_some(ADDRESS),
        }
        match (first.relocations.get(&one), second.relocations.get(&other)) {
            (None, None) => Some(0),
            (Some(DataRelocation::Address(target)), Some(DataRelocation::Address(same))) => {
                self.pending.push(Reference { to: [*target, *same], from: starts });
                Some(ADDRESS)
            }
            // A jump table of the function that refers to it: the distance from the start of the table to a place in the function. From the
            // start of the function, it must be the same place.
            (Some(DataRelocation::Difference), Some(DataRelocation::Difference)) => {
                let bytes = self.bytes([one, other], [DIFFERENCE, DIFFERENCE])?;
                let place = |side: usize| {
                    let distance = i32::from_le_bytes(bytes[side].as_slice().try_into().ok()?);
                    let place = starts[side].wrapping_add_signed(i64::from(distance)).wrapping_sub(from[side]);
                    // A table of other addresses, such as those of texts, is not followed.
                    let section = self.executables[side].map.at(from[side])?;
                    (place < section.size).then_some(place)
                };
                (place(0)? == place(1)?).then_some(DIFFERENCE)
            }
            _ => None,
        }
    }

    /// Compares entries of sections that the linker has merged.
    fn compare_entry(&mut self, addresses: [u64; 2], lengths: [EntryLength; 2], from: [u64; 2]) -> Option<()> {
        match lengths {
            [EntryLength::Bytes(length), EntryLength::Bytes(same)] if length == same => {
                self.compare_data(addresses, length, from)
            }
            [EntryLength::Address, EntryLength::Address] => {
                let length = self.compare_relocation(addresses, addresses, from)?;
                // An offset of a thread-local variable has no relocation.
                (length > 0).then_some(())
            }
            [EntryLength::Text, EntryLength::Text] => {
                let text = |side: usize| {
                    let bytes = (addresses[side]..).map_while(|address| self.executables[side].bytes(address, 1));
                    bytes.map(|byte| byte[0]).take_while(|byte| *byte != 0).collect::<Vec<u8>>()
                };
                (text(0) == text(1)).then_some(())
            }
            _ => None,
        }
    }

    /// Compares the stubs through which functions of other libraries are called: each is a jump to an address that the dynamic linker writes.
    fn compare_import_stub(&self, addresses: [u64; 2]) -> Option<()> {
        const LENGTH: u64 = 16;
        let bytes = self.bytes(addresses, [LENGTH, LENGTH])?;
        let import = |side: usize| {
            let mut decoder = Decoder::with_ip(64, &bytes[side], addresses[side], DecoderOptions::NONE);
            let jump = decoder.iter().find(|instruction| instruction.mnemonic() == Mnemonic::Jmp)?;
            self.executables[side].import_at(jump.ip_rel_memory_address())
        };
        (import(0)? == import(1)?).then_some(())
    }

    fn bytes(&self, starts: [u64; 2], sizes: [u64; 2]) -> Option<[Vec<u8>; 2]> {
        Some([self.executables[0].bytes(starts[0], sizes[0])?, self.executables[1].bytes(starts[1], sizes[1])?])
    }
}

/// The length of an entry of a merged section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryLength {
    /// This number of bytes.
    Bytes(u64),
    /// Up to a zero byte.
    Text,
    /// An address that the linker or the dynamic linker writes.
    Address,
}

/// The length of the entries in a section that the linker has merged from those of several object files; `None` for other sections.
fn entry_length(section: &InputSection) -> Option<EntryLength> {
    if !section.is_merged {
        return None;
    }
    if section.name.starts_with(".got") {
        return Some(EntryLength::Address);
    }
    if let Some(length) = section.name.strip_prefix(".rodata.cst") {
        return length.parse().ok().map(EntryLength::Bytes);
    }
    // Texts of bytes. Those of wider characters end with several zero bytes.
    (section.name == ".rodata.str1.1").then_some(EntryLength::Text)
}

/// Whether the target of a branch is known, given the two instructions before it: it is no call or jump through a pointer, except for a jump
/// through a table, which loads a distance and adds it to the start of the table.
fn has_known_target(instruction: &Instruction, [load, add]: &[Instruction; 2]) -> bool {
    match instruction.flow_control() {
        FlowControl::IndirectCall => false,
        FlowControl::IndirectBranch => {
            let register = instruction.op0_register();
            let is_register = register != Register::None && add.op0_register() == register;
            is_register && add.code() == Code::Add_r64_rm64 && load.mnemonic() == Mnemonic::Movsxd
                || is_register && add.code() == Code::Add_rm64_r64 && load.mnemonic() == Mnemonic::Movsxd
        }
        _ => true,
    }
}
