//! The current state, for callbacks that outlive a rendering.

use yew::prelude::*;

use crate::state::State;

/// The current state. All clones see the outcome of each action as soon as it is emitted.
#[derive(Clone)]
pub(crate) struct LatestState(UseReducerHandle<State>);

impl LatestState {
    /// Of the page with this reducer.
    pub(crate) fn new(handle: &UseReducerHandle<State>) -> Self {
        Self(handle.clone())
    }

    /// The current state.
    pub(crate) fn get(&self) -> UseReducerHandle<State> {
        // A handle keeps all states that were read through it, so each reader gets its own.
        self.0.clone()
    }
}
