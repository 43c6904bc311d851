//! Passwords: from the terminal, a file, an open descriptor or the environment.

use crate::descriptor;
use crate::error::{Error, Kind};
use crate::smallfile;
use crate::text::Shown;
use clap::Args;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A password; wiped when dropped.
pub(crate) type Password = Zeroizing<Vec<u8>>;

/// Longer ones are not passwords but files that were named by mistake.
const MAX: usize = 1024;

/// The same with the longest end of a line.
const MAX_LINE: usize = MAX + 2;

// What commands share. Not a doc comment: it would take the place of the commands' own descriptions.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PasswordArgs {
    /// Read the password of the secret key from the first line of a file
    #[arg(long, value_name = "FILE", group = "password")]
    password_file: Option<PathBuf>,

    /// Read the password of the secret key from an open file descriptor: a line, and nothing after it
    #[arg(long, value_name = "N", group = "password")]
    password_fd: Option<u32>,

    /// Take the password of the secret key from an environment variable
    #[arg(long, value_name = "NAME", group = "password")]
    password_env: Option<String>,

    /// For `lanner-git`, which has none of these options.
    #[arg(skip)]
    for_git: bool,

    /// The message comes from standard input.
    #[arg(skip)]
    before_message: bool,
}

// For the passwords of keys that are made.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct NewPasswordArgs {
    /// Read the password for the new secret key from the first line of a file
    #[arg(long, value_name = "FILE", group = "new_password")]
    new_password_file: Option<PathBuf>,

    /// Read the password for the new secret key from an open file descriptor: a line, and nothing after
    /// it
    #[arg(long, value_name = "N", group = "new_password")]
    new_password_fd: Option<u32>,

    /// Take the password for the new secret key from an environment variable
    #[arg(long, value_name = "NAME", group = "new_password")]
    new_password_env: Option<String>,

    /// Write the new secret key without a password
    #[arg(long, group = "new_password")]
    no_password: bool,
}

/// Where a password comes from.
#[derive(Debug)]
enum Source<'a> {
    File(&'a Path),
    Descriptor(u32),
    Environment(&'a str),
}

impl Source<'_> {
    /// `must_end`: a message comes after the line, which is not to be taken for all there is.
    fn get(&self, must_end: bool) -> Result<Password, Error> {
        match self {
            Source::File(path) => {
                let line = smallfile::read_line(path, "password file", MAX_LINE)?;
                checked(without_end(&line), &Shown(path).to_string())
            }
            Source::Descriptor(number) => {
                let line = descriptor::read_line(*number, MAX_LINE)?;
                let password = checked(without_end(&line.bytes), &format!("descriptor {number}"))?;
                if must_end && line.is_of_stdin && !line.bytes.ends_with(b"\n") {
                    return Err(Error::new(
                        Kind::Usage,
                        "standard input ends with the password: there is no message after it",
                    )
                    .with_hint("the password is the first line, and the message what follows its line feed"));
                }
                Ok(password)
            }
            Source::Environment(name) => {
                let value = std::env::var_os(name).ok_or_else(|| {
                    Error::new(
                        Kind::Usage,
                        format!("the environment variable {name:?}, which should hold the password, is not set"),
                    )
                })?;
                let value = Zeroizing::new(value.into_encoded_bytes());
                checked(value, &format!("the environment variable {name:?}"))
            }
        }
    }
}

impl PasswordArgs {
    fn source(&self) -> Option<Source<'_>> {
        None.or(self.password_file.as_deref().map(Source::File))
            .or(self.password_fd.map(Source::Descriptor))
            .or(self.password_env.as_deref().map(Source::Environment))
    }

    /// The terminal alone, for who is called by git.
    pub(crate) fn for_git() -> Self {
        PasswordArgs {
            for_git: true,
            ..PasswordArgs::default()
        }
    }

    pub(crate) fn is_for_git(&self) -> bool {
        self.for_git
    }

    /// The same where the message comes from standard input, which must not be the file of the password.
    pub(crate) fn before_message(mut self) -> Result<Self, Error> {
        self.before_message = true;
        if let Some(path) = &self.password_file {
            descriptor::refuse_stdin(path, "password")?;
        }
        Ok(self)
    }

    /// True if the user named a source: where no password is needed, that is an error.
    pub(crate) fn is_given(&self) -> bool {
        self.source().is_some()
    }

    /// The password of a key that has one; `path` is the key's.
    pub(crate) fn get(&self, path: &Path) -> Result<Password, Error> {
        match self.source() {
            Some(source) => source.get(self.before_message),
            // git collects what goes to standard error, so that alone says nothing.
            None if can_ask() || self.for_git && has_terminal() => {
                ask(&format!("Password of {}: ", Shown(path)))
            }
            None => Err(Error::new(
                Kind::PasswordNeeded,
                format!("{} is protected by a password", Shown(path)),
            )
            .with_path(path)
            .with_hint(if self.for_git {
                "there is no terminal to ask at: give the key to an SSH agent, which takes it in the form of \
                 OpenSSH (lanner convert KEY --to openssh -o COPY && ssh-add COPY)"
            } else {
                "there is no terminal to ask at: give --password-file FILE, --password-fd N or \
                 --password-env NAME"
            })),
        }
    }
}

impl NewPasswordArgs {
    /// The password for a key that will be written to `path`, or none. Without an option that says which, the user
    /// decides at the terminal; where there is none, nothing is assumed.
    pub(crate) fn get(&self, path: &Path) -> Result<Option<Password>, Error> {
        if self.no_password {
            return Ok(None);
        }
        let source = None
            .or(self.new_password_file.as_deref().map(Source::File))
            .or(self.new_password_fd.map(Source::Descriptor))
            .or(self.new_password_env.as_deref().map(Source::Environment));
        if let Some(source) = source {
            let password = source.get(false)?;
            if password.is_empty() {
                return Err(Error::new(Kind::Usage, "the new password is empty")
                    .with_hint("to write the secret key without one, say --no-password"));
            }
            return Ok(Some(password));
        }
        if !can_ask() {
            return Err(Error::new(
                Kind::Usage,
                "say whether the new secret key gets a password: there is no terminal to ask at",
            )
            .with_hint(
                "give --new-password-file FILE, --new-password-fd N or --new-password-env NAME, or \
                 --no-password",
            ));
        }
        let password = ask(&format!(
            "New password for {} (empty for none): ",
            Shown(path)
        ))?;
        let again = ask("The same again: ")?;
        if password != again {
            return Err(Error::new(
                Kind::Usage,
                "the two passwords differ; nothing was written",
            ));
        }
        Ok((!password.is_empty()).then_some(password))
    }

    /// True if the user said anything.
    pub(crate) fn is_used(&self) -> bool {
        self.no_password
            || self.new_password_file.is_some()
            || self.new_password_fd.is_some()
            || self.new_password_env.is_some()
    }

    pub(crate) fn is_none_wanted(&self) -> bool {
        self.no_password
    }
}

/// True if somebody can see a question, and there is a terminal to answer at.
fn can_ask() -> bool {
    io::stderr().is_terminal() && has_terminal()
}

/// True if there is a terminal, whatever standard error and standard input are.
fn has_terminal() -> bool {
    #[cfg(unix)]
    return std::fs::File::open(Path::new("/dev/tty")).is_ok();
    #[cfg(not(unix))]
    return io::stdin().is_terminal();
}

/// Asks at the terminal, which does not show the answer.
fn ask(question: &str) -> Result<Password, Error> {
    let answer =
        restoring_terminal(|| rpassword::prompt_password(question)).map_err(|e| {
            match e.kind() {
                io::ErrorKind::Interrupted => Error::new(Kind::Io, "no password was given"),
                _ => Error::new(Kind::Io, format!("cannot ask for the password: {e}")),
            }
        })?;
    checked(Zeroizing::new(answer.into_bytes()), "the terminal")
}

/// Does `work`, which changes the settings of the terminal; a signal that ends the process meanwhile finds them put back
/// first.
fn restoring_terminal<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(unix)]
    {
        use crate::signals;
        use rustix::process::getpgrp;
        use rustix::termios::{OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};
        use std::io::Write;
        let terminal = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open("/dev/tty");
        let Ok(mut terminal) = terminal else {
            return work();
        };
        let Ok(settings) = tcgetattr(&terminal) else {
            return work();
        };
        let restore = move || {
            // From the background, that would stop the process.
            if tcgetpgrp(&terminal) == Ok(getpgrp()) {
                let _ = tcsetattr(&terminal, OptionalActions::Now, &settings);
                let _ = terminal.write_all(b"\n");
            }
        };
        signals::ending_with(restore, work)
    }
    #[cfg(not(unix))]
    work()
}

/// A line without its end.
fn without_end(line: &[u8]) -> Password {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Zeroizing::new(line.to_vec())
}

fn checked(password: Password, name: &str) -> Result<Password, Error> {
    if password.len() > MAX {
        return Err(Error::new(
            Kind::Usage,
            format!("the password from {name} is longer than {MAX} bytes"),
        ));
    }
    if password.contains(&0) {
        return Err(Error::new(
            Kind::Usage,
            format!("the password from {name} contains a zero byte"),
        ));
    }
    Ok(password)
}
