//! Arithmetic.

use std::hash::{Hash, Hasher};

use benchbook::prelude::*;

/// Tests whether a number is even, which is about the least that a function can do.
///
/// Is its cost distinguishable from the cost of the call?
#[measured(generators(number))]
pub fn is_even(number: u64) -> bool {
    number.is_multiple_of(2)
}

/// Random numbers with a given number of bits.
#[generator(name = "Number")]
fn number(
    _service: &Service,
    /// Maximum number of bits.
    #[parameter(min = 1, max = 64, default = 1..=64, unit = "bits")]
    bits: u32,
) -> Calls<u64> {
    Calls::new(move |rng| (0..256).map(|_| rng.random::<u64>() >> (64 - bits)).collect())
}

/// Adds up values one after the other.
///
/// Floating-point addition is not associative, so the compiler must preserve the order: each addition waits for the one
/// before it. How much does that cost? Compare with `sum_in_lanes`. `O(n)`.
#[measured(generators(values))]
pub fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// Adds up values in eight lanes and then adds up the lanes.
///
/// How much faster is a sum whose additions are independent, and from how many values on? Compare with `sum`. The
/// results differ in their last digits. `O(n)`.
#[measured(generators(values))]
pub fn sum_in_lanes(values: &[f64]) -> f64 {
    let (eights, rest) = values.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for eight in eights {
        for (lane, value) in lanes.iter_mut().zip(eight) {
            *lane += value;
        }
    }
    lanes.iter().chain(rest).sum()
}

/// Adds up values with compensation for rounding errors (Kahan summation).
///
/// What does a nearly exact sum cost? Four dependent additions per value instead of one: compare with `sum`. `O(n)`.
///
/// Kahan, [Further remarks on reducing truncation errors](https://doi.org/10.1145/363707.363723), 1965.
#[measured(generators(values))]
pub fn sum_compensated(values: &[f64]) -> f64 {
    let (mut sum, mut missing) = (0.0, 0.0);
    for value in values {
        let next = value + missing;
        let rounded = sum + next;
        missing = next - (rounded - sum);
        sum = rounded;
    }
    sum
}

/// Values evenly distributed around a center.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=10_000, unit = "values")]
    count: usize,
    /// Center of the values.
    #[parameter(min = -1_000.0, max = 1_000.0, default = 0.0, axis = false)]
    center: f64,
) -> Shared<Vec<f64>> {
    Shared::new(move |rng| (0..count).map(|_| center + rng.random::<f64>() - 0.5).collect()).elements(count as u64)
}

/// Counts the primes up to a limit with the sieve of Eratosthenes.
///
/// How fast is the textbook sieve, and at which limit does it exceed the cache, with one byte per number? Compare with
/// `sieve_odd` and `sieve_segmented`. `O(n log log n)`.
#[measured(generators(limit), alternatives = "number of primes")]
pub fn sieve_plain(limit: u32) -> usize {
    let limit = limit as usize;
    let mut is_prime = vec![true; limit + 1];
    is_prime[..2].fill(false);
    for number in 2..=limit.isqrt() {
        if is_prime[number] {
            strike(&mut is_prime[number * number..], number);
        }
    }
    count(&is_prime)
}

/// Counts the primes up to a limit with a sieve of the odd numbers.
///
/// Does omitting the even numbers double the speed, or more? Compare with `sieve_plain`: half the memory, and fewer
/// than half the writes. `O(n log log n)`.
#[measured(generators(limit), alternatives = "number of primes")]
pub fn sieve_odd(limit: u32) -> usize {
    // The entry of 1, which is not a prime, represents 2.
    count(&odd_primes(limit as usize))
}

/// Counts the primes up to a limit with a sieve that processes one segment at a time.
///
/// What does it gain to stay within the first-level cache, and from which limit on? Compare with `sieve_odd`, which
/// uses a single segment. `O(n log log n)`, with memory for the square root of the limit.
///
/// Bays and Hudson, [The segmented sieve of Eratosthenes](https://doi.org/10.1007/BF01932283), 1977.
#[measured(generators(limit), alternatives = "number of primes")]
pub fn sieve_segmented(limit: u32) -> usize {
    // First-level caches have 32 KiB or more.
    const PIECE: usize = 32 * 1024;
    let limit = limit as usize;
    let roots = odd_primes(limit.isqrt());
    // Each prime with the next index to strike out, relative to the current segment.
    let mut primes: Vec<(usize, usize)> = (1..roots.len())
        .filter(|index| roots[*index])
        .map(|index| 2 * index + 1)
        .map(|prime| (prime, prime * prime / 2))
        .collect();
    let mut piece = vec![true; PIECE];
    let mut left = limit.div_ceil(2);
    let mut found = 0;
    while left > 0 {
        let piece = &mut piece[..left.min(PIECE)];
        piece.fill(true);
        for (prime, next) in &mut primes {
            while let Some(flag) = piece.get_mut(*next) {
                *flag = false;
                *next += *prime;
            }
            *next -= piece.len();
        }
        found += count(piece);
        left -= piece.len();
    }
    found
}

/// Sieves the odd numbers up to the limit: index `i` represents `2 i + 1`, and index 0 represents 2.
fn odd_primes(limit: usize) -> Vec<bool> {
    let mut is_prime = vec![true; limit.div_ceil(2)];
    for number in (3..=limit.isqrt()).step_by(2) {
        if is_prime[number / 2] {
            strike(&mut is_prime[number * number / 2..], number);
        }
    }
    is_prime
}

/// Strikes out the first entry and every `step`-th one after it.
fn strike(is_prime: &mut [bool], step: usize) {
    for flag in is_prime.iter_mut().step_by(step) {
        *flag = false;
    }
}

fn count(is_prime: &[bool]) -> usize {
    is_prime.iter().filter(|is_prime| **is_prime).count()
}

/// An upper limit for primes.
#[generator(name = "Limit")]
fn limit(
    _service: &Service,
    /// Upper limit, inclusive.
    #[parameter(min = 10, max = 100_000_000, scale = "log", default = 1_000..=1_000_000)]
    limit: u32,
) -> Shared<u32> {
    Shared::new(move |_| limit)
}

/// Multiplies two matrices by the definition: each cell is a sum over a row and a column.
///
/// How slow is the textbook definition? It reads columns of a matrix that is stored row by row: vary the side, and
/// compare with `multiply_by_rows`. `O(n³)`.
#[measured(generators(matrices), alternatives = "matrix product")]
pub fn multiply_naive(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |row: &[f64], column| row.iter().zip(b.cells[column..].iter().step_by(b.side)).map(|(x, y)| x * y).sum();
    let cells = a.rows().flat_map(|row| (0..b.side).map(move |column| cell(row, column))).collect();
    Matrix { side: a.side, cells }
}

/// Multiplies two matrices after transposing the second one, so that each cell is a sum over two rows.
///
/// Is access by column what makes the definition slow? Compare with `multiply_naive` at each side. If this version is
/// no faster, the dependent additions are the bottleneck, and `multiply_by_rows` is the fix. `O(n³)`.
#[measured(generators(matrices), alternatives = "matrix product")]
pub fn multiply_transposed(a: &Matrix, b: &Matrix) -> Matrix {
    let columns: Vec<f64> = (0..b.side).flat_map(|column| b.cells[column..].iter().step_by(b.side)).copied().collect();
    let cell = |row: &[f64], column: &[f64]| row.iter().zip(column).map(|(x, y)| x * y).sum();
    let cells = a.rows().flat_map(|row| columns.chunks_exact(b.side).map(move |column| cell(row, column))).collect();
    Matrix { side: a.side, cells }
}

/// Multiplies two matrices by adding multiples of rows to rows.
///
/// How much does the order of three loops matter? Compare with `multiply_naive`: the same additions in the same order
/// for each cell, but sequential in memory and many cells at once. `O(n³)`.
#[measured(generators(matrices), alternatives = "matrix product")]
pub fn multiply_by_rows(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = Matrix { side: a.side, cells: vec![0.0; a.cells.len()] };
    for (sums, factors) in product.cells.chunks_exact_mut(a.side).zip(a.rows()) {
        for (factor, row) in factors.iter().zip(b.rows()) {
            add_multiple(sums, *factor, row);
        }
    }
    product
}

/// Multiplies two matrices as `multiply_by_rows` does, but block by block of the second matrix.
///
/// At which side does it pay to process a block of the second matrix repeatedly while it is cached? Compare with
/// `multiply_by_rows` beyond the size of a cache: 512 rows of 512 numbers are 2 MiB. `O(n³)`.
///
/// Lam, Rothberg, Wolf,
/// [The cache performance and optimizations of blocked algorithms](https://doi.org/10.1145/106972.106981), 1991.
#[measured(generators(matrices), alternatives = "matrix product")]
pub fn multiply_blocked(a: &Matrix, b: &Matrix) -> Matrix {
    // A block has 128 KiB, less than a second-level cache.
    const ROWS: usize = 64;
    const COLUMNS: usize = 256;
    let side = a.side;
    let mut product = Matrix { side, cells: vec![0.0; a.cells.len()] };
    for first_row in (0..side).step_by(ROWS) {
        for first_column in (0..side).step_by(COLUMNS) {
            let columns = first_column..side.min(first_column + COLUMNS);
            for (sums, factors) in product.cells.chunks_exact_mut(side).zip(a.rows()) {
                let rows = b.rows().skip(first_row).take(ROWS);
                for (factor, row) in factors[first_row..].iter().zip(rows) {
                    add_multiple(&mut sums[columns.clone()], *factor, &row[columns.clone()]);
                }
            }
        }
    }
    product
}

fn add_multiple(sums: &mut [f64], factor: f64, row: &[f64]) {
    for (sum, cell) in sums.iter_mut().zip(row) {
        *sum += factor * cell;
    }
}

/// A square matrix, stored row by row.
#[derive(Debug, PartialEq)]
pub struct Matrix {
    side: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.cells.chunks_exact(self.side)
    }
}

/// Bitwise: all algorithms add the same numbers in the same order.
impl Hash for Matrix {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.cells.iter().for_each(|cell| cell.to_bits().hash(state));
    }
}

/// Two matrices of random numbers.
#[generator(name = "Matrices")]
fn matrices(
    _service: &Service,
    /// Rows and columns of each matrix.
    #[parameter(min = 2, max = 512, scale = "log", default = 8..=128, unit = "rows")]
    side: usize,
) -> Shared<(Matrix, Matrix)> {
    Shared::new(move |rng| {
        let mut matrix = || Matrix { side, cells: (0..side * side).map(|_| rng.random()).collect() };
        (matrix(), matrix())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [The number of primes](https://oeis.org/A006880) up to powers of ten, and around the ends of segments.
    #[test]
    fn sieves_count_primes() {
        for (limit, primes) in [(10, 4), (11, 5), (1_000, 168), (65_535, 6_542), (65_537, 6_543), (1_000_000, 78_498)] {
            assert_eq!(sieve_plain(limit), primes, "up to {limit}");
            assert_eq!(sieve_odd(limit), primes, "up to {limit}");
            assert_eq!(sieve_segmented(limit), primes, "up to {limit}");
        }
    }

    #[test]
    fn multiplications_agree_with_a_known_product() {
        let matrix = |cells: [f64; 4]| Matrix { side: 2, cells: cells.into() };
        let (a, b) = (matrix([1.0, 2.0, 3.0, 4.0]), matrix([5.0, 6.0, 7.0, 8.0]));
        for multiply in [multiply_naive, multiply_transposed, multiply_by_rows, multiply_blocked] {
            assert_eq!(multiply(&a, &b), matrix([19.0, 22.0, 43.0, 50.0]));
        }
    }

    #[test]
    fn multiplies_incomplete_blocks() {
        // More than one block in each direction, and the last ones incomplete.
        let side = 260;
        let matrix = |step| Matrix { side, cells: (0..side * side).map(|cell| (cell * step % 97) as f64).collect() };
        assert!(multiply_blocked(&matrix(5), &matrix(7)) == multiply_by_rows(&matrix(5), &matrix(7)));
    }

    #[test]
    fn compensated_sum_keeps_rounding_errors() {
        // Each single addition rounds to 1.
        let values = [1.0, 1e-16, 1e-16, 1e-16, 1e-16];
        assert_eq!((sum(&values), sum_compensated(&values)), (1.0, 1.0 + 4e-16));
        assert_eq!(sum_in_lanes(&[1.0; 19]), 19.0);
    }
}
