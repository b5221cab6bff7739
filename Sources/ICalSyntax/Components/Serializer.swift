// SPDX-License-Identifier: Apache-2.0

/// Writes components as iCalendar text (RFC 5545 §3.1, §3.6).
///
/// What was not changed since it was read is written with its own bytes; what was changed or made in
/// memory is folded at 75 octets and ends its lines in CRLF.
public struct Serializer: Hashable, Sendable {
  /// What becomes of line ends that are not CRLF in parts that were not changed.
  public enum LineEnds: Hashable, Sendable {
    /// They stay, so that an untouched component is written back byte for byte.
    case preserved
    /// They become CRLF, as the RFC wants them; nothing else in the lines changes.
    case normalized
    /// They become CRLF, and every line is folded anew at 75 octets.
    case refolded
  }

  /// What becomes of line ends that are not CRLF.
  ///
  /// Default: they stay.
  public var lineEnds: LineEnds

  /// Creates a serializer.
  public init(lineEnds: LineEnds = .preserved) {
    self.lineEnds = lineEnds
  }

  /// The component as bytes.
  public func bytes(of component: Component) -> [UInt8] {
    var bytes: [UInt8] = []
    write(component, to: &bytes)
    return bytes
  }

  /// Appends a component with all that is nested in it.
  public func write(_ component: Component, to bytes: inout [UInt8]) {
    if lineEnds != .refolded, let source = component.source {
      append(source, to: &bytes)
      return
    }
    writeLine("BEGIN:\(component.name.rawName)", to: &bytes)
    for property in component.properties { write(property, to: &bytes) }
    for nested in component.components { write(nested, to: &bytes) }
    writeLine("END:\(component.name.rawName)", to: &bytes)
  }

  /// Appends a property.
  public func write(_ property: Property, to bytes: inout [UInt8]) {
    // A line that is no content line has no parts that could be put together again.
    if let physical = property.physicalBytes, lineEnds != .refolded || !property.isWellFormed {
      append(physical, to: &bytes)
    } else {
      let line = property.editedBytes
      LineFolder.write(line.span, to: &bytes)
    }
  }

  /// Appends a line of its own, as `BEGIN:VCALENDAR`.
  package func writeLine(_ line: String, to bytes: inout [UInt8]) {
    LineFolder.write(line.utf8.span, to: &bytes)
  }

  /// Appends lines of a file, and a line end if the file ended without one.
  private func append(_ lines: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard let first = lines.first, let last = lines.last else { return }
    // The line end before must stay one: behind a lone CR, a line that begins with a fold at LF would
    // lose its own.
    if first == ASCII.lineFeed, bytes.last == ASCII.carriageReturn { bytes.append(first) }
    switch lineEnds {
    case .preserved: bytes.append(contentsOf: lines)
    case .normalized, .refolded:
      var previous: UInt8 = 0
      for byte in lines {
        if byte == ASCII.lineFeed, previous != ASCII.carriageReturn {
          bytes.append(ASCII.carriageReturn)
        } else if previous == ASCII.carriageReturn, byte != ASCII.lineFeed {
          bytes.append(ASCII.lineFeed)
        }
        bytes.append(byte)
        previous = byte
      }
      if last == ASCII.carriageReturn { bytes.append(ASCII.lineFeed) }
    }
    if last != ASCII.lineFeed, last != ASCII.carriageReturn {
      bytes += [ASCII.carriageReturn, ASCII.lineFeed]
    }
  }
}
