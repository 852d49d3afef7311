//! Builds as a reader sees them: the first digits of their fingerprints.

/// The digits that usually suffice to tell builds apart.
const LEAST_DIGITS: usize = 4;

/// The first digits of each build: four, or as many as no other build begins with.
pub fn short_builds<'b>(builds: &[&'b str]) -> Vec<&'b str> {
    let short = |build: &&'b str| {
        let start = |digits: usize| build.get(..digits).unwrap_or(build);
        let is_unique =
            |digits: &usize| builds.iter().all(|other| other == build || !other.starts_with(start(*digits)));
        start((LEAST_DIGITS..build.len()).find(is_unique).unwrap_or(build.len()))
    };
    builds.iter().map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ambiguous_builds_have_more_digits() {
        assert_eq!(short_builds(&["a41f0b12", "77c0a41f", "a41f0b12"]), ["a41f", "77c0", "a41f"]);
        assert_eq!(short_builds(&["77c0a41f", "77c0a52e", "0123"]), ["77c0a4", "77c0a5", "0123"]);
        assert_eq!(short_builds(&["77c", "77c0a"]), ["77c", "77c0"]);
        assert_eq!(short_builds(&["build é", "build ä"]), ["build é", "build ä"]);
    }
}
