//! Writes down what the suite's allocator does during counted calls.
//!
//! The allocator's functions are never inlined, and neither are those that begin and end a counted call. Each event is a row in the pages of the contexts:
//!
//! | offset | |
//! | --- | --- |
//! | 0 | the address of the next event, `i32`; 0 for the last one |
//! | 4 | the operation, `i32` |
//! | 8 | the address of the node of the allocator's function, `i32` |
//! | 12 | its last parameter, which is the size, `i32` |
//! | 16 | the parameter before that one, `i32` |
//! | 20, 24 | its first two parameters, `i32` |
//! | 28 | what it returned, `i32` |

use wasm_encoder::{BlockType, Function, InstructionSink, ValType};

use super::own_items::{Own, OwnItems, at};
use crate::allocations::{AllocationOperation, EVENT, NODE, OLD_SIZE, OPERATION, PARAMETERS, RESULT, SIZE};
use crate::map::CodeMap;

/// What a function has to do with allocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It begins an event.
    Begins(AllocationOperation),
    /// It ends a counted call: later allocations are not of interest.
    EndsCall,
}

impl Role {
    /// The roles of all functions, by their indices.
    pub(super) fn of_all(map: &CodeMap) -> Vec<Option<Self>> {
        let of = |name: &str| match name {
            "benchbook_suite::memory::end_call" => Some(Self::EndsCall),
            name => AllocationOperation::of_function(name).map(Self::Begins),
        };
        map.functions.iter().map(|function| of(map.string(function.name))).collect()
    }

    /// Whether the result of the function is the address of memory.
    pub(super) fn returns_memory(self) -> bool {
        use AllocationOperation::{Allocate, Reallocate};
        matches!(self, Self::Begins(Allocate | Reallocate))
    }

    /// Code at the start of a function with this role. `parameters`: how many it has, all of them of type `i32`. `node`: the local with its node.
    pub(super) fn at_start(self, code: &mut InstructionSink<'_>, own: &OwnItems, parameters: u32, node: u32) {
        let logs = own.global(Own::LogsAllocations);
        match self {
            Self::EndsCall => _ = code.i32_const(0).global_set(logs),
            Self::Begins(operation) => {
                if operation == AllocationOperation::Call {
                    code.i32_const(1).global_set(logs);
                }
                code.i32_const(operation as i32).local_get(node);
                for parameter in [parameters.checked_sub(1), parameters.checked_sub(2), Some(0), Some(1)] {
                    match parameter.filter(|parameter| *parameter < parameters) {
                        Some(parameter) => code.local_get(parameter),
                        None => code.i32_const(0),
                    };
                }
                code.call(own.function(LOG));
            }
        }
    }
}

/// The numbers of the functions below among those of the instrumentation.
const LOG: u32 = 3;
pub(super) const RETURNED: u32 = 4;

/// The number of parameters of [`log`].
pub(super) const LOG_PARAMETERS: u32 = 6;

/// Adds an event. Its parameters: the operation, the node, the size, the old size, and two parameters of the allocator's function.
pub(super) fn log(own: &OwnItems) -> Function {
    let [logs, first, last] = [Own::LogsAllocations, Own::FirstEvent, Own::LastEvent].map(|global| own.global(global));
    let (parameters, event) = (LOG_PARAMETERS, LOG_PARAMETERS);
    let mut function = Function::new([(1, ValType::I32)]);
    let mut code = function.instructions();
    code.global_get(logs).i32_eqz().if_(BlockType::Empty).return_().end();
    code.i32_const(EVENT).call(own.allocate()).local_set(event);
    for (parameter, offset) in (0..parameters).zip([OPERATION, NODE, SIZE, OLD_SIZE, PARAMETERS[0], PARAMETERS[1]]) {
        code.local_get(event).local_get(parameter).i32_store(at(offset));
    }
    code.global_get(last).if_(BlockType::Empty).global_get(last).local_get(event).i32_store(at(0));
    code.else_().local_get(event).global_set(first).end();
    code.local_get(event).global_set(last).end();
    function
}

/// Adds to the last event what the allocator's function has returned.
pub(super) fn returned(own: &OwnItems) -> Function {
    let [logs, last] = [Own::LogsAllocations, Own::LastEvent].map(|global| own.global(global));
    let mut function = Function::new([]);
    let mut code = function.instructions();
    code.global_get(logs).i32_eqz().if_(BlockType::Empty).return_().end();
    code.global_get(last).local_get(0).i32_store(at(RESULT)).end();
    function
}
