//! Spans: the code, marks and links within a paragraph, letter by letter.

use std::collections::BTreeMap;

use super::block::run;
use super::{MOST_NESTED, Node};

/// Addresses of links by their labels, in lower case.
pub(super) type Addresses<'a> = BTreeMap<String, &'a str>;

/// A line such as `[label]: https://example.org`.
pub(super) fn definition(line: &str) -> Option<(String, &str)> {
    let (label, address) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    let address = address.split_whitespace().next()?;
    (!label.is_empty() && !label.contains(['[', ']'])).then(|| (label.to_ascii_lowercase(), address))
}

/// Whether an address is one of the web.
pub(super) fn is_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("http://")
}

/// The nodes of a paragraph's text.
pub(super) fn spans(text: &str, addresses: &Addresses) -> Vec<Node> {
    let mut spans = Spans { text, addresses, plain: String::new(), nodes: Vec::new(), open: Vec::new(), unclosed: 0 };
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        at += spans.take(letter, at);
    }
    spans.flush();
    spans.nodes
}

struct Spans<'a> {
    text: &'a str,
    addresses: &'a Addresses<'a>,
    /// The text since the last node.
    plain: String,
    nodes: Vec<Node>,
    /// What may still be closed. Until it is, it stands in `nodes` as the text that it is otherwise.
    open: Vec<Open>,
    /// By bits: how many backticks are closed nowhere in what follows.
    unclosed: u32,
}

struct Open {
    mark: char,
    /// How often it stands there.
    count: usize,
    /// Its place in `nodes`.
    node: usize,
    /// Where the text after it starts.
    start: usize,
}

impl Spans<'_> {
    /// Takes what stands at `at`, which starts with `letter`; how many bytes that was.
    fn take(&mut self, letter: char, at: usize) -> usize {
        let rest = &self.text[at..];
        let special = match letter {
            '\\' => self.escape(rest),
            '`' => self.code(rest),
            '<' => self.autolink(rest),
            '&' => ENTITIES.iter().find(|(name, _)| rest.starts_with(name)).map(|(name, letter)| {
                self.plain.push_str(letter);
                name.len()
            }),
            '*' | '_' | '~' => self.marks(letter, at),
            '[' => {
                self.open(letter, 1, at + 1);
                Some(1)
            }
            ']' => self.link(at),
            '\n' => Some(self.line_break()),
            _ => None,
        };
        special.unwrap_or_else(|| {
            // A run of marks or backticks that means nothing is passed over as a whole.
            let taken = if matches!(letter, '*' | '_' | '~' | '`') { run(rest, letter) } else { letter.len_utf8() };
            self.plain.push_str(&rest[..taken]);
            taken
        })
    }

    fn flush(&mut self) {
        if !self.plain.is_empty() {
            self.nodes.push(Node::Text(std::mem::take(&mut self.plain)));
        }
    }

    fn push(&mut self, node: Node) {
        self.flush();
        self.nodes.push(node);
    }

    fn escape(&mut self, rest: &str) -> Option<usize> {
        match rest[1..].chars().next()? {
            '\n' => self.push(Node::Element("br", Vec::new())),
            letter if letter.is_ascii_punctuation() => self.plain.push(letter),
            _ => return None,
        }
        Some(2)
    }

    fn line_break(&mut self) -> usize {
        let length = self.plain.trim_end_matches(' ').len();
        let is_hard = self.plain.len() >= length + 2;
        self.plain.truncate(length);
        if is_hard {
            self.push(Node::Element("br", Vec::new()));
        } else {
            self.plain.push(' ');
        }
        1
    }

    /// Code between as many backticks as it starts with.
    fn code(&mut self, rest: &str) -> Option<usize> {
        let ticks = run(rest, '`');
        let bit = 1_u32.checked_shl(ticks as u32).filter(|bit| self.unclosed & bit == 0)?;
        let mut end = ticks;
        loop {
            let Some(found) = rest[end..].find('`') else {
                self.unclosed |= bit;
                return None;
            };
            end += found;
            let closing = run(&rest[end..], '`');
            if closing == ticks {
                break;
            }
            end += closing;
        }
        let code = rest[ticks..end].replace('\n', " ");
        let inner =
            code.strip_prefix(' ').and_then(|code| code.strip_suffix(' ')).filter(|code| !code.trim().is_empty());
        self.push(Node::Element("code", vec![Node::Text(inner.unwrap_or(&code).to_owned())]));
        Some(end + ticks)
    }

    /// An address between `<` and `>`.
    fn autolink(&mut self, rest: &str) -> Option<usize> {
        let address = &rest[1..];
        let end = address.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>')).filter(|_| is_web(address))?;
        let address = address[end..].starts_with('>').then(|| address[..end].to_owned())?;
        self.push(Node::Link(address.clone(), vec![Node::Text(address)]));
        Some(end + 2)
    }

    /// Emphasis as CommonMark has it, but for its rule of three; more marks in a run than mean anything are text.
    fn marks(&mut self, mark: char, at: usize) -> Option<usize> {
        let length = run(&self.text[at..], mark);
        if length > if mark == '~' { 2 } else { 3 } {
            return None;
        }
        let (before, after) = (self.text[..at].chars().next_back(), self.text[at + length..].chars().next());
        let is_space = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
        let is_mark = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_punctuation());
        let leads = !is_space(after) && (!is_mark(after) || is_space(before) || is_mark(before));
        let trails = !is_space(before) && (!is_mark(before) || is_space(after) || is_mark(after));
        let is_free = mark != '_' || !leads || !trails;
        let mut left = length;
        while left > 0 && trails && (is_free || is_mark(after)) && self.close(mark, &mut left) {}
        if left > 0 && leads && (is_free || is_mark(before)) {
            self.open(mark, left, at + length);
        } else {
            self.plain.push_str(&self.text[at..at + left]);
        }
        Some(length)
    }

    /// Closes what was opened last with this mark; whether there was something.
    fn close(&mut self, mark: char, left: &mut usize) -> bool {
        let fits = |open: &Open| open.mark == mark && (mark != '~' || open.count == *left);
        let Some(index) = self.open.iter().rposition(fits) else { return false };
        self.flush();
        let Open { count, node, .. } = self.open[index];
        let used = if mark == '~' { *left } else { count.min(*left).min(2) };
        let children = self.nodes.split_off(node + 1);
        if count > used {
            self.open.truncate(index + 1);
            self.open[index].count -= used;
            self.nodes[node] = Node::Text(mark.to_string().repeat(count - used));
        } else {
            self.open.truncate(index);
            self.nodes.truncate(node);
        }
        let name = match (mark, used) {
            ('~', _) => "s",
            (_, 2) => "strong",
            _ => "em",
        };
        self.nodes.push(Node::Element(name, children));
        *left -= used;
        true
    }

    /// Opens something, unless too much is open already.
    fn open(&mut self, mark: char, count: usize, start: usize) {
        let text = &self.text[start - count..start];
        if self.open.len() >= MOST_NESTED {
            self.plain.push_str(text);
            return;
        }
        self.push(Node::Text(text.to_owned()));
        self.open.push(Open { mark, count, node: self.nodes.len() - 1, start });
    }

    /// The end of a link's text, and where it leads to.
    fn link(&mut self, at: usize) -> Option<usize> {
        let index = self.open.iter().rposition(|open| open.mark == '[')?;
        let Open { node, start, .. } = self.open[index];
        let after = &self.text[at + 1..];
        let text = &self.text[start..at];
        let Some((address, taken)) = self.destination(text, after) else {
            self.open.remove(index);
            return self.item(node, text, after);
        };
        self.flush();
        let children = self.nodes.split_off(node + 1);
        self.nodes.truncate(node);
        self.open.truncate(index);
        // There are no links in links.
        self.open.retain(|open| open.mark != '[');
        self.nodes.push(Node::Link(address, children));
        Some(1 + taken)
    }

    /// Drops the brackets around a lone code span, which in doc comments name an item that rustdoc knows; `node` is the
    /// first of them.
    fn item(&mut self, node: usize, text: &str, after: &str) -> Option<usize> {
        let is_code = text.starts_with('`')
            && self.plain.is_empty()
            && matches!(self.nodes[node + 1..], [Node::Element("code", _)]);
        let rest = after.strip_prefix("[]").unwrap_or(after);
        if !is_code || rest.starts_with(['[', '(']) {
            return None;
        }
        self.nodes.remove(node);
        Some(1 + after.len() - rest.len())
    }

    /// Where the text of a link leads to, and how many bytes of what follows it say so.
    fn destination(&self, text: &str, after: &str) -> Option<(String, usize)> {
        let defined = |label: &str| self.addresses.get(&label.to_ascii_lowercase()).map(|&address| address.to_owned());
        if let Some((address, taken)) = inline_address(after) {
            return Some((address.to_owned(), taken));
        }
        match after.strip_prefix('[').and_then(|after| after.split_once(']')) {
            Some((label, _)) => Some((defined(if label.is_empty() { text } else { label })?, label.len() + 2)),
            None => Some((defined(text)?, 0)),
        }
    }
}

/// An address in parentheses, perhaps with a title, which is not shown.
fn inline_address(after: &str) -> Option<(&str, usize)> {
    let inner = after.strip_prefix('(')?;
    let mut depth = 0;
    let end = inner.find(|letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        // Without a bound on parentheses, links that never end would be read to the end of the text again and again.
        !(0..=8).contains(&depth) || letter.is_whitespace()
    })?;
    let mut rest = inner[end..].trim_start();
    if let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        rest = rest[1..].split_once(quote)?.1.trim_start();
    }
    Some((&inner[..end], after.len() - rest.strip_prefix(')')?.len()))
}

/// Letters that mean something in Markdown or HTML, by their names. All other names are the text that they are.
const ENTITIES: [(&str, &str); 5] =
    [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}")];
