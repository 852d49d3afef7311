//! Stopping: when a point has samples enough.

/// The fewest blocks whose spread is trusted.
pub(crate) const FEWEST_BLOCKS: u32 = 16;

/// Blocks between two looks.
const LOOK_EVERY: u32 = 4;

/// Whether samples are looked at after so many blocks.
pub fn is_look(blocks: u32) -> bool {
    blocks >= FEWEST_BLOCKS && blocks.is_multiple_of(LOOK_EVERY)
}

/// Whether sampling may stop: the mean's relative half-width has come down to the target, and there are blocks enough.
///
/// Who stops at the first interval that is narrow enough picks those that are narrow by chance, which miss the mean too
/// often (F. J. Anscombe, "Fixed-sample-size analysis of sequential observations", *Biometrics* 10 (1954) 89–100). So
/// there are 16 blocks at least, and a look at every fourth alone. By simulation intervals then hold the mean in 93.6 %
/// of cases at worst, where some 30 blocks are needed; docs/statistics.md has the table.
///
/// `reached`: the relative half-width of [`mean_interval`](crate::analyze::blocks::mean_interval), absent where there
/// is none. `target`: what is asked for. `blocks`: those that were taken, of one run; it is asked after each.
pub fn is_enough(reached: Option<f64>, target: f64, blocks: u32) -> bool {
    is_look(blocks) && reached.is_some_and(|reached| reached <= target)
}
