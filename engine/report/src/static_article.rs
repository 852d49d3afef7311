//! An article as plain HTML, for readers and search engines without scripts: the texts, the answers, the rankings, and their quality.

use std::ops::Range;

use benchbook_host::messages::quality_report::{Badge, QualityReport};
use benchbook_notebook::cell::{Cell, CellContent};
use benchbook_notebook::notebook::Notebook;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser, Tag, html::push_html};

use crate::export::markdown;
use crate::quality::quality_reports;
use crate::ranking::MachineRanking;
use crate::results::Results;

/// The start and the end of a text for browsers without scripts.
const NOSCRIPT: [&str; 2] = ["<noscript>", "</noscript>"];

/// The start and the end of the title. [`insert`] adds the same title for previews of links.
const TITLE: [&str; 2] = ["<title>", "</title>"];

/// Hides what the page shows until its program starts, and formats the article.
const STYLE: &str = "header, nav, .note > :not(noscript) { display: none } .shell { display: block } \
                     .note article h1 { font-size: 1.8em } .note article p { margin: 0.6em 0; color: inherit } \
                     article :is(th, td) { padding-right: 12px; text-align: left }";

/// Puts the article into Benchbook's page, in place of the note that scripts are required, or of another article. `None` if the page has neither.
pub fn insert(page: &str, notebook: &Notebook) -> Option<String> {
    let note = note(page)?;
    let title = html! { (notebook.shown_title()) }.into_string();
    let head = format!("<title>{title} · Benchbook</title>{}", preview(&title));
    let before = match title_in(page).filter(|old| old.end <= note.start) {
        Some(old) => format!("{}{head}{}", &page[..old.start], &page[old.end..note.start]),
        None => page[..note.start].to_owned(),
    };
    let (article, after) = (article(notebook).into_string(), &page[note.end..]);
    let [start, end] = NOSCRIPT;
    Some(format!("{before}{start}<style>{STYLE}</style>{article}{end}{after}"))
}

/// The note that scripts are required, or the article.
fn note(page: &str) -> Option<Range<usize>> {
    let [start, end] = NOSCRIPT;
    let all = page.match_indices(start).filter_map(|(at, _)| {
        let length = page[at..].find(end)? + end.len();
        Some(at..at + length)
    });
    let mut notes = all.filter(|range| {
        let text = &page[range.start + start.len()..range.end];
        text.starts_with("<p>") || text.contains("<article>")
    });
    notes.next()
}

/// The title of the page, with that for previews if there is one.
fn title_in(page: &str) -> Option<Range<usize>> {
    let [start, end] = TITLE;
    let from = page.find(start)?;
    let title_end = from + page[from..].find(end)?;
    let title = page[from + start.len()..title_end].trim_end_matches(" · Benchbook");
    let title_end = title_end + end.len();
    let preview = preview(title);
    let length = if page[title_end..].starts_with(&preview) { preview.len() } else { 0 };
    Some(from..title_end + length)
}

/// The title for previews of links. `title`: as HTML.
fn preview(title: &str) -> String {
    format!("\n    <meta property=\"og:title\" content=\"{title}\" />")
}

fn article(notebook: &Notebook) -> Markup {
    html! {
        article {
            // Many notebooks begin with their title.
            @if notebook.cells.first().is_none_or(|cell| cell.name() != notebook.title) { h1 { (notebook.shown_title()) } }
            @for cell in &notebook.cells { (cell_html(cell)) }
            p { "With scripts, this page shows the curves, and you can measure on your own machine." }
        }
    }
}

fn cell_html(cell: &Cell) -> Markup {
    let measurement = match &cell.content {
        CellContent::Text(text) => return rendered(text),
        CellContent::Measurement(measurement) => measurement,
    };
    let results = Results::of(measurement);
    let shown = results.shown();
    let view = &measurement.setup.view;
    let table = markdown(&shown, &MachineRanking::all(&shown), view.margin.ratio(), view.ranked_at.as_deref());
    html! {
        section {
            h2 { (cell.name()) }
            @if results.is_empty() { p { "Not measured yet." } } @else { (rendered(&table)) }
            @for (machine, QualityReport { badge, line, .. }) in quality_reports(&shown) {
                @if badge != Badge::Good { p { (machine) ": " (badge.label()) ": " (line) } }
            }
        }
    }
}

/// Markdown as HTML. The notebook may be someone else's: raw HTML is omitted, as on the page, links lead only to the web, and images are not loaded.
fn rendered(text: &str) -> Markup {
    let is_web = |address: &str| address.starts_with("https://") || address.starts_with("http://");
    let events = Parser::new_ext(text, Options::ENABLE_TABLES);
    let safe =
        events.filter(|event| !matches!(event, Event::Html(_) | Event::InlineHtml(_))).map(|event| match event {
            Event::Start(Tag::Link { dest_url, link_type, title, id }) => {
                let dest_url = if is_web(&dest_url) { dest_url } else { "#".into() };
                Event::Start(Tag::Link { dest_url, link_type, title, id })
            }
            Event::Start(Tag::Image { link_type, title, id, .. }) => {
                // Images of other hosts would report the reader to them.
                Event::Start(Tag::Image { dest_url: "data:,".into(), link_type, title, id })
            }
            other => other,
        });
    let mut html = String::new();
    push_html(&mut html, safe);
    PreEscaped(html)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use benchbook_notebook::id::Id;

    use super::*;

    fn notebook(text: &str) -> Notebook {
        let content = CellContent::Text(text.to_owned());
        let cell = Cell { id: Id::from_random(1), is_collapsed: false, content };
        Notebook { title: "Sorts & <maps>".to_owned(), cells: vec![Rc::new(cell)] }
    }

    #[test]
    fn the_article_replaces_the_note_about_scripts() {
        let page = "<title>Benchbook</title><p>Loading</p><noscript><p>Enable JavaScript.</p></noscript></main>";
        let written = insert(page, &notebook("A **text**.")).unwrap();
        assert!(
            written.starts_with("<title>Sorts &amp; &lt;maps&gt; · Benchbook</title>\n    <meta property=\"og:title\""),
            "{written}"
        );
        assert!(written.contains("<p>A <strong>text</strong>.</p>") && !written.contains("Enable"), "{written}");
        assert!(written.ends_with("</article></noscript></main>"), "{written}");
        assert_eq!(insert("<p>another page</p>", &notebook("")), None);
        let other = Notebook { title: "Maps".to_owned(), ..notebook("Another text.") };
        let again = insert(&written, &other).unwrap();
        assert_eq!(again, insert(page, &other).unwrap(), "an article replaces another one");
    }

    #[test]
    fn a_text_cannot_insert_html_scripts_or_images() {
        let text = "<script>a</script>\n\nSome <b onclick=x>c</b> [d](javascript:e) ![f](https://example.org/f.png)\n\n</noscript>";
        let html = rendered(text).into_string();
        for forbidden in ["<script", "<b ", "javascript:", "example.org", "</noscript"] {
            assert!(!html.contains(forbidden), "{forbidden}: {html}");
        }
    }
}
