//! Work that is not there: whether the optimiser may have removed what was to be measured.

/// Operations of a call of the reference kernel that depend on each other: 1 000 steps of three shifts and three
/// exclusive ors. Each takes a cycle on the processors of today: on an AMD EPYC a cycle came to 0.230 ns so, and to
/// 0.224 ns by a chain of multiplications.
const REFERENCE_OPERATIONS: f64 = 6_000.0;

/// Cycles under which no call of a function comes that does something with its input.
const CYCLES: f64 = 2.0;

/// Whether the optimiser may have removed the work of a function: a call takes less than two cycles, whatever the size.
///
/// `upper_ends`: those of the mean's intervals in nanoseconds, at all axis values; there must be two at least, since
/// one says nothing of how the time grows. `reference`: nanoseconds of a call of the reference kernel.
pub fn may_be_removed(upper_ends: &[f64], reference: f64) -> bool {
    let bound = CYCLES * reference / REFERENCE_OPERATIONS;
    upper_ends.len() > 1 && upper_ends.iter().all(|&end| end < bound)
}
