//! What the suite is at, for the message of a panic.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use benchbook_contract::protocol::Stage;

static STAGE: AtomicU8 = AtomicU8::new(0);
/// The slot at work, counted from 1; 0 for none.
static SLOT: AtomicU32 = AtomicU32::new(0);

/// The suite goes over to `stage`.
pub(crate) fn enter(stage: Stage) {
    STAGE.store(stage as u8, Ordering::Relaxed);
}

/// The suite works for `slot`, or for none.
pub(crate) fn work_for(slot: Option<u32>) {
    SLOT.store(slot.map_or(0, |slot| slot + 1), Ordering::Relaxed);
}

/// What the suite is at.
pub(crate) fn current() -> (Stage, Option<u32>) {
    let stage = match STAGE.load(Ordering::Relaxed) {
        stage if stage == Stage::Generator as u8 => Stage::Generator,
        stage if stage == Stage::Function as u8 => Stage::Function,
        stage if stage == Stage::Hook as u8 => Stage::Hook,
        _ => Stage::Request,
    };
    (stage, SLOT.load(Ordering::Relaxed).checked_sub(1))
}
