//! The current stage and slot, for the report of a panic.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use benchbook_contract::protocol::Stage;

static STAGE: AtomicU8 = AtomicU8::new(0);
/// The current slot plus 1; 0 for none.
static SLOT: AtomicU32 = AtomicU32::new(0);

/// Sets the current stage.
pub(crate) fn enter(stage: Stage) {
    STAGE.store(stage as u8, Ordering::Relaxed);
}

/// Sets the current slot.
pub(crate) fn set_slot(slot: Option<u32>) {
    SLOT.store(slot.map_or(0, |slot| slot + 1), Ordering::Relaxed);
}

/// Returns the current stage and slot.
pub(crate) fn current() -> (Stage, Option<u32>) {
    let stage = match STAGE.load(Ordering::Relaxed) {
        stage if stage == Stage::Generator as u8 => Stage::Generator,
        stage if stage == Stage::Function as u8 => Stage::Function,
        stage if stage == Stage::Hook as u8 => Stage::Hook,
        _ => Stage::Request,
    };
    (stage, SLOT.load(Ordering::Relaxed).checked_sub(1))
}
