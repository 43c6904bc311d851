//! Times as OpenSSH writes them.

use crate::error::{Error, Kind};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A moment, to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(i64);

impl Moment {
    /// The present, by the system's clock.
    pub(crate) fn now() -> Self {
        Moment(Timestamp::now().as_second())
    }

    /// YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS: in the system's time zone, or with a Z at the end in UTC.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (digits, zone) = match text.strip_suffix(['Z', 'z']) {
            Some(digits) => (digits, TimeZone::UTC),
            None => (text, TimeZone::system()),
        };
        let is_known = [8, 12, 14].contains(&digits.len());
        if !is_known || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number =
            |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |d| d.parse().ok());
        let two = |from: usize| number(from, from + 2).and_then(|n: i16| i8::try_from(n).ok());
        let time = DateTime::new(
            number(0, 4)?,
            two(4)?,
            two(6)?,
            two(8)?,
            two(10)?,
            two(12)?,
            0,
        );
        let zoned = time.ok()?.to_zoned(zone).ok()?;
        Some(Moment(zoned.timestamp().as_second()))
    }

    /// A time as RFC 3339 writes it, with its zone.
    pub(crate) fn of_rfc3339(text: &str) -> Option<Self> {
        let time: Timestamp = text.parse().ok()?;
        Some(Moment(time.as_second()))
    }

    /// The moment that an option names, or the present.
    pub(crate) fn of_option(text: Option<&str>) -> Result<Self, Error> {
        match text {
            None => Ok(Moment::now()),
            Some(text) => Moment::parse(text).ok_or_else(|| {
                Error::new(Kind::Usage, format!("{text:?} is not a time"))
                    .with_hint("write YYYYMMDD or YYYYMMDDHHMM[SS], with a Z at the end for UTC")
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [
            ("19700101Z", Some(0)),
            ("197001020304Z", Some(97_440)),
            ("20261122163005Z", Some(1_795_365_005)),
            ("20260230Z", None),
            ("2026112Z", None),
            ("20261122246000Z", None),
            ("+0261122Z", None),
            ("", None),
            ("Z", None),
        ] {
            assert_eq!(Moment::parse(text), seconds.map(Moment), "{text}");
        }
    }
}
