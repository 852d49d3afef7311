//! The part of a measurement run that the runner measures.

use benchbook_host::quality::Priority;

/// What the runner measures of a run. After each priority in this browser, the runner takes over if it responds and a priority remains for
/// it: after the first one, and again after it was lost or busy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunnerPart {
    next: Option<Priority>,
    was_lost: bool,
    /// When a busy runner can be asked again, in milliseconds since 1970.
    free_at: f64,
}

/// How a request to the runner ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RunnerOutcome {
    /// All points of this priority are complete.
    Done(Priority),
    /// The runner has gone away, and may come back; a sentence.
    Lost(String),
    /// It has no room for the request; a sentence, and the seconds to wait.
    Busy(String, u64),
    /// It rejects the request or cannot finish it; a sentence.
    Failed(String),
}

impl RunnerPart {
    /// All priorities, or none.
    pub(crate) fn new(is_wanted: bool) -> Self {
        Self { next: is_wanted.then_some(Priority::FIRST), was_lost: false, free_at: 0.0 }
    }

    /// The priority that the runner measures next; `None` if it measures none, or is still busy. `now`: in milliseconds since 1970.
    pub(crate) fn next(self, now: f64) -> Option<Priority> {
        self.next.filter(|_| now >= self.free_at)
    }

    /// A request for a priority ended. `now`: in milliseconds since 1970.
    pub(crate) fn end(&mut self, requested: Priority, outcome: &RunnerOutcome, now: f64) {
        if let RunnerOutcome::Busy(_, seconds) = outcome {
            self.free_at = now + 1e3 * *seconds as f64;
        }
        self.was_lost = matches!(outcome, RunnerOutcome::Lost(_));
        self.next = match outcome {
            // A stored response of a higher priority satisfies the request.
            RunnerOutcome::Done(priority) => (*priority).max(requested).next(),
            RunnerOutcome::Lost(_) | RunnerOutcome::Busy(..) => Some(requested),
            RunnerOutcome::Failed(_) => None,
        };
    }

    /// A note when the runner takes over again; `None` if it was not lost.
    pub(crate) fn note_on_return(self) -> Option<String> {
        self.was_lost.then(|| "The runner is back and continues.".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_comes_back_continues_with_the_priority_that_it_lost() {
        let second = Priority::try_from(2).expect("2 is valid");
        let third = second.next();
        let mut part = RunnerPart::new(true);
        assert_eq!((part.next(0.0), part.note_on_return()), (Some(Priority::FIRST), None));
        part.end(Priority::FIRST, &RunnerOutcome::Done(second), 0.0);
        assert_eq!((part.next(0.0), part.note_on_return()), (third, None), "it had stored the second one");
        part.end(second, &RunnerOutcome::Lost("It is gone.".to_owned()), 0.0);
        assert_eq!(part.next(0.0), Some(second));
        assert!(part.note_on_return().is_some_and(|note| note.contains("is back")));
        part.end(second, &RunnerOutcome::Done(second), 0.0);
        assert_eq!((part.next(0.0), part.note_on_return()), (third, None));
        part.end(Priority::LAST, &RunnerOutcome::Done(Priority::LAST), 0.0);
        assert_eq!(part.next(0.0), None, "this browser measures the rest, if the user chose both");
    }

    #[test]
    fn a_busy_runner_is_asked_again_when_it_says_and_was_not_lost() {
        let mut part = RunnerPart::new(true);
        part.end(Priority::FIRST, &RunnerOutcome::Busy("It is busy.".to_owned(), 30), 5_000.0);
        assert_eq!((part.next(34_999.0), part.next(35_000.0)), (None, Some(Priority::FIRST)));
        assert_eq!(part.note_on_return(), None);
    }

    #[test]
    fn a_runner_that_rejects_a_request_measures_no_more_of_the_run() {
        let mut part = RunnerPart::new(true);
        part.end(Priority::FIRST, &RunnerOutcome::Failed("No.".to_owned()), 0.0);
        assert_eq!((part.next(0.0), part.note_on_return()), (None, None));
        assert_eq!(RunnerPart::new(false).next(0.0), None);
    }
}
