//! The colours of a chart, those of the page's style sheet among them.
//!
//! A chart of one function has green for its mean and blue for its median. Where functions are compared, each has a hue of
//! its own, since they must be told apart first; its mean is the stronger tone and its median the fainter one. The hues
//! are those of M. Okabe and K. Ito, *Color Universal Design* (2002, revised 2008), which people of every colour vision
//! tell apart: blue, vermillion, bluish green, reddish purple. Their tones were searched for so that contrast with the
//! surface is 3 at least (WCAG 2.2, 1.4.11), and so that no two functions come near each other in any of four colour
//! visions; a test holds them to both.

#[cfg(test)]
mod tests;

use plotters::style::RGBColor;

/// The functions that one chart compares at most; more of them share colours.
const HUES: usize = 4;

/// The colours of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything.
    pub surface: RGBColor,
    /// Labels and titles, and what is quiet.
    pub text: RGBColor,
    /// Grid lines.
    pub grid: RGBColor,
    /// The mark of a failed point.
    pub failed: RGBColor,
    /// How many times as wide as usual strokes are.
    pub(super) boldness: f64,
    /// Whether functions are told apart by hue.
    pub(super) compares: bool,
    alone: Pair,
    compared: [Pair; HUES],
}

/// The colours of one function.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    mean: RGBColor,
    median: RGBColor,
}

impl Palette {
    /// Dark ink on white.
    pub const fn light() -> Self {
        Self {
            surface: hex(0xff_ff_ff),
            text: hex(0x59_63_6e),
            grid: hex(0xdf_e3_e8),
            failed: hex(0x8a_5a_00),
            boldness: 1.0,
            compares: false,
            alone: pair(0x1a_7f_4b, 0x2f_5b_d8),
            compared: [
                pair(0x3e_5b_df, 0x46_95_fa),
                pair(0xa0_36_04, 0xe0_55_1a),
                pair(0x09_67_4d, 0x11_95_59),
                pair(0x8e_37_94, 0xb1_70_aa),
            ],
        }
    }

    /// Light ink on near black.
    pub const fn dark() -> Self {
        Self {
            surface: hex(0x17_1b_21),
            text: hex(0x9a_a5_b1),
            grid: hex(0x2a_30_38),
            failed: hex(0xf0_c3_6a),
            boldness: 1.0,
            compares: false,
            alone: pair(0x5e_cf_96, 0x86_a8_ff),
            compared: [
                pair(0x94_a9_f2, 0x49_65_da),
                pair(0xff_90_30, 0xbc_4d_17),
                pair(0x28_e2_a3, 0x44_a7_87),
                pair(0xfe_c7_fe, 0x8c_5d_93),
            ],
        }
    }

    /// Black on white or white on black, with bolder strokes, for those who ask their system for more contrast. Every
    /// curve has a contrast of 4.5 with the surface.
    pub const fn high_contrast(dark: bool) -> Self {
        if dark {
            Self {
                surface: hex(0x00_00_00),
                text: hex(0xff_ff_ff),
                grid: hex(0x66_66_66),
                failed: hex(0xff_d4_79),
                boldness: BOLD,
                compares: false,
                alone: pair(0x5e_e8_9a, 0x8f_b4_ff),
                compared: [
                    pair(0x9e_b4_fc, 0x52_78_f1),
                    pair(0xff_a2_3d, 0xcf_6e_27),
                    pair(0x55_e8_a7, 0x45_b8_98),
                    pair(0xfe_cd_fb, 0xa6_67_a9),
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
                alone: pair(0x00_5a_2c, 0x0b_3f_b5),
                compared: [
                    pair(0x1d_20_82, 0x35_46_c9),
                    pair(0x59_1d_03, 0xc0_50_05),
                    pair(0x0a_5a_3a, 0x0b_86_57),
                    pair(0x73_3e_7b, 0x9b_5b_9f),
                ],
            }
        }
    }

    /// The same for a chart that compares functions, which has a hue for each.
    pub const fn comparing(self) -> Self {
        Self { compares: true, ..self }
    }

    /// The colour of the mean and its band, for the function with this ordinal.
    pub fn mean(&self, ordinal: usize) -> RGBColor {
        self.pair(ordinal).mean
    }

    /// The colour of the median and its band, for the function with this ordinal.
    pub fn median(&self, ordinal: usize) -> RGBColor {
        self.pair(ordinal).median
    }

    fn pair(&self, ordinal: usize) -> &Pair {
        if self.compares { &self.compared[ordinal % HUES] } else { &self.alone }
    }
}

/// How many times as wide as usual strokes are at a high contrast.
const BOLD: f64 = 1.4;

/// The colour as a style sheet has it: `#1a7f4b`.
pub fn css(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

const fn pair(mean: u32, median: u32) -> Pair {
    Pair { mean: hex(mean), median: hex(median) }
}

/// A colour as style sheets write it: `0xrr_gg_bb`.
const fn hex(colour: u32) -> RGBColor {
    let [_, red, green, blue] = colour.to_be_bytes();
    RGBColor(red, green, blue)
}
