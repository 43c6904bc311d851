//! Where a service is.

use core::fmt;
use core::str::FromStr;
use std::net::{IpAddr, Ipv6Addr};

/// The name or the number of a host, and a port: `scheduler.local:50050`, `10.0.0.1:50050`, `[::1]:50050`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// The host, in brackets if it is a number of version 6.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, which is not 0.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.rsplit_once(':').and_then(|(host, port)| {
            let port = port.parse().ok().filter(|&port| port != 0)?;
            let inner = host
                .strip_prefix('[')
                .and_then(|host| host.strip_suffix(']'));
            let is_host = match inner {
                Some(number) => number.parse::<Ipv6Addr>().is_ok(),
                None => !host.is_empty() && !host.contains([':', '/', '[', ']', '@', ' ']),
            };
            is_host.then(|| Self {
                host: host.to_owned(),
                port,
            })
        });
        parts.ok_or_else(|| format!("{text:?} is not of the form host:port"))
    }
}

/// A number of a host as URLs have it.
pub(crate) fn in_url(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_exactly() {
        for text in ["scheduler.local:50050", "10.0.0.1:1", "[::1]:65535"] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), text);
        }
        for text in [
            "",
            "host",
            "host:",
            ":50050",
            "host:0",
            "host:65536",
            "::1:50050",
            "[host]:50050",
            "http://host:50050",
            "user@host:50050",
        ] {
            let error = text.parse::<Address>().unwrap_err();
            assert!(error.contains("host:port"), "{text}: {error}");
        }
        assert_eq!(in_url(IpAddr::from([127, 0, 0, 1])), "127.0.0.1");
        assert_eq!(in_url(IpAddr::V6(Ipv6Addr::LOCALHOST)), "[::1]");
    }
}
