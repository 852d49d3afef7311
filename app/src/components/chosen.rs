//! What a select shows.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// A reference for a select that shows `value`, whatever a person chose in it before: from then on the browser does not
/// heed the attributes of its options any more.
#[hook]
pub(super) fn use_chosen(value: String) -> NodeRef {
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
