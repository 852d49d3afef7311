//! Names that may continue on the next line after an underscore or a path separator: elsewhere, a break would look like two words.

use yew::prelude::*;

/// A name with places where a narrow screen may break it.
pub(crate) fn breakable(name: &str) -> Html {
    html! { <>{ for parts(name).map(|part| html! { <>{ part.to_owned() }<wbr /></> }) }</> }
}

/// The parts of a name, each with the separator that ends it.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let ends = ["_", "::"].iter().filter_map(|separator| Some(rest.find(separator)? + separator.len()));
        let (part, others) = rest.split_at(ends.min().unwrap_or(rest.len()));
        rest = others;
        (!part.is_empty()).then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn breaks_follow_separators() {
        let text = |name| parts(name).collect::<Vec<_>>().join("|");
        assert_eq!(text("btree_map_get"), "btree_|map_|get");
        assert_eq!(text("demo::sorting::"), "demo::|sorting::");
        assert_eq!(text("sort<u32>"), "sort<u32>");
        assert_eq!(text(""), "");
    }
}
