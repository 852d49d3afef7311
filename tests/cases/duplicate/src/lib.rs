pub fn one() -> u64 { std::hint::black_box(1) }
