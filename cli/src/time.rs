//! Times as OpenSSH writes them.

use crate::error::{Error, Kind};
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// A moment, to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(i64);

impl Moment {
    /// The present, by the system's clock.
    pub(crate) fn now() -> Self {
        Moment(Timestamp::now().as_second())
    }

    /// YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS: with a Z at the end in UTC, else in the system's time zone. The error says
    /// what is wrong.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        // Never UTC in its place: that would let signers sign for hours too long.
        Self::parse_in(system_zone, text)
    }

    fn parse_in(zone: impl Fn() -> Option<TimeZone>, text: &str) -> Result<Self, &'static str> {
        const FORM: &str = "a time is YYYYMMDD or YYYYMMDDHHMM[SS], with a Z at the end for UTC";
        let (digits, is_utc) = match without_utc(text) {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        let time = civil(digits).ok_or(FORM)?;
        let second = if is_utc {
            seconds(time)
        } else {
            let zone = zone().ok_or(
                "it has no Z at the end, and the time zone of this system is not known: write it in UTC, with a Z, \
                 or set TZ to the name of a zone that is installed",
            )?;
            in_standard_time(time, &zone)
        };
        // Nothing is older than the format.
        (second >= 0).then_some(Moment(second)).ok_or(FORM)
    }

    /// A time as RFC 3339 writes it, with its zone.
    pub(crate) fn of_rfc3339(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text).ok()?;
        let time = seconds(pieces.date().to_datetime(pieces.time()?));
        let offset = pieces.to_numeric_offset()?;
        Some(Moment(time - i64::from(offset.seconds())))
    }

    /// The moment that an option names, or the present.
    pub(crate) fn of_option(text: Option<&str>) -> Result<Self, Error> {
        text.map_or(Ok(Moment::now()), |text| {
            Moment::parse(text).map_err(|why| no_time(text, why))
        })
    }

    /// The moment that git names in an option. Where no zone is known, it is in UTC: so the C library has written it for git.
    pub(crate) fn of_option_of_git(text: &str) -> Result<Self, Error> {
        let zone = || system_zone().or_else(|| cfg!(unix).then_some(TimeZone::UTC));
        Moment::parse_in(zone, text).map_err(|why| no_time(text, why))
    }
}

fn no_time(text: &str, why: &str) -> Error {
    Error::new(Kind::Usage, format!("{text:?} is not a time")).with_hint(why)
}

/// The zone of the system, or of `TZ`.
fn system_zone() -> Option<TimeZone> {
    // Summer time without rules, as in CET-1CEST, has those of the United States to GNU's C library.
    let without_rules = || {
        let text = std::env::var("TZ").ok()?;
        TimeZone::posix(&format!("{text},M3.2.0,M11.1.0")).ok()
    };
    TimeZone::try_system().ok().or_else(without_rules)
}

/// The digits of a time in UTC.
fn without_utc(text: &str) -> Option<&str> {
    text.strip_suffix(['Z', 'z']).or_else(|| {
        let (digits, zone) = text.split_at_checked(text.len().checked_sub(3)?)?;
        zone.eq_ignore_ascii_case("UTC").then_some(digits)
    })
}

/// The seconds since 1970 of a time in UTC: also of the last two days of the year 9999, which lists name where they mean
/// never, and of which there is no `Timestamp`.
fn seconds(time: DateTime) -> i64 {
    const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    time.duration_since(EPOCH).as_secs()
}

/// What the digits say.
fn civil(digits: &str) -> Option<DateTime> {
    let is_known = [8, 12, 14].contains(&digits.len());
    if !is_known || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |d| d.parse().ok());
    let two = |from: usize| number(from, from + 2).and_then(|n: i16| i8::try_from(n).ok());
    DateTime::new(
        number(0, 4)?,
        two(4)?,
        two(6)?,
        two(8)?,
        two(10)?,
        two(12)?,
        0,
    )
    .ok()
}

/// The moment at which the zone's clocks would show `time` without daylight saving: in summer too, ssh-keygen takes times
/// so, and what a list of signers says should mean the same to both.
fn in_standard_time(time: DateTime, zone: &TimeZone) -> i64 {
    let shown = zone.to_timestamp(time).unwrap_or(Timestamp::MAX);
    if !zone.to_offset_info(shown).dst().is_dst() {
        return shown.as_second();
    }
    let began = zone.preceding(shown).next().map(|it| it.timestamp());
    let before = began
        .and_then(|at| at.checked_sub(1.second()).ok())
        .map(|at| zone.to_offset_info(at))
        .filter(|info| !info.dst().is_dst())
        .map(|info| info.offset());
    let after = || {
        let next = zone.following(shown).next()?;
        (!next.dst().is_dst()).then(|| next.offset())
    };
    match before.or_else(after) {
        Some(offset) => seconds(time) - i64::from(offset.seconds()),
        None => shown.as_second(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [
            ("19700101Z", Some(0)),
            ("19691231Z", None),
            ("197001020304Z", Some(97_440)),
            ("20261122163005Z", Some(1_795_365_005)),
            ("20260230Z", None),
            ("2026112Z", None),
            ("20261122246000Z", None),
            ("+0261122Z", None),
            ("", None),
            ("Z", None),
            ("99991231Z", Some(253_402_214_400)),
            ("99991231235959Z", Some(253_402_300_799)),
            ("20260101UTC", Some(1_767_225_600)),
            ("202601010000utc", Some(1_767_225_600)),
            ("20260101UTCZ", None),
            ("20260101 UTC", None),
            ("UTC", None),
            ("TC", None),
            ("20260101éC", None),
        ] {
            assert_eq!(Moment::parse(text).ok(), seconds.map(Moment), "{text}");
        }
    }

    #[test]
    fn times_of_rfc3339() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-01-01T00:00:00.5Z", Some(1_767_225_600)),
            ("2026-01-01T01:00:00+01:00", Some(1_767_225_600)),
            ("2025-12-31T18:00:00-06:00", Some(1_767_225_600)),
            ("9999-12-31T23:59:59Z", Some(253_402_300_799)),
            ("9999-12-31T23:59:59-01:00", Some(253_402_304_399)),
            ("2026-01-01T00:00:00", None),
            ("2026-01-01", None),
            ("00:00:00", None),
        ] {
            assert_eq!(Moment::of_rfc3339(text), seconds.map(Moment), "{text}");
        }
    }
}
