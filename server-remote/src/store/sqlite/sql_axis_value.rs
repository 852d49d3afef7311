//! Axis values in the database: a real number, a text, or NULL if the request has no axis.

use benchbook_contract::axis_value::AxisValue;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Result, ToSql};

use super::encode::DecodeError;

/// An axis value as a parameter of a statement. Compare it with `IS`, since NULL is a value.
pub(super) struct SqlAxisValue<'a>(pub &'a AxisValue);

impl ToSql for SqlAxisValue<'_> {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            AxisValue::Number(value) => ValueRef::Real(*value),
            AxisValue::Text(text) => ValueRef::Text(text.as_bytes()),
            AxisValue::Absent => ValueRef::Null,
        }))
    }
}

/// Reads the column of an axis value.
pub(super) fn read_axis_value(column: ValueRef<'_>) -> Result<AxisValue, DecodeError> {
    match column {
        ValueRef::Real(value) => Ok(AxisValue::Number(value)),
        ValueRef::Text(text) => match str::from_utf8(text) {
            Ok(text) => Ok(text.into()),
            Err(error) => Err(DecodeError(format!("invalid axis value: {error}"))),
        },
        ValueRef::Null => Ok(AxisValue::Absent),
        ValueRef::Integer(_) | ValueRef::Blob(_) => {
            Err(DecodeError(format!("invalid axis value of type {}", column.data_type())))
        }
    }
}
