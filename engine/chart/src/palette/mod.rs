//! The colours of a chart. The page's style sheet uses some of them too.
//!
//! In a chart of one function, the mean is green and the median is blue. Compared functions have one hue each, since they
//! must be distinguishable first; the median has the stronger tone, the mean the fainter one. The hues are those of
//! M. Okabe and K. Ito, *Color Universal Design* (2002, revised 2008), which are distinguishable in all colour visions:
//! blue, vermillion, bluish green, reddish purple. The tones are the result of a search with two conditions: a contrast
//! with the surface of at least 3 (WCAG 2.2, 1.4.11), and a minimum distance between functions in four colour visions. A
//! test checks both.

#[cfg(test)]
mod tests;

use plotters::style::RGBColor;

/// The number of distinct hues for compared functions. More functions share colours.
const HUES: usize = 4;

/// The colours of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// The background.
    pub surface: RGBColor,
    /// Labels, titles and neutral shapes.
    pub text: RGBColor,
    /// Grid lines.
    pub grid: RGBColor,
    /// The symbol of a failed point.
    pub failed: RGBColor,
    /// The factor for the width of strokes.
    pub(crate) boldness: f64,
    /// Whether hues identify compared functions.
    pub(crate) compares: bool,
    alone: Tones,
    compared: [Tones; HUES],
}

/// The colours of one function.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tones {
    mean: RGBColor,
    median: RGBColor,
}

impl Palette {
    /// Dark on white.
    pub const fn light() -> Self {
        Self {
            surface: hex(0xff_ff_ff),
            text: hex(0x59_63_6e),
            grid: hex(0xdf_e3_e8),
            failed: hex(0x8a_5a_00),
            boldness: 1.0,
            compares: false,
            alone: tones(0x1a_7f_4b, 0x2f_5b_d8),
            compared: [
                function(0x3e_5b_df, 0x46_95_fa),
                function(0xa0_36_04, 0xe0_55_1a),
                function(0x09_67_4d, 0x11_95_59),
                function(0x8e_37_94, 0xb1_70_aa),
            ],
        }
    }

    /// Light on near black.
    pub const fn dark() -> Self {
        Self {
            surface: hex(0x17_1b_21),
            text: hex(0x9a_a5_b1),
            grid: hex(0x2a_30_38),
            failed: hex(0xf0_c3_6a),
            boldness: 1.0,
            compares: false,
            alone: tones(0x5e_cf_96, 0x86_a8_ff),
            compared: [
                function(0x94_a9_f2, 0x49_65_da),
                function(0xff_90_30, 0xbc_4d_17),
                function(0x28_e2_a3, 0x44_a7_87),
                function(0xfe_c7_fe, 0x8c_5d_93),
            ],
        }
    }

    /// Black on white or white on black, with bolder strokes, for systems set to more contrast. Every curve has a contrast
    /// of at least 4.5 with the surface.
    pub const fn high_contrast(dark: bool) -> Self {
        if dark {
            Self {
                surface: hex(0x00_00_00),
                text: hex(0xff_ff_ff),
                grid: hex(0x66_66_66),
                failed: hex(0xff_d4_79),
                boldness: BOLD,
                compares: false,
                alone: tones(0x5e_e8_9a, 0x8f_b4_ff),
                compared: [
                    function(0x9e_b4_fc, 0x52_78_f1),
                    function(0xff_a2_3d, 0xcf_6e_27),
                    function(0x55_e8_a7, 0x45_b8_98),
                    function(0xfe_cd_fb, 0xa6_67_a9),
                ],
            }
        } else {
            Self {
                surface: hex(0xff_ff_ff),
                text: hex(0x00_00_00),
                grid: hex(0x94_94_94),
                failed: hex(0x6b_3f_00),
                boldness: BOLD,
                compares: false,
                alone: tones(0x00_5a_2c, 0x0b_3f_b5),
                compared: [
                    function(0x1d_20_82, 0x35_46_c9),
                    function(0x59_1d_03, 0xc0_50_05),
                    function(0x0a_5a_3a, 0x0b_86_57),
                    function(0x73_3e_7b, 0x9b_5b_9f),
                ],
            }
        }
    }

    /// The palette of a chart that compares functions, with one hue each.
    pub const fn comparing(self) -> Self {
        Self { compares: true, ..self }
    }

    /// The palette for paper: dark on white, with the same contrast.
    pub const fn on_paper(self) -> Self {
        let paper = if self.boldness > 1.0 { Self::high_contrast(false) } else { Self::light() };
        Self { compares: self.compares, ..paper }
    }

    /// The colour of the mean and its whisker, for the function with this index among the compared ones.
    pub fn mean(&self, ordinal: usize) -> RGBColor {
        self.tones(ordinal).mean
    }

    /// The colour of the median and its band, for the function with this index among the compared ones. Among those, it is also the colour of the
    /// function wherever else it is shown.
    pub fn median(&self, ordinal: usize) -> RGBColor {
        self.tones(ordinal).median
    }

    fn tones(&self, ordinal: usize) -> &Tones {
        if self.compares { &self.compared[ordinal % HUES] } else { &self.alone }
    }
}

/// The factor for the width of strokes at high contrast.
const BOLD: f64 = 1.4;

/// Formats a colour for CSS: `#1a7f4b`.
pub fn css(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The tones of a compared function: the stronger one is the line of the median, the fainter one marks the means.
const fn function(strong: u32, faint: u32) -> Tones {
    tones(faint, strong)
}

const fn tones(mean: u32, median: u32) -> Tones {
    Tones { mean: hex(mean), median: hex(median) }
}

/// A colour from its CSS number: `0xrr_gg_bb`.
const fn hex(colour: u32) -> RGBColor {
    let [_, red, green, blue] = colour.to_be_bytes();
    RGBColor(red, green, blue)
}
