//! Doc comments: Markdown as page elements. Raw HTML is dropped.

#[cfg(test)]
mod tests;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use yew::prelude::*;
use yew::virtual_dom::{VList, VNode, VTag};

/// The most elements nested in one another; deeper ones contribute only their text. The bound protects the browser and
/// every recursion over the elements from a hostile suite.
const MAX_DEPTH: usize = 32;

/// A part of the rendered document.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Text(String),
    /// An element by its HTML name.
    Element(&'static str, Vec<Self>),
    /// A link with an `http` or `https` address.
    Link(String, Vec<Self>),
}

#[derive(PartialEq, Properties)]
pub(crate) struct DocsProps {
    pub(crate) markdown: String,
    /// The level of the first headings on the page.
    #[prop_or(3)]
    pub(crate) heading: u8,
}

#[component]
pub(crate) fn Docs(props: &DocsProps) -> Html {
    html! { <div class="docs">{ html_of(parse(&props.markdown, props.heading)) }</div> }
}

/// The text of a line of Markdown, without its marks.
pub(crate) fn plain_text(line: &str) -> String {
    let text = |event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.into_string()),
        _ => None,
    };
    Parser::new(line).filter_map(text).collect()
}

fn html_of(nodes: Vec<Node>) -> Html {
    VList::with_children(nodes.into_iter().map(vnode).collect(), None).into()
}

fn vnode(node: Node) -> VNode {
    let (mut tag, children) = match node {
        Node::Text(text) => return text.into(),
        Node::Element(name, children) => (element(name), children),
        Node::Link(address, children) => (link(address), children),
    };
    tag.add_child(html_of(children));
    tag.into()
}

fn element(name: &'static str) -> VTag {
    let mut tag = VTag::new(name);
    if name == "th" {
        tag.add_attribute("scope", "col");
    }
    if let Some(direction) = direction(name) {
        tag.add_attribute("dir", direction);
    }
    tag
}

/// The direction of an element's text: blocks follow their first letter, such as a Hebrew or an Arabic one, and code in them does not.
fn direction(name: &str) -> Option<&'static str> {
    match name {
        "p" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "li" | "th" | "td" => Some("auto"),
        "code" | "pre" => Some("ltr"),
        _ => None,
    }
}

fn link(address: String) -> VTag {
    let mut tag = VTag::new("a");
    tag.add_attribute("href", address);
    tag.add_attribute("rel", "noopener noreferrer");
    tag.add_attribute("target", "_blank");
    tag
}

/// `heading`: the level of the first headings on the page.
fn parse(markdown: &str, heading: u8) -> Vec<Node> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut tree = Tree { heading, ..Tree::default() };
    for event in Parser::new_with_broken_link_callback(markdown, options, Some(item_link)) {
        match event {
            Event::Start(tag) => tree.open(&tag),
            Event::End(tag) => tree.close(tag),
            Event::Text(text) => tree.text(&text),
            Event::Code(code) => tree.leaf(Node::Element("code", vec![Node::Text(code.into_string())])),
            Event::SoftBreak => tree.text(" "),
            Event::HardBreak => tree.leaf(Node::Element("br", Vec::new())),
            Event::Rule => tree.leaf(Node::Element("hr", Vec::new())),
            // Raw HTML, and extensions that are not enabled.
            _ => {}
        }
    }
    tree.root
}

/// The name of a heading: HTML has six levels.
fn heading(level: u8) -> &'static str {
    match level {
        ..=2 => "h2",
        3 => "h3",
        4 => "h4",
        5 => "h5",
        6.. => "h6",
    }
}

/// Treats a code span in brackets, such as ``[`Vec`]``, as a link without an address: in doc comments it names an item
/// that only rustdoc can resolve.
fn item_link<'a>(link: BrokenLink<'a>) -> Option<(CowStr<'a>, CowStr<'a>)> {
    let is_item = link.reference.len() > 2 && link.reference.starts_with('`') && link.reference.ends_with('`');
    is_item.then(|| ("".into(), "".into()))
}

/// The document while the parser's events arrive.
#[derive(Default)]
struct Tree {
    root: Vec<Node>,
    /// The open elements, innermost last. `None` adds its children to its parent.
    open: Vec<Option<Node>>,
    /// The number of open elements beyond [`MAX_DEPTH`].
    skipped: usize,
    is_table_head: bool,
    /// The level of the first headings on the page.
    heading: u8,
}

impl Tree {
    fn open(&mut self, tag: &Tag) {
        if self.open.len() >= MAX_DEPTH {
            self.skipped += 1;
            // Separates the words of skipped blocks.
            self.text(" ");
            return;
        }
        if let Tag::TableHead = tag {
            self.is_table_head = true;
        }
        self.open.push(match tag {
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                is_web(dest_url).then(|| Node::Link(dest_url.to_string(), Vec::new()))
            }
            tag => self.name(tag).map(|name| Node::Element(name, Vec::new())),
        });
    }

    /// The HTML name of an element. The page has its own first headings.
    fn name(&self, tag: &Tag) -> Option<&'static str> {
        Some(match tag {
            Tag::Paragraph => "p",
            Tag::Heading { level, .. } => heading(self.heading + *level as u8 - HeadingLevel::H1 as u8),
            Tag::BlockQuote(_) => "blockquote",
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => "pre",
            Tag::List(Some(_)) => "ol",
            Tag::List(None) => "ul",
            Tag::Item => "li",
            Tag::Emphasis => "em",
            Tag::Strong => "strong",
            Tag::Strikethrough => "s",
            Tag::Table(_) => "table",
            Tag::TableHead | Tag::TableRow => "tr",
            Tag::TableCell if self.is_table_head => "th",
            Tag::TableCell => "td",
            _ => return None,
        })
    }

    fn close(&mut self, tag: TagEnd) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        if tag == TagEnd::TableHead {
            self.is_table_head = false;
        }
        if let Some(mut node) = self.open.pop().flatten() {
            if let (TagEnd::CodeBlock, Node::Element(_, children)) = (tag, &mut node)
                && let Some(Node::Text(text)) = children.last_mut()
            {
                text.truncate(text.trim_end().len());
            }
            self.leaf(node);
        }
    }

    /// Adds text, joined with the text before it: the parser splits text at every special character.
    fn text(&mut self, text: &str) {
        let children = self.children();
        match children.last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => children.push(Node::Text(text.to_owned())),
        }
    }

    fn leaf(&mut self, node: Node) {
        self.children().push(node);
    }

    fn children(&mut self) -> &mut Vec<Node> {
        match self.open.iter_mut().rev().find_map(Option::as_mut) {
            Some(Node::Element(_, children) | Node::Link(_, children)) => children,
            Some(Node::Text(_)) | None => &mut self.root,
        }
    }
}

/// Other schemes could run script, and a relative address leads nowhere from this page.
fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}
