//! Checks the contrast of every palette, and the distance between the colours of compared functions.

use super::*;

/// Name, palette, and the minimum contrast of texts and of curves with the surface: WCAG 2.2, 1.4.3 (AA), 1.4.6 (AAA) and
/// 1.4.11.
const PALETTES: [(&str, Palette, f64, f64); 4] = [
    ("light", Palette::light(), 4.5, 3.0),
    ("dark", Palette::dark(), 4.5, 3.0),
    ("high contrast, light", Palette::high_contrast(false), 7.0, 4.5),
    ("high contrast, dark", Palette::high_contrast(true), 7.0, 4.5),
];

/// The minimum distance between the colours of two functions in Oklab: four times the just noticeable difference (0.02,
/// CSS Color 4).
const DISTINCT: f64 = 0.08;

type LinearRgb = [f64; 3];
type Matrix = [[f64; 3]; 3];

/// The transformations of linear light for four colour visions: G. M. Machado, M. M. Oliveira and L. A. F.
/// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
const VISIONS: [(&str, Matrix); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    ("tritanopia", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
];

fn linear(RGBColor(red, green, blue): RGBColor) -> LinearRgb {
    [red, green, blue].map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn times(matrix: &Matrix, colour: LinearRgb) -> LinearRgb {
    matrix.map(|row| row.iter().zip(colour).map(|(a, b)| a * b).sum())
}

/// Lightness, green to red, blue to yellow: B. Ottosson, "A perceptual color space for image processing" (2020).
fn oklab(colour: LinearRgb) -> [f64; 3] {
    const CONES: Matrix = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ];
    const LAB: Matrix = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ];
    times(&LAB, times(&CONES, colour.map(|channel| channel.clamp(0.0, 1.0))).map(f64::cbrt))
}

fn distance(one: RGBColor, other: RGBColor, vision: &Matrix) -> f64 {
    let perceived = |colour| oklab(times(vision, linear(colour)));
    perceived(one).iter().zip(perceived(other)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn contrast(one: RGBColor, other: RGBColor) -> f64 {
    let luminance =
        |colour| linear(colour).iter().zip([0.2126, 0.7152, 0.0722]).map(|(a, b)| a * b).sum::<f64>() + 0.05;
    let (one, other) = (luminance(one), luminance(other));
    one.max(other) / one.min(other)
}

#[test]
fn texts_and_curves_contrast_with_surface() {
    for (name, palette, text, curve) in PALETTES {
        let check = |what: &str, colour, min: f64| {
            let actual = contrast(colour, palette.surface);
            assert!(actual >= min, "{name}: {what} {} has {actual:.2}", css(colour));
        };
        check("text", palette.text, text);
        check("failed", palette.failed, text);
        for (ordinal, palette) in (0..HUES).map(|ordinal| (ordinal, palette.comparing())).chain([(0, palette)]) {
            check("mean", palette.mean(ordinal), curve);
            check("median", palette.median(ordinal), curve);
        }
    }
}

#[test]
fn compared_functions_are_distinguishable_in_all_colour_visions() {
    for (name, palette, ..) in PALETTES {
        let palette = palette.comparing();
        let tones = |ordinal| [palette.mean(ordinal), palette.median(ordinal)];
        let colours: Vec<RGBColor> = (0..HUES).flat_map(tones).collect();
        for (index, &one) in colours.iter().enumerate() {
            for &other in &colours[index + 1..] {
                for (vision, matrix) in &VISIONS {
                    let apart = distance(one, other, matrix);
                    assert!(
                        apart >= DISTINCT,
                        "{name}, {vision}: {} and {} are {apart:.3} apart",
                        css(one),
                        css(other)
                    );
                }
            }
        }
    }
}

#[test]
fn single_function_is_green_and_blue() {
    let palette = Palette::light();
    assert_eq!([0, 3].map(|ordinal| css(palette.mean(ordinal))), ["#1a7f4b", "#1a7f4b"]);
    assert_eq!(css(palette.median(0)), "#2f5bd8");
}
