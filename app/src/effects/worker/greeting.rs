//! The greeting of a suite: its catalog and the clock of its worker.

use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{FailedPart, HostMessage, PROTOCOL, SuiteMessage};
use benchbook_host::response::ClockCard;

/// A suite's response to the greeting.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Greeting {
    /// Its catalog.
    pub(crate) suite: Suite,
    /// The clock of its worker.
    pub(crate) clock: ClockCard,
}

/// The suite's replies to the greeting so far.
#[derive(Default)]
pub(crate) struct GreetingReplies {
    suite: Option<Suite>,
    /// The parts of the program that failed.
    without: Vec<FailedPart>,
    /// Whether the instance failed in such a part, and the next one can do without it.
    can_repeat: bool,
}

impl GreetingReplies {
    /// The messages of the greeting.
    pub(crate) fn messages(&self) -> [HostMessage; 2] {
        [HostMessage::describe(&self.without), HostMessage::Collect(ClockCard::request())]
    }

    /// Handles the end of the instance. Returns whether to greet a new one.
    pub(crate) fn handle_end(&mut self) -> bool {
        std::mem::take(&mut self.can_repeat)
    }

    /// Handles a reply. Returns the greeting with the last one, or the reason why the suite is unusable, as a sentence.
    pub(crate) fn handle(&mut self, reply: SuiteMessage) -> Option<Result<Greeting, String>> {
        match reply {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite } => match suite.check() {
                Ok(()) => {
                    self.suite = Some(suite);
                    None
                }
                Err(reason) => Some(Err(format!("Invalid catalog: {reason}."))),
            },
            SuiteMessage::Catalog { protocol, .. } => Some(Err(format!(
                "The suite uses version {protocol} of the suite contract instead of {PROTOCOL}. Build it with a matching version of benchbook."
            ))),
            SuiteMessage::Samples(samples) => Some(match (self.suite.take(), ClockCard::from_steps(&samples)) {
                (Some(suite), Some(clock)) => Ok(Greeting { suite, clock }),
                (None, _) => Err("The suite sent no catalog.".to_owned()),
                (_, None) => Err("The suite sent no clock samples.".to_owned()),
            }),
            SuiteMessage::Failed(failed) if failed.omit(&mut self.without) => {
                self.can_repeat = true;
                None
            }
            SuiteMessage::Failed(failed) => Some(Err(format!("The suite rejected the request: {}.", failed.reason))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use benchbook_contract::protocol::{Collect, RequestFailure, Samples};

    use super::*;
    use crate::state::tests::suite;

    fn catalog(protocol: u32) -> SuiteMessage {
        SuiteMessage::Catalog { protocol, suite: suite().suite }
    }

    fn steps(elapsed: &[f64]) -> SuiteMessage {
        let request = Collect { calls: 100, ..ClockCard::request() };
        SuiteMessage::Samples(Samples::of(&request, elapsed.to_vec()))
    }

    #[test]
    fn the_greeting_is_complete_with_the_clock() {
        let mut replies = GreetingReplies::default();
        assert_eq!(replies.handle(catalog(PROTOCOL)), None);
        let greeting = replies.handle(steps(&[5_000.0; 3])).expect("it is complete").expect("it is valid");
        assert_eq!((greeting.suite, greeting.clock.resolution), (suite().suite, 5_000.0));
    }

    #[test]
    fn a_new_instance_is_greeted_without_the_parts_that_failed() {
        let mut replies = GreetingReplies::default();
        let failed = |part: &str| {
            SuiteMessage::Failed(RequestFailure {
                reason: "no file".to_owned(),
                part: Some(part.to_owned()),
                ..RequestFailure::default()
            })
        };
        assert!(!replies.handle_end(), "a suite that ends without a report is unusable");
        for (count, part) in [(1, "corpus"), (2, "threads")] {
            assert_eq!((replies.handle(failed(part)), replies.handle_end(), replies.handle_end()), (None, true, false));
            let [HostMessage::Describe { without, .. }, _] = replies.messages() else { panic!("a greeting") };
            assert_eq!((without.len(), without[count - 1].part.as_str()), (count, part));
        }
        let again = replies.handle(failed("corpus")).expect("it ends").expect_err("it is unusable");
        assert!(again.contains("no file"), "{again}");
    }

    #[test]
    fn an_unusable_suite_is_rejected_with_a_reason() {
        let failed = RequestFailure { reason: "no such message".to_owned(), ..RequestFailure::default() };
        let table = [
            (vec![catalog(5)], "uses version 5 of the suite contract instead of 4"),
            (vec![catalog(3)], "uses version 3 of the suite contract instead of 4"),
            (vec![steps(&[5_000.0])], "sent no catalog"),
            (vec![catalog(PROTOCOL), steps(&[0.0])], "sent no clock samples"),
            (vec![SuiteMessage::Failed(failed)], "rejected the request: no such message."),
        ];
        for (messages, expected) in table {
            let mut replies = GreetingReplies::default();
            let outcome = messages.into_iter().filter_map(|message| replies.handle(message)).next();
            let reason = outcome.expect("it ends").expect_err("it is unusable");
            assert!(reason.contains(expected), "{reason}");
        }
    }
}
