//! Doc comments: Markdown as nodes, never as HTML. What is HTML in it is shown as the text that it is.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag};
use yew::prelude::*;
use yew::virtual_dom::{VList, VNode, VTag};

#[derive(PartialEq, Properties)]
pub(crate) struct DocsProps {
    pub(crate) markdown: String,
}

#[component]
pub(crate) fn Docs(props: &DocsProps) -> Html {
    html! { <div class="docs">{ render(&props.markdown) }</div> }
}

/// The Markdown as nodes.
fn render(markdown: &str) -> Html {
    // Nodes that are open, with their children so far; the first stands for the whole.
    let mut open: Vec<(Option<VTag>, Vec<VNode>)> = vec![(None, Vec::new())];
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(tag) => open.push((Some(element(&tag)), Vec::new())),
            Event::End(_) => {
                if let Some((Some(mut tag), children)) = open.pop() {
                    tag.add_children(children);
                    add(&mut open, tag.into());
                }
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => add(&mut open, text_node(&text)),
            Event::Code(text) => add(&mut open, html! { <code>{ text.to_string() }</code> }),
            Event::SoftBreak => add(&mut open, text_node(&CowStr::from(" "))),
            Event::HardBreak => add(&mut open, html! { <br /> }),
            Event::Rule => add(&mut open, html! { <hr /> }),
            _ => {}
        }
    }
    let children = open.into_iter().next().map(|(_, children)| children).unwrap_or_default();
    VList::with_children(children, None).into()
}

fn add(open: &mut [(Option<VTag>, Vec<VNode>)], node: VNode) {
    if let Some((_, children)) = open.last_mut() {
        children.push(node);
    }
}

fn text_node(text: &CowStr<'_>) -> VNode {
    html! { { text.to_string() } }
}

fn element(tag: &Tag<'_>) -> VTag {
    let name = match tag {
        Tag::Paragraph => "p",
        // The page has its own first and second headings.
        Tag::Heading { level: HeadingLevel::H1, .. } => "h3",
        Tag::Heading { .. } => "h4",
        Tag::BlockQuote(_) => "blockquote",
        Tag::CodeBlock(_) => "pre",
        Tag::List(Some(_)) => "ol",
        Tag::List(None) => "ul",
        Tag::Item => "li",
        Tag::Emphasis => "em",
        Tag::Strong => "strong",
        Tag::Strikethrough => "s",
        Tag::Table(_) => "table",
        Tag::TableHead | Tag::TableRow => "tr",
        Tag::TableCell => "td",
        Tag::Link { dest_url, .. } => return link(dest_url),
        _ => "span",
    };
    VTag::new(name)
}

/// A link to the web; any other kind of address is no link.
fn link(address: &str) -> VTag {
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return VTag::new("span");
    }
    let mut tag = VTag::new("a");
    tag.add_attribute("href", address.to_owned());
    tag.add_attribute("rel", "noopener noreferrer");
    tag.add_attribute("target", "_blank");
    tag
}
