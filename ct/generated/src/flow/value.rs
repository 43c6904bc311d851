//! What is known of a value, and how that meets what is known on another way.

use super::registers::REGISTERS;
use crate::objects::Id;

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Secret,
    Public,
    /// A constant of the program.
    Number(i64),
    /// The address of static data, or of a table of the linker.
    Static,
    /// The address of a function.
    Code(Id),
    /// An address on the stack: so many bytes above a base. Base 0 is the stack pointer at the entry;
    /// aligning the pointer makes a new base, named after the instruction; and an argument that is an
    /// address of the caller's frame is a base, see [`argument`].
    Frame(usize, i64),
    /// An address on the stack, at least so many bytes above a base.
    Within(usize, i64),
    /// Secret, but for the case that it is such an address.
    Perhaps(usize, i64),
}

impl Value {
    pub(super) fn is_public(self) -> bool {
        !matches!(self, Self::Secret | Self::Perhaps(..))
    }

    pub(super) fn meet(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let public = self.is_public() && other.is_public();
        let of = |base, low| {
            if public {
                Self::Within(base, low)
            } else {
                Self::Perhaps(base, low)
            }
        };
        match (self.on_stack(), other.on_stack()) {
            (Some((base, low)), Some((same, at))) if base == same => match self {
                // An address that moves downwards may get anywhere.
                Self::Within(..) | Self::Perhaps(..) if at < low => of(base, i64::MIN),
                _ => of(base, low.min(at)),
            },
            (Some((base, low)), _) | (None, Some((base, low))) if !public => of(base, low),
            _ if public => Self::Public,
            _ => Self::Secret,
        }
    }

    /// Those of two that are addresses, when what both come to is no longer one of the same base.
    pub(super) fn lost(self, other: Self) -> impl Iterator<Item = Self> {
        let base = |value: Self| value.on_stack().map(|it| it.0);
        let kept = base(self.meet(other));
        let both = [self, other].into_iter();
        both.filter(move |value| base(*value).is_some() && base(*value) != kept)
    }

    /// The base of an address on the stack, and how far above it that is at least.
    pub(super) fn on_stack(self) -> Option<(usize, i64)> {
        match self {
            Self::Frame(base, low) | Self::Within(base, low) | Self::Perhaps(base, low) => {
                Some((base, low))
            }
            _ => None,
        }
    }

    /// What it is when so much is added.
    pub(super) fn moved(self, by: i64) -> Self {
        match self {
            Self::Frame(base, at) => Self::Frame(base, at.wrapping_add(by)),
            Self::Within(base, low) => Self::Within(base, further(low, by)),
            Self::Perhaps(base, low) => Self::Perhaps(base, further(low, by)),
            Self::Number(_) => Self::Public,
            other => other,
        }
    }

    /// What it is for other functions, which know nothing of this one's frame.
    pub(super) fn outside(self) -> Self {
        match self {
            Self::Frame(..) | Self::Within(..) => Self::Public,
            Self::Perhaps(..) => Self::Secret,
            other => other,
        }
    }

    /// What it is when it is overwritten with something public, or is not.
    pub(super) fn blurred(self) -> Self {
        self.meet(Self::Public)
    }
}

/// A lower bound moved; the least stays what it is.
pub(super) fn further(low: i64, by: i64) -> i64 {
    if low == i64::MIN {
        low
    } else {
        low.saturating_add(by)
    }
}

/// The base that an address of the caller's frame is, given in a register.
pub(super) fn argument(register: usize) -> usize {
    usize::MAX - register
}

pub(super) fn is_argument(base: usize) -> bool {
    base > argument(REGISTERS)
}
