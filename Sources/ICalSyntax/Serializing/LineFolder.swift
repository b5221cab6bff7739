// SPDX-License-Identifier: Apache-2.0

/// Folds content lines at 75 octets (RFC 5545 §3.1).
enum LineFolder {
  /// The most octets of a physical line, without its line end.
  static let limit = 75

  /// Appends an unfolded line with folds and a line end; never folds inside a UTF-8 sequence, nor
  /// between a backslash and what it escapes, so that each physical line can be read on its own.
  @inline(__always)
  static func write(_ line: Span<UInt8>, to bytes: inout [UInt8]) {
    guard line.count > limit else {
      bytes.append(copying: line)
      endLine(&bytes)
      return
    }
    fold(line, to: &bytes)
  }

  /// Folds what was appended from an index on, and ends the line.
  static func finishLine(from start: Int, in bytes: inout [UInt8]) {
    guard bytes.count - start > limit else {
      endLine(&bytes)
      return
    }
    let line = Array(bytes[start...])
    bytes.removeLast(line.count)
    write(line.span, to: &bytes)
  }

  private static func fold(_ line: Span<UInt8>, to bytes: inout [UInt8]) {
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
      if line[end - 1] == ASCII.backslash, isEscaping(line, end - 1, from: start) {
        end -= 1
      }
      bytes.append(copying: line.extracting(start..<end))
      endLine(&bytes)
      bytes.append(ASCII.space)
      start = end
      room = limit - 1
    }
    bytes.append(copying: line.extracting(start..<line.count))
    endLine(&bytes)
  }

  /// Whether a backslash escapes what comes after it and is not escaped itself.
  ///
  /// No physical line begins within an escape, so it suffices to look back to its start.
  private static func isEscaping(_ line: Span<UInt8>, _ index: Int, from start: Int) -> Bool {
    var first = index
    while first > start, line[first - 1] == ASCII.backslash { first -= 1 }
    return (index - first) % 2 == 0
  }

  @inline(__always)
  private static func endLine(_ bytes: inout [UInt8]) {
    bytes.append(ASCII.carriageReturn)
    bytes.append(ASCII.lineFeed)
  }
}
