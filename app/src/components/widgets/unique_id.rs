//! Identifiers of elements, for labels and descriptions.

use std::cell::Cell;
use std::rc::Rc;

use yew::prelude::*;

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

/// An identifier that no other element of the page has: a notebook contains many cells with the same elements.
#[hook]
pub(crate) fn use_unique_id(name: &'static str) -> Rc<str> {
    let id = use_memo((), |()| {
        let number = NEXT.replace(NEXT.get().wrapping_add(1));
        Rc::from(format!("{name}-{number}"))
    });
    Rc::clone(&*id)
}
