//! The HTML that shows a cell in a frame of another page, whose height follows the cell.

/// The query that makes the page a frame. A host of files ignores it.
pub(crate) const QUERY: &str = "?embed";

/// The code for the author of another page: the frame, and a script that sets its height to what the frame reports. Without scripts, the
/// frame scrolls.
///
/// * `page`: the address of the page without query and fragment.
/// * `link`: the fragment of the link to the cell.
/// * `name`: the name of the cell.
pub(crate) fn embed_code(page: &str, link: &str, name: &str) -> String {
    let address = escape(&format!("{page}{QUERY}#{link}"));
    let title = escape(&format!("Benchmark: {name}"));
    let frame_name = escape(link);
    // The script is the element after the frame. In WebKitGTK, the source of a message may differ from the frame's `contentWindow`; then its
    // name identifies the frame.
    format!(
        r#"<iframe src="{address}" name="{frame_name}" title="{title}" loading="lazy" style="width: 100%; height: 480px; border: 0" allow="clipboard-write; cross-origin-isolated"></iframe>
<script>
  {{
    const frame = document.currentScript.previousElementSibling;
    addEventListener("message", ({{ source, data }}) => {{
      const sender = [...document.querySelectorAll("iframe")].find(({{ contentWindow }}) => contentWindow === source);
      const isOurs = sender ? sender === frame : data?.benchbookFrame === frame.name;
      const height = data?.benchbookHeight;
      if (isOurs && Number.isFinite(height)) frame.style.height = `${{height}}px`;
    }});
  }}
</script>
"#
    )
}

/// Escapes a text for an attribute.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_cannot_be_broken_by_a_name_or_a_link() {
        let code = embed_code("https://example.org/a/", "site_file=a&cell=1", "\"><script>alert(1)</script>");
        assert_eq!(code.matches("<script>").count(), 1, "{code}");
        assert!(
            code.starts_with(
                r#"<iframe src="https://example.org/a/?embed#site_file=a&amp;cell=1" name="site_file=a&amp;cell=1" title="Benchmark: &quot;&gt;"#
            ),
            "{code}"
        );
    }
}
