// SPDX-License-Identifier: Apache-2.0

/// Writes components as iCalendar text (RFC 5545 §3.1, §3.6).
///
/// Unmodified parts are written with their original bytes. Modified or newly created parts are
/// folded at 75 octets, with CRLF line breaks. The canonical form normalizes everything, so that
/// equivalent components have equal bytes.
///
/// ```swift
/// let stream = try CalendarStream(parsing: bytes)
/// let untouched = Serializer().bytes(of: stream.calendars[0])
/// let canonical = Serializer(form: .canonical).bytes(of: stream.calendars[0])
/// ```
///
/// `StreamSerializer` writes calendars that do not fit in memory.
public struct Serializer: Hashable, Sendable {
  /// The form of unmodified parts.
  public enum Form: Hashable, Sendable {
    /// The original bytes, with their order, folds and escapes.
    case verbatim
    /// A normalized form that is equal for equivalent components.
    ///
    /// - Lines end in CRLF and are folded at 75 octets, never inside a UTF-8 sequence nor between a
    ///   backslash and the character that it escapes (RFC 5545 §3.1).
    /// - Names are in upper case. Properties are sorted by name and then by their bytes. Parameters
    ///   are sorted by name only, because the first one of a name counts.
    /// - Parameter values have quotes only if necessary, and carets only where these encode
    ///   something (RFC 6868 §3). A VALUE parameter that names the default type is omitted (RFC
    ///   5545 §3.2.20).
    /// - Texts have the escapes `\\`, `\;`, `\,` and `\n` and no others (RFC 5545 §3.3.11). Values
    ///   of other types, and of properties that no RFC defines, are unchanged.
    /// - Nested components follow the properties. Time zones come first, because some readers need
    ///   a zone before its use, then the others by name, by UID and by their bytes. RFC 5545 §3.6
    ///   gives their order no meaning.
    /// - Malformed lines are unchanged and keep their order, after the properties.
    ///
    /// Parsing the form yields the same meaning, and its canonical form is the form itself.
    case canonical
  }

  /// The handling of line breaks other than CRLF in unmodified parts.
  public enum LineEnds: Hashable, Sendable {
    /// They are preserved, so that an unmodified component is written back byte for byte.
    case preserved
    /// They become CRLF, as the RFC requires; the lines are otherwise unchanged.
    case normalized
    /// They become CRLF, and every line is folded again at 75 octets.
    case refolded
  }

  /// The form of unmodified parts.
  ///
  /// Default: verbatim.
  public var form: Form

  /// The handling of line breaks other than CRLF; the canonical form always uses CRLF.
  ///
  /// Default: preserved.
  public var lineEnds: LineEnds

  /// Creates a serializer.
  public init(form: Form = .verbatim, lineEnds: LineEnds = .preserved) {
    self.form = form
    self.lineEnds = lineEnds
  }

  /// Returns the component as bytes.
  public func bytes(of component: Component) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(component.sourceSize ?? 0)
    write(component, to: &bytes)
    return bytes
  }

  /// Appends a component with all nested ones.
  public func write(_ component: Component, to bytes: inout [UInt8]) {
    switch form {
    case .verbatim: writeVerbatim(component, to: &bytes)
    case .canonical:
      var writer = CanonicalWriter()
      writer.write(component, to: &bytes)
    }
  }

  /// Appends a property.
  public func write(_ property: Property, to bytes: inout [UInt8]) {
    switch form {
    case .verbatim: writeVerbatim(property, to: &bytes)
    case .canonical:
      var writer = CanonicalWriter()
      writer.write(property, to: &bytes)
    }
  }

  /// Appends a separate line, such as `BEGIN:VCALENDAR`.
  package func writeLine(_ line: String, to bytes: inout [UInt8]) {
    LineFolder.write(line.utf8.span, to: &bytes)
  }

  private func writeVerbatim(_ component: Component, to bytes: inout [UInt8]) {
    if lineEnds != .refolded, let source = component.source {
      append(source, to: &bytes)
      return
    }
    let spelling = component.spelling
    if let begin = spelling?.begin {
      LineFolder.write(begin.span, to: &bytes)
    } else {
      writeLine("BEGIN:\(component.name.rawName)", to: &bytes)
    }
    for property in component.properties { writeVerbatim(property, to: &bytes) }
    for nested in component.components { writeVerbatim(nested, to: &bytes) }
    if let end = spelling?.end {
      LineFolder.write(end.span, to: &bytes)
    } else {
      writeLine("END:\(component.name.rawName)", to: &bytes)
    }
  }

  private func writeVerbatim(_ property: Property, to bytes: inout [UInt8]) {
    // A malformed line has no parts, so it cannot be reassembled.
    if let physical = property.physicalBytes, lineEnds != .refolded || !property.isWellFormed {
      append(physical, to: &bytes)
    } else {
      let start = bytes.count
      property.writeEdited(to: &bytes)
      LineFolder.finishLine(from: start, in: &bytes)
    }
  }

  /// Appends lines of a file, and a line break if the file ends without one.
  private func append(_ lines: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard let first = lines.first, let last = lines.last else { return }
    // After a lone CR, the LF of an empty first physical line would merge with it into one line
    // break. An additional LF keeps the two line breaks separate.
    if first == ASCII.lineFeed, bytes.last == ASCII.carriageReturn { bytes.append(first) }
    switch lineEnds {
    case .preserved: bytes.append(copying: lines.span)
    case .normalized, .refolded: appendNormalized(lines.span, to: &bytes)
    }
    if last != ASCII.lineFeed, last != ASCII.carriageReturn {
      bytes += [ASCII.carriageReturn, ASCII.lineFeed]
    }
  }

  /// Appends lines with each lone LF or CR, and each CR CR LF, replaced by CRLF.
  private func appendNormalized(_ lines: Span<UInt8>, to bytes: inout [UInt8]) {
    var copied = 0
    var index = 0
    while index < lines.count {
      let controls = ByteWord.controls(lines.word(at: index))
      guard controls != 0 else {
        index += 8
        continue
      }
      index += controls.trailingZeroBitCount >> 3
      guard index < lines.count else { break }
      let byte = lines[index]
      index += 1
      guard byte == ASCII.carriageReturn || byte == ASCII.lineFeed else { continue }
      let length = lines.lineBreakLength(at: index - 1)
      if length == 2 {
        index += 1
      } else {
        bytes.append(copying: lines.extracting(copied..<(index - 1)))
        index += length - 1
        bytes += [ASCII.carriageReturn, ASCII.lineFeed]
        copied = index
      }
    }
    bytes.append(copying: lines.extracting(copied..<lines.count))
  }
}
