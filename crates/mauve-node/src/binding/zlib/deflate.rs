//! DEFLATE: raw, with the header of zlib, and in members of gzip.

use zlib_rs::{
    Deflate, DeflateConfig, DeflateError, DeflateFlush, Inflate, InflateError, InflateFlush,
    Status, Strategy,
};

use super::{Codec, Failure, Progress};

const DEFLATE: u8 = 1;
const INFLATE: u8 = 2;
const GZIP: u8 = 3;
const GUNZIP: u8 = 4;
const DEFLATE_RAW: u8 = 5;
const INFLATE_RAW: u8 = 6;
const UNZIP: u8 = 7;

/// The value of `flush` at the end of the input.
const FINISH: u8 = 4;

/// The first byte of a member of gzip.
const MAGIC: u8 = 0x1f;

/// `settings` are the level, the window bits, the memory level and the strategy.
pub(super) fn create(
    mode: u8,
    settings: &[i32],
    dictionary: Option<Vec<u8>>,
) -> Option<Box<dyn Codec>> {
    let &[level, window_bits, mem_level, strategy] = settings else { return None };
    let window_bits = match mode {
        DEFLATE | INFLATE => window_bits,
        GZIP | GUNZIP => window_bits + 16,
        DEFLATE_RAW => -window_bits.max(9),
        INFLATE_RAW => -window_bits,
        UNZIP => window_bits + 32,
        _ => return None,
    };
    if matches!(mode, DEFLATE | GZIP | DEFLATE_RAW) {
        let strategy = Strategy::try_from(strategy).ok()?;
        let config =
            DeflateConfig { level, window_bits, mem_level, strategy, ..DeflateConfig::default() };
        let mut compressor =
            Compressor { state: Deflate::new_with_config(config), config, dictionary };
        compressor.start();
        return Some(Box::new(compressor));
    }
    let mut decompressor = Decompressor {
        state: Inflate::new(window_bits >= 0, window_bits.unsigned_abs() as u8),
        window_bits,
        dictionary,
        first: None,
        has_gzip: matches!(mode, GUNZIP | UNZIP),
    };
    decompressor.start();
    Some(Box::new(decompressor))
}

struct Compressor {
    state: Deflate,
    config: DeflateConfig,
    dictionary: Option<Vec<u8>>,
}

impl Compressor {
    /// Sets the dictionary, which gzip does not have.
    fn start(&mut self) {
        self.state = Deflate::new_with_config(self.config);
        if let Some(dictionary) = &self.dictionary {
            // Only gzip refuses it, and then it is not used, as in Node.
            let _ = self.state.set_dictionary(dictionary);
        }
    }
}

impl Codec for Compressor {
    fn step(&mut self, input: &[u8], output: &mut [u8], flush: u8) -> Progress {
        let flush = match flush {
            1 => DeflateFlush::PartialFlush,
            2 => DeflateFlush::SyncFlush,
            3 => DeflateFlush::FullFlush,
            FINISH => DeflateFlush::Finish,
            5 => DeflateFlush::Block,
            _ => DeflateFlush::NoFlush,
        };
        let before = (self.state.total_in(), self.state.total_out());
        let failure = match self.state.compress(input, output, flush) {
            Ok(_) => None,
            Err(DeflateError::StreamError) => Some((-2, "Z_STREAM_ERROR")),
            Err(DeflateError::DataError) => Some((-3, "Z_DATA_ERROR")),
            Err(DeflateError::MemError) => Some((-4, "Z_MEM_ERROR")),
        };
        Progress {
            taken: (self.state.total_in() - before.0) as usize,
            written: (self.state.total_out() - before.1) as usize,
            failure: failure.map(|(errno, code)| Failure::new(errno, code, "Zlib error")),
        }
    }

    fn reset(&mut self) {
        self.start();
    }

    fn set_params(&mut self, level: i32, strategy: i32) {
        // The input has been flushed, so a change of the level cannot fail. The strategy has an effect after the
        // next reset.
        let _ = self.state.set_level(level);
        self.config.level = level;
        self.config.strategy = Strategy::try_from(strategy).unwrap_or_default();
    }
}

struct Decompressor {
    state: Inflate,
    window_bits: i32,
    dictionary: Option<Vec<u8>>,
    /// The first byte of the input.
    first: Option<u8>,
    /// Whether the input may consist of members of gzip.
    has_gzip: bool,
}

impl Decompressor {
    fn start(&mut self) {
        self.state = Inflate::new(self.window_bits >= 0, self.window_bits.unsigned_abs() as u8);
        if let Some(dictionary) = self.dictionary.as_ref().filter(|_| self.window_bits < 0) {
            // Raw data does not name its dictionary.
            let _ = self.state.set_dictionary(dictionary);
        }
    }

    /// Decompresses, and provides the dictionary.
    fn attempt(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        flush: InflateFlush,
        at: &mut (usize, usize),
    ) -> Outcome {
        loop {
            let before = (self.state.total_in(), self.state.total_out());
            let result = self.state.decompress(&input[at.0..], &mut output[at.1..], flush);
            at.0 += (self.state.total_in() - before.0) as usize;
            at.1 += (self.state.total_out() - before.1) as usize;
            match (result, &self.dictionary) {
                (Err(InflateError::NeedDict { .. }), Some(dictionary)) => {
                    if self.state.set_dictionary(dictionary).is_err() {
                        return Err(Failure::new(2, "Z_NEED_DICT", "Bad dictionary"));
                    }
                }
                (Err(InflateError::NeedDict { .. }), None) => {
                    return Err(Failure::new(2, "Z_NEED_DICT", "Missing dictionary"));
                }
                (Err(error), _) => return Err(self.failure(error)),
                (Ok(status), _) => return Ok(status),
            }
        }
    }

    fn failure(&self, error: InflateError) -> Failure {
        let message = self.state.error_message().unwrap_or("Zlib error");
        match error {
            InflateError::MemError => Failure::new(-4, "Z_MEM_ERROR", message),
            InflateError::StreamError => Failure::new(-2, "Z_STREAM_ERROR", message),
            _ => Failure::new(-3, "Z_DATA_ERROR", message),
        }
    }
}

type Outcome = Result<Status, Failure>;

impl Codec for Decompressor {
    fn step(&mut self, input: &[u8], output: &mut [u8], flush: u8) -> Progress {
        self.first = self.first.or(input.first().copied());
        let mode = match flush {
            2 | 3 => InflateFlush::SyncFlush,
            FINISH => InflateFlush::Finish,
            5 => InflateFlush::Block,
            _ => InflateFlush::NoFlush,
        };
        let mut at = (0, 0);
        let mut outcome = self.attempt(input, output, mode, &mut at);
        let is_gzip = self.has_gzip && self.first == Some(MAGIC);
        // Another member may follow. Zeros are padding.
        while is_gzip
            && matches!(outcome, Ok(Status::StreamEnd))
            && input.get(at.0).is_some_and(|byte| *byte != 0)
        {
            self.start();
            outcome = self.attempt(input, output, mode, &mut at);
        }
        let failure = match outcome {
            Ok(Status::Ok | Status::BufError) if flush == FINISH && at.1 < output.len() => {
                Some(Failure::end_of_file())
            }
            Ok(_) => None,
            Err(failure) => Some(failure),
        };
        Progress { taken: at.0, written: at.1, failure }
    }

    fn reset(&mut self) {
        self.first = None;
        self.start();
    }
}
