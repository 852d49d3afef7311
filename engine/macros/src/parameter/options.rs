//! The options in `#[parameter(…)]`, and their checks.

use syn::{Attribute, Error, Expr, ExprLit, ExprRange, ExprUnary, Ident, Lit, Meta, RangeLimits, Result, Type, UnOp};

use super::kind::ParameterKind;
use crate::syntax::{bare_expression, string};

/// The part of a step by which a default may miss its grid point, as for arguments.
const GRID_TOLERANCE: f64 = 1e-9;

/// The options, as written.
#[derive(Default)]
pub(crate) struct ParameterOptions {
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    step: Option<f64>,
    /// The only valid values; empty if they are not listed.
    pub(crate) values: Vec<f64>,
    pub(crate) default: Option<ParameterDefault>,
    pub(crate) unit: Option<String>,
    is_log: Option<bool>,
    axis: Option<bool>,
}

/// A default, and the expression that an error about it marks.
pub(crate) struct ParameterDefault {
    pub(crate) value: DefaultValue,
    pub(crate) expression: Expr,
}

pub(crate) enum DefaultValue {
    Number(f64),
    Range(f64, f64),
    Text(String),
    Bool(bool),
}

impl ParameterOptions {
    pub(crate) fn parse(attribute: &Attribute) -> Result<Self> {
        let mut options = Self::default();
        if matches!(attribute.meta, Meta::Path(_)) {
            return Ok(options);
        }
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let value: Expr = match name.as_str() {
                "min" | "max" | "step" | "values" | "default" | "unit" | "scale" | "axis" => meta.value()?.parse()?,
                _ => return Err(meta.error("unknown option: write min, max, step, values, default, unit, scale or axis")),
            };
            let is_new = match name.as_str() {
                "min" => options.min.replace(number(&value)?).is_none(),
                "max" => options.max.replace(number(&value)?).is_none(),
                "step" => options.step.replace(number(&value)?).is_none(),
                "values" => options.set_values(&value)?,
                "default" => options.default.replace(ParameterDefault::read(value)?).is_none(),
                "unit" => options.unit.replace(string(&value, "a unit")?).is_none(),
                "scale" => options.is_log.replace(is_log(&value)?).is_none(),
                _ => options.axis.replace(axis(&value)?).is_none(),
            };
            match is_new {
                true => Ok(()),
                false => Err(meta.error(format!("{name} is set twice: remove one"))),
            }
        })?;
        if let [first, .., last] = options.values[..] {
            if [options.min, options.max, options.step].iter().any(Option::is_some) {
                return Err(Error::new_spanned(attribute, "values replaces min, max and step: remove these"));
            }
            (options.min, options.max) = (Some(first), Some(last));
        }
        Ok(options)
    }

    /// Sets the list of valid values. Returns whether there was none before.
    fn set_values(&mut self, list: &Expr) -> Result<bool> {
        let error = |message: &str| Err(Error::new_spanned(list, message));
        let Expr::Array(array) = bare_expression(list) else {
            return error("values must be a list: write numbers in brackets, such as [10, 100, 1_000]");
        };
        let values = array.elems.iter().map(number).collect::<Result<Vec<f64>>>()?;
        if values.len() < 2 {
            return error("values needs at least two numbers: write more, or use a constant instead of a parameter");
        }
        if values.windows(2).any(|pair| pair[0] >= pair[1]) {
            return error("values must be in ascending order: sort them, and remove duplicates");
        }
        let is_new = self.values.is_empty();
        self.values = values;
        Ok(is_new)
    }

    /// Checks the options against the type and against each other.
    pub(crate) fn check(&self, kind: &ParameterKind, ident: &Ident, ty: &Type) -> Result<()> {
        if !kind.is_numeric() && self.has_numeric_option() {
            return Err(Error::new_spanned(
                ty,
                "only numbers have min, max, step, values, unit, scale and axis: use u32, u64, i32, i64, usize, f32 or f64, not an \
                 alias, or write only a default",
            ));
        }
        let Some(default) = &self.default else {
            let example = match kind {
                ParameterKind::Integer { .. } | ParameterKind::Float { .. } => {
                    "a number, or a range such as 1_000..=100_000"
                }
                ParameterKind::Text => "a string such as \"needle\"",
                ParameterKind::Bool => "true or false",
                ParameterKind::Choice => "the name of a variant such as \"Random\"",
            };
            return Err(Error::new(ident.span(), format!("`{ident}` has no default: write default = … ({example})")));
        };
        match (kind, &default.value) {
            (ParameterKind::Integer { .. } | ParameterKind::Float { .. }, _) => self.check_number(kind, ident, default),
            (ParameterKind::Bool, DefaultValue::Bool(_)) => Ok(()),
            (ParameterKind::Bool, _) => {
                Err(default.error("the default of a bool must be true or false: write one, without quotes"))
            }
            (ParameterKind::Text | ParameterKind::Choice, DefaultValue::Text(_)) => Ok(()),
            (ParameterKind::Text | ParameterKind::Choice, _) => {
                Err(default.error("the default of a text or a choice must be a string: write one, such as \"Random\""))
            }
        }
    }

    /// The step; 1 for integers without one.
    pub(crate) fn step(&self, kind: &ParameterKind) -> Option<f64> {
        self.step.or(matches!(kind, ParameterKind::Integer { .. }).then_some(1.0))
    }

    /// Whether the scale is logarithmic; by default it is linear.
    pub(crate) fn is_log(&self) -> bool {
        self.is_log == Some(true)
    }

    /// Whether the parameter may be the axis; by default it may.
    pub(crate) fn may_be_axis(&self) -> bool {
        self.axis != Some(false)
    }

    fn has_numeric_option(&self) -> bool {
        [self.min, self.max, self.step].iter().any(Option::is_some)
            || !self.values.is_empty()
            || self.unit.is_some()
            || self.is_log.is_some()
            || self.axis.is_some()
    }

    fn check_number(&self, kind: &ParameterKind, ident: &Ident, default: &ParameterDefault) -> Result<()> {
        let error = |message: String| Error::new(ident.span(), message);
        let (min, max) = match (self.min, self.max) {
            (Some(min), Some(max)) => (min, max),
            (None, None) => return Err(error(format!("`{ident}` has no bounds: write min = … and max = …"))),
            (None, _) => return Err(error(format!("`{ident}` has no lower bound: write min = …"))),
            (_, None) => return Err(error(format!("`{ident}` has no upper bound: write max = …"))),
        };
        self.check_bounds(kind, ident, min, max).map_err(error)?;
        let values = match default.value {
            DefaultValue::Number(value) => vec![value],
            DefaultValue::Range(low, high) => {
                self.check_range(low, high).map_err(|message| default.error(&message))?;
                vec![low, high]
            }
            DefaultValue::Text(_) | DefaultValue::Bool(_) => {
                return Err(default.error(
                    "the default of a number must be a number or a range: write one without quotes, such as 1_000..=100_000",
                ));
            }
        };
        let checked = values.into_iter().try_for_each(|value| self.check_default(kind, value, min, max));
        checked.map_err(|message| default.error(&message))
    }

    fn check_bounds(&self, kind: &ParameterKind, ident: &Ident, min: f64, max: f64) -> std::result::Result<(), String> {
        if min > max {
            return Err(format!("min is above max: write min = {max}, max = {min}, or correct one of them"));
        }
        if min == max {
            return Err("min equals max: write a max above min, or use a constant instead of a parameter".to_owned());
        }
        if let ParameterKind::Integer { name, bounds: (least, most) } = kind {
            if min < *least || max > *most {
                return Err(format!(
                    "{name} ranges from {least} to {most} here (integers are exact up to 2^53): write min and max within \
                     that range"
                ));
            }
            if self.values.iter().any(|value| value.fract() != 0.0) {
                return Err(format!("`{ident}` is an integer: write values without a fraction"));
            }
            if [Some(min), Some(max), self.step].into_iter().flatten().any(|value| value.fract() != 0.0) {
                return Err(format!("`{ident}` is an integer: write min, max and step without a fraction"));
            }
        }
        if self.step.is_some_and(|step| step <= 0.0 || step > max - min) {
            return Err(format!("step must be above 0 and at most max - min: write one up to {}", max - min));
        }
        if self.is_log() && min <= 0.0 {
            return Err("a log scale needs a min above 0: write one, or scale = \"linear\"".to_owned());
        }
        Ok(())
    }

    fn check_range(&self, low: f64, high: f64) -> std::result::Result<(), String> {
        if low == high {
            return Err(format!("the default range has a single value: write {low}, or a higher upper end"));
        }
        if low > high {
            return Err(format!("the default range is empty: write {high}..={low}"));
        }
        if !self.may_be_axis() {
            return Err("a default range needs the axis: remove axis = false, or write a single value".to_owned());
        }
        Ok(())
    }

    fn check_default(&self, kind: &ParameterKind, value: f64, min: f64, max: f64) -> std::result::Result<(), String> {
        if !(min..=max).contains(&value) {
            let nearest = value.clamp(min, max);
            return Err(format!("the default {value} is outside {min} to {max}: write {nearest}, or move the bound"));
        }
        if !self.values.is_empty() {
            return match self.values.contains(&value) {
                true => Ok(()),
                false => Err(format!("the default {value} is not one of the values: write one of them, or add it")),
            };
        }
        let Some(step) = self.step(kind) else { return Ok(()) };
        let steps = (value - min) / step;
        if (steps - steps.round()).abs() <= GRID_TOLERANCE {
            return Ok(());
        }
        let (below, above) = (min + steps.floor() * step, min + steps.ceil() * step);
        let nearest = if above > max { below.to_string() } else { format!("{below} or {above}") };
        Err(format!("the default {value} is not {min} plus a multiple of the step {step}: write {nearest}"))
    }
}

impl ParameterDefault {
    fn read(expression: Expr) -> Result<Self> {
        let value = match bare_expression(&expression) {
            Expr::Range(ExprRange { start: Some(low), end: Some(high), limits: RangeLimits::Closed(_), .. }) => {
                DefaultValue::Range(number(low)?, number(high)?)
            }
            Expr::Range(range) => {
                return Err(Error::new_spanned(range, "a default range includes both ends: write low..=high"));
            }
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => DefaultValue::Text(text.value()),
            Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => DefaultValue::Bool(value.value),
            Expr::Path(path) => {
                return Err(Error::new_spanned(
                    path,
                    "expected a literal, since attributes cannot read constants: write a number, such as 1_000, or the \
                     name of an option in quotes, such as \"Random\"",
                ));
            }
            other => DefaultValue::Number(number(other)?),
        };
        Ok(Self { value, expression })
    }

    /// The name of the default option of a choice.
    pub(crate) fn option_name(&self) -> String {
        match &self.value {
            DefaultValue::Text(text) => text.clone(),
            DefaultValue::Bool(value) => value.to_string(),
            DefaultValue::Number(_) | DefaultValue::Range(..) => {
                unreachable!("a number is not the default of a choice")
            }
        }
    }

    fn error(&self, message: &str) -> Error {
        Error::new_spanned(&self.expression, message)
    }
}

/// A number, possibly negative.
fn number(expression: &Expr) -> Result<f64> {
    match bare_expression(expression) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => number(expr).map(|value| -value),
        other => Err(Error::new_spanned(
            other,
            "expected a literal number, since attributes cannot read constants: write one, such as 1_000",
        )),
    }
}

fn is_log(expression: &Expr) -> Result<bool> {
    match string(expression, "a scale")?.as_str() {
        "log" => Ok(true),
        "linear" => Ok(false),
        _ => Err(Error::new_spanned(expression, "unknown scale: write \"linear\" or \"log\"")),
    }
}

fn axis(expression: &Expr) -> Result<bool> {
    match bare_expression(expression) {
        Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => Ok(value.value),
        other => Err(Error::new_spanned(
            other,
            "axis must be true or false: write axis = false if this parameter cannot be the axis",
        )),
    }
}
