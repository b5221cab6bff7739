// SPDX-License-Identifier: Apache-2.0

import CInflate

/// Compressed bytes in the format of gzip (RFC 1952).
public enum Gzip {
  /// Compresses bytes; the same bytes give the same result.
  ///
  /// - Parameter bytes: The bytes, at most 4 GB.
  /// - Returns: The compressed bytes; nil if memory is short.
  public static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    let limit = cinflate_gzip_limit(bytes.count)
    let result = unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = unsafe cinflate_gzip(bytes, bytes.count, output.baseAddress, limit)
    }
    return result.isEmpty ? nil : result
  }
}
