//! One parameter of a generator: what its attribute says, checked, as tokens.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, ExprRange, ExprUnary, Ident, Lit, Meta, Pat, PatType, RangeLimits, Result, Type,
    UnOp,
};

use crate::attributes::{bare_expression, bare_type, docs, spoken, text};

/// The largest whole number that has an exact `f64`, 2⁵³.
const MAX_INTEGER: f64 = 9_007_199_254_740_992.0;

/// What a parameter may be.
const TYPES: &str = "u32, u64, i32, i64, usize, f32, f64, String, or an enum with #[derive(Choice)]";

/// The part of a step by which a default may miss its grid point, as for arguments.
const GRID_TOLERANCE: f64 = 1e-9;

/// A parameter that was read and checked.
pub(crate) struct Parameter {
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
    log: Option<bool>,
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
        let ident = &pattern.ident;
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
        options.check(&kind, ident, &typed.ty)?;
        let has_range = matches!(options.default, Some((DefaultValue::Range(..), _)));
        let name = spoken(&pattern.ident);
        let card = card(&name, &description, &kind, &options, &typed.ty);
        let read = read(&name, &kind, &typed.ty);
        Ok(Self { has_range, card, read })
    }
}

impl Kind {
    fn of(ty: &Type) -> Result<Self> {
        let Type::Path(path) = bare_type(ty) else {
            return Err(Error::new_spanned(ty, format!("this can't be a parameter: use {TYPES}")));
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
                return Err(Error::new_spanned(ty, format!("`{name}` can't be a parameter: use {TYPES}")));
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
            let is_new = match name.as_str() {
                "min" => options.min.replace(number(&value)?).is_none(),
                "max" => options.max.replace(number(&value)?).is_none(),
                "step" => options.step.replace(number(&value)?).is_none(),
                "default" => options.default.replace((default_value(&value)?, value.span())).is_none(),
                "unit" => options.unit.replace(text(&value, "a unit")?).is_none(),
                "scale" => options.log.replace(scale_is_log(&value)?).is_none(),
                _ => options.axis.replace(boolean(&value)?).is_none(),
            };
            match is_new {
                true => Ok(()),
                false => Err(meta.error(format!("{name} is said twice: leave one out"))),
            }
        })?;
        Ok(options)
    }

    fn check(&self, kind: &Kind, ident: &Ident, ty: &Type) -> Result<()> {
        let error = |message: String| Error::new(ident.span(), message);
        if !kind.is_numeric() && self.is_of_a_number() {
            return Err(Error::new_spanned(
                ty,
                "this is none of the numbers u32, u64, i32, i64, usize, f32, f64, by their own names: write one of them, \
                 or leave a default alone for a text or a choice",
            ));
        }
        let Some((default, default_span)) = &self.default else {
            let example = match kind {
                Kind::Integer { .. } | Kind::Float { .. } => "a number, or a range such as 1_000..=100_000",
                Kind::Text => "a text such as \"needle\"",
                Kind::Choice => "the name of a variant such as \"Random\"",
            };
            return Err(error(format!(
                "`{ident}` has no default: write default = … ({example}), to be measured at once"
            )));
        };
        if !kind.is_numeric() {
            return match default {
                DefaultValue::Text(_) => Ok(()),
                _ => Err(Error::new(
                    *default_span,
                    "the default of a text or a choice is a text: write one, such as \"Random\"",
                )),
            };
        }
        let (min, max) = match (self.min, self.max) {
            (Some(min), Some(max)) => (min, max),
            (None, None) => return Err(error(format!("`{ident}` has no bounds: write min = … and max = …"))),
            (None, _) => return Err(error(format!("`{ident}` has no lower bound: write min = …"))),
            (_, None) => return Err(error(format!("`{ident}` has no upper bound: write max = …"))),
        };
        self.check_bounds(kind, ident, min, max)?;
        let values = match default {
            DefaultValue::Number(value) => vec![*value],
            DefaultValue::Range(low, high) if low == high => {
                return Err(Error::new(
                    *default_span,
                    format!("the default range is a single value: write {low} for it, or a high above its low"),
                ));
            }
            DefaultValue::Range(low, high) if low > high => {
                return Err(Error::new(*default_span, format!("the default range is empty: write {high}..={low}")));
            }
            DefaultValue::Range(low, high) => vec![*low, *high],
            DefaultValue::Text(_) => {
                return Err(Error::new(
                    *default_span,
                    "the default of a number is a number or a range: write one without quotes, such as 1_000..=100_000",
                ));
            }
        };
        if matches!(default, DefaultValue::Range(..)) && self.axis == Some(false) {
            return Err(Error::new(
                *default_span,
                "a default range is for the axis: leave out axis = false, or write one value",
            ));
        }
        for value in values {
            self.check_default(kind, value, min, max).map_err(|message| Error::new(*default_span, message))?;
        }
        Ok(())
    }

    /// Whether something is said that only a number has.
    fn is_of_a_number(&self) -> bool {
        [self.min, self.max, self.step].iter().any(Option::is_some)
            || self.unit.is_some()
            || self.log.is_some()
            || self.axis.is_some()
    }

    /// Whether the scale is logarithmic; linear where nothing is said.
    fn is_log(&self) -> bool {
        self.log == Some(true)
    }

    fn check_bounds(&self, kind: &Kind, ident: &Ident, min: f64, max: f64) -> Result<()> {
        let error = |message: String| Err(Error::new(ident.span(), message));
        if min > max {
            return error(format!("min is above max: write min = {max}, max = {min}, or mend the wrong one"));
        }
        if min == max {
            return error("min equals max: write a max above it; what has one value is a constant".to_owned());
        }
        if let Kind::Integer { name, bounds: (least, most) } = kind {
            if min < *least || max > *most {
                return error(format!(
                    "{name} holds {least} to {most} here (integers are exact up to 2^53): write min and max within"
                ));
            }
            if [Some(min), Some(max), self.step].into_iter().flatten().any(|value| value.fract() != 0.0) {
                return error(format!("`{ident}` is whole: write min, max and step without a fraction"));
            }
        }
        if self.step.is_some_and(|step| step <= 0.0 || step > max - min) {
            return error(format!("step is not above 0 and at most max - min: write one up to {}", max - min));
        }
        if self.is_log() && min <= 0.0 {
            return error("a log scale has no 0: write a min above 0, or scale = \"linear\"".to_owned());
        }
        Ok(())
    }

    fn check_default(&self, kind: &Kind, value: f64, min: f64, max: f64) -> std::result::Result<(), String> {
        if !(min..=max).contains(&value) {
            let nearest = value.clamp(min, max);
            return Err(format!(
                "the default {value} is outside of {min} to {max}: write {nearest}, or move the bound"
            ));
        }
        let Some(step) = self.step_for(kind) else { return Ok(()) };
        let steps = (value - min) / step;
        if (steps - steps.round()).abs() <= GRID_TOLERANCE {
            return Ok(());
        }
        let (below, above) = (min + steps.floor() * step, min + steps.ceil() * step);
        let nearest = if above > max { below.to_string() } else { format!("{below} or {above}") };
        Err(format!("the default {value} is not {min} plus a multiple of the step {step}: write {nearest}"))
    }

    /// The step, 1 for integers that name none.
    fn step_for(&self, kind: &Kind) -> Option<f64> {
        self.step.or(matches!(kind, Kind::Integer { .. }).then_some(1.0))
    }
}

fn card(name: &str, description: &str, kind: &Kind, options: &Options, ty: &Type) -> TokenStream {
    let (text, text_span) = match &options.default {
        Some((DefaultValue::Text(text), span)) => (text.as_str(), *span),
        _ => ("", Span::call_site()),
    };
    let kind = match kind {
        Kind::Integer { name, .. } => {
            let numeric = numeric(name, kind, options);
            quote! { ::benchbook::__private::parameter::Kind::Integer(#numeric) }
        }
        Kind::Float { name } => {
            let numeric = numeric(name, kind, options);
            quote! { ::benchbook::__private::parameter::Kind::Float(#numeric) }
        }
        Kind::Text => {
            quote! { ::benchbook::__private::parameter::Kind::Text { default: ::std::borrow::ToOwned::to_owned(#text) } }
        }
        Kind::Choice => {
            let options_of = quote_spanned! {ty.span()=> <#ty as ::benchbook::Choice>::options() };
            let check = quote_spanned! {text_span=> ::benchbook::__private::check_choice_default::<#ty>(#text) };
            quote! {{
                const _: () = #check;
                ::benchbook::__private::parameter::Kind::Choice { options: #options_of, default: ::std::borrow::ToOwned::to_owned(#text) }
            }}
        }
    };
    quote! {
        ::benchbook::__private::parameter::Parameter { name: ::std::borrow::ToOwned::to_owned(#name), description: ::std::borrow::ToOwned::to_owned(#description), kind: #kind }
    }
}

fn numeric(type_name: &str, kind: &Kind, options: &Options) -> TokenStream {
    let (min, max) = (options.min.unwrap_or_default(), options.max.unwrap_or_default());
    let step = option_tokens(options.step_for(kind).map(|step| quote!(#step)));
    let unit = option_tokens(options.unit.as_ref().map(|unit| quote!(::std::borrow::ToOwned::to_owned(#unit))));
    let scale = if options.is_log() { quote!(Log) } else { quote!(Linear) };
    let axis = options.axis.unwrap_or(true);
    let default = match &options.default {
        Some((DefaultValue::Range(low, high), _)) => {
            quote! { Range(::benchbook::__private::parameter::Range { low: #low, high: #high }) }
        }
        Some((DefaultValue::Number(value), _)) => quote! { Value(#value) },
        _ => quote! { Value(#min) },
    };
    quote! {
        ::benchbook::__private::parameter::Numeric {
            of: ::std::borrow::ToOwned::to_owned(#type_name),
            min: #min,
            max: #max,
            step: #step,
            default: ::benchbook::__private::parameter::NumericDefault::#default,
            unit: #unit,
            scale: ::benchbook::__private::parameter::Scale::#scale,
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

/// An expression for the value that the arguments give.
fn read(name: &str, kind: &Kind, ty: &Type) -> TokenStream {
    let own = Span::mixed_site();
    match kind {
        Kind::Integer { .. } | Kind::Float { .. } => quote_spanned! {own=>
            ::benchbook::__private::number_argument(arguments, #name)? as #ty
        },
        Kind::Text => quote_spanned! {own=>
            ::std::borrow::ToOwned::to_owned(::benchbook::__private::text_argument(arguments, #name)?)
        },
        Kind::Choice => quote_spanned! {own.located_at(ty.span())=>
            ::benchbook::__private::choice_argument::<#ty>(arguments, #name)?
        },
    }
}

/// A number, with or without a minus.
fn number(expression: &Expr) -> Result<f64> {
    match bare_expression(expression) {
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
    match bare_expression(expression) {
        Expr::Range(ExprRange { start: Some(low), end: Some(high), limits: RangeLimits::Closed(_), .. }) => {
            Ok(DefaultValue::Range(number(low)?, number(high)?))
        }
        Expr::Range(range) => {
            Err(Error::new_spanned(range, "a default range has both ends, which are in it: write low..=high"))
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(DefaultValue::Text(text.value())),
        Expr::Path(path) => Err(Error::new_spanned(
            path,
            "write a number, such as 1_000, or the name of an option in quotes, such as \"Random\": attributes are read \
             before names are known",
        )),
        other => number(other).map(DefaultValue::Number),
    }
}

fn scale_is_log(expression: &Expr) -> Result<bool> {
    match text(expression, "a scale")?.as_str() {
        "log" => Ok(true),
        "linear" => Ok(false),
        _ => Err(Error::new_spanned(expression, "there is no such scale: write \"linear\" or \"log\"")),
    }
}

fn boolean(expression: &Expr) -> Result<bool> {
    match bare_expression(expression) {
        Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => Ok(value.value),
        other => Err(Error::new_spanned(other, "write true or false: whether it may be the axis")),
    }
}
