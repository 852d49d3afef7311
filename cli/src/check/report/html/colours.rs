//! The colours of the plots under each appearance of the system.

use benchbook_chart::{Palette, css};

use super::plot::{EARLIEST_ACCEPTED, palette};

/// Rules that replace the drawn colours by those of the system's appearance, and that colour the legends.
pub(super) fn plot_colours() -> String {
    let high_contrast = rules(Palette::high_contrast(false), Palette::high_contrast(true));
    format!("{}@media (prefers-contrast: more) {{\n{high_contrast}}}\n", rules(Palette::light(), Palette::dark()))
}

fn rules(light: Palette, dark: Palette) -> String {
    let (light, dark) = (colours(&light.comparing()), colours(&dark.comparing()));
    let shown = light.into_iter().zip(dark).map(|(light, dark)| format!("light-dark({light}, {dark})"));
    let pairs: Vec<(String, String)> = colours(&palette()).into_iter().zip(shown).collect();
    let shapes = pairs.iter().flat_map(|(drawn, colour)| {
        ["fill", "stroke"].map(|name| format!("svg [{name}=\"{drawn}\" i] {{ {name}: {colour}; }}\n"))
    });
    let legends = (0..=EARLIEST_ACCEPTED).zip(&pairs);
    let legends = legends.map(|(number, (_, colour))| format!(".series-{number} {{ color: {colour}; }}\n"));
    shapes.chain(legends).collect()
}

/// The colours of the series by their number, and of the other parts of a plot.
fn colours(palette: &Palette) -> Vec<String> {
    let series = || 0..=EARLIEST_ACCEPTED;
    let (lines, whiskers) =
        (series().map(|number| palette.median(number)), series().map(|number| palette.mean(number)));
    lines.chain(whiskers).chain([palette.surface, palette.text, palette.grid]).map(css).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_drawn_colour_is_replaced_by_one_other() {
        let mut drawn = colours(&palette());
        let count = drawn.len();
        drawn.sort();
        drawn.dedup();
        assert_eq!(drawn.len(), count, "two parts of a plot have the same colour: {drawn:?}");
    }

    #[test]
    fn roles_have_the_colours_of_the_page() {
        let page = include_str!("../../../../../static/css/colours.css");
        let roles: Vec<&str> =
            include_str!("style.css").lines().map(str::trim).filter(|line| line.starts_with("--")).collect();
        assert!(roles.len() > 10, "{roles:?}");
        for role in roles {
            assert!(page.contains(role), "static/css/colours.css does not contain `{role}`");
        }
    }
}
