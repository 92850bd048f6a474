//! Brotli.

use brotli::enc::StandardAlloc;
use brotli::enc::encode::{
    BrotliEncoderOperation, BrotliEncoderParameter, BrotliEncoderStateStruct,
};
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};

use super::{Codec, Failure, Progress};

/// The value of `flush` at the end of the input.
const FINISH: u8 = 2;

pub(super) struct Encoder {
    state: BrotliEncoderStateStruct<StandardAlloc>,
    params: Vec<(BrotliEncoderParameter, u32)>,
}

impl Encoder {
    /// `settings` are the keys and values of parameters. Returns `None` if one is invalid.
    pub fn new(settings: &[i32]) -> Option<Self> {
        use BrotliEncoderParameter::*;
        const PARAMETERS: [BrotliEncoderParameter; 7] = [
            BROTLI_PARAM_MODE,
            BROTLI_PARAM_QUALITY,
            BROTLI_PARAM_LGWIN,
            BROTLI_PARAM_LGBLOCK,
            BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING,
            BROTLI_PARAM_SIZE_HINT,
            BROTLI_PARAM_LARGE_WINDOW,
        ];
        let param = |pair: &[i32]| {
            // NPOSTFIX and NDIRECT have no parameter in the crate. They only tune the size of the output.
            PARAMETERS.get(pair[0] as usize).map(|name| (*name, pair[1] as u32))
        };
        let params = settings.chunks_exact(2).filter_map(param).collect();
        let mut encoder =
            Self { state: BrotliEncoderStateStruct::new(StandardAlloc::default()), params };
        encoder.start().then_some(encoder)
    }

    fn start(&mut self) -> bool {
        self.state = BrotliEncoderStateStruct::new(StandardAlloc::default());
        self.params.iter().all(|(name, value)| self.state.set_parameter(*name, *value))
    }
}

impl Codec for Encoder {
    fn step(&mut self, input: &[u8], output: &mut [u8], flush: u8) -> Progress {
        let operation = match flush {
            1 => BrotliEncoderOperation::BROTLI_OPERATION_FLUSH,
            FINISH => BrotliEncoderOperation::BROTLI_OPERATION_FINISH,
            3 => BrotliEncoderOperation::BROTLI_OPERATION_EMIT_METADATA,
            _ => BrotliEncoderOperation::BROTLI_OPERATION_PROCESS,
        };
        let (mut left, mut room) = (input.len(), output.len());
        let (mut taken, mut written) = (0, 0);
        let is_done = self.state.compress_stream(
            operation,
            &mut left,
            input,
            &mut taken,
            &mut room,
            output,
            &mut written,
            &mut None,
            &mut |_, _, _, _| (),
        );
        let failure = (!is_done)
            .then(|| Failure::new(-2, "ERR_BROTLI_COMPRESSION_FAILED", "Compression failed"));
        Progress { taken, written, failure }
    }

    fn reset(&mut self) {
        self.start();
    }
}

type DecoderState = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

pub(super) struct Decoder(DecoderState);

impl Decoder {
    pub fn new() -> Self {
        let alloc = StandardAlloc::default;
        Self(BrotliState::new_strict(alloc(), alloc(), alloc()))
    }
}

impl Codec for Decoder {
    fn step(&mut self, input: &[u8], output: &mut [u8], flush: u8) -> Progress {
        let (mut left, mut room) = (input.len(), output.len());
        let (mut taken, mut written) = (0, 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut taken,
            input,
            &mut room,
            &mut written,
            output,
            &mut 0,
            &mut self.0,
        );
        let failure = match result {
            BrotliResult::ResultFailure => {
                let name = format!("{:?}", self.0.error_code);
                let code = name.replace("BROTLI_DECODER_", "ERR__");
                Some(Failure::new(self.0.error_code as i32, code, "Decompression failed"))
            }
            BrotliResult::NeedsMoreInput if flush == FINISH => Some(Failure::end_of_file()),
            _ => None,
        };
        Progress { taken, written, failure }
    }

    fn reset(&mut self) {
        *self = Self::new();
    }
}
