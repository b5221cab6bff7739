// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The line break of a file (RFC 5545 §3.1).
///
/// Lenient: files on Linux and macOS have LF, very old ones CR.
enum LineBreak: Hashable {
  case crlf
  case lf
  case cr

  /// The line break of most lines; CRLF in a file without any.
  init(mostOf file: [UInt8]) {
    var counts = (crlf: 0, lf: 0, cr: 0)
    var last: UInt8 = 0
    for byte in file {
      if byte == 10 {
        if last == 13 { counts.crlf += 1 } else { counts.lf += 1 }
      } else if last == 13 {
        counts.cr += 1
      }
      last = byte
    }
    let most = max(counts.crlf, counts.lf, counts.cr)
    self = most == counts.crlf ? .crlf : most == counts.lf ? .lf : .cr
  }

  /// Returns lines, each with a CR, an LF or both, with this line break.
  func applied(to lines: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(lines.count + lines.count / 32)
    var index = 0
    while index < lines.count {
      let byte = lines[index]
      index += 1
      guard byte == 13 || byte == 10 else {
        result.append(byte)
        continue
      }
      result += bytes
      // CR LF, and CR CR LF of text mode on Windows, are one line break.
      if byte == 13, lines[index...].starts(with: [10]) {
        index += 1
      } else if byte == 13, lines[index...].starts(with: [13, 10]) {
        index += 2
      }
    }
    return result
  }

  /// Returns a component with this line break.
  func applied(to component: Component) -> Component {
    let own = Serializer().bytes(of: component)
    let bytes = applied(to: own)
    guard bytes != own, let stream = try? CalendarStream(parsing: bytes),
      let changed = stream.strays.components.first, stream.strays.components.count == 1
    else { return component }
    return changed
  }

  private var bytes: [UInt8] {
    switch self {
    case .crlf: [13, 10]
    case .lf: [10]
    case .cr: [13]
    }
  }
}
