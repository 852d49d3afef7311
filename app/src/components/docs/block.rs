//! Blocks: paragraphs, headings, code, quotes, lists and tables, line by line.
//!
//! As CommonMark has them, with the tables of GitHub, where doc comments use them: ARCHITECTURE.md says why this is our
//! own. Each line is looked at once for each level of nesting, so that a text takes time in proportion to its length.

use std::iter;

use super::inline::{Addresses, definition, spans};
use super::{MOST_NESTED, Node};

/// The blocks of a whole text.
pub(super) fn read(markdown: &str) -> Vec<Node> {
    let markdown = markdown.replace('\t', "    ");
    let lines: Vec<&str> = markdown.lines().collect();
    let mut addresses = Addresses::new();
    for (label, address) in lines.iter().filter_map(|line| definition(line)) {
        addresses.entry(label).or_insert(address);
    }
    blocks(&lines, &addresses, 0)
}

fn blocks(mut lines: &[&str], addresses: &Addresses, depth: usize) -> Vec<Node> {
    let mut nodes = Vec::new();
    while let Some(line) = lines.first() {
        let mark = mark(line).filter(|_| depth < MOST_NESTED);
        let (node, taken) = if is_blank(line) || definition(line).is_some() {
            (None, 1)
        } else if indent(line) >= 4 {
            indented_code(lines)
        } else if let Some(fence) = fence(line) {
            fenced_code(lines, fence)
        } else if let Some((level, title)) = heading(line) {
            (Some(Node::Element(level, spans(title, addresses))), 1)
        } else if is_rule(line) {
            (Some(Node::Element("hr", Vec::new())), 1)
        } else if let Some(inner) = quoted(line).filter(|_| depth < MOST_NESTED) {
            let inner = contained(inner, &lines[1..], &quoted);
            (Some(Node::Element("blockquote", blocks(&inner, addresses, depth + 1))), inner.len())
        } else if let Some(mark) = mark {
            list(lines, &mark, addresses, depth)
        } else if is_table(lines) {
            table(lines, addresses)
        } else {
            paragraph(lines, addresses)
        };
        nodes.extend(node);
        lines = &lines[taken..];
    }
    nodes
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn indent(line: &str) -> usize {
    run(line, ' ')
}

/// How often `mark` stands at the start of the text.
pub(super) fn run(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}

/// Whether a line ends the paragraph before it.
fn interrupts(line: &str) -> bool {
    is_blank(line)
        || indent(line) < 4
            && (fence(line).is_some()
                || heading(line).is_some()
                || is_rule(line)
                || quoted(line).is_some()
                || mark(line).is_some_and(|mark| mark.interrupts))
}

fn indented_code(lines: &[&str]) -> (Option<Node>, usize) {
    let code = lines.iter().take_while(|line| is_blank(line) || indent(line) >= 4);
    let code: Vec<&str> = code.map(|line| line.get(4..).unwrap_or_default()).collect();
    (Some(preformatted(&code)), code.len())
}

/// Three or more backticks or tildes.
fn fence(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let (fence, language) = text.split_at(run(text, mark));
    (fence.len() >= 3 && (mark == '~' || !language.contains('`'))).then_some(fence)
}

/// To the end of the text where no fence closes it.
fn fenced_code(lines: &[&str], fence: &str) -> (Option<Node>, usize) {
    let is_end = |more: &str| more.trim_start_matches(&fence[..1]).is_empty();
    let closes = |line: &&str| line.trim().strip_prefix(fence).is_some_and(is_end);
    let inner = &lines[1..];
    let length = inner.iter().position(closes).unwrap_or(inner.len());
    let margin = indent(lines[0]);
    let code: Vec<&str> = inner[..length].iter().map(|line| &line[indent(line).min(margin)..]).collect();
    (Some(preformatted(&code)), lines.len().min(length + 2))
}

fn preformatted(lines: &[&str]) -> Node {
    Node::Element("pre", vec![Node::Text(lines.join("\n").trim_end().to_owned())])
}

/// The page has its own first and second headings.
fn heading(line: &str) -> Option<(&'static str, &str)> {
    let text = line.trim();
    let level = run(text, '#');
    let title = &text[level..];
    let is_heading = (1..=6).contains(&level) && (title.is_empty() || title.starts_with(' '));
    is_heading.then(|| (if level == 1 { "h3" } else { "h4" }, title.trim_end_matches('#').trim()))
}

fn is_rule(line: &str) -> bool {
    let marks = line.replace(' ', "");
    marks.len() >= 3 && ['*', '-', '_'].into_iter().any(|mark| run(&marks, mark) == marks.len())
}

/// What a line of a quote holds.
fn quoted(line: &str) -> Option<&str> {
    let inner = line.trim_start().strip_prefix('>').filter(|_| indent(line) < 4)?;
    Some(inner.strip_prefix(' ').unwrap_or(inner))
}

/// The first line and those after it that `inner` finds in the same quote or list item. A paragraph in it may go on
/// without the mark.
fn contained<'a>(first: &'a str, lines: &[&'a str], inner: &dyn Fn(&'a str) -> Option<&'a str>) -> Vec<&'a str> {
    let mut taken = vec![first];
    for line in lines {
        match inner(line) {
            Some(line) => taken.push(line),
            None if is_blank(taken[taken.len() - 1]) || interrupts(line) || mark(line).is_some() => break,
            None => taken.push(line.trim_start()),
        }
    }
    taken
}

/// What a list item starts with.
struct Mark {
    /// Items of one list have the same.
    sign: char,
    /// Whether the list is numbered.
    is_number: bool,
    /// Where the item's text starts; its other lines are indented so far.
    offset: usize,
    /// Whether the item ends a paragraph: a number at the start of its line need be none.
    interrupts: bool,
}

fn mark(line: &str) -> Option<Mark> {
    let text = line.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_number = digits > 0;
    let signs: &[char] = if is_number { &['.', ')'] } else { &['-', '*', '+'] };
    let sign = text[digits..].chars().next().filter(|sign| signs.contains(sign) && digits < 10)?;
    let after = &text[digits + 1..];
    let space = indent(after);
    if space == 0 && !after.is_empty() || indent(line) >= 4 || is_rule(line) {
        return None;
    }
    let space = if space == after.len() || space > 4 { 1 } else { space };
    let interrupts = !is_blank(after) && (!is_number || &text[..digits] == "1");
    Some(Mark { sign, is_number, offset: indent(line) + digits + 1 + space, interrupts })
}

fn list(lines: &[&str], first: &Mark, addresses: &Addresses, depth: usize) -> (Option<Node>, usize) {
    let mut items = Vec::new();
    let mut taken = 0;
    while let Some(Mark { offset, .. }) =
        lines.get(taken).and_then(|line| mark(line)).filter(|mark| mark.sign == first.sign)
    {
        let item = contained(lines[taken].get(offset..).unwrap_or_default(), &lines[taken + 1..], &|line| {
            if is_blank(line) { Some("") } else { line.get(offset..).filter(|_| indent(line) >= offset) }
        });
        taken += item.len();
        items.push(blocks(&item, addresses, depth + 1));
    }
    let end = lines[..taken].iter().rposition(|line| !is_blank(line)).unwrap_or_default();
    let is_tight = !lines[..end].iter().any(|line| is_blank(line));
    let items =
        items.into_iter().map(|item| Node::Element("li", if is_tight { without_paragraphs(item) } else { item }));
    (Some(Node::Element(if first.is_number { "ol" } else { "ul" }, items.collect())), taken)
}

fn without_paragraphs(nodes: Vec<Node>) -> Vec<Node> {
    let unwrapped = nodes.into_iter().map(|node| match node {
        Node::Element("p", children) => children,
        node => vec![node],
    });
    unwrapped.flatten().collect()
}

/// Whether a header stands here, and under it a row of dashes with as many cells.
fn is_table(lines: &[&str]) -> bool {
    let [header, dashes, ..] = lines else { return false };
    let is_dashes = |cell: &String| !cell.is_empty() && cell.trim_matches(':').trim_matches('-').is_empty();
    header.contains('|') && dashes.contains('-') && {
        let dashes = cells(dashes);
        dashes.iter().all(is_dashes) && dashes.len() == cells(header).len()
    }
}

fn table(lines: &[&str], addresses: &Addresses) -> (Option<Node>, usize) {
    let width = cells(lines[0]).len();
    let row = |line: &str, name: &'static str| {
        let cells = cells(line).into_iter().take(width);
        Node::Element("tr", cells.map(|cell| Node::Element(name, spans(&cell, addresses))).collect())
    };
    let body = lines[2..].iter().take_while(|line| !interrupts(line));
    let rows: Vec<Node> = iter::once(row(lines[0], "th")).chain(body.map(|line| row(line, "td"))).collect();
    let taken = rows.len() + 1;
    (Some(Node::Element("table", rows)), taken)
}

/// The cells of a row; a bar that belongs to a cell has a backslash before it.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for letter in row.strip_prefix('|').unwrap_or(row).chars() {
        let cell = cells.last_mut().expect("there is a first cell");
        match letter {
            '|' if is_escaped => {
                cell.pop();
                cell.push('|');
            }
            '|' => cells.push(String::new()),
            _ => cell.push(letter),
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    cells.pop_if(|last| last.is_empty());
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn paragraph(lines: &[&str], addresses: &Addresses) -> (Option<Node>, usize) {
    let end = (1..lines.len()).find(|&at| interrupts(lines[at]) || is_table(&lines[at..]));
    let taken = end.unwrap_or(lines.len());
    let text: Vec<&str> = lines[..taken].iter().map(|line| line.trim_start()).collect();
    (Some(Node::Element("p", spans(text.join("\n").trim_end(), addresses))), taken)
}
