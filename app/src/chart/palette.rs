//! The colours of a chart, the same as the page's style sheet has.

use plotters::style::RGBColor;

/// The functions that one chart compares at most; more of them share shades.
const SHADES: usize = 4;

/// The colours of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    /// Behind everything.
    pub(crate) surface: RGBColor,
    /// Labels and titles.
    pub(crate) text: RGBColor,
    /// Grid lines.
    pub(crate) grid: RGBColor,
    /// The cross of a failed point.
    pub(crate) failed: RGBColor,
    mean: [RGBColor; SHADES],
    median: [RGBColor; SHADES],
}

impl Palette {
    /// Dark ink on white.
    pub(crate) const fn light() -> Self {
        Self {
            surface: hex(0xff_ff_ff),
            text: hex(0x59_63_6e),
            grid: hex(0xdf_e3_e8),
            failed: hex(0x8a_5a_00),
            mean: [hex(0x1a_7f_4b), hex(0x5c_8a_00), hex(0x00_85_77), hex(0x3f_5f_2a)],
            median: [hex(0x2f_5b_d8), hex(0x7b_45_c9), hex(0x0a_7e_a8), hex(0x2b_3a_8c)],
        }
    }

    /// Light ink on near black.
    pub(crate) const fn dark() -> Self {
        Self {
            surface: hex(0x17_1b_21),
            text: hex(0x9a_a5_b1),
            grid: hex(0x2a_30_38),
            failed: hex(0xf0_c3_6a),
            mean: [hex(0x5e_cf_96), hex(0xb5_d4_5a), hex(0x4f_d1_c5), hex(0xa6_bf_9a)],
            median: [hex(0x86_a8_ff), hex(0xc3_9b_ff), hex(0x6c_c7_f2), hex(0xb9_c3_f5)],
        }
    }

    /// The green of the mean and its band, for the function with this ordinal.
    pub(crate) fn mean(&self, ordinal: usize) -> RGBColor {
        self.mean[ordinal % SHADES]
    }

    /// The blue of the median and its band, for the function with this ordinal.
    pub(crate) fn median(&self, ordinal: usize) -> RGBColor {
        self.median[ordinal % SHADES]
    }
}

/// A colour as style sheets write it: `0xrr_gg_bb`.
const fn hex(colour: u32) -> RGBColor {
    let [_, red, green, blue] = colour.to_be_bytes();
    RGBColor(red, green, blue)
}
