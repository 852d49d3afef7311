//! Checks the contrast of the colours that the style sheets combine, in each scheme, without a browser. `engine/chart/src/palette/tests.rs`
//! checks those of the plots.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The roles of texts. Each may be on any of the grounds.
const TEXTS: [&str; 6] = ["ink", "soft", "accent", "warn", "wrong", "good"];
const GROUNDS: [&str; 6] = ["ground", "surface", "accent-soft", "warn-ground", "wrong-ground", "good-ground"];

/// The roles of fills in the profile, where texts have the colour of the first role. Some have a pattern.
const FILLS: [&str; 13] = [
    "crate-0", "crate-1", "crate-2", "crate-3", "crate-4", "crate-5", "same", "more-1", "more-2", "more-3", "fewer-1",
    "fewer-2", "fewer-3",
];

/// The roles of areas and patterns without text.
const AREAS: [&str; 6] = ["area-0", "area-1", "area-2", "area-3", "area-4", "pattern"];

/// The roles of marks without text, such as the track of a slider.
const MARKS: [&str; 7] = ["line", "edge", "ink", "accent", "on-accent", "good", "wrong"];

/// The style sheets of the page and of a check's report. Each list starts with the one that defines the roles.
fn sheets() -> [Vec<PathBuf>; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("static/css");
    let files = fs::read_dir(&folder).expect("the folder exists").map(|entry| entry.expect("it is readable").path());
    let page = [folder.join("colours.css")].into_iter().chain(files).collect();
    [page, vec![root.join("cli/src/check/report/html/style.css")]]
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the style sheet is readable")
}

/// The relative luminance of each role's colour in the light and in the dark scheme.
fn luminances(sheet: &str) -> BTreeMap<&str, [f64; 2]> {
    fn role(line: &str) -> Option<(&str, [f64; 2])> {
        let (role, colours) = line.trim().strip_prefix("--")?.split_once(": light-dark(")?;
        let (light, dark) = colours.strip_suffix(");")?.split_once(", ")?;
        Some((role, [light, dark].map(luminance)))
    }
    sheet.lines().filter_map(role).collect()
}

/// The relative luminance of a colour such as `#fff` or `#1b1f24`: WCAG 2.2.
fn luminance(colour: &str) -> f64 {
    let digits = colour.strip_prefix('#').expect("a colour has hexadecimal digits");
    let size = digits.len() / 3;
    let channel = |index: usize| {
        let digits = digits[index * size..][..size].repeat(2 / size);
        let value = f64::from(u8::from_str_radix(&digits, 16).expect("two digits")) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
}

/// The pairs of colours whose contrast is too low, in four schemes: light or dark, without and with increased contrast. The minimum is that of WCAG 2.2:
/// 4.5 for texts (1.4.3), or 7 with increased contrast (1.4.6), and 3 for borders of fields (1.4.11).
fn poor_pairs(sheet: &str) -> Vec<String> {
    let (usual, increased) = sheet.split_once("@media (prefers-contrast: more)").expect("there is increased contrast");
    let usual = luminances(usual);
    let mut more = usual.clone();
    more.extend(luminances(increased));
    let mut poor = Vec::new();
    // Usually, lines only divide.
    for (name, roles, text, borders) in
        [("usual", usual, 4.5, &["edge"][..]), ("more", more, 7.0, &["edge", "line"][..])]
    {
        let of_texts = TEXTS.iter().flat_map(|of| GROUNDS.map(|ground| (*of, ground, text)));
        let on_fills = FILLS.map(|fill| (TEXTS[0], fill, text));
        let of_borders = borders.iter().flat_map(|of| ["ground", "surface"].map(|ground| (*of, ground, 3.0)));
        for (one, other, least) in of_texts.chain(on_fills).chain(of_borders).chain([("on-accent", "accent", text)]) {
            let (Some(one_of), Some(other_of)) = (roles.get(one), roles.get(other)) else { continue };
            for (scheme, (one_of, other_of)) in ["light", "dark"].iter().zip(one_of.iter().zip(other_of)) {
                let contrast = (one_of.max(*other_of) + 0.05) / (one_of.min(*other_of) + 0.05);
                if contrast < least {
                    poor.push(format!("{one} on {other}, {scheme}, {name} contrast: {contrast:.2}"));
                }
            }
        }
    }
    poor
}

#[test]
fn texts_and_borders_contrast_with_every_ground() {
    for sheets in sheets() {
        assert_eq!(poor_pairs(&read(&sheets[0])), [""; 0], "{}", sheets[0].display());
    }
}

#[test]
fn a_poor_contrast_is_found() {
    let sheet = read(&sheets()[0][0]);
    for (good, poor, expected) in [
        ("--soft: light-dark(#59636e,", "--soft: light-dark(#76808b,", "soft on ground, light, usual contrast: 3.7"),
        (
            "--warn-ground: light-dark(#fff6e0, #2c2412)",
            "--warn-ground: light-dark(#fff6e0, #6c5412)",
            "soft on warn-ground, dark, usual",
        ),
        ("--edge: light-dark(#868f99,", "--edge: light-dark(#969fa9,", "edge on ground, light, usual contrast: 2."),
        (
            "--accent: light-dark(#1c3f9f,",
            "--accent: light-dark(#2f5bd8,",
            "accent on ground, light, more contrast: 5.",
        ),
    ] {
        assert!(sheet.contains(good), "{good}");
        let poor = poor_pairs(&sheet.replace(good, poor));
        assert!(poor.iter().any(|pair| pair.starts_with(expected)), "{expected}: {poor:?}");
    }
}

/// The roles in a value such as `1px solid var(--line)`.
fn roles_in(value: &str) -> impl Iterator<Item = &str> {
    value.split("var(--").skip(1).filter_map(|rest| rest.split(')').next())
}

/// So that [`poor_pairs`] contains all pairs that there are.
#[test]
fn style_sheets_use_only_checked_roles() {
    for sheets in sheets() {
        let defined = read(&sheets[0]);
        let defined = luminances(&defined);
        for path in &sheets {
            let sheet = read(path);
            for (property, value) in sheet.split([';', '{', '}']).filter_map(|part| part.trim().split_once(": ")) {
                let is_checked = |role: &str| match property {
                    "color" => TEXTS.contains(&role) || role == "on-accent",
                    _ => [&GROUNDS[..], &MARKS, &FILLS, &AREAS].concat().contains(&role) || role == "done",
                };
                let place = format!("{}: {property}: {value}", path.display());
                match property {
                    "color" => assert!(value == "inherit" || roles_in(value).next().is_some(), "{place}: not a role"),
                    "background" => {}
                    _ => continue,
                }
                for role in roles_in(value) {
                    assert!(is_checked(role), "{place}");
                    assert!(defined.contains_key(role) || role == "done", "{place}: not defined");
                }
            }
        }
    }
}

#[test]
fn style_sheets_select_no_hooks_of_tests() {
    for sheet in sheets().concat() {
        assert!(!read(&sheet).contains("data-test"), "{}: give the element a class", sheet.display());
    }
}
