//! What doc comments use is read as pulldown-cmark reads it, which is too large for the page.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::block::read;
use super::{MOST_NESTED, Node};

/// The nodes as text, with an element's children in brackets.
fn written(nodes: &[Node]) -> String {
    nodes.iter().map(node_written).collect()
}

fn node_written(node: &Node) -> String {
    match node {
        Node::Text(text) => text.replace('\n', "⏎"),
        Node::Element(name, children) => format!("{name}⟨{}⟩", written(children)),
        Node::Link(address, children) => format!("{address}⟨{}⟩", written(children)),
    }
}

/// The same of what pulldown-cmark reads.
fn reference(markdown: &str) -> String {
    let mut text = String::new();
    let mut in_code = false;
    let mut in_head = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::TableCell) => text.push_str(if in_head { "th⟨" } else { "td⟨" }),
            Event::Start(tag) => {
                in_code = matches!(tag, Tag::CodeBlock(_));
                in_head = tag == Tag::TableHead;
                text.push_str(&format!("{}⟨", name(tag)));
            }
            Event::End(tag) => {
                if tag == TagEnd::CodeBlock {
                    in_code = false;
                    text.truncate(text.trim_end_matches('⏎').len());
                }
                text.push('⟩');
            }
            Event::Text(more) if in_code => text.push_str(&more.replace('\n', "⏎")),
            Event::Text(more) | Event::Html(more) | Event::InlineHtml(more) => text.push_str(&more),
            Event::Code(code) => text.push_str(&format!("code⟨{code}⟩")),
            Event::SoftBreak => text.push(' '),
            Event::HardBreak => text.push_str("br⟨⟩"),
            Event::Rule => text.push_str("hr⟨⟩"),
            _ => {}
        }
    }
    text
}

fn name(tag: Tag<'_>) -> CowStr<'_> {
    CowStr::from(match tag {
        Tag::Link { dest_url, .. } => return dest_url,
        Tag::Paragraph => "p",
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
        _ => "span",
    })
}

#[test]
fn what_doc_comments_use_is_read_as_pulldown_cmark_reads_it() {
    let table = [
        // Paragraphs and breaks.
        "",
        "One line.",
        "Two\nlines.\n\nAnother paragraph.\n\n\n   And\n a third.\n",
        "A break  \nby spaces, one\\\nby a backslash.",
        // Headings and rules.
        "# Panics\nAt once.\n\n## Examples ##\n\n#no\n\n####### no\n\n#\n",
        "above\n\n---\n\n***\n* * *\n___\n",
        // Code.
        "```\nlet a = *b;\n\n    <b>\n```\nafter",
        "Before\n~~~rust\n```\n~~~~~\nafter",
        "- item\n  ```\n  code\n    more\n  ```\n- next",
        "```\nnever closed\n# not a heading",
        "Text\n\n    indented *code*\n\n      more\n\nText\n    that goes on",
        // Lists.
        "- one\n- two\n* three\n",
        "1. one\n2. two\n\nand\n1) another",
        "- one\n\n- loose\n",
        "- one\n  goes on\nand on\n  - nested\n    1. deeper\n- two\n\n  second paragraph\n\nafter",
        "In\n1986. it was.\n- a list\n1. a number",
        "-\n- after an empty one",
        // Quotes.
        "> a quote\ngoes on\n>\n> - with a list\n> > and a quote\n\nafter",
        // Tables.
        "| n | time |\n|---|:---:|\n| 1 | `O(1)` |\n| *2* | a \\| b |\n\nafter",
        "n | time\n--- | ---\n1 | 2\nstill | there\n\n| no | table |\n| - |",
        "Before:\n| a |\n|---|\n| b | too many |",
        // Marks.
        "*em* _em_ **strong** __strong__ ***both*** ~~gone~~ ~gone~",
        "**strong *and em* in it**, *em **and strong** in it*, ***both** em*",
        "2 * 3 * 4, a*b*c, snake_case_name, _a_b_, **not closed, * not opened*",
        "(*a*), *a*, **a**: _a_!",
        "*a `*` b*, ``a ` b``, ` `` `, `a\nb`, `not closed",
        // Links.
        "[the book](https://doc.rust-lang.org/book/) and <https://example.org/?a=b>",
        "[a *b* `c`](http://example.org \"a title\"), [no](not one), [x](a(b)c)",
        "[`Vec`], [a][b], [A], [b][], [c][unknown].\n\n[a]: https://a.example\n[`Vec`]: https://vec.example\n[b]: https://b.example 'title'\n",
        "[not a link], [0, 1), *[0, 1)*, vec![1, 2], a[0](1",
        "[a [b](https://b.example) c](https://c.example)",
        // Escapes and entities.
        "\\*a\\* \\[b\\] \\`c\\` \\a \\\\ 1\\. and `\\`",
        "a &lt; b &amp;&amp; c &gt; d & e; &quot;&nbsp;",
        "- <b>bold</b> is text, `<i>` is code",
    ];
    for markdown in table {
        assert_eq!(written(&read(markdown)), reference(markdown), "{markdown}");
    }
}

/// Where they differ, what is shown is still every letter of the text, but for the brackets around the name of an item.
#[test]
fn what_doc_comments_do_not_use_is_text() {
    for (markdown, expected) in [
        ("Title\n=====", "p⟨Title =====⟩"),
        ("![alt](https://example.org/a.png)", "p⟨!https://example.org/a.png⟨alt⟩⟩"),
        ("&copy; &#42; &unknown;", "p⟨&copy; &#42; &unknown;⟩"),
        ("<div>\n*a*\n</div>", "p⟨<div> em⟨a⟩ </div>⟩"),
        ("****a****", "p⟨****a****⟩"),
        ("\tcode", "pre⟨code⟩"),
        ("[`Vec`], [`Vec::len`][], a[`i`", "p⟨code⟨Vec⟩, code⟨Vec::len⟩, a[code⟨i⟩⟩"),
        ("*[`a`]*, [[`b`]]", "p⟨em⟨code⟨a⟩⟩, [code⟨b⟩]⟩"),
        (
            "[`a` b], [a `b`], [`c`][unknown], [`d`](not one)",
            "p⟨[code⟨a⟩ b], [a code⟨b⟩], [code⟨c⟩][unknown], [code⟨d⟩](not one)⟩",
        ),
    ] {
        assert_eq!(written(&read(markdown)), expected, "{markdown}");
    }
}

#[test]
fn html_is_the_text_that_it_is() {
    for html in ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b>c</b> <!-- d --> &lt;e&gt;"] {
        let [Node::Element("p", children)] = &read(html)[..] else { panic!("{html} is no paragraph") };
        let [Node::Text(text)] = &children[..] else { panic!("{html} is no text") };
        assert_eq!(*text, html.replace("&lt;", "<").replace("&gt;", ">"));
    }
}

#[test]
fn only_addresses_of_the_web_lead_somewhere() {
    for (address, name) in [
        ("https://example.org", "a"),
        ("http://example.org", "a"),
        ("javascript:alert(1)", "span"),
        ("data:text/html,x", "span"),
        ("struct.Vec.html", "span"),
        ("//example.org", "span"),
    ] {
        assert_eq!(super::link(address.to_owned()).tag(), name, "{address}");
    }
}

#[test]
fn headers_of_tables_are_those_of_their_columns() {
    for (name, scope) in [("th", Some("col")), ("td", None)] {
        let element = super::element(name);
        assert_eq!(element.attributes.iter().find(|(key, _)| *key == "scope").map(|(_, value)| value), scope, "{name}");
    }
}

/// Far more than anybody writes neither overflows the stack nor takes time by its square, with which this test would
/// take minutes.
#[test]
fn hostile_docs_are_read_to_their_end() {
    const MANY: usize = 30_000;
    let nested: String = (0..300).map(|level| format!("{}- item\n", "  ".repeat(level))).collect();
    let table = format!("| a | b |\n|---|---|\n{}", "| c | d |\n".repeat(10_000));
    for markdown in [
        ">".repeat(MANY),
        "> ".repeat(MANY) + "text",
        "- ".repeat(MANY),
        "1. ".repeat(MANY),
        nested,
        table,
        "|".repeat(MANY) + "\n" + &"|-".repeat(MANY),
        "*a ".repeat(MANY),
        "*a **b ".repeat(MANY),
        "a* ".repeat(MANY),
        "*".repeat(MANY) + "a" + &"*".repeat(MANY),
        "_a_ ~~b~~ ".repeat(MANY),
        "[".repeat(MANY) + &"]".repeat(MANY),
        "[a](b".repeat(MANY),
        "[a](b \"".repeat(MANY),
        "[a][".repeat(MANY),
        "[a]: b\n".repeat(MANY) + &"[a]".repeat(MANY),
        "<https://".repeat(MANY),
        "&".repeat(MANY),
        "\\".repeat(MANY),
        (1..1_000).map(|ticks| "`".repeat(ticks) + " ").collect(),
        "``` \n".repeat(MANY),
        "```\n".to_owned() + &"code\n".repeat(MANY),
        "a\n".repeat(MANY),
        "\n".repeat(MANY),
        "- a\n\n".repeat(MANY),
        "> a\nb\n".repeat(MANY),
    ] {
        let start: String = markdown.chars().take(20).collect();
        assert!(depth(&read(&markdown)) <= 4 * MOST_NESTED, "{start}");
    }
}

fn depth(nodes: &[Node]) -> usize {
    let inner = nodes.iter().map(|node| match node {
        Node::Text(_) => 0,
        Node::Element(_, children) | Node::Link(_, children) => depth(children),
    });
    inner.max().map_or(0, |inner| inner + 1)
}
