//! Wasm modules that look like suites and send prepared replies.

use benchbook_contract::protocol::{Samples, SuiteMessage};
use benchbook_host::response::ClockCard;
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, ImportSection, Instruction, MemArg, MemArgTarget, MemorySection, MemoryType, Module,
    TypeSection, ValType,
};

/// A module that sends this reply to every message.
pub fn replying(message: &SuiteMessage) -> Vec<u8> {
    with_replies(&[&json(message)])
}

/// A module with this catalog and a plausible clock. It can be listed but not measured.
pub fn with_catalog(catalog: &SuiteMessage) -> Vec<u8> {
    let request = ClockCard::request();
    let clock = SuiteMessage::Samples(Samples {
        calls: u64::from(request.batches),
        ..Samples::of(&request, vec![5_000.0; request.batches as usize])
    });
    with_replies(&[&json(catalog), &json(&clock)])
}

fn json(message: &SuiteMessage) -> String {
    serde_json::to_string(message).expect("messages have a JSON form")
}

/// The size of an entry in the module's table of texts: an offset and a length.
const ENTRY: i32 = 8;

/// A module that looks like a suite but cannot be instantiated, because its data does not fit its memory.
pub fn not_instantiable() -> Vec<u8> {
    with_texts_at(-1, &["never sent"])
}

/// A module that sends one text per message, in order, and repeats the last one.
pub fn with_replies(texts: &[&str]) -> Vec<u8> {
    with_texts_at(0, texts)
}

/// A module that expects its table and texts at address 0, but writes them to `address`.
fn with_texts_at(address: i32, texts: &[&str]) -> Vec<u8> {
    // The memory contains the table of offsets and lengths, the texts, and the buffer for the host's messages.
    let mut offset = ENTRY as usize * texts.len();
    let (mut table, mut memory) = (Vec::new(), Vec::new());
    for text in texts {
        table.extend((offset as u32).to_le_bytes().into_iter().chain((text.len() as u32).to_le_bytes()));
        memory.extend(text.bytes());
        offset += text.len();
    }
    let room = offset.next_multiple_of(8);
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32, ValType::I32], []);
    types.ty().function([], [ValType::I32]);
    types.ty().function([ValType::I32], [ValType::I32]);
    types.ty().function([ValType::I32], []);
    let mut imports = ImportSection::new();
    imports.import("benchbook", "send", EntityType::Function(0));
    let mut functions = FunctionSection::new();
    functions.function(1).function(2).function(3);
    let mut memories = MemorySection::new();
    let minimum = room as u64 / 65_536 + 16;
    memories.memory(MemoryType { minimum, maximum: None, memory64: false, shared: false, page_size_log2: None });
    let mut globals = GlobalSection::new();
    globals.global(GlobalType { val_type: ValType::I32, mutable: true, shared: false }, &ConstExpr::i32_const(0));
    let mut exports = ExportSection::new();
    exports
        .export("memory", ExportKind::Memory, 0)
        .export("benchbook_protocol", ExportKind::Func, 1)
        .export("benchbook_receive", ExportKind::Func, 2)
        .export("benchbook_handle", ExportKind::Func, 3);
    let mut code = CodeSection::new();
    code.function(&body(&[Instruction::I32Const(1)]));
    code.function(&body(&[Instruction::I32Const(room as i32)]));
    let load = |offset: u64| {
        Instruction::I32Load(MemArg { offset, align: 2, target: MemArgTarget::default(), ordering: None })
    };
    let last = (texts.len() as i32 - 1) * ENTRY;
    code.function(&body(&[
        Instruction::GlobalGet(0),
        load(0),
        Instruction::GlobalGet(0),
        load(4),
        Instruction::Call(0),
        Instruction::GlobalGet(0),
        Instruction::I32Const(last),
        Instruction::I32LtS,
        Instruction::If(BlockType::Empty),
        Instruction::GlobalGet(0),
        Instruction::I32Const(ENTRY),
        Instruction::I32Add,
        Instruction::GlobalSet(0),
        Instruction::End,
    ]));
    let mut data = DataSection::new();
    table.extend(memory);
    data.active(0, &ConstExpr::i32_const(address), table);
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&memories).section(&globals);
    module.section(&exports).section(&code).section(&data);
    module.finish()
}

fn body(instructions: &[Instruction<'_>]) -> Function {
    let mut function = Function::new([]);
    for instruction in instructions {
        function.instruction(instruction);
    }
    function.instruction(&Instruction::End);
    function
}
