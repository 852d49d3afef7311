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
        ("One line.", "p⟨One line.⟩"),
        (
            "Two\nlines.\n\nAnother paragraph.\n\n\n   And\n a third.\n",
            "p⟨Two lines.⟩p⟨Another paragraph.⟩p⟨And a third.⟩",
        ),
        ("A break  \nby spaces, one\\\nby a backslash.", "p⟨A breakbr⟨⟩by spaces, onebr⟨⟩by a backslash.⟩"),
        // Headings and rules.
        (
            "# Panics\nAt once.\n\n## Examples ##\n\n#no\n\n####### no\n\n#\n",
            "h3⟨Panics⟩p⟨At once.⟩h4⟨Examples⟩p⟨#no⟩p⟨####### no⟩h3⟨⟩",
        ),
        ("above\n\n---\n\n***\n* * *\n___\n", "p⟨above⟩hr⟨⟩hr⟨⟩hr⟨⟩hr⟨⟩"),
        // Code.
        ("```\nlet a = *b;\n\n    <b>\n```\nafter", "pre⟨let a = *b;⏎⏎    <b>⟩p⟨after⟩"),
        ("Before\n~~~rust\n```\n~~~~~\nafter", "p⟨Before⟩pre⟨```⟩p⟨after⟩"),
        ("- item\n  ```\n  code\n    more\n  ```\n- next", "ul⟨li⟨itempre⟨code⏎  more⟩⟩li⟨next⟩⟩"),
        ("```\nnever closed\n# not a heading", "pre⟨never closed⏎# not a heading⟩"),
        (
            "Text\n\n    indented *code*\n\n      more\n\nText\n    that goes on",
            "p⟨Text⟩pre⟨indented *code*⏎⏎  more⟩p⟨Text that goes on⟩",
        ),
        // Lists.
        ("- one\n- two\n* three\n", "ul⟨li⟨one⟩li⟨two⟩⟩ul⟨li⟨three⟩⟩"),
        ("1. one\n2. two\n\nand\n1) another", "ol⟨li⟨one⟩li⟨two⟩⟩p⟨and⟩ol⟨li⟨another⟩⟩"),
        ("- one\n\n- loose\n", "ul⟨li⟨p⟨one⟩⟩li⟨p⟨loose⟩⟩⟩"),
        (
            "- one\n  goes on\nand on\n  - nested\n    1. deeper\n- two\n\n  second paragraph\n\nafter",
            "ul⟨li⟨p⟨one goes on and on⟩ul⟨li⟨nestedol⟨li⟨deeper⟩⟩⟩⟩⟩li⟨p⟨two⟩p⟨second paragraph⟩⟩⟩p⟨after⟩",
        ),
        ("In\n1986. it was.\n- a list\n1. a number", "p⟨In 1986. it was.⟩ul⟨li⟨a list⟩⟩ol⟨li⟨a number⟩⟩"),
        ("-\n- after an empty one", "ul⟨li⟨⟩li⟨after an empty one⟩⟩"),
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
        (
            "n | time\n--- | ---\n1 | 2\nstill | there\n\n| no | table |\n| - |",
            "table⟨tr⟨th⟨n⟩th⟨time⟩⟩tr⟨td⟨1⟩td⟨2⟩⟩tr⟨td⟨still⟩td⟨there⟩⟩⟩p⟨| no | table | | - |⟩",
        ),
        ("Before:\n| a |\n|---|\n| b | too many |", "p⟨Before:⟩table⟨tr⟨th⟨a⟩⟩tr⟨td⟨b⟩⟩⟩"),
        // Marks.
        (
            "*em* _em_ **strong** __strong__ ***both*** ~~gone~~ ~gone~",
            "p⟨em⟨em⟩ em⟨em⟩ strong⟨strong⟩ strong⟨strong⟩ em⟨strong⟨both⟩⟩ s⟨gone⟩ s⟨gone⟩⟩",
        ),
        (
            "**strong *and em* in it**, *em **and strong** in it*, ***both** em*",
            "p⟨strong⟨strong em⟨and em⟩ in it⟩, em⟨em strong⟨and strong⟩ in it⟩, em⟨strong⟨both⟩ em⟩⟩",
        ),
        (
            "2 * 3 * 4, a*b*c, snake_case_name, _a_b_, **not closed, * not opened*",
            "p⟨2 * 3 * 4, aem⟨b⟩c, snake_case_name, em⟨a_b⟩, *em⟨not closed, * not opened⟩⟩",
        ),
        ("(*a*), *a*, **a**: _a_!", "p⟨(em⟨a⟩), em⟨a⟩, strong⟨a⟩: em⟨a⟩!⟩"),
        (
            "*a `*` b*, ``a ` b``, ` `` `, `a\nb`, `not closed",
            "p⟨em⟨a code⟨*⟩ b⟩, code⟨a ` b⟩, code⟨``⟩, code⟨a b⟩, `not closed⟩",
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
        (
            "[not a link], [0, 1), *[0, 1)*, vec![1, 2], a[0](1",
            "p⟨[not a link], [0, 1), em⟨[0, 1)⟩, vec![1, 2], a[0](1⟩",
        ),
        ("[a [b](https://b.example) c](https://c.example)", "p⟨[a https://b.example⟨b⟩ c](https://c.example)⟩"),
        // Escapes and entities.
        ("\\*a\\* \\[b\\] \\`c\\` \\a \\\\ 1\\. and `\\`", "p⟨*a* [b] `c` \\a \\ 1. and code⟨\\⟩⟩"),
        ("a &lt; b &amp;&amp; c &gt; d & e; &quot;&nbsp;", "p⟨a < b && c > d & e; \"\u{a0}⟩"),
        ("- <b>bold</b> is text, `<i>` is code", "ul⟨li⟨bold is text, code⟨<i>⟩ is code⟩⟩"),
        // Images are links.
        ("![alt](https://example.org/a.png)", "p⟨https://example.org/a.png⟨alt⟩⟩"),
        // Intra-doc links are text.
        ("[`Vec`], [`Vec::len`][], a[`i`", "p⟨code⟨Vec⟩, code⟨Vec::len⟩, a[code⟨i⟩⟩"),
        ("*[`a`]*, [[`b`]]", "p⟨em⟨code⟨a⟩⟩, [code⟨b⟩]⟩"),
        (
            "[`a` b], [a `b`], [`c`][unknown], [`d`](not one)",
            "p⟨[code⟨a⟩ b], [a code⟨b⟩], [code⟨c⟩][unknown], code⟨d⟩(not one)⟩",
        ),
        // The rest of CommonMark.
        ("Title\n=====", "h3⟨Title⟩"),
        ("&copy; &#42; &unknown;", "p⟨© * &unknown;⟩"),
        ("****a****", "p⟨strong⟨strong⟨a⟩⟩⟩"),
        ("\tcode", "pre⟨code⟩"),
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
        "|a".repeat(2_000) + "\n" + &"|-".repeat(2_000) + "\n" + &"|b|\n".repeat(2_000),
    ] {
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
