//! Seeded random cases for fuzz tests: some in each run of the tests, more nightly, and many more in `cargo xtask soak fuzz`.

use std::env;

use benchbook_contract::rng::Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Number, Value, json};

/// The environment variable with the number of cases.
pub const CASES: &str = "BENCHBOOK_FUZZ_CASES";

/// The environment variable with the seed.
pub const SEED: &str = "BENCHBOOK_FUZZ_SEED";

/// The number of cases in each run of the tests, which take about a second.
pub const FEW: u64 = 2_000;

/// The number of cases in nightly tests.
pub const MANY: u64 = 50_000;

/// Hostile texts.
pub const TEXTS: &[&str] = &[
    "",
    "\0",
    "rungs::one",
    "ladder",
    "samples",
    "null",
    "NaN",
    "1e400",
    "\u{202e}\u{feff}\u{10ffff}",
    "%00%ff",
    "' OR 1=1 --",
    "../../etc/passwd",
    "__proto__",
    "type",
];

/// Numbers at the limits of parsers and types.
pub const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "-1",
    "1",
    "5",
    "255",
    "256",
    "4294967296",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "1e-400",
    "5e-324",
    "1e308",
    "1.7976931348623157e308",
    "0.1",
    "4000.5",
];

/// The number of cases to run: that of the environment variable, or else `usual`.
pub fn cases(usual: u64) -> u64 {
    number(CASES).unwrap_or(usual)
}

/// The seed of all cases.
pub fn seed() -> u64 {
    number(SEED).unwrap_or(1)
}

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

/// The random numbers of one case, reproducible from the seed and the case's number.
#[derive(Debug)]
pub struct CaseRng(Rng);

impl CaseRng {
    /// The random numbers of a case.
    pub fn new(seed: u64, case: u64) -> Self {
        Self(Rng::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case))
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    /// Returns true with probability 1/`count`.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// A random element.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A hostile text, a long text, or random characters.
    pub fn text(&mut self) -> String {
        match self.below(8) {
            0 => "x".repeat(self.pick(&[100, 10_000, 10_001])),
            1 => (0..self.below(20)).map(|_| self.0.random::<char>()).collect(),
            _ => self.pick(TEXTS).to_owned(),
        }
    }

    /// A number at a limit, or null if serde_json rejects it.
    fn number(&mut self) -> Value {
        serde_json::from_str::<Number>(self.pick(NUMBERS)).map_or(Value::Null, Value::Number)
    }

    /// Random JSON with at most `depth` levels.
    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => Value::Bool(self.one_in(2)),
            2 | 3 => self.number(),
            4 => Value::String(self.text()),
            5 => (0..self.below(5)).map(|_| self.value(depth - 1)).collect(),
            6 => json!({ "low": self.value(0), "high": self.value(0) }),
            _ => Value::Object((0..self.below(4)).map(|_| (self.text(), self.value(depth - 1))).collect()),
        }
    }

    /// Replaces, removes or adds a value at a random position.
    pub fn damage_value(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() && !self.one_in(8) => self.damage_fields(fields),
            Value::Array(values) if !values.is_empty() && !self.one_in(4) => {
                let index = self.below(values.len());
                match self.below(4) {
                    0 => drop(values.remove(index)),
                    1 => values.push(values[index].clone()),
                    _ => self.damage_value(&mut values[index]),
                }
            }
            Value::Number(_) if !self.one_in(4) => *value = self.number(),
            Value::String(text) if !self.one_in(4) => *text = self.text(),
            _ => *value = self.value(3),
        }
    }

    fn damage_fields(&mut self, fields: &mut Map<String, Value>) {
        let index = self.below(fields.len());
        let Some(name) = fields.keys().nth(index).cloned() else { return };
        match self.below(6) {
            0 => drop(fields.remove(&name)),
            1 => drop(fields.insert(self.text(), self.value(2))),
            _ => {
                if let Some(value) = fields.get_mut(&name) {
                    self.damage_value(value);
                }
            }
        }
    }

    /// Up to `most` random bytes.
    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.0.random()).collect()
    }

    /// Changes, inserts, repeats or removes bytes at random positions.
    pub fn damage_bytes(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(3) {
            let index = self.below(bytes.len() + 1);
            match self.below(5) {
                0 => bytes.truncate(index),
                1 => bytes.insert(index, self.0.random()),
                2 => bytes.insert(index, self.pick(b"{}[]\",:0-eE.\\\n")),
                3 if index < bytes.len() => bytes[index] = self.0.random(),
                _ => {
                    let piece: Vec<u8> = bytes[index..].iter().take(self.below(40) + 1).copied().collect();
                    bytes.splice(index..index, piece);
                }
            }
        }
    }
}
