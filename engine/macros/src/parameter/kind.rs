//! What a parameter's type makes of it.

use syn::{Error, Result, Type};

use crate::syntax::bare_type;

/// The largest integer up to which every integer has an exact `f64`, 2⁵³.
const MAX_INTEGER: f64 = 9_007_199_254_740_992.0;

/// The types of parameters.
const TYPES: &str = "u32, u64, i32, i64, usize, f32, f64, bool, String, or an enum with #[derive(Choice)]";

/// The kind of a parameter.
pub(crate) enum ParameterKind {
    Integer {
        name: String,
        bounds: (f64, f64),
    },
    Float {
        name: String,
    },
    Text,
    /// A choice of `false` and `true`.
    Bool,
    Choice,
}

impl ParameterKind {
    pub(crate) fn of(ty: &Type) -> Result<Self> {
        let Type::Path(path) = bare_type(ty) else {
            return Err(Error::new_spanned(ty, format!("this type cannot be a parameter: use {TYPES}")));
        };
        let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
        Ok(match name.as_str() {
            // The page is 32-bit, where a usize is a u32.
            "u32" | "usize" => Self::Integer { bounds: (0.0, f64::from(u32::MAX)), name },
            "i32" => Self::Integer { bounds: (f64::from(i32::MIN), f64::from(i32::MAX)), name },
            "u64" => Self::Integer { bounds: (0.0, MAX_INTEGER), name },
            "i64" => Self::Integer { bounds: (-MAX_INTEGER, MAX_INTEGER), name },
            "f32" | "f64" => Self::Float { name },
            "String" => Self::Text,
            "bool" => Self::Bool,
            "u8" | "u16" | "i8" | "i16" | "u128" | "i128" | "isize" | "char" => {
                return Err(Error::new_spanned(ty, format!("`{name}` cannot be a parameter: use {TYPES}")));
            }
            _ => Self::Choice,
        })
    }

    pub(crate) fn is_numeric(&self) -> bool {
        matches!(self, Self::Integer { .. } | Self::Float { .. })
    }
}
