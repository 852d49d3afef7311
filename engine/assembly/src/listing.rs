//! The code of a function.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::names::{is_named, is_named_in};

/// The code of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listing {
    /// The name of the function, demangled and without its hash.
    pub function: String,
    /// What its instructions are for.
    pub format: CodeFormat,
    /// The bytes of its code.
    pub bytes: u64,
    /// In the order of the code.
    pub instructions: Vec<Instruction>,
    /// Its loops, by their first instructions.
    pub loops: Vec<Loop>,
    /// The places in the source; empty if they are unknown. What others were inlined into comes before them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
}

/// What instructions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum CodeFormat {
    /// A processor.
    #[serde(rename = "x86-64")]
    X86,
    /// A browser: lines of the text format.
    #[serde(rename = "wasm")]
    Wasm,
}

/// An instruction, or a line of the text format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Instruction {
    /// The bytes from the start of the function.
    pub offset: u64,
    /// The number of the label before it; absent if no jump leads to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<u32>,
    /// The instruction without addresses.
    pub text: String,
    /// The function whose address it uses, or the value of the constant that it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The function that it calls; absent if it calls none, or through a register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<String>,
    /// What may follow it. For wasm, only calls are marked.
    #[serde(default, skip_serializing_if = "Flow::is_next")]
    pub flow: Flow,
    /// The number of loops that contain it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The index of its place in the source; absent if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// The registers that it uses: those of its operands in their order, then those that it implies. Empty for wasm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub registers: Vec<RegisterUse>,
    /// The address of the function that it calls in the executable, or the offset of its body in the module.
    #[serde(skip)]
    pub callee: Option<u64>,
}

/// What may follow an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Flow {
    /// The next instruction.
    #[default]
    Next,
    /// A function, then the next instruction.
    Call,
    /// A jump.
    Jump,
    /// A jump, or the next instruction.
    Branch,
    /// A jump through a register or a table.
    IndirectJump,
    /// The caller.
    Return,
    /// Nothing: it ends the program.
    Stop,
}

/// A register that an instruction uses.
///
/// In JSON, a string: `rax` is read, `=rax` is written, `~rax` is both; `(` precedes one that the instruction implies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
#[serde(into = "String", try_from = "String")]
pub struct RegisterUse {
    /// The whole register, such as `rax` for `al`.
    pub register: String,
    /// Whether it reads the register.
    pub is_read: bool,
    /// Whether it writes it.
    pub is_written: bool,
    /// Whether the instruction implies it; otherwise it is that of an operand.
    pub is_implied: bool,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loop {
    /// The index of the instruction where the loop is entered, and to which it returns.
    pub first: usize,
    /// The index of its last instruction in the order of the code. Instructions between the two may be outside, and some inside may be before the first.
    pub last: usize,
    /// The number of its instructions.
    pub instructions: usize,
    /// 1 if no other loop contains it, 2 if one does.
    pub depth: u32,
}

/// A line of the source, in a function that may have been inlined.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The function, demangled and without its hash.
    pub function: String,
    /// The file: relative to the workspace, or to the crate.
    pub file: String,
    /// The line, from 1 on; 0 if it is unknown.
    pub line: u32,
    /// The text of the line; absent if the file cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The index of the place that it was inlined into, which is smaller than its own; absent if it was not inlined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inlined_into: Option<usize>,
}

/// Loops in code are not nested deeper.
const MAX_DEPTH: usize = 64;

/// No processor has more registers that instructions name.
const MAX_REGISTERS: usize = 256;

impl Listing {
    /// Adds the places of another listing, if that has the same instructions, apart from addresses. Returns whether it has.
    pub fn add_places(&mut self, other: &Self) -> bool {
        let text = |listing: &Self| -> Vec<_> {
            listing.instructions.iter().map(|one| (one.text.clone(), one.comment.clone(), one.offset)).collect()
        };
        let is_same = text(self) == text(other);
        if is_same {
            self.places.clone_from(&other.places);
            for (own, other) in self.instructions.iter_mut().zip(&other.instructions) {
                own.place = other.place;
            }
        }
        is_same
    }

    /// The number of calls.
    pub fn calls(&self) -> usize {
        self.instructions.iter().filter(|one| one.flow == Flow::Call).count()
    }

    /// Whether its indices and depths are possible. Listings of files may be damaged.
    pub fn is_valid(&self) -> bool {
        let instructions = self.instructions.len();
        let is_place = |place: Option<usize>, end: usize| place.is_none_or(|place| place < end);
        let deepest = self.loops.len().min(MAX_DEPTH);
        let is_instruction =
            |one: &Instruction| one.depth as usize <= deepest && is_place(one.place, self.places.len());
        let registers: HashSet<&String> =
            self.instructions.iter().flat_map(|one| &one.registers).map(|used| &used.register).collect();
        registers.len() <= MAX_REGISTERS
            && self.instructions.iter().all(is_instruction)
            && self.places.iter().enumerate().all(|(index, place)| is_place(place.inlined_into, index))
            && self.loops.iter().all(|one| one.first < instructions && one.last < instructions)
    }

    /// For each place, that in the function with this path which it belongs to: itself, or one that it was inlined into.
    pub(crate) fn places_in(&self, path: &str) -> Vec<Option<&Place>> {
        let mut of: Vec<Option<&Place>> = Vec::with_capacity(self.places.len());
        for place in &self.places {
            let outer = || of.get(place.inlined_into?).copied().flatten();
            of.push(if is_named_in(&self.function, &place.function, path) { Some(place) } else { outer() });
        }
        of
    }

    /// For each instruction, whether it belongs to the function with this path, rather than to the surrounding code. All do if none is known to: without places, and if
    /// the compiler attributed the instructions of a small function to others.
    pub fn belong_to(&self, path: &str) -> Vec<bool> {
        let (is_around, places) = (self.is_around(path), self.places_in(path));
        let belongs = |one: &Instruction| !is_around || one.place.is_some_and(|place| places[place].is_some());
        let belong: Vec<bool> = self.instructions.iter().map(belongs).collect();
        if belong.contains(&true) { belong } else { vec![true; self.instructions.len()] }
    }

    /// Whether this is the code of something else that the function with this path was inlined into.
    pub fn is_around(&self, path: &str) -> bool {
        !is_named(&self.function, path)
    }

    /// The functions that were inlined into the function with this path, by their first instructions; empty without places.
    pub fn inlined_into(&self, path: &str) -> Vec<&str> {
        let (is_around, own) = (self.is_around(path), self.places_in(path));
        // Without the function itself, the outermost place is that of the surrounding code.
        let is_inlined = |index: &usize| {
            let place = &self.places[*index];
            !is_named_in(&self.function, &place.function, path)
                && place.inlined_into.is_some()
                && (!is_around || own[*index].is_some())
        };
        let (mut names, mut seen, mut visited) = (Vec::new(), HashSet::new(), HashSet::new());
        for place in self.instructions.iter().filter_map(|one| one.place) {
            let chain = std::iter::successors(Some(place), |place| self.places[*place].inlined_into);
            let new: Vec<usize> = chain.take_while(|place| visited.insert(*place)).collect();
            for place in new.into_iter().rev().filter(is_inlined).map(|index| &self.places[index]) {
                if !place.function.is_empty() && seen.insert(&place.function) {
                    names.push(place.function.as_str());
                }
            }
        }
        names
    }

    /// For each instruction, the index of the one that it jumps to; `None` if that is in another function.
    pub(crate) fn jumps(&self) -> Vec<Option<usize>> {
        let labelled = self.instructions.iter().enumerate().filter_map(|(index, one)| Some((one.label?, index)));
        let labels: HashMap<u32, usize> = labelled.collect();
        let jump = |one: &Instruction| {
            let is_jump = matches!(one.flow, Flow::Jump | Flow::Branch);
            let (_, label) = one.text.rsplit_once(" .L").filter(|_| is_jump)?;
            labels.get(&label.parse().ok()?).copied()
        };
        self.instructions.iter().map(jump).collect()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

impl Flow {
    /// Whether the next instruction may follow.
    pub fn continues(self) -> bool {
        matches!(self, Self::Next | Self::Call | Self::Branch)
    }

    fn is_next(&self) -> bool {
        *self == Self::Next
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl From<RegisterUse> for String {
    fn from(used: RegisterUse) -> Self {
        let access = match (used.is_read, used.is_written) {
            (true, true) => "~",
            (false, true) => "=",
            _ => "",
        };
        format!("{}{access}{}", if used.is_implied { "(" } else { "" }, used.register)
    }
}

impl TryFrom<String> for RegisterUse {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (is_implied, rest) = text.strip_prefix('(').map_or((false, text.as_str()), |rest| (true, rest));
        let (is_read, is_written, register) = match (rest.strip_prefix('~'), rest.strip_prefix('=')) {
            (Some(register), _) => (true, true, register),
            (_, Some(register)) => (false, true, register),
            _ => (true, false, rest),
        };
        if register.is_empty() || !register.chars().all(|letter| letter.is_ascii_alphanumeric()) {
            return Err("expected the name of a register");
        }
        Ok(Self { register: register.to_owned(), is_read, is_written, is_implied })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(function: &str, inlined_into: Option<usize>) -> Place {
        Place { function: function.to_owned(), file: "a.rs".to_owned(), line: 1, source: None, inlined_into }
    }

    #[test]
    fn impossible_listings_are_not_valid() {
        let listing = |places: Vec<Place>, instruction: Instruction| Listing {
            function: "demo::f".to_owned(),
            format: CodeFormat::Wasm,
            bytes: 0,
            instructions: vec![instruction],
            loops: vec![],
            places,
        };
        let at = |place| Instruction { place: Some(place), ..Instruction::default() };
        let is_valid = |places, instruction| listing(places, instruction).is_valid();
        assert!(is_valid(vec![place("f", None), place("g", Some(0))], at(1)));
        assert!(!is_valid(vec![place("f", Some(0))], at(0)), "inlined into itself");
        assert!(!is_valid(vec![place("f", Some(1)), place("g", None)], at(0)), "inlined into a later one");
        assert!(!is_valid(vec![place("f", None)], at(1)), "no such place");
        assert!(!is_valid(vec![], Instruction { depth: u32::MAX, ..Instruction::default() }), "no such loop");
        let register = |number: usize| RegisterUse::try_from(format!("r{number}")).unwrap();
        let uses = |count| Instruction { registers: (0..count).map(register).collect(), ..Instruction::default() };
        assert!(is_valid(vec![], uses(16)) && !is_valid(vec![], uses(1_000)), "too many registers");
    }

    #[test]
    fn uses_of_registers_are_written_briefly() {
        for text in ["rax", "=rax", "~xmm0", "(rdx", "(=rdx", "(~r8"] {
            let used: RegisterUse = serde_json::from_value(text.into()).unwrap();
            assert_eq!(serde_json::to_value(used).unwrap(), text);
        }
        assert!(RegisterUse::try_from("=".to_owned()).is_err());
    }
}
