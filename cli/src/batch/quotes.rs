//! Quotation marks in CSV that do not pair.
//!
//! The crate that reads CSV takes everything: a quotation mark that is never closed makes one field of all lines that follow, and
//! what stands behind a closing one is more of the field, be it the rest of another record. So one mark too many could let records
//! go without a verdict, and the others would be valid. Here the bytes are looked at as that crate reads them, for these two
//! faults, which RFC 4180 (section 2, rules 5 to 7) does not have.

use std::collections::VecDeque;

/// What is said of a record whose quotation marks do not pair: the reader takes it, and with it the records that it has swallowed.
pub(super) const UNPAIRED: &str =
    "a quotation mark is not closed, or there is more in its field behind the one that closes it";

/// Where in the table a byte stands, as the crate counts them.
type Place = u64;

/// What is known of a table before its next byte.
#[derive(Default)]
enum At {
    #[default]
    FieldStart,
    /// In a field that does not begin with a quotation mark, or behind a fault: others are as any byte there.
    Plain,
    /// In a field that begins with one, which stands here.
    Quoted(Place),
    /// Behind one within such a field: it closes, unless another one follows.
    Closed,
}

/// Looks at a table that goes by.
#[derive(Default)]
pub(super) struct Quotes {
    at: At,
    passed: Place,
    /// The faults that nobody has asked for yet, in their order.
    faults: VecDeque<Place>,
}

impl Quotes {
    /// The next bytes of the table.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        // Most tables have no quotation marks.
        if let (At::FieldStart | At::Plain, Some(last)) = (&self.at, bytes.last())
            && !bytes.contains(&b'"')
        {
            self.at = match last {
                b',' | b'\r' | b'\n' => At::FieldStart,
                _ => At::Plain,
            };
            self.passed += bytes.len() as Place;
            return;
        }
        for (place, byte) in (self.passed..).zip(bytes) {
            self.at = match (&self.at, byte) {
                (At::FieldStart, b'"') => At::Quoted(place),
                (At::Quoted(_), b'"') => At::Closed,
                (At::Quoted(start), _) => At::Quoted(*start),
                // One that stands for itself is written twice.
                (At::Closed, b'"') => At::Quoted(place),
                (_, b',' | b'\r' | b'\n') => At::FieldStart,
                (At::Closed, _) => {
                    self.faults.push_back(place);
                    At::Plain
                }
                (At::FieldStart | At::Plain, _) => At::Plain,
            };
        }
        self.passed += bytes.len() as Place;
    }

    /// The table is at its end.
    pub(super) fn end(&mut self) {
        if let At::Quoted(start) = self.at {
            self.faults.push_back(start);
            self.at = At::FieldStart;
        }
    }

    /// Whether there is a fault before this place, and behind those that were asked for before.
    pub(super) fn fault_before(&mut self, end: Place) -> bool {
        let found = self.faults.partition_point(|&place| place < end);
        self.faults.drain(..found);
        found > 0
    }
}

#[cfg(test)]
mod tests {
    use super::Quotes;

    /// The numbers of the records in which there are faults, counted from 0, as the crate cuts them.
    fn faulty(table: &str, at_once: usize) -> Vec<usize> {
        let mut quotes = Quotes::default();
        for bytes in table.as_bytes().chunks(at_once) {
            quotes.pass(bytes);
        }
        quotes.end();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(table.as_bytes());
        let mut record = csv::ByteRecord::new();
        let mut found = Vec::new();
        for number in 0.. {
            if !reader.read_byte_record(&mut record).unwrap() {
                break;
            }
            if quotes.fault_before(reader.position().byte()) {
                found.push(number);
            }
        }
        assert!(!quotes.fault_before(u64::MAX));
        found
    }

    #[test]
    fn faults_are_told_by_their_record() {
        for (table, expected) in [
            ("", &[][..]),
            ("a,b\n1,2\n3,4", &[]),
            ("\"a\",\"b\"\r\n\"1\",\"\"\r\n", &[]),
            // Within a field: commas, ends of lines, marks that are written twice.
            ("\"1,\n\r\n\"\"2\"\"\",3\n4,\"\"\"\"\n", &[]),
            // In a field that does not begin with it, a mark is as any byte.
            ("1,5\" pipe\n2, \"x\"\n3,\"\"", &[]),
            // Not closed.
            ("\"", &[0]),
            ("1,2\n3,\"4\n5,6\n7,8\n", &[1]),
            ("1,\"\"\"", &[0]),
            ("1,2\n3,\"4\"\"\n5,6", &[1]),
            // Closed by another record's.
            ("1,2\n3,\"4\n5,\"6\"\n7,8\n9,\"\"0\n", &[1, 3]),
            ("\"1\" ,2\n\"3\"4\"5\n\"6\",7\n", &[0, 1]),
            ("\n\n1,2\r\r\"3\"4\r5,6\r", &[1]),
        ] {
            for at_once in [1, 2, 3, 5, usize::MAX] {
                assert_eq!(faulty(table, at_once), expected, "{at_once}: {table:?}");
            }
        }
    }
}
