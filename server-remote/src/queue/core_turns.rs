//! The turns on the measuring core: a build is never opened while another one is measured.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lets measurements and the openings of uploaded builds take turns: if both wait, they alternate, so that uploads, even of programs that
/// do not respond, delay each turn of a measurement by one opening at most.
#[derive(Debug, Default)]
pub struct CoreTurns {
    state: Mutex<CoreState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct CoreState {
    is_busy: bool,
    /// The number of openings that wait.
    waiting: usize,
    /// The number of measurements that wait.
    waiting_measurements: usize,
    /// Whether the latest turn was an opening.
    was_opening: bool,
}

/// A turn, which ends when this is dropped.
#[derive(Debug)]
pub struct CoreTurn<'t>(&'t CoreTurns);

impl CoreTurns {
    /// Blocks until a measurement may use the core.
    pub fn measure(&self) -> CoreTurn<'_> {
        let mut state = self.lock();
        state.waiting_measurements += 1;
        let mut state = self.wait(state, |state| state.is_busy || state.waiting > 0 && !state.was_opening);
        state.waiting_measurements -= 1;
        (state.is_busy, state.was_opening) = (true, false);
        CoreTurn(self)
    }

    /// Blocks until a build can be opened.
    pub fn open(&self) -> CoreTurn<'_> {
        let mut state = self.lock();
        state.waiting += 1;
        let mut state = self.wait(state, |state| state.is_busy || state.waiting_measurements > 0 && state.was_opening);
        state.waiting -= 1;
        (state.is_busy, state.was_opening) = (true, true);
        CoreTurn(self)
    }

    /// Whether an opening waits for the end of the current turn.
    pub fn is_awaited(&self) -> bool {
        self.lock().waiting > 0
    }

    fn wait<'t>(
        &self,
        state: MutexGuard<'t, CoreState>,
        must_wait: impl Fn(&CoreState) -> bool,
    ) -> MutexGuard<'t, CoreState> {
        self.changed.wait_while(state, |state| must_wait(state)).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, CoreState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CoreTurn<'_> {
    fn drop(&mut self) {
        self.0.lock().is_busy = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn openings_and_measurements_alternate() {
        let turns = CoreTurns::default();
        let (sender, order) = channel();
        thread::scope(|scope| {
            let current = turns.measure();
            for _ in 0..2 {
                let (turns, opened) = (&turns, sender.clone());
                scope.spawn(move || {
                    let _turn = turns.open();
                    opened.send("opened").expect("the test receives");
                });
            }
            let (waiting, measured) = (&turns, sender.clone());
            scope.spawn(move || {
                let _turn = waiting.measure();
                measured.send("measured").expect("the test receives");
            });
            let all_wait = || {
                let state = turns.lock();
                state.waiting == 2 && state.waiting_measurements == 1
            };
            while !all_wait() {
                thread::yield_now();
            }
            drop(current);
        });
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["opened", "measured", "opened"]);
    }

    #[test]
    fn a_waiting_opening_precedes_the_next_turn_of_a_measurement() {
        let turns = CoreTurns::default();
        let (sender, order) = channel();
        thread::scope(|scope| {
            let current = turns.measure();
            assert!(!turns.is_awaited());
            let (turns, opened) = (&turns, sender.clone());
            scope.spawn(move || {
                let _turn = turns.open();
                opened.send("opened").expect("the test receives");
            });
            while !turns.is_awaited() {
                thread::yield_now();
            }
            drop(current);
            let _next = turns.measure();
            sender.send("measured").expect("the test receives");
        });
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["opened", "measured"]);
        assert!(!turns.is_awaited());
    }
}
