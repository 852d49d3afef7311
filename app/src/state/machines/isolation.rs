//! Whether the page is isolated, which makes its clock finer.

use benchbook_host::response::ClockCard;
use benchbook_host::units::Nanos;

/// The isolation of the page, and what remains to be done for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isolation {
    /// The page is isolated, or cannot be: the card of the clock says why.
    Settled,
    /// The next load is isolated: the user has interacted with the page before its service worker was ready, so that it did not reload by
    /// itself.
    AfterReload,
}

impl Isolation {
    /// A note on a measurement in this browser; `None` if a reload changes nothing.
    pub(crate) fn note(self, clock: ClockCard) -> Option<String> {
        let steps = Nanos(clock.resolution);
        (self == Self::AfterReload).then(|| {
            format!(
                "Measured with a coarse clock (steps of {steps}). Reload the page for a finer one, then measure again."
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use benchbook_host::units::SPACE;

    #[test]
    fn a_run_before_the_reload_has_a_note() {
        let clock = ClockCard { resolution: 100_000.0, jitter: 0.0, cost: 50.0 };
        let note = Isolation::AfterReload.note(clock).map(|note| note.replace(SPACE, " "));
        assert!(note.is_some_and(|note| note.contains("coarse clock (steps of 100 µs). Reload the page")));
        assert_eq!(Isolation::Settled.note(clock), None);
    }
}
