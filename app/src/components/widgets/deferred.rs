//! Defers rendering of cells outside the window: of a notebook's hundred cells, the user sees one or two.

use std::rc::Rc;

use gloo::events::EventListener;
use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};
use yew::prelude::*;

use crate::effects::browser::idle::{IdleTask, when_idle};
use crate::effects::browser::own_frame::{FrameTask, in_own_frame};

/// How far below and above the window an element counts as near, relative to the window's height: far enough that it is drawn before
/// the user scrolls there.
const NEAR: &str = "150% 0px";

/// How to render an element that may be far from the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Deferral {
    /// Whether to render its content.
    pub(crate) has_content: bool,
    /// Whether it is near the window, so that its content is laid out.
    pub(crate) is_near: bool,
}

/// Renders the content of an element when it is wanted or near the window, and otherwise when the page is printed, or as soon as
/// the browser is idle. Once rendered, it remains: search in the page and screen readers need it. `is_final`: whether the content is
/// not about to change; until then, an idle browser does not render it.
#[hook]
pub(crate) fn use_deferred(element: &NodeRef, is_wanted: bool, is_final: bool) -> Deferral {
    let (is_due, is_near) = (use_state_eq(|| is_wanted), use_state_eq(|| false));
    // The last rendered state, for the observer.
    let rendered = use_mut_ref(|| Deferral { has_content: is_wanted, is_near: false });
    {
        let (element, set_due, set_near) = (element.clone(), is_due.setter(), is_near.setter());
        let rendered = Rc::clone(&rendered);
        use_effect_with((), move |()| {
            let observer = element.cast::<Element>().and_then(|element| {
                NearObserver::new(&element, move |is_near| {
                    let (set_due, set_near, rendered) = (set_due.clone(), set_near.clone(), *rendered.borrow());
                    // Rendering and layout take a frame each.
                    let content = (is_near && !rendered.has_content).then(|| in_own_frame(move || set_due.set(true)));
                    let layout = (is_near != rendered.is_near).then(|| in_own_frame(move || set_near.set(is_near)));
                    content.into_iter().chain(layout).collect()
                })
            });
            move || drop(observer)
        });
    }
    let has_content = is_wanted || *is_due || *is_near;
    let set = is_due.setter();
    use_effect_with((has_content, is_final), move |(has_content, is_final)| {
        let triggers = if *has_content {
            // The content remains after `is_wanted` becomes false.
            set.set(true);
            None
        } else {
            Some(Triggers::new(*is_final, move || set.set(true)))
        };
        move || drop(triggers)
    });
    let deferral = Deferral { has_content, is_near: *is_near };
    rendered.replace(deferral);
    deferral
}

/// The events that end the delay. Dropping it cancels them.
struct Triggers {
    _idle: Option<IdleTask>,
    _print: Option<EventListener>,
}

impl Triggers {
    fn new(is_final: bool, act: impl Fn() + Clone + 'static) -> Self {
        let idle = is_final.then(|| when_idle(act.clone()));
        let print = web_sys::window().map(|window| EventListener::new(&window, "beforeprint", move |_| act()));
        Self { _idle: idle, _print: print }
    }
}

/// Observes whether an element is near the window.
struct NearObserver {
    observer: IntersectionObserver,
    _callback: Closure<dyn FnMut(Array)>,
}

impl NearObserver {
    /// `act` returns the tasks for a change. The next change cancels them.
    fn new(element: &Element, act: impl Fn(bool) -> Vec<FrameTask> + 'static) -> Option<Self> {
        let mut tasks = Vec::new();
        let callback = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            let is_near = |entry| IntersectionObserverEntry::unchecked_from_js(entry).is_intersecting();
            if let Some(last) = entries.iter().last() {
                // Cancels the previous tasks before `act` queues new ones.
                tasks.clear();
                tasks = act(is_near(last));
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(NEAR);
        let observer = IntersectionObserver::new_with_options(callback.as_ref().unchecked_ref(), &options).ok()?;
        observer.observe(element);
        Some(Self { observer, _callback: callback })
    }
}

impl Drop for NearObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
