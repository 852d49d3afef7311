//! What a call processes, as the generator declares it.

/// The largest number that the contract can express exactly.
const MAX: u64 = 1 << 53;

/// What a call processes; absent if the generator declares nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throughput {
    /// Elements per call.
    pub elements: Option<u64>,
    /// Bytes per call.
    pub bytes: Option<u64>,
}

impl Throughput {
    /// Checks that each number that a generator declares is within 1 to 2⁵³.
    ///
    /// # Errors
    /// Returns the number that is not, and what to change.
    pub(crate) fn check(self) -> Result<(), String> {
        self.check_range().map_err(|(number, name)| {
            format!("the generator declares {number} {name} per call: expected 1 to 2^53. Remove `.{name}(…)` if calls have none")
        })
    }

    /// As [`Self::check`], for a benchmark, which has no generator.
    ///
    /// # Errors
    /// As for [`Self::check`].
    pub(crate) fn check_benchmark(self, path: &str) -> Result<(), String> {
        self.check_range().map_err(|(number, name)| {
            format!("the benchmark `{path}` declares {number} {name} per call: expected at most 2^53. Declare a smaller throughput, or none")
        })
    }

    /// The number that is out of range, with its name.
    fn check_range(self) -> Result<(), (u64, &'static str)> {
        let declared = [(self.elements, "elements"), (self.bytes, "bytes")];
        let mut declared = declared.into_iter().filter_map(|(number, name)| Some((number?, name)));
        declared.find(|(number, _)| !(1..=MAX).contains(number)).map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_within_the_contract() {
        for number in [None, Some(1), Some(MAX)] {
            assert_eq!(Throughput { elements: number, bytes: number }.check(), Ok(()));
        }
        for number in [0, MAX + 1, u64::MAX] {
            let of_elements = Throughput { elements: Some(number), bytes: None }.check();
            assert!(of_elements.is_err_and(|error| error.contains(&format!("{number} elements per call"))));
            let of_bytes = Throughput { elements: Some(1), bytes: Some(number) }.check();
            assert!(of_bytes.is_err_and(|error| error.contains(&format!("{number} bytes per call"))));
        }
    }
}
