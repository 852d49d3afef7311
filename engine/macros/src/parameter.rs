//! One parameter of a generator: what its attribute says, checked, as tokens.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, ExprRange, ExprUnary, Ident, Lit, Meta, Pat, PatType, RangeLimits, Result, Type,
    UnOp,
};

use crate::attributes::{docs, text};

/// The largest whole number that has an exact `f64`, 2⁵³.
const MAX_INTEGER: f64 = 9_007_199_254_740_992.0;

/// A parameter that was read and checked.
pub(crate) struct Parameter {
    /// Its name in the source.
    pub(crate) ident: Ident,
    /// Whether its default is a range.
    pub(crate) has_range: bool,
    /// Makes its card for the catalog.
    pub(crate) card: TokenStream,
    /// Reads its value from the arguments.
    pub(crate) read: TokenStream,
}

/// The values of `#[parameter(…)]`, each with its place.
#[derive(Default)]
struct Options {
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
    default: Option<(DefaultValue, Span)>,
    unit: Option<String>,
    log: bool,
    axis: Option<bool>,
}

enum DefaultValue {
    Number(f64),
    Range(f64, f64),
    Text(String),
}

/// What the type of a parameter makes of it.
enum Kind {
    Integer { name: String, bounds: (f64, f64) },
    Float { name: String },
    Text,
    Choice,
}

impl Parameter {
    pub(crate) fn read(typed: &PatType) -> Result<Self> {
        let Pat::Ident(pattern) = &*typed.pat else {
            return Err(Error::new_spanned(&typed.pat, "a generator's parameter has a plain name: the page shows it"));
        };
        let ident = pattern.ident.clone();
        let description = docs(&typed.attrs);
        if description.is_empty() {
            return Err(Error::new(
                ident.span(),
                format!(
                    "describe `{ident}` for the person who sets it: write a doc comment above it, such as `/// Number of keys.`"
                ),
            ));
        }
        let attribute = typed.attrs.iter().find(|attribute| attribute.path().is_ident("parameter")).ok_or_else(|| {
            Error::new(
                ident.span(),
                format!("write #[parameter(…)] above `{ident}`: min, max and default for a number, default for a text or a choice"),
            )
        })?;
        let options = Options::parse(attribute)?;
        let kind = Kind::of(&typed.ty)?;
        options.check(&kind, &ident)?;
        let has_range = matches!(options.default, Some((DefaultValue::Range(..), _)));
        let card = card(&ident, &description, &kind, &options, &typed.ty);
        let read = read(&ident, &kind, &typed.ty);
        Ok(Self { ident, has_range, card, read })
    }
}

impl Kind {
    fn of(ty: &Type) -> Result<Self> {
        let Type::Path(path) = ty else {
            return Err(Error::new_spanned(
                ty,
                "a parameter is u32, u64, i32, i64, usize, f32, f64, String, or an enum with #[derive(Choice)]",
            ));
        };
        let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
        Ok(match name.as_str() {
            // The page is 32-bit: there a usize is a u32.
            "u32" | "usize" => Self::Integer { bounds: (0.0, f64::from(u32::MAX)), name },
            "i32" => Self::Integer { bounds: (f64::from(i32::MIN), f64::from(i32::MAX)), name },
            "u64" => Self::Integer { bounds: (0.0, MAX_INTEGER), name },
            "i64" => Self::Integer { bounds: (-MAX_INTEGER, MAX_INTEGER), name },
            "f32" | "f64" => Self::Float { name },
            "String" => Self::Text,
            "u8" | "u16" | "i8" | "i16" | "u128" | "i128" | "isize" | "bool" | "char" => {
                return Err(Error::new_spanned(
                    ty,
                    format!(
                        "`{name}` can't be a parameter: use u32, u64, i32, i64, usize, f32, f64, String, or an enum \
                         with #[derive(Choice)]"
                    ),
                ));
            }
            _ => Self::Choice,
        })
    }

    fn is_numeric(&self) -> bool {
        matches!(self, Self::Integer { .. } | Self::Float { .. })
    }
}

impl Options {
    fn parse(attribute: &Attribute) -> Result<Self> {
        let mut options = Self::default();
        if matches!(attribute.meta, Meta::Path(_)) {
            return Ok(options);
        }
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let value: Expr = match name.as_str() {
                "min" | "max" | "step" | "default" | "unit" | "scale" | "axis" => meta.value()?.parse()?,
                _ => return Err(meta.error("expected min, max, step, default, unit, scale or axis")),
            };
            match name.as_str() {
                "min" => options.min = Some(number(&value)?),
                "max" => options.max = Some(number(&value)?),
                "step" => options.step = Some(number(&value)?),
                "default" => options.default = Some((default_value(&value)?, value.span())),
                "unit" => options.unit = Some(text(&value, "a unit")?),
                "scale" => options.log = scale_is_log(&value)?,
                _ => options.axis = Some(boolean(&value)?),
            }
            Ok(())
        })?;
        Ok(options)
    }

    fn check(&self, kind: &Kind, ident: &Ident) -> Result<()> {
        let error = |message: String| Error::new(ident.span(), message);
        let Some((default, default_span)) = &self.default else {
            return Err(error(format!(
                "`{ident}` has no default: write default = … so that the first view can be measured at once"
            )));
        };
        if !kind.is_numeric() {
            if self.min.is_some()
                || self.max.is_some()
                || self.step.is_some()
                || self.unit.is_some()
                || self.log
                || self.axis.is_some()
            {
                return Err(error(format!("`{ident}` is no number: it has a default and nothing else")));
            }
            return match default {
                DefaultValue::Text(_) => Ok(()),
                _ => Err(Error::new(*default_span, "the default of a text or a choice is a text, such as \"Random\"")),
            };
        }
        let (Some(min), Some(max)) = (self.min, self.max) else {
            return Err(error(format!("`{ident}` has no bounds: write min = … and max = … (a slider needs both)")));
        };
        self.check_bounds(kind, ident, min, max)?;
        let values = match default {
            DefaultValue::Number(value) => vec![*value],
            DefaultValue::Range(low, high) if low >= high => {
                return Err(Error::new(*default_span, "the default range is empty: its low must be below its high"));
            }
            DefaultValue::Range(low, high) => vec![*low, *high],
            DefaultValue::Text(_) => {
                return Err(Error::new(
                    *default_span,
                    "the default of a number is a number or a range, such as 1_000..=100_000",
                ));
            }
        };
        if matches!(default, DefaultValue::Range(..)) && self.axis == Some(false) {
            return Err(Error::new(
                *default_span,
                "a default range is for the axis: leave out axis = false, or give one value",
            ));
        }
        for value in values {
            self.check_default(kind, value, min, max).map_err(|message| Error::new(*default_span, message))?;
        }
        Ok(())
    }

    fn check_bounds(&self, kind: &Kind, ident: &Ident, min: f64, max: f64) -> Result<()> {
        let error = |message: String| Err(Error::new(ident.span(), message));
        if min > max {
            return error(format!("min is above max: write min = {max}, max = {min}, or mend the wrong one"));
        }
        if min == max {
            return error("min equals max: a parameter with one value is a constant".to_owned());
        }
        if let Kind::Integer { name, bounds: (least, most) } = kind {
            if min < *least || max > *most {
                return error(format!(
                    "{name} holds {least} to {most} here (integers have exact numbers up to 2^53): choose bounds within"
                ));
            }
            if [Some(min), Some(max), self.step].into_iter().flatten().any(|value| value.fract() != 0.0) {
                return error(format!("`{ident}` is whole: write min, max and step without a fraction"));
            }
        }
        if self.step.is_some_and(|step| step <= 0.0 || step > max - min) {
            return error("step must be above 0 and at most max - min".to_owned());
        }
        if self.log && min <= 0.0 {
            return error("a log scale has no 0: write a min above 0, or scale = \"linear\"".to_owned());
        }
        Ok(())
    }

    fn check_default(&self, kind: &Kind, value: f64, min: f64, max: f64) -> std::result::Result<(), String> {
        if !(min..=max).contains(&value) {
            return Err(format!("the default {value} is outside of {min} to {max}"));
        }
        let steps = self.step_for(kind).map(|step| (value - min) / step);
        match steps {
            Some(steps) if (steps - steps.round()).abs() > 1e-9 => {
                Err(format!("the default {value} is not on the grid: expected {min} plus a multiple of the step"))
            }
            _ => Ok(()),
        }
    }

    /// The step, 1 for integers that name none.
    fn step_for(&self, kind: &Kind) -> Option<f64> {
        self.step.or(matches!(kind, Kind::Integer { .. }).then_some(1.0))
    }
}

fn card(ident: &Ident, description: &str, kind: &Kind, options: &Options, ty: &Type) -> TokenStream {
    let name = ident.to_string();
    let text = match &options.default {
        Some((DefaultValue::Text(text), _)) => text.as_str(),
        _ => "",
    };
    let kind = match kind {
        Kind::Integer { name, .. } => {
            let numeric = numeric(name, kind, options);
            quote! { ::benchbook::parameter::Kind::Integer(#numeric) }
        }
        Kind::Float { name } => {
            let numeric = numeric(name, kind, options);
            quote! { ::benchbook::parameter::Kind::Float(#numeric) }
        }
        Kind::Text => quote! { ::benchbook::parameter::Kind::Text { default: #text.to_owned() } },
        Kind::Choice => {
            let options_of = quote_spanned! {ty.span()=> <#ty as ::benchbook::Choice>::options() };
            quote! {{
                const _: () = ::benchbook::__private::check_choice_default::<#ty>(#text);
                ::benchbook::parameter::Kind::Choice { options: #options_of, default: #text.to_owned() }
            }}
        }
    };
    quote! {
        ::benchbook::parameter::Parameter { name: #name.to_owned(), description: #description.to_owned(), kind: #kind }
    }
}

fn numeric(type_name: &str, kind: &Kind, options: &Options) -> TokenStream {
    let (min, max) = (options.min.unwrap_or_default(), options.max.unwrap_or_default());
    let step = option_tokens(options.step_for(kind).map(|step| quote!(#step)));
    let unit = option_tokens(options.unit.as_ref().map(|unit| quote!(#unit.to_owned())));
    let scale = if options.log { quote!(Log) } else { quote!(Linear) };
    let axis = options.axis.unwrap_or(true);
    let default = match &options.default {
        Some((DefaultValue::Range(low, high), _)) => {
            quote! { Range(::benchbook::parameter::Range { low: #low, high: #high }) }
        }
        Some((DefaultValue::Number(value), _)) => quote! { Value(#value) },
        _ => quote! { Value(#min) },
    };
    quote! {
        ::benchbook::parameter::Numeric {
            of: #type_name.to_owned(),
            min: #min,
            max: #max,
            step: #step,
            default: ::benchbook::parameter::NumericDefault::#default,
            unit: #unit,
            scale: ::benchbook::parameter::Scale::#scale,
            axis: #axis,
        }
    }
}

fn option_tokens(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote! { ::core::option::Option::Some(#value) },
        None => quote! { ::core::option::Option::None },
    }
}

fn read(ident: &Ident, kind: &Kind, ty: &Type) -> TokenStream {
    let name = ident.to_string();
    match kind {
        Kind::Integer { .. } | Kind::Float { .. } => quote! {
            let #ident = ::benchbook::parameter::number_argument(arguments, #name)? as #ty;
        },
        Kind::Text => quote! {
            let #ident = ::benchbook::parameter::text_argument(arguments, #name)?.to_owned();
        },
        Kind::Choice => quote_spanned! {ty.span()=>
            let #ident = ::benchbook::parameter::choice_argument::<#ty>(arguments, #name)?;
        },
    }
}

/// A number, with or without a minus.
fn number(expression: &Expr) -> Result<f64> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => number(expr).map(|value| -value),
        other => Err(Error::new_spanned(
            other,
            "write a number, such as 1_000: attributes are read before constants are known",
        )),
    }
}

fn default_value(expression: &Expr) -> Result<DefaultValue> {
    match expression {
        Expr::Range(ExprRange { start: Some(low), end: Some(high), limits: RangeLimits::Closed(_), .. }) => {
            Ok(DefaultValue::Range(number(low)?, number(high)?))
        }
        Expr::Range(range) => {
            Err(Error::new_spanned(range, "a default range has both ends, which are in it: write low..=high"))
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(DefaultValue::Text(text.value())),
        other => number(other).map(DefaultValue::Number),
    }
}

fn scale_is_log(expression: &Expr) -> Result<bool> {
    match text(expression, "a scale")?.as_str() {
        "log" => Ok(true),
        "linear" => Ok(false),
        _ => Err(Error::new_spanned(expression, "a scale is \"linear\" or \"log\"")),
    }
}

fn boolean(expression: &Expr) -> Result<bool> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => Ok(value.value),
        other => Err(Error::new_spanned(other, "axis is true or false")),
    }
}
