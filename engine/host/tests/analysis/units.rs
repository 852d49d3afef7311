//! Formatting of numbers. The tables use an ordinary space for the narrow no-break space.

use benchbook_host::units::{Nanos, SPACE, TimeUnit, count, number, percent, plus_minus, relative_change};

#[track_caller]
fn assert_formats<T: Copy + std::fmt::Debug>(write: impl Fn(T) -> String, table: &[(T, &str)]) {
    for &(value, expected) in table {
        assert_eq!(write(value), expected.replace(' ', &SPACE.to_string()), "{value:?}");
    }
}

#[test]
fn time_has_three_significant_digits_and_a_suitable_unit() {
    assert_formats(
        |ns| Nanos(ns).to_string(),
        &[
            (10_432.0, "10.4 µs"),
            (0.98, "980 ps"),
            (0.000_5, "0.500 ps"),
            (1.0, "1.00 ns"),
            (6.8, "6.80 ns"),
            (123.456, "123 ns"),
            (999.4, "999 ns"),
            (999.5, "1.00 µs"),
            (0.999_6, "1.00 ns"),
            (2_880_000.0, "2.88 ms"),
            (1.5e9, "1.50 s"),
            (7.2e12, "7 200 s"),
            (0.0, "0 ns"),
            (-0.0, "0 ns"),
            (-10_432.0, "−10.4 µs"),
            (-0.3, "−300 ps"),
            (1e-20, "0 ps"),
        ],
    );
    assert_eq!(format!("{:>8}", Nanos(1.0)), format!(" 1.00{SPACE}ns"));
}

#[test]
fn column_has_one_unit() {
    let unit = TimeUnit::for_largest(45_200.0);
    assert_eq!((unit, unit.symbol(), unit.in_unit(500.0)), (TimeUnit::Microseconds, "µs", 0.5));
    assert_formats(
        |ns| unit.format(ns),
        &[(45_200.0, "45.2 µs"), (500.0, "0.500 µs"), (1.234, "0.00123 µs"), (0.0, "0 µs"), (-120.0, "−0.120 µs")],
    );
    assert_formats(|ns| unit.digits(ns), &[(45_200.0, "45.2"), (2_500_000.0, "2 500")]);
    assert_formats(|ns| TimeUnit::Seconds.digits(ns), &[(1.0, "0.00000000100"), (0.001, "0.000000000001")]);
}

#[test]
fn unit_suits_the_rounded_time() {
    for (ns, unit) in [
        (0.0, TimeUnit::Nanoseconds),
        (0.999, TimeUnit::Picoseconds),
        (0.999_9, TimeUnit::Nanoseconds),
        (-999.9, TimeUnit::Microseconds),
        (999_499.0, TimeUnit::Microseconds),
        (999_500.0, TimeUnit::Milliseconds),
        (1e9, TimeUnit::Seconds),
    ] {
        assert_eq!(TimeUnit::for_largest(ns), unit, "{ns}");
    }
}

#[test]
fn digits_are_grouped_by_three() {
    assert_formats(
        count,
        &[
            (0, "0"),
            (999, "999"),
            (1_000, "1 000"),
            (23_714, "23 714"),
            (100_000, "100 000"),
            (9_007_199_254_740_992, "9 007 199 254 740 992"),
        ],
    );
    assert_formats(
        number,
        &[
            (23_714.0, "23 714"),
            (-1_000.0, "−1 000"),
            (0.25, "0.25"),
            (1_234.5, "1 234.5"),
            (100.0, "100"),
            (0.1 + 0.2, "0.3"),
            (3.0 * 1_000.1, "3 000.3"),
            (-0.0, "0"),
            (-1e-15, "0"),
            (9_007_199_254_740_992.0, "9 007 199 254 740 992"),
        ],
    );
}

#[test]
fn ratio_is_formatted_in_percent() {
    assert_formats(
        percent,
        &[
            (0.018, "1.8%"),
            (0.004_56, "0.46%"),
            (0.02, "2.0%"),
            (0.123, "12%"),
            (0.099_6, "10%"),
            (1.24, "124%"),
            (12.4, "1 240%"),
            (0.0, "0%"),
            (-0.041, "−4.1%"),
        ],
    );
    assert_formats(plus_minus, &[(0.018, "±1.8%"), (0.0, "±0%")]);
}

#[test]
fn what_rounding_leaves_of_an_interval_is_zero() {
    assert_formats(plus_minus, &[(0.018, "±1.8%"), (0.0, "±0%"), (1.2e-13, "±0%")]);
}

#[test]
fn a_change_is_a_factor_from_twice_as_much_on() {
    assert_formats(
        relative_change,
        &[
            (0.31, "+31%"),
            (-0.5, "−50%"),
            (1e-12, "0%"),
            (0.999, "+100%"),
            (1.0, "2.00×"),
            (154.545, "156×"),
            (-1.2, "−100%"),
        ],
    );
}
