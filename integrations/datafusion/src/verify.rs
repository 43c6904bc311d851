//! The functions of rows.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::scalar_doc_sections::DOC_SECTION_OTHER;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature, Volatility,
};
use datafusion::scalar::ScalarValue;
use lanner_arrow::{Ed25519, Encoding, FnDsa};
use lanner_ed25519::profile::ProfileName;

use crate::arguments::{self, Argument, COLUMNS};

pub(crate) fn functions() -> Vec<Arc<ScalarUDF>> {
    [
        Function::Ed25519Verify,
        Function::Ed25519Explain,
        Function::FnDsaVerify,
    ]
    .map(|function| Arc::new(ScalarUDF::from(Verify::new(function))))
    .into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Function {
    Ed25519Verify,
    Ed25519Explain,
    FnDsaVerify,
}

impl Function {
    fn name(self) -> &'static str {
        match self {
            Self::Ed25519Verify => "ed25519_verify",
            Self::Ed25519Explain => "ed25519_explain",
            Self::FnDsaVerify => "fn_dsa_verify",
        }
    }

    /// What the fourth argument is.
    fn fourth(self) -> &'static str {
        match self {
            Self::Ed25519Verify | Self::Ed25519Explain => "profile",
            Self::FnDsaVerify => "context",
        }
    }

    fn returns(self) -> DataType {
        match self {
            Self::Ed25519Verify | Self::FnDsaVerify => DataType::Boolean,
            Self::Ed25519Explain => DataType::Utf8,
        }
    }

    fn documentation(self) -> Documentation {
        let (name, fourth) = (self.name(), self.fourth());
        let description = match self {
            Self::Ed25519Verify => {
                "Whether an Ed25519 signature is valid (RFC 8032) under a verification profile. Never null: a row with a null is not valid."
            }
            Self::Ed25519Explain => {
                "Why an Ed25519 signature is not valid, as a word; null if it is. For people: decide by ed25519_verify."
            }
            Self::FnDsaVerify => {
                "Whether an FN-DSA (Falcon) signature of degree 512 or 1024 is valid. Never null: a row with a null is not valid."
            }
        };
        Documentation::builder(
            DOC_SECTION_OTHER,
            description,
            format!("{name}(public_key, message, signature [, {fourth} [, encoding]])"),
        )
        .with_sql_example(format!("SELECT {name}(public_key, message, signature) FROM ledger"))
        .with_argument("public_key", "binary, or text in the encoding")
        .with_argument("message", "binary, or text that was signed as UTF-8")
        .with_argument("signature", "binary, or text in the encoding")
        .with_argument(
            fourth,
            match self {
                Self::FnDsaVerify => "a literal of at most 255 bytes; none if it is left out or empty",
                _ => "a literal: 'strict' (default), 'dalek', 'zip215', 'rfc8032', 'rfc8032-cofactorless', 'donna' or 'libsodium'",
            },
        )
        .with_argument("encoding", "a literal: 'bytes' (default), 'hex', 'base64' or 'base64url', of the key and the signature")
        .build()
    }
}

/// A function, and the kernels that it has used: they keep decoded keys from one batch of rows to the next.
struct Verify {
    function: Function,
    signature: Signature,
    documentation: Documentation,
    ed25519: Kernels<ProfileName, Ed25519>,
    fn_dsa: Kernels<Vec<u8>, FnDsa>,
}

/// By what they were asked to do.
type Kernels<Rule, Kernel> = Mutex<HashMap<(Rule, Encoding), Arc<Kernel>>>;

/// How many kernels are kept: queries have a handful of literals.
const KERNELS: usize = 64;

impl Verify {
    fn new(function: Function) -> Self {
        Self {
            function,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: function.documentation(),
            ed25519: Mutex::default(),
            fn_dsa: Mutex::default(),
        }
    }
}

fn kernel<Rule: Hash + Eq, Kernel>(
    kernels: &Kernels<Rule, Kernel>,
    rule: Rule,
    encoding: Encoding,
    make: impl FnOnce(&Rule) -> Result<Kernel>,
) -> Result<Arc<Kernel>> {
    let mut kernels = kernels.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = (rule, encoding);
    if let Some(kernel) = kernels.get(&wanted) {
        return Ok(Arc::clone(kernel));
    }
    if kernels.len() >= KERNELS {
        kernels.clear();
    }
    let kernel = Arc::new(make(&wanted.0)?);
    kernels.insert(wanted, Arc::clone(&kernel));
    Ok(kernel)
}

fn error(error: lanner_arrow::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

impl ScalarUDFImpl for Verify {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, found: &[DataType]) -> Result<Vec<DataType>> {
        arguments::types(self.name(), self.function.fourth(), found)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.function.returns())
    }

    fn return_field_from_args(&self, _: ReturnFieldArgs) -> Result<FieldRef> {
        let returns = self.function.returns();
        let nullable = returns != DataType::Boolean;
        Ok(Arc::new(Field::new(self.name(), returns, nullable)))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let values = &arguments.args;
        let Some((values, rest)) = values.split_at_checked(COLUMNS.len()) else {
            return Err(DataFusionError::Internal(format!(
                "{} without its columns",
                self.name()
            )));
        };
        let [keys, messages, signatures] = [&values[0], &values[1], &values[2]].map(Argument::new);
        let (keys, messages, signatures) = (keys?, messages?, signatures?);
        let columns = [keys.as_datum(), messages.as_datum(), signatures.as_datum()];
        let encoding =
            arguments::named(self.name(), "encoding", rest.get(1))?.unwrap_or(Encoding::Bytes);
        let answers: ArrayRef = match self.function {
            Function::Ed25519Verify | Function::Ed25519Explain => {
                let profile = arguments::named(self.name(), "profile", rest.first())?;
                let profile = profile.unwrap_or(ProfileName::Strict);
                let kernel = kernel(&self.ed25519, profile, encoding, |&profile| {
                    Ok(Ed25519::new(profile)
                        .key_encoding(encoding)
                        .signature_encoding(encoding))
                })?;
                let [keys, messages, signatures] = columns;
                if self.function == Function::Ed25519Explain {
                    Arc::new(
                        kernel
                            .explain(keys, messages, signatures)
                            .map_err(error)?
                            .reasons,
                    )
                } else {
                    Arc::new(kernel.verify(keys, messages, signatures).map_err(error)?)
                }
            }
            Function::FnDsaVerify => {
                let context = arguments::literal(self.name(), "context", rest.first())?;
                let kernel = kernel(
                    &self.fn_dsa,
                    context.unwrap_or_default().to_vec(),
                    encoding,
                    |context| {
                        let kernel = FnDsa::with_context(context).map_err(error)?;
                        Ok(kernel.key_encoding(encoding).signature_encoding(encoding))
                    },
                )?;
                let [keys, messages, signatures] = columns;
                Arc::new(kernel.verify(keys, messages, signatures).map_err(error)?)
            }
        };
        // Of literals alone, one answer that stands for every row.
        let all_literals = values
            .iter()
            .all(|value| matches!(value, ColumnarValue::Scalar(_)));
        if all_literals {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(
                &answers, 0,
            )?));
        }
        Ok(ColumnarValue::Array(answers))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

impl std::fmt::Debug for Verify {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Verify")
            .field("function", &self.function)
            .finish_non_exhaustive()
    }
}

// What a function is depends on its name alone.
impl PartialEq for Verify {
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function
    }
}

impl Eq for Verify {}

impl Hash for Verify {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}
