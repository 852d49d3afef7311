//! The value of a `<select>`.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Returns a reference for a `<select>` that shows `value`. Once the user has chosen an option, the browser ignores the
/// `selected` attributes, so the value is set on the element.
#[hook]
pub(crate) fn use_select_value(value: String) -> NodeRef {
    let select = use_node_ref();
    {
        let select = select.clone();
        use_effect_with(value, move |value| {
            if let Some(select) = select.cast::<HtmlSelectElement>() {
                select.set_value(value);
            }
        });
    }
    select
}
