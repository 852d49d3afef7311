//! A clock whose readings can be told apart by their differences.

/// The number of readings of a message that can be told apart: a suite multiplies them by 10⁶, and differences of the products must be exact.
pub const MAX_READINGS: u32 = 39;

/// The reading with this number in milliseconds, as `performance.now()` returns it.
pub(crate) fn reading(number: u32) -> f64 {
    2_f64.powi(number.min(MAX_READINGS) as i32)
}

/// The numbers of the two readings with this difference in nanoseconds; `None` if it is not that of two readings.
pub(crate) fn readings(difference: f64) -> Option<[u32; 2]> {
    let marks = difference / 1e6;
    let is_exact = marks >= 1.0 && marks <= reading(MAX_READINGS) && marks.fract() == 0.0;
    let marks = is_exact.then_some(marks as u64)?;
    // 2ʲ − 2ⁱ has the bits from i to j − 1.
    let (first, length) = (marks.trailing_zeros(), marks.count_ones());
    // All readings from the last one on are equal.
    (marks >> first == (1 << length) - 1 && first + length < MAX_READINGS).then_some([first, first + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_two_readings_are_told_apart() {
        for end in 1..MAX_READINGS {
            for start in 0..end {
                // As a suite computes it.
                let elapsed = reading(end) * 1e6 - reading(start) * 1e6;
                assert_eq!(readings(elapsed), Some([start, end]));
            }
        }
    }

    #[test]
    fn other_differences_are_not_those_of_readings() {
        let unknown_end = (reading(MAX_READINGS) - reading(1)) * 1e6;
        for elapsed in [unknown_end, 0.0, -1e6, 5e6, 0.5e6, 1e6 + 1.0, f64::NAN, f64::INFINITY, 1e30] {
            assert_eq!(readings(elapsed), None, "{elapsed}");
        }
    }
}
