//! Renderings of Markdown, and hostile documents.

use super::{MAX_DEPTH, Node, parse, plain_text};

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

#[test]
fn renders_markdown() {
    let table = [
        // Paragraphs and breaks.
        ("", ""),
        (
            "Two\nlines.\n\nAnother paragraph.\n\n\n   And\n a third.\n",
            "p⟨Two lines.⟩p⟨Another paragraph.⟩p⟨And a third.⟩",
        ),
        ("A break  \nby spaces, one\\\nby a backslash.", "p⟨A breakbr⟨⟩by spaces, onebr⟨⟩by a backslash.⟩"),
        ("a &lt; b &amp;&amp; c &gt; d & e; \\*f\\*", "p⟨a < b && c > d & e; *f*⟩"),
        // Headings and rules.
        ("# Panics\nAt once.\n\n## Examples ##\n\n---\n", "h3⟨Panics⟩p⟨At once.⟩h4⟨Examples⟩hr⟨⟩"),
        // Code.
        ("```\nlet a = *b;\n\n    <b>\n```\nafter", "pre⟨let a = *b;⏎⏎    <b>⟩p⟨after⟩"),
        ("- item\n  ```\n  code\n    more\n  ```\n- next", "ul⟨li⟨itempre⟨code⏎  more⟩⟩li⟨next⟩⟩"),
        ("Text\n\n    indented *code*\n\n      more\n\nText", "p⟨Text⟩pre⟨indented *code*⏎⏎  more⟩p⟨Text⟩"),
        // Lists.
        ("1. one\n2. two\n\nand\n1) another", "ol⟨li⟨one⟩li⟨two⟩⟩p⟨and⟩ol⟨li⟨another⟩⟩"),
        (
            "- one\n  goes on\nand on\n  - nested\n    1. deeper\n- two\n\n  second paragraph\n\nafter",
            "ul⟨li⟨p⟨one goes on and on⟩ul⟨li⟨nestedol⟨li⟨deeper⟩⟩⟩⟩⟩li⟨p⟨two⟩p⟨second paragraph⟩⟩⟩p⟨after⟩",
        ),
        // Quotes.
        (
            "> a quote\ngoes on\n>\n> - with a list\n> > and a quote\n\nafter",
            "blockquote⟨p⟨a quote goes on⟩ul⟨li⟨with a list⟩⟩blockquote⟨p⟨and a quote⟩⟩⟩p⟨after⟩",
        ),
        // Tables.
        (
            "| n | time |\n|---|:---:|\n| 1 | `O(1)` |\n| *2* | a \\| b |\n\nafter",
            "table⟨tr⟨th⟨n⟩th⟨time⟩⟩tr⟨td⟨1⟩td⟨code⟨O(1)⟩⟩⟩tr⟨td⟨em⟨2⟩⟩td⟨a | b⟩⟩⟩p⟨after⟩",
        ),
        // Marks.
        (
            "*em* _em_ **strong** __strong__ ***both*** ~~gone~~ ~gone~",
            "p⟨em⟨em⟩ em⟨em⟩ strong⟨strong⟩ strong⟨strong⟩ em⟨strong⟨both⟩⟩ s⟨gone⟩ s⟨gone⟩⟩",
        ),
        // Links.
        (
            "[the book](https://doc.rust-lang.org/book/) and <https://example.org/?a=b>",
            "p⟨https://doc.rust-lang.org/book/⟨the book⟩ and https://example.org/?a=b⟨https://example.org/?a=b⟩⟩",
        ),
        (
            "[a *b* `c`](http://example.org \"a title\"), [no](not one), [x](a(b)c)",
            "p⟨http://example.org⟨a em⟨b⟩ code⟨c⟩⟩, [no](not one), x⟩",
        ),
        (
            "[`Vec`], [a][b], [A], [b][], [c][unknown].\n\n[a]: https://a.example\n[`Vec`]: https://vec.example\n[b]: https://b.example 'title'\n",
            "p⟨https://vec.example⟨code⟨Vec⟩⟩, https://b.example⟨a⟩, https://a.example⟨A⟩, https://b.example⟨b⟩, [c][unknown].⟩",
        ),
        // Images are links.
        ("![alt](https://example.org/a.png)", "p⟨https://example.org/a.png⟨alt⟩⟩"),
        // Intra-doc links are text.
        ("[`Vec`], [`Vec::len`][], a[`i`", "p⟨code⟨Vec⟩, code⟨Vec::len⟩, a[code⟨i⟩⟩"),
        ("*[`a`]*, [[`b`]]", "p⟨em⟨code⟨a⟩⟩, [code⟨b⟩]⟩"),
        (
            "[`a` b], [a `b`], [`c`][unknown], [`d`](not one)",
            "p⟨[code⟨a⟩ b], [a code⟨b⟩], [code⟨c⟩][unknown], code⟨d⟩(not one)⟩",
        ),
    ];
    for (markdown, expected) in table {
        assert_eq!(written(&parse(markdown, 3)), expected, "{markdown}");
    }
}

#[test]
fn drops_raw_html() {
    for (markdown, expected) in [
        ("<script>alert(1)</script>", ""),
        ("<img src=x onerror=alert(1)>", ""),
        ("a <b>c</b> <!-- d --> &lt;e&gt;", "p⟨a c  <e>⟩"),
        ("before\n\n<div>\n*a*\n</div>\n\nafter", "p⟨before⟩p⟨after⟩"),
        ("<div>\n\n*a*\n\n</div>", "p⟨em⟨a⟩⟩"),
    ] {
        assert_eq!(written(&parse(markdown, 3)), expected, "{markdown}");
    }
}

#[test]
fn links_only_to_the_web() {
    for (address, expected) in [
        ("https://example.org", "p⟨https://example.org⟨a⟩⟩"),
        ("http://example.org", "p⟨http://example.org⟨a⟩⟩"),
        ("javascript:alert(1)", "p⟨a⟩"),
        ("data:text/html,x", "p⟨a⟩"),
        ("struct.Vec.html", "p⟨a⟩"),
        ("//example.org", "p⟨a⟩"),
    ] {
        for markdown in [format!("[a]({address})"), format!("![a]({address})"), format!("[a]\n\n[a]: {address}")] {
            assert_eq!(written(&parse(&markdown, 3)), expected, "{markdown}");
        }
    }
    for markdown in ["<javascript:alert(1)>", "<user@example.org>"] {
        assert!(!written(&parse(markdown, 3)).contains(":alert(1)⟨"), "{markdown}");
        assert!(
            !matches!(&parse(markdown, 3)[..], [Node::Element(_, children)] if matches!(children[..], [Node::Link(..)]))
        );
    }
    let link = super::link("https://example.org".to_owned());
    let attribute = |name: &str| link.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    assert_eq!(link.tag(), "a");
    assert_eq!(attribute("href"), Some("https://example.org"));
    assert_eq!((attribute("rel"), attribute("target")), (Some("noopener noreferrer"), Some("_blank")));
}

#[test]
fn table_headers_have_a_scope() {
    for (name, scope) in [("th", Some("col")), ("td", None)] {
        let element = super::element(name);
        assert_eq!(element.attributes.iter().find(|(key, _)| *key == "scope").map(|(_, value)| value), scope, "{name}");
    }
}

#[test]
fn blocks_follow_the_direction_of_their_text_and_code_does_not() {
    let markdown = "# A\n\npar `code`\n\n- item\n\n1. item\n\n| a |\n|---|\n| b |\n\n```\ncode\n```\n\n*em*";
    fn names(nodes: &[Node], all: &mut Vec<&'static str>) {
        for node in nodes {
            if let Node::Element(name, children) = node {
                all.push(name);
                names(children, all);
            }
        }
    }
    let mut all = Vec::new();
    names(&parse(markdown, 3), &mut all);
    for name in all {
        let element = super::element(name);
        let direction = element.attributes.iter().find(|(key, _)| *key == "dir").map(|(_, value)| value);
        let expected = match name {
            "code" | "pre" => Some("ltr"),
            "em" | "table" | "tr" => None,
            _ => Some("auto"),
        };
        assert_eq!(direction, expected, "{name}");
    }
}

#[test]
fn deep_text_remains() {
    let markdown = "> ".repeat(2_000) + "deep *text*\n\n```\nnever closed <i>";
    let text = written(&parse(&markdown, 3));
    assert!(text.contains("deep") && text.contains("text") && text.contains("pre⟨never closed <i>⟩"), "{text}");
}

/// Hostile documents neither overflow the stack nor take quadratic time, in which this test would take minutes.
#[test]
fn parses_hostile_documents() {
    const MANY: usize = 30_000;
    let nested: String = (0..300).map(|level| format!("{}- item\n", "  ".repeat(level))).collect();
    let table = format!("| a | b |\n|---|---|\n{}", "| c | d |\n".repeat(10_000));
    let repeated = [
        ">", "- ", "1. ", "*a ", "*a **b ", "a* ", "[a](b", "[a](b \"", "[a][", "&", "\\", "``` \n", "a\n", "\n",
        "- a\n\n", "> a\nb\n",
    ];
    let mixed = [
        "> ".repeat(MANY) + "text",
        "_a_ ~~b~~ ".repeat(MANY),
        "<https://".repeat(MANY),
        nested,
        table,
        "|".repeat(MANY) + "\n" + &"|-".repeat(MANY),
        "*".repeat(MANY) + "a" + &"*".repeat(MANY),
        "[".repeat(MANY) + &"]".repeat(MANY),
        "[a]: b\n".repeat(MANY) + &"[a]".repeat(MANY),
        (1..1_000).map(|ticks| "`".repeat(ticks) + " ").collect(),
        "```\n".to_owned() + &"code\n".repeat(MANY),
        "|a".repeat(2_000) + "\n" + &"|-".repeat(2_000) + "\n" + &"|b|\n".repeat(2_000),
    ];
    for markdown in repeated.map(|part| part.repeat(MANY)).into_iter().chain(mixed) {
        let start: String = markdown.chars().take(20).collect();
        // A code span or line break can be one level deeper.
        assert!(depth(&parse(&markdown, 3)) <= MAX_DEPTH + 1, "{start}");
    }
}

fn depth(nodes: &[Node]) -> usize {
    let depths = nodes.iter().map(|node| match node {
        Node::Text(_) => 0,
        Node::Element(_, children) | Node::Link(_, children) => 1 + depth(children),
    });
    depths.max().unwrap_or_default()
}

#[test]
fn a_line_is_shown_without_marks() {
    for (line, expected) in [
        ("Sorts *in place*, see [`sort`](https://example.org)", "Sorts in place, see sort"),
        ("2 * 3 is 6", "2 * 3 is 6"),
        ("**`a`** & <b>b</b>", "a & b"),
        ("", ""),
    ] {
        assert_eq!(plain_text(line), expected);
    }
}
