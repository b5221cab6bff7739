// SPDX-License-Identifier: Apache-2.0

/// Folds content lines at 75 octets (RFC 5545 §3.1).
enum LineFolder {
  /// The most octets of a physical line, without its line end.
  static let limit = 75

  /// Appends an unfolded line with folds and a line end; never folds inside a UTF-8 sequence.
  static func write(_ line: Span<UInt8>, to bytes: inout [UInt8]) {
    var start = 0
    var room = limit
    while line.count - start > room {
      var end = start + room
      // A sequence has at most three continuation bytes; more of them are no UTF-8 anyway.
      var steps = 0
      while steps < 3, end > start + 1, line[end] & 0xC0 == 0x80 {
        end -= 1
        steps += 1
      }
      bytes.append(copying: line.extracting(start..<end))
      bytes += [ASCII.carriageReturn, ASCII.lineFeed, ASCII.space]
      start = end
      room = limit - 1
    }
    bytes.append(copying: line.extracting(start..<line.count))
    bytes += [ASCII.carriageReturn, ASCII.lineFeed]
  }
}
