//! The current stage, slot and part of the program, for the report of a panic.

use std::any::Any;
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use benchbook_contract::protocol::{FailureStage, RequestFailure};

static STAGE: AtomicU8 = AtomicU8::new(0);
/// The current slot plus 1; 0 for none.
static SLOT: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static PART: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Sets the part of the program whose benchmarks this thread lists, and returns the one before.
pub(crate) fn set_part(part: Option<String>) -> Option<String> {
    PART.replace(part)
}

/// Returns the part of the program whose benchmarks this thread lists.
pub(crate) fn part() -> Option<String> {
    PART.with_borrow(Clone::clone)
}

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

/// Returns the report of a panic.
pub(crate) fn panic_failure(info: &PanicHookInfo<'_>) -> RequestFailure {
    let (stage, slot) = current();
    let reason = payload_text(info.payload()).unwrap_or("a panic without a message").to_owned();
    let (location, part) = (info.location().map(ToString::to_string), part());
    RequestFailure { slot, stage, reason, location, part, skipped: false }
}

/// Returns the text of a panic with a formatted message or a literal. (`payload_as_str` requires rustc 1.91.)
fn payload_text(payload: &dyn Any) -> Option<&str> {
    payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref().copied())
}
