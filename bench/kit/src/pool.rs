//! The inputs that all libraries share, and the file that carries them to the runners.
//!
//! Each run of a task takes the next entry, so that neither caches nor the branch predictor
//! see the same key twice in a row.

/// How many entries single tasks go through; batches may use the whole pool.
pub const SINGLES: usize = 128;

/// Bytes of an entry in the file, before its message.
const ENTRY: usize = 32 + 32 + 64 + 32 + 32;

/// Keys, messages and signatures.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pool {
    /// Secret seeds of Ed25519, and secrets of X25519.
    pub seeds: Vec<[u8; 32]>,
    /// The Ed25519 public keys of the seeds.
    pub publics: Vec<[u8; 32]>,
    /// The messages, all of one length.
    pub messages: Vec<Vec<u8>>,
    /// The signatures of the seeds on the messages.
    pub signatures: Vec<[u8; 64]>,
    /// X25519 public keys of others.
    pub peers: Vec<[u8; 32]>,
    /// What the seeds and the peers agree on.
    pub shared: Vec<[u8; 32]>,
}

impl Pool {
    /// The messages as slices, for batches.
    pub fn slices(&self) -> Vec<&[u8]> {
        self.messages.iter().map(Vec::as_slice).collect()
    }

    /// Some of its entries.
    pub fn part(&self, first: usize, count: usize) -> Self {
        let range = first..first + count;
        Self {
            seeds: self.seeds[range.clone()].to_vec(),
            publics: self.publics[range.clone()].to_vec(),
            messages: self.messages[range.clone()].to_vec(),
            signatures: self.signatures[range.clone()].to_vec(),
            peers: self.peers[range.clone()].to_vec(),
            shared: self.shared[range].to_vec(),
        }
    }

    /// The pool as a file: the number of entries and the length of a message, 32 bits each and
    /// little-endian; then for each entry seed, public key, signature, peer, shared secret, message.
    pub fn to_file(&self) -> Vec<u8> {
        let message = self.messages.first().map_or(0, Vec::len);
        let mut file = Vec::with_capacity(8 + self.seeds.len() * (ENTRY + message));
        for number in [self.seeds.len(), message] {
            let number = u32::try_from(number).expect("pools are small");
            file.extend(number.to_le_bytes());
        }
        for i in 0..self.seeds.len() {
            file.extend(self.seeds[i]);
            file.extend(self.publics[i]);
            file.extend(self.signatures[i]);
            file.extend(self.peers[i]);
            file.extend(self.shared[i]);
            file.extend(&self.messages[i]);
        }
        file
    }

    /// Reads such a file.
    ///
    /// # Errors
    ///
    /// It is too short, too long, or holds fewer than [`SINGLES`] entries.
    pub fn from_file(file: &[u8]) -> Result<Self, String> {
        let number = |at: usize| -> Result<usize, String> {
            let bytes = file.get(at..at + 4).ok_or("the pool lacks its head")?;
            let number = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
            Ok(number as usize)
        };
        let (entries, message) = (number(0)?, number(4)?);
        if entries < SINGLES || file.len() - 8 != entries * (ENTRY + message) {
            return Err(format!(
                "a pool of {} bytes cannot hold {entries} entries with messages of {message}",
                file.len()
            ));
        }
        let mut pool = Self::default();
        for entry in file[8..].chunks_exact(ENTRY + message) {
            let bytes32 = |at: usize| -> [u8; 32] {
                entry[at..at + 32].try_into().expect("32 bytes of an entry")
            };
            pool.seeds.push(bytes32(0));
            pool.publics.push(bytes32(32));
            let signature = entry[64..128].try_into().expect("64 bytes of an entry");
            pool.signatures.push(signature);
            pool.peers.push(bytes32(128));
            pool.shared.push(bytes32(160));
            pool.messages.push(entry[ENTRY..].to_vec());
        }
        Ok(pool)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, SINGLES};

    #[test]
    fn a_file_gives_the_pool_back() {
        let byte = |i: usize, k: u8| u8::try_from(i % 256).expect("a byte") ^ k;
        let pool = Pool {
            seeds: (0..SINGLES).map(|i| [byte(i, 1); 32]).collect(),
            publics: (0..SINGLES).map(|i| [byte(i, 2); 32]).collect(),
            messages: (0..SINGLES).map(|i| vec![byte(i, 3); 5]).collect(),
            signatures: (0..SINGLES).map(|i| [byte(i, 4); 64]).collect(),
            peers: (0..SINGLES).map(|i| [byte(i, 5); 32]).collect(),
            shared: (0..SINGLES).map(|i| [byte(i, 6); 32]).collect(),
        };
        let file = pool.to_file();
        assert_eq!(Pool::from_file(&file), Ok(pool));
        assert!(Pool::from_file(&file[..file.len() - 1]).is_err());
        assert!(Pool::from_file(&file[..3]).is_err());
        assert!(Pool::from_file(&[0; 8]).is_err());
    }
}
