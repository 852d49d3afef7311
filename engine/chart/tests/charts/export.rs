//! Charts as SVG images: valid XML with the palette, typeface and texts of the chart.

use benchbook_chart::{AxisScale, Chart, Font, Palette, css, svg};
use proptest::prelude::*;
use roxmltree::{Document, Node};

use super::fixtures::{categories, compared, curves};

const SIZE: (u32, u32) = (720, 320);

/// The texts of an image.
///
/// # Panics
/// If the image is not a valid SVG of this size.
fn texts_of(image: &str) -> Vec<String> {
    let document = Document::parse(image).unwrap_or_else(|error| panic!("{error}: {image}"));
    let root = document.root_element();
    assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")), "{root:?}");
    let size = ["width", "height"].map(|name| root.attribute(name).map(str::to_owned));
    assert_eq!(size, [SIZE.0, SIZE.1].map(|length| Some(length.to_string())));
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().trim().to_owned()).collect()
}

#[test]
fn special_characters_are_escaped() {
    let labels = ["a < b", "x & \"y\"", "]]> '&lt;'"];
    let mut chart = categories(AxisScale::Linear, "<Order> & more", &labels, 2);
    curves(&mut chart).series[1].name = "sort<u64, \"&\">".to_owned();
    chart.font = Font::canvas("system-ui, \"Segoe UI\", sans-serif");
    let texts = texts_of(&svg(&chart, SIZE));
    for expected in labels.into_iter().chain(["<Order> & more", "sort_0", "sort<u64, \"&\">"]) {
        assert!(texts.iter().any(|text| text == expected), "no {expected} in {texts:?}");
    }
}

#[test]
fn image_has_the_colours_and_the_typeface_of_the_chart() {
    for palette in [Palette::light(), Palette::dark()] {
        let chart = Chart { palette: palette.comparing(), font: Font::canvas("\"Segoe UI\", serif"), ..compared() };
        let image = svg(&chart, SIZE);
        let document = Document::parse(&image).expect("it is valid");
        let surface = document.descendants().find(|node| node.has_tag_name("rect")).expect("it has a surface");
        let colour_of = |node: Node<'_, '_>| node.attribute("fill").map(str::to_lowercase);
        assert_eq!(colour_of(surface), Some(css(palette.surface)));
        let texts: Vec<_> = document.descendants().filter(|node| node.has_tag_name("text")).collect();
        assert!(texts.len() > 4);
        for text in texts {
            assert_eq!(text.attribute("font-family"), Some("\"Segoe UI\", serif"), "{text:?}");
        }
        for (ordinal, name) in ["sort_0", "sort_1", "sort_2", "sort_3"].into_iter().enumerate() {
            let is_name = |node: &Node<'_, '_>| node.text().is_some_and(|text| text.trim() == name);
            let label = document.descendants().filter(|node| node.has_tag_name("text")).find(is_name);
            assert_eq!(label.and_then(colour_of), Some(css(chart.palette.median(ordinal))));
        }
    }
}

proptest! {
    #[test]
    fn any_text_makes_a_valid_image(
        title in "(?s).{0,20}", name in "(?s).{0,20}", labels in proptest::collection::vec("(?s).{0,20}", 1..4),
    ) {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let mut chart = categories(AxisScale::Linear, &title, &labels, 2);
        curves(&mut chart).series[0].name = name;
        texts_of(&svg(&chart, SIZE));
    }
}
