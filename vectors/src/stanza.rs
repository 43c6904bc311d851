//! The text format of ring and BoringSSL: `Name = value` lines in groups that
//! blank lines part, with `#` comments.

use crate::hex;

/// One group of `Name = value` lines.
#[derive(Clone, Debug)]
pub struct Stanza {
    /// The line on which the group starts, from 1.
    pub line: usize,
    /// Names and values in their order.
    pub fields: Vec<(String, String)>,
}

impl Stanza {
    /// Parses a whole file.
    pub(crate) fn parse(text: &str) -> Vec<Self> {
        let mut stanzas = Vec::new();
        let mut current: Option<Self> = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                stanzas.extend(current.take());
            } else if !line.starts_with('#') {
                let (name, value) = line
                    .split_once('=')
                    .unwrap_or_else(|| panic!("line {}: not `Name = value`: {line}", index + 1));
                current
                    .get_or_insert_with(|| Self {
                        line: index + 1,
                        fields: Vec::new(),
                    })
                    .fields
                    .push((name.trim().to_owned(), value.trim().to_owned()));
            }
        }
        stanzas.extend(current);
        stanzas
    }

    /// The first name: in BoringSSL's files the kind of the group.
    pub fn kind(&self) -> &str {
        &self.fields[0].0
    }

    /// The value of a name, if it is there.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value.as_str())
    }

    /// The value of a name that must be there.
    pub fn text(&self, name: &str) -> &str {
        self.get(name)
            .unwrap_or_else(|| panic!("line {}: no {name}", self.line))
    }

    /// The value of a name as octets: hexadecimal digits or quoted text.
    pub fn octets(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        match text
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
        {
            Some(quoted) => quoted.as_bytes().to_vec(),
            None => hex::decode(text),
        }
    }
}
