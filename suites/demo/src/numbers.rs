//! Arithmetic.

use std::hash::{Hash, Hasher};

use benchbook::prelude::*;

/// Whether the number is even: about as little as a function can do.
///
/// Can its cost be told from that of calling it?
#[measured(generators(number))]
pub fn is_even(number: u64) -> bool {
    number.is_multiple_of(2)
}

/// Random numbers of a number of bits.
#[generator(name = "Number")]
fn number(
    _service: &Service,
    /// The most bits that the number has.
    #[parameter(min = 1, max = 64, default = 1..=64, unit = "bits")]
    bits: u32,
) -> Calls<u64> {
    Calls::new(move |rng| (0..256).map(|_| rng.random::<u64>() >> (64 - bits)).collect())
}

/// The sum of the values, from the first to the last.
///
/// Floating-point addition is not associative, so the compiler must keep the order: one addition waits for the other.
/// How much does that cost? Compare with `sum_in_lanes`. `O(n)`.
#[measured(generators(values))]
pub fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// The sum of the values in eight lanes, which are added up at the end.
///
/// How much faster is a sum whose additions need not wait for each other, and from how many values on? Compare with
/// `sum`. The results differ in their last digits. `O(n)`.
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

/// The sum of the values, with what each addition rounds away added to the next.
///
/// What does a sum cost that is nearly exact? Four additions instead of one, each waiting for the one before it:
/// compare with `sum`. `O(n)`.
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

/// Values spread evenly around a center.
#[generator(name = "Values")]
fn values(
    _service: &Service,
    /// Number of values.
    #[parameter(min = 1, max = 1_000_000, scale = "log", default = 10..=10_000, unit = "values")]
    count: usize,
    /// What they lie around.
    #[parameter(min = -1_000.0, max = 1_000.0, default = 0.0, axis = false)]
    center: f64,
) -> Shared<Vec<f64>> {
    Shared::new(move |rng| (0..count).map(|_| center + rng.random::<f64>() - 0.5).collect())
}

/// How many primes there are up to the limit, by striking out multiples.
///
/// How fast is the sieve of Eratosthenes as it is taught, and where does it leave the cache, with a byte for each
/// number? Compare with `sieve_odd` and `sieve_segmented`. `O(n log log n)`.
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

/// How many primes there are up to the limit, by striking out multiples among odd numbers.
///
/// Is leaving out the even numbers worth twice the speed, or more? Compare with `sieve_plain`: half the memory, and
/// fewer than half the strikes. `O(n log log n)`.
#[measured(generators(limit), alternatives = "number of primes")]
pub fn sieve_odd(limit: u32) -> usize {
    // 1 is none, but it stands in for 2.
    count(&odd_primes(limit as usize))
}

/// How many primes there are up to the limit, by striking out multiples in one piece after the other.
///
/// What is it worth to stay in the first-level cache, and from which limit on? Compare with `sieve_odd`, which does the
/// same in one piece. `O(n log log n)`, with memory for the square root.
///
/// Bays and Hudson, [The segmented sieve of Eratosthenes](https://doi.org/10.1007/BF01932283), 1977.
#[measured(generators(limit), alternatives = "number of primes")]
pub fn sieve_segmented(limit: u32) -> usize {
    // First-level caches have 32 KiB or more.
    const PIECE: usize = 32 * 1024;
    let limit = limit as usize;
    let roots = odd_primes(limit.isqrt());
    // With the place in the piece at work that is to be struck next.
    let mut primes: Vec<(usize, usize)> = (1..roots.len())
        .filter(|place| roots[*place])
        .map(|place| 2 * place + 1)
        .map(|prime| (prime, prime * prime / 2))
        .collect();
    let mut piece = vec![true; PIECE];
    let mut left = limit.div_ceil(2);
    let mut found = 0;
    while left > 0 {
        let piece = &mut piece[..left.min(PIECE)];
        piece.fill(true);
        for (prime, next) in &mut primes {
            while let Some(place) = piece.get_mut(*next) {
                *place = false;
                *next += *prime;
            }
            *next -= piece.len();
        }
        found += count(piece);
        left -= piece.len();
    }
    found
}

/// Which odd numbers up to the limit are prime: place `i` stands for `2 i + 1`, and the first one for 2.
fn odd_primes(limit: usize) -> Vec<bool> {
    let mut is_prime = vec![true; limit.div_ceil(2)];
    for number in (3..=limit.isqrt()).step_by(2) {
        if is_prime[number / 2] {
            strike(&mut is_prime[number * number / 2..], number);
        }
    }
    is_prime
}

/// Strikes out the first place and each that is a multiple of `step` after it.
fn strike(is_prime: &mut [bool], step: usize) {
    for place in is_prime.iter_mut().step_by(step) {
        *place = false;
    }
}

fn count(is_prime: &[bool]) -> usize {
    is_prime.iter().filter(|is_prime| **is_prime).count()
}

/// A number up to which primes are looked for.
#[generator(name = "Limit")]
fn limit(
    _service: &Service,
    /// The last number.
    #[parameter(min = 10, max = 100_000_000, scale = "log", default = 1_000..=1_000_000)]
    limit: u32,
) -> Shared<u32> {
    Shared::new(move |_| limit)
}

/// The product of two matrices: each cell is the sum over a row and a column.
///
/// How slow is the definition, written down as it is? It walks down the columns of a matrix that is stored row after
/// row: vary the side, and compare with `multiply_by_rows`. `O(n³)`.
#[measured(generators(matrices), alternatives = "matrix product")]
pub fn multiply_naive(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |row: &[f64], column| row.iter().zip(b.cells[column..].iter().step_by(b.side)).map(|(x, y)| x * y).sum();
    let cells = a.rows().flat_map(|row| (0..b.side).map(move |column| cell(row, column))).collect();
    Matrix { side: a.side, cells }
}

/// The product of two matrices: the second one is transposed, so that each cell is the sum over two rows.
///
/// Is it the walk down the columns that makes the definition slow? Compare with `multiply_naive` at each side: where
/// this one is no faster, it is rather that one addition waits for the other, and `multiply_by_rows` is the cure.
/// `O(n³)`.
#[measured(generators(matrices), alternatives = "matrix product")]
pub fn multiply_transposed(a: &Matrix, b: &Matrix) -> Matrix {
    let columns: Vec<f64> = (0..b.side).flat_map(|column| b.cells[column..].iter().step_by(b.side)).copied().collect();
    let cell = |row: &[f64], column: &[f64]| row.iter().zip(column).map(|(x, y)| x * y).sum();
    let cells = a.rows().flat_map(|row| columns.chunks_exact(b.side).map(move |column| cell(row, column))).collect();
    Matrix { side: a.side, cells }
}

/// The product of two matrices: multiples of rows are added to rows.
///
/// How much is won by the order of three loops alone? Compare with `multiply_naive`: the same additions in the same
/// order for each cell, but next to each other in memory, and many cells at once. `O(n³)`.
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

/// The product of two matrices: multiples of rows are added to rows, block by block of the second one.
///
/// From which side on is it worth four loops to read a block of the second matrix again while the cache holds it?
/// Compare with `multiply_by_rows`, beyond what a cache holds: 512 rows of 512 numbers are 2 MiB. `O(n³)`.
///
/// Lam, Rothberg, Wolf,
/// [The cache performance and optimizations of blocked algorithms](https://doi.org/10.1145/106972.106981), 1991.
#[measured(generators(matrices), alternatives = "matrix product")]
pub fn multiply_blocked(a: &Matrix, b: &Matrix) -> Matrix {
    // A block has 128 KiB: second-level caches have more.
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

/// A square of numbers, row after row.
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

/// Bit by bit: the ways to multiply add the same numbers in the same order.
impl Hash for Matrix {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.cells.iter().for_each(|cell| cell.to_bits().hash(state));
    }
}

/// Two matrices of random numbers.
#[generator(name = "Matrices")]
fn matrices(
    _service: &Service,
    /// Rows of each, and columns.
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

    /// [The number of primes](https://oeis.org/A006880) up to powers of ten, and around the ends of pieces.
    #[test]
    fn primes_are_counted() {
        for (limit, primes) in [(10, 4), (11, 5), (1_000, 168), (65_535, 6_542), (65_537, 6_543), (1_000_000, 78_498)] {
            assert_eq!(sieve_plain(limit), primes, "up to {limit}");
            assert_eq!(sieve_odd(limit), primes, "up to {limit}");
            assert_eq!(sieve_segmented(limit), primes, "up to {limit}");
        }
    }

    #[test]
    fn matrices_are_multiplied() {
        let matrix = |cells: [f64; 4]| Matrix { side: 2, cells: cells.into() };
        let (a, b) = (matrix([1.0, 2.0, 3.0, 4.0]), matrix([5.0, 6.0, 7.0, 8.0]));
        for multiply in [multiply_naive, multiply_transposed, multiply_by_rows, multiply_blocked] {
            assert_eq!(multiply(&a, &b), matrix([19.0, 22.0, 43.0, 50.0]));
        }
    }

    #[test]
    fn blocks_meet() {
        // More than one block in each direction, and the last ones incomplete.
        let side = 260;
        let matrix = |step| Matrix { side, cells: (0..side * side).map(|cell| (cell * step % 97) as f64).collect() };
        assert!(multiply_blocked(&matrix(5), &matrix(7)) == multiply_by_rows(&matrix(5), &matrix(7)));
    }

    #[test]
    fn what_is_rounded_away_is_kept() {
        // Each addition alone rounds to 1.
        let values = [1.0, 1e-16, 1e-16, 1e-16, 1e-16];
        assert_eq!((sum(&values), sum_compensated(&values)), (1.0, 1.0 + 4e-16));
        assert_eq!(sum_in_lanes(&[1.0; 19]), 19.0);
    }
}
