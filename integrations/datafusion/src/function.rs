//! The scalar functions.

use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow_array::{ArrayRef, Datum, Scalar, new_empty_array};
use arrow_schema::{DataType, Field, FieldRef};
use datafusion_common::{
    Result, ScalarValue, exec_datafusion_err, exec_err, internal_err, plan_err,
};
use datafusion_expr::{
    ColumnarValue, DocSection, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl,
    Signature, TypeSignature, Volatility,
};
use lanner_arrow::{Column, Error, Nulls};

use crate::giving_way::charge;
use crate::kernel::{Kernel, Kernels};
use crate::options::{Options, Rule, Scheme};

/// A function that verifies, or that explains.
///
/// Two of one name are equal: what they keep is keys that were decoded.
pub struct SignatureFunction {
    name: &'static str,
    scheme: Scheme,
    explains: bool,
    signature: Signature,
    documentation: Documentation,
    kernels: Kernels,
}

/// The names of the arguments that are columns.
const COLUMNS: [&str; 3] = ["key", "message", "signature"];

impl SignatureFunction {
    /// `ed25519_verify(key, message, signature [, profile [, options]])`: whether each row is valid (RFC 8032, section
    /// 5.1.7) under a profile.
    #[must_use]
    pub fn ed25519_verify() -> Self {
        Self::new(Scheme::Ed25519, false)
    }

    /// `ed25519_explain(key, message, signature [, profile [, options]])`: the name of the rule that a row breaks
    /// ([`lanner_arrow::Reason::as_str`]), null where the row is valid.
    #[must_use]
    pub fn ed25519_explain() -> Self {
        Self::new(Scheme::Ed25519, true)
    }

    /// `fn_dsa_verify(key, message, signature [, context [, options]])`: whether each row is valid, of degree 512 or 1024.
    #[must_use]
    pub fn fn_dsa_verify() -> Self {
        Self::new(Scheme::FnDsa, false)
    }

    /// `fn_dsa_explain(key, message, signature [, context [, options]])`: as [`Self::ed25519_explain`].
    #[must_use]
    pub fn fn_dsa_explain() -> Self {
        Self::new(Scheme::FnDsa, true)
    }

    fn new(scheme: Scheme, explains: bool) -> Self {
        let counts = (3..=5).map(TypeSignature::Any).collect();
        let names = COLUMNS.into_iter().chain([rule_name(scheme), "options"]);
        let signature = Signature::one_of(counts, Volatility::Immutable)
            .with_parameter_names(names.collect())
            .expect("as many names as there are arguments");
        Self {
            name: name(scheme, explains),
            scheme,
            explains,
            signature,
            documentation: documentation(scheme, explains),
            kernels: Kernels::default(),
        }
    }

    /// What the constants of a call say. `constants` are its fourth and its fifth argument.
    fn read(&self, constants: [Option<&ScalarValue>; 2]) -> Result<(Rule, Options)> {
        Ok((
            Rule::new(self.scheme, self.name, constants[0])?,
            Options::new(self.name, constants[1])?,
        ))
    }

    fn result(&self, kernel: &Kernel, columns: [&dyn Datum; 3]) -> Result<ArrayRef, Error> {
        Ok(if self.explains {
            Arc::new(kernel.explain(columns)?)
        } else {
            Arc::new(kernel.verify(columns)?)
        })
    }

    /// An error of the kernel, with the argument and the column that it is about.
    fn describe(&self, error: &Error, fields: &[FieldRef]) -> String {
        let column = match error {
            Error::Type { column, .. }
            | Error::Text { column, .. }
            | Error::Width { column, .. }
            | Error::Rows { column, .. } => Some(column),
            _ => None,
        };
        let place = column.map(|column| match column {
            Column::PublicKeys => 0,
            Column::Messages => 1,
            Column::Signatures => 2,
        });
        match place {
            Some(place) => {
                let field = fields.get(place).map_or("", |field| field.name());
                let (name, argument) = (self.name, COLUMNS[place]);
                let mut text = format!("{name}: its argument {argument}, here {field}: {error}");
                if let Error::Text { .. } = error {
                    text.push_str(&format!(", by an option such as '{argument}=hex'"));
                }
                text
            }
            None => format!("{}: {error}", self.name),
        }
    }
}

fn name(scheme: Scheme, explains: bool) -> &'static str {
    match (scheme, explains) {
        (Scheme::Ed25519, false) => "ed25519_verify",
        (Scheme::Ed25519, true) => "ed25519_explain",
        (Scheme::FnDsa, false) => "fn_dsa_verify",
        (Scheme::FnDsa, true) => "fn_dsa_explain",
    }
}

/// What the fourth argument is called.
fn rule_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Ed25519 => "profile",
        Scheme::FnDsa => "context",
    }
}

fn documentation(scheme: Scheme, explains: bool) -> Documentation {
    const SECTION: DocSection = DocSection {
        include: true,
        label: "Signature Functions",
        description: Some(
            "Functions of lanner-datafusion, which verify digital signatures in columns.",
        ),
    };
    let (own, fourth) = (name(scheme, explains), rule_name(scheme));
    let (title, key, signature, about_fourth) = match scheme {
        Scheme::Ed25519 => (
            "Ed25519",
            "32 bytes",
            "64 bytes",
            "Constant text, the verification profile; 'strict' if it is not given.",
        ),
        Scheme::FnDsa => (
            "FN-DSA",
            "897 or 1793 bytes",
            "666 or 1280 bytes, as the key has 897 or 1793",
            "Constant text or bytes, at most 255 of them, the domain separation; none if it is not given.",
        ),
    };
    let description = if explains {
        format!(
            "Says why a row has no valid {title} signature, by the name of the rule that it breaks; null where it has one."
        )
    } else {
        format!("Whether each row has a valid {title} signature. A row with a null is not valid.")
    };
    let syntax = format!("{own}(key, message, signature [, {fourth} [, options]])");
    let of_bytes = "any type that holds bytes, or text if an option says how it is written.";
    Documentation::builder(SECTION, description, syntax)
        .with_sql_example(if explains {
            format!("SELECT id, {own}(public_key, message, signature) FROM ledger")
        } else {
            format!("SELECT id FROM ledger WHERE NOT {own}(public_key, message, signature)")
        })
        .with_argument("key", format!("The public key, {key}; {of_bytes}"))
        .with_argument("message", "The message: bytes, or text as its UTF-8.")
        .with_argument("signature", format!("The signature, {signature}; {of_bytes}"))
        .with_argument(fourth, about_fourth)
        .with_argument(
            "options",
            "Constant text, name=value between commas: key, message, signature = bytes, hex, base64, base64url; \
             nulls = invalid, propagate; malformed = invalid, error.",
        )
        .with_related_udf(name(scheme, !explains))
        .build()
}

impl fmt::Debug for SignatureFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignatureFunction")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl PartialEq for SignatureFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for SignatureFunction {}

impl Hash for SignatureFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for SignatureFunction {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(if self.explains {
            DataType::Utf8View
        } else {
            DataType::Boolean
        })
    }

    /// Looks at all that is known when a query is planned: the constants, and the types of the columns.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let mut constants = [None; 2];
        // Whether one is a parameter: the query is planned once more when it has a value.
        let mut is_open = false;
        for (i, constant) in constants.iter_mut().enumerate() {
            let place = COLUMNS.len() + i;
            let Some(field) = args.arg_fields.get(place) else {
                continue;
            };
            *constant = args.scalar_arguments.get(place).copied().flatten();
            if constant.is_none() {
                let what = [rule_name(self.scheme), "options"][i];
                if !is_parameter(field) {
                    return plan_err!("{}: its argument {what} must be a constant", self.name);
                }
                is_open = true;
            }
        }
        let (rule, options) = self.read(constants)?;
        let nullable = self.explains || options.nulls == Nulls::Propagate || is_open;
        // How columns are written is not known, either.
        if is_open {
            let data_type = self.return_type(&[])?;
            return Ok(Arc::new(Field::new(self.name, data_type, nullable)));
        }
        let kernel = Kernel::new(&rule, &options).map_err(|e| self.describe(&e, args.arg_fields));
        // Of no rows, the kernel looks at the types alone.
        let checked = kernel.and_then(|kernel| {
            let empty: Vec<ArrayRef> = args
                .arg_fields
                .iter()
                .take(COLUMNS.len())
                .map(|field| new_empty_array(of_bytes(field.data_type())))
                .collect();
            let [keys, messages, signatures] = &empty[..] else {
                return Err(format!("{} takes three columns", self.name));
            };
            self.result(&kernel, [keys, messages, signatures])
                .map_err(|error| self.describe(&error, args.arg_fields))
        });
        match checked {
            Ok(_) => {
                let data_type = self.return_type(&[])?;
                Ok(Arc::new(Field::new(self.name, data_type, nullable)))
            }
            Err(text) => plan_err!("{text}"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [keys, messages, signatures, constants @ ..] = &args.args[..] else {
            return internal_err!("{} takes three columns", self.name);
        };
        let mut given = [None; 2];
        for (given, value) in given.iter_mut().zip(constants) {
            // A column whose name is like that of a parameter.
            let ColumnarValue::Scalar(value) = value else {
                return exec_err!(
                    "{}: its arguments behind the third must be constants",
                    self.name
                );
            };
            *given = Some(value);
        }
        let (rule, options) = self.read(given)?;
        let fail =
            |error: Error| exec_datafusion_err!("{}", self.describe(&error, &args.arg_fields));
        let kernel = self.kernels.get(rule, options).map_err(fail)?;
        let columns = [keys, messages, signatures];
        let columns = columns.map(column);
        let [Ok(keys), Ok(messages), Ok(signatures)] = &columns else {
            return columns
                .into_iter()
                .find_map(Result::err)
                .map_or_else(|| internal_err!("no column fails"), Err);
        };
        let columns: [&dyn Datum; 3] = [keys.as_ref(), messages.as_ref(), signatures.as_ref()];
        let result = self.result(&kernel, columns).map_err(fail)?;
        charge(result.len());
        if columns.iter().all(|column| column.get().1) {
            return ScalarValue::try_from_array(&result, 0).map(ColumnarValue::Scalar);
        }
        Ok(ColumnarValue::Array(result))
    }
}

/// Whether an argument is a parameter of a prepared query (`$1`, `$name`). The engine says no more of it than its name.
fn is_parameter(field: &Field) -> bool {
    field.name().starts_with('$')
}

/// The type that a column is read in: NULL has none, and stands for bytes here.
fn of_bytes(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Null => &DataType::Binary,
        other => other,
    }
}

/// A column as the kernel takes it, with constants as they are.
fn column(value: &ColumnarValue) -> Result<Box<dyn Datum>> {
    Ok(match value {
        // Whatever its length, each row is the same.
        _ if value.data_type() == DataType::Null => {
            Box::new(Scalar::new(ScalarValue::Binary(None).to_array()?))
        }
        ColumnarValue::Array(array) => Box::new(Arc::clone(array)),
        ColumnarValue::Scalar(value) => Box::new(value.to_scalar()?),
    })
}
