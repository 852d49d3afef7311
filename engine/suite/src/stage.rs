//! The current stage and slot, for the report of a panic.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use benchbook_contract::protocol::FailureStage;

static STAGE: AtomicU8 = AtomicU8::new(0);
/// The current slot plus 1; 0 for none.
static SLOT: AtomicU32 = AtomicU32::new(0);

/// Sets the current stage.
pub(crate) fn enter(stage: FailureStage) {
    STAGE.store(stage as u8, Ordering::Relaxed);
}

/// Sets the current slot.
pub(crate) fn set_slot(slot: Option<u32>) {
    SLOT.store(slot.map_or(0, |slot| slot + 1), Ordering::Relaxed);
}

/// Returns the current stage and slot.
pub(crate) fn current() -> (FailureStage, Option<u32>) {
    let stage = match STAGE.load(Ordering::Relaxed) {
        stage if stage == FailureStage::Generator as u8 => FailureStage::Generator,
        stage if stage == FailureStage::Function as u8 => FailureStage::Function,
        stage if stage == FailureStage::Hook as u8 => FailureStage::Hook,
        _ => FailureStage::Request,
    };
    (stage, SLOT.load(Ordering::Relaxed).checked_sub(1))
}
