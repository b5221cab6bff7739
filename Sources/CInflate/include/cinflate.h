// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

// A decoder of DEFLATE (RFC 1951), the CRC-32 of ZIP archives, and gzip (RFC 1952), over zlib.

/// The name of a case in Swift.
#define CINFLATE_NAME(name) __attribute__((swift_name(name)))

/// The state of a decoder after a call.
typedef enum __attribute__((enum_extensibility(closed))) {
  CINFLATE_MORE CINFLATE_NAME("more"),         ///< More input or more room is needed.
  CINFLATE_END CINFLATE_NAME("end"),           ///< The end of the compressed data was decoded.
  CINFLATE_DAMAGED CINFLATE_NAME("damaged"),   ///< The input is not compressed data.
} cinflate_state;

/// A decoder of compressed data.
typedef struct cinflate_decoder cinflate_decoder;

/// Creates a decoder; null if memory is short.
cinflate_decoder *cinflate_decoder_make(void);

/// Frees a decoder.
void cinflate_decoder_free(cinflate_decoder *decoder);

/// Decodes bytes of the input, as far as there is room for the output.
///
/// The numbers of bytes that were read and written are stored in `read` and `written`.
cinflate_state cinflate_decode(cinflate_decoder *decoder, const uint8_t *input, size_t input_count,
                               uint8_t *output, size_t output_count, size_t *read,
                               size_t *written);

/// The CRC-32 of bytes that follow those of an earlier value; the first value is 0.
uint32_t cinflate_crc(uint32_t earlier, const uint8_t *bytes, size_t count);

/// The maximum size of compressed bytes with the header of gzip.
size_t cinflate_gzip_limit(size_t count);

/// Compresses bytes into a file of gzip, which has neither a name nor a time.
///
/// Returns the number of bytes that were written; 0 if memory is short or there is too little room.
size_t cinflate_gzip(const uint8_t *bytes, size_t count, uint8_t *output, size_t output_count);
