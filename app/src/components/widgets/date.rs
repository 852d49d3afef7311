//! Dates and times. Like numbers, they are written the same way in every locale, so that a picture or a quotation of the page means the same
//! to everyone: `29 Nov 2026, 14:05`, with the month in letters, since its order among digits depends on the country. The time zone is the
//! user's.

use js_sys::Date;
use wasm_bindgen::JsValue;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A date with its time in the user's time zone. `ms`: milliseconds since 1970.
pub(crate) fn date(ms: f64) -> String {
    let date = Date::new(&JsValue::from_f64(ms));
    written(date.get_full_year(), date.get_month(), date.get_date(), [date.get_hours(), date.get_minutes()])
}

/// A date without its time: `29 Nov 2026`.
pub(crate) fn day(ms: f64) -> String {
    let date = date(ms);
    date.split_once(',').map_or_else(String::new, |(day, _)| day.to_owned())
}

/// `month`: from 0. Empty for a date outside the range of JavaScript.
fn written(year: u32, month: u32, day: u32, [hours, minutes]: [u32; 2]) -> String {
    let month = MONTHS.get(month as usize);
    month.map(|month| format!("{day} {month} {year}, {hours:02}:{minutes:02}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn writes_dates_without_a_locale() {
        assert_eq!(written(2026, 10, 29, [14, 5]), "29 Nov 2026, 14:05");
        assert_eq!(written(2027, 0, 1, [0, 0]), "1 Jan 2027, 00:00");
    }
}
