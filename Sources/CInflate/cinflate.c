// SPDX-License-Identifier: Apache-2.0

#include "cinflate.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct cinflate_decoder {
  z_stream stream;
};

cinflate_decoder *cinflate_decoder_make(void) {
  cinflate_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  // A negative window size selects data without the header of zlib, as archives have it.
  if (inflateInit2(&decoder->stream, -MAX_WBITS) != Z_OK) {
    free(decoder);
    return NULL;
  }
  return decoder;
}

void cinflate_decoder_free(cinflate_decoder *decoder) {
  if (!decoder) return;
  inflateEnd(&decoder->stream);
  free(decoder);
}

cinflate_state cinflate_decode(cinflate_decoder *decoder, const uint8_t *input, size_t input_count,
                               uint8_t *output, size_t output_count, size_t *read,
                               size_t *written) {
  z_stream *stream = &decoder->stream;
  uInt room = output_count > UINT_MAX ? UINT_MAX : (uInt)output_count;
  uInt given = input_count > UINT_MAX ? UINT_MAX : (uInt)input_count;
  // The library does not change the input; older headers lack the qualifier.
  stream->next_in = (Bytef *)input;
  stream->avail_in = given;
  stream->next_out = output;
  stream->avail_out = room;
  int result = inflate(stream, Z_NO_FLUSH);
  *read = given - stream->avail_in;
  *written = room - stream->avail_out;
  switch (result) {
  case Z_STREAM_END: return CINFLATE_END;
  // Z_BUF_ERROR only says that no progress was possible without more input or room.
  case Z_OK:
  case Z_BUF_ERROR: return CINFLATE_MORE;
  default: return CINFLATE_DAMAGED;
  }
}

uint32_t cinflate_crc(uint32_t earlier, const uint8_t *bytes, size_t count) {
  uLong value = earlier;
  while (count > 0) {
    uInt part = count > UINT_MAX ? UINT_MAX : (uInt)count;
    value = crc32(value, bytes, part);
    bytes += part;
    count -= part;
  }
  return (uint32_t)value;
}

// The largest header and trailer of gzip without optional fields, and of the end of the data.
static const size_t gzip_overhead = 64;

size_t cinflate_gzip_limit(size_t count) {
  return compressBound(count) + gzip_overhead;
}

size_t cinflate_gzip(const uint8_t *bytes, size_t count, uint8_t *output, size_t output_count) {
  if (count > UINT_MAX || output_count > UINT_MAX) return 0;
  z_stream stream = {0};
  // 16 more than the window size selects the header of gzip; 8 is the usual memory.
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return 0;
  }
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)output_count;
  int result = deflate(&stream, Z_FINISH);
  size_t written = output_count - stream.avail_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? written : 0;
}
