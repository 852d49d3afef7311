//! Comparisons of exact metrics, such as allocations: counts that do not vary between measurements of a build.

/// How a build's count compares with the accepted ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountChange {
    /// It is greater than all of them.
    More,
    /// It is less than all of them.
    Less,
    /// It is one of them, or between them.
    Same,
}

impl CountChange {
    /// Compares a count with the accepted ones. `None` without any.
    pub fn of(accepted: &[f64], count: f64) -> Option<Self> {
        let is_beyond = |beyond: fn(&f64, &f64) -> bool| accepted.iter().all(|one| beyond(&count, one));
        match () {
            () if accepted.is_empty() => None,
            () if is_beyond(f64::gt) => Some(Self::More),
            () if is_beyond(f64::lt) => Some(Self::Less),
            () => Some(Self::Same),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_compared_with_all_accepted_ones() {
        let of = |accepted: &[f64]| CountChange::of(accepted, 3.0);
        assert_eq!(of(&[]), None);
        assert_eq!([of(&[0.0]), of(&[2.5, 2.0])], [Some(CountChange::More); 2]);
        assert_eq!([of(&[4.0]), of(&[3.5, 1e9])], [Some(CountChange::Less); 2]);
        assert_eq!([of(&[3.0]), of(&[2.0, 4.0]), of(&[2.0, 3.0])], [Some(CountChange::Same); 3]);
    }
}
