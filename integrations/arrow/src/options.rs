//! What a caller says of the columns, the same for every scheme.

use crate::Encoding;

/// What becomes of a row in which the key, the message or the signature is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Nulls {
    /// It is not valid: `false`. So `NOT verify(…)` finds it.
    #[default]
    Invalid,
    /// Its verdict is null, as SQL's operators have it.
    Propagate,
}

#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Of keys, messages and signatures.
    pub(crate) encodings: [Encoding; 3],
    pub(crate) nulls: Nulls,
    pub(crate) strict: bool,
    pub(crate) keys_kept: usize,
}

impl Options {
    pub(crate) fn new(keys_kept: usize) -> Self {
        Self {
            encodings: [Encoding::Bytes; 3],
            nulls: Nulls::Invalid,
            strict: false,
            keys_kept,
        }
    }
}

/// The methods by which a scheme takes its options.
macro_rules! option_methods {
    () => {
        /// How the public keys are written; [`Encoding::Bytes`] unless this is called.
        #[must_use]
        pub fn key_encoding(mut self, encoding: Encoding) -> Self {
            self.kernel.options.encodings[0] = encoding;
            self
        }

        /// How the messages are written; [`Encoding::Bytes`] unless this is called.
        #[must_use]
        pub fn message_encoding(mut self, encoding: Encoding) -> Self {
            self.kernel.options.encodings[1] = encoding;
            self
        }

        /// How the signatures are written; [`Encoding::Bytes`] unless this is called.
        #[must_use]
        pub fn signature_encoding(mut self, encoding: Encoding) -> Self {
            self.kernel.options.encodings[2] = encoding;
            self
        }

        /// What becomes of rows with nulls; [`Nulls::Invalid`] unless this is called.
        #[must_use]
        pub fn nulls(mut self, nulls: Nulls) -> Self {
            self.kernel.options.nulls = nulls;
            self
        }

        /// Whether a malformed row ([`Reason::is_malformed`](crate::Reason::is_malformed)) is an [`Error::Malformed`]
        /// instead of a verdict. An invalid signature never is, and nulls follow [`Self::nulls`].
        #[must_use]
        pub fn strict(mut self, strict: bool) -> Self {
            self.kernel.options.strict = strict;
            self
        }

        /// One verdict for each row.
        ///
        /// # Errors
        ///
        /// A column has a type, a width or a number of rows that cannot be; with [`Self::strict`], a row is malformed.
        pub fn verify(
            &self,
            public_keys: &dyn Datum,
            messages: &dyn Datum,
            signatures: &dyn Datum,
        ) -> Result<BooleanArray, Error> {
            self.verify_while(public_keys, messages, signatures, || true)
        }

        /// [`Self::verify`], which asks before each 2,048 rows, or fewer, whether to go on, and after each 8 MiB of messages: for engines
        /// whose queries can be cancelled. That takes some milliseconds.
        ///
        /// # Errors
        ///
        /// As [`Self::verify`], and [`Error::Stopped`] if `go_on` said no.
        pub fn verify_while(
            &self,
            public_keys: &dyn Datum,
            messages: &dyn Datum,
            signatures: &dyn Datum,
            go_on: impl Fn() -> bool,
        ) -> Result<BooleanArray, Error> {
            self.kernel
                .verify(&self.scheme, [public_keys, messages, signatures], &go_on)
        }

        /// [`Self::verify_while`] over the threads of the current rayon pool.
        ///
        /// # Errors
        ///
        /// As [`Self::verify_while`].
        #[cfg(feature = "rayon")]
        pub fn par_verify_while(
            &self,
            public_keys: &dyn Datum,
            messages: &dyn Datum,
            signatures: &dyn Datum,
            go_on: impl Fn() -> bool + Sync,
        ) -> Result<BooleanArray, Error> {
            self.kernel
                .par_verify(&self.scheme, [public_keys, messages, signatures], &go_on)
        }

        /// [`Self::verify`] over the threads of the current rayon pool.
        ///
        /// # Errors
        ///
        /// As [`Self::verify`].
        #[cfg(feature = "rayon")]
        pub fn par_verify(
            &self,
            public_keys: &dyn Datum,
            messages: &dyn Datum,
            signatures: &dyn Datum,
        ) -> Result<BooleanArray, Error> {
            self.par_verify_while(public_keys, messages, signatures, || true)
        }

        /// The verdicts, and beside each row that is not valid the [`Reason`](crate::Reason): for people who look for the
        /// fault. What is decided must be decided by the verdict alone.
        ///
        /// # Errors
        ///
        /// As [`Self::verify`].
        pub fn explain(
            &self,
            public_keys: &dyn Datum,
            messages: &dyn Datum,
            signatures: &dyn Datum,
        ) -> Result<Explained, Error> {
            self.explain_while(public_keys, messages, signatures, || true)
        }

        /// [`Self::explain`], which asks whether to go on as [`Self::verify_while`] does. Rows that are not valid take longer
        /// here.
        ///
        /// # Errors
        ///
        /// As [`Self::verify_while`].
        pub fn explain_while(
            &self,
            public_keys: &dyn Datum,
            messages: &dyn Datum,
            signatures: &dyn Datum,
            go_on: impl Fn() -> bool,
        ) -> Result<Explained, Error> {
            self.kernel
                .explain(&self.scheme, [public_keys, messages, signatures], &go_on)
        }
    };
}

pub(crate) use option_methods;
