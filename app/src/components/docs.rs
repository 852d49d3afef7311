//! Doc comments: Markdown as nodes, never as HTML. What is HTML in it is shown as the text that it is.

mod block;
mod inline;
#[cfg(test)]
mod tests;

use yew::prelude::*;
use yew::virtual_dom::{VList, VNode, VTag};

/// How deep quotes, lists and marks lie in one another; what is deeper is text. It bounds every recursion over what a
/// suite says of itself.
const MOST_NESTED: usize = 16;

/// What Markdown comes to.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Text(String),
    /// An element by its name in HTML.
    Element(&'static str, Vec<Self>),
    /// An address, whatever its kind, and what leads there.
    Link(String, Vec<Self>),
}

#[derive(PartialEq, Properties)]
pub(crate) struct DocsProps {
    pub(crate) markdown: String,
}

#[component]
pub(crate) fn Docs(props: &DocsProps) -> Html {
    html! { <div class="docs">{ shown(block::read(&props.markdown)) }</div> }
}

fn shown(nodes: Vec<Node>) -> Html {
    VList::with_children(nodes.into_iter().map(node).collect(), None).into()
}

fn node(node: Node) -> VNode {
    let (mut tag, children) = match node {
        Node::Text(text) => return text.into(),
        Node::Element(name, children) => (element(name), children),
        Node::Link(address, children) => (link(address), children),
    };
    tag.add_child(shown(children));
    tag.into()
}

/// The header of a table says that it is one of columns.
fn element(name: &'static str) -> VTag {
    let mut tag = VTag::new(name);
    if name == "th" {
        tag.add_attribute("scope", "col");
    }
    tag
}

/// A link to the web; any other kind of address is no link.
fn link(address: String) -> VTag {
    if !inline::is_web(&address) {
        return VTag::new("span");
    }
    let mut tag = VTag::new("a");
    tag.add_attribute("href", address);
    tag.add_attribute("rel", "noopener noreferrer");
    tag.add_attribute("target", "_blank");
    tag
}
