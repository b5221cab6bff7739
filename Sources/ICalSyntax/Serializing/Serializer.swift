// SPDX-License-Identifier: Apache-2.0

/// Writes components as iCalendar text (RFC 5545 §3.1, §3.6).
///
/// What was not changed since it was read is written with its own bytes; what was changed or made in
/// memory is folded at 75 octets and ends its lines in CRLF. The canonical form spells everything anew,
/// so that what says the same is written the same.
///
/// ```swift
/// let stream = try CalendarStream(parsing: bytes)
/// let untouched = Serializer().bytes(of: stream.calendars[0])
/// let canonical = Serializer(form: .canonical).bytes(of: stream.calendars[0])
/// ```
///
/// `StreamSerializer` writes calendars that do not fit in memory.
public struct Serializer: Hashable, Sendable {
  /// How what was not changed is written.
  public enum Form: Hashable, Sendable {
    /// As it was spelled: in the order of the file, with its folds and its escapes.
    case verbatim
    /// In one spelling for all that say the same:
    ///
    /// - lines end in CRLF and are folded at 75 octets, never inside a UTF-8 sequence nor between a
    ///   backslash and what it escapes (RFC 5545 §3.1);
    /// - names are in upper case; properties are sorted by name and then by their bytes, parameters
    ///   by name, but those of one name stay in order, because the first one counts;
    /// - parameter values have quotes only where they need them and carets only where these encode
    ///   something (RFC 6868 §3); a VALUE that names the type the property has anyway is left out
    ///   (RFC 5545 §3.2.20);
    /// - texts have the escapes `\\`, `\;`, `\,` and `\n` and no others (RFC 5545 §3.3.11); values of
    ///   other types, and of properties that no RFC defines, stay as they are;
    /// - nested components follow the properties: time zones first, since some readers want to know a
    ///   zone before it is used, then the others by name, by UID and by their bytes. RFC 5545 §3.6
    ///   gives their order no meaning;
    /// - lines that are no content lines stay as they are, in their order, after the properties.
    ///
    /// It parses to the same meaning, and its own canonical form is itself.
    case canonical
  }

  /// What becomes of line ends that are not CRLF in parts that were not changed.
  public enum LineEnds: Hashable, Sendable {
    /// They stay, so that an untouched component is written back byte for byte.
    case preserved
    /// They become CRLF, as the RFC wants them; nothing else in the lines changes.
    case normalized
    /// They become CRLF, and every line is folded anew at 75 octets.
    case refolded
  }

  /// How what was not changed is written.
  ///
  /// Default: as it was spelled.
  public var form: Form

  /// What becomes of line ends that are not CRLF; in the canonical form all are.
  ///
  /// Default: they stay.
  public var lineEnds: LineEnds

  /// Creates a serializer.
  public init(form: Form = .verbatim, lineEnds: LineEnds = .preserved) {
    self.form = form
    self.lineEnds = lineEnds
  }

  /// The component as bytes.
  public func bytes(of component: Component) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(component.sourceSize ?? 0)
    write(component, to: &bytes)
    return bytes
  }

  /// Appends a component with all that is nested in it.
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

  /// Appends a line of its own, as `BEGIN:VCALENDAR`.
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
    // A line that is no content line has no parts that could be put together again.
    if let physical = property.physicalBytes, lineEnds != .refolded || !property.isWellFormed {
      append(physical, to: &bytes)
    } else {
      let start = bytes.count
      property.writeEdited(to: &bytes)
      LineFolder.finishLine(from: start, in: &bytes)
    }
  }

  /// Appends lines of a file, and a line end if the file ended without one.
  private func append(_ lines: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard let first = lines.first, let last = lines.last else { return }
    // The line end before must stay one: behind a lone CR, a line that begins with a fold at LF would
    // lose its own.
    if first == ASCII.lineFeed, bytes.last == ASCII.carriageReturn { bytes.append(first) }
    switch lineEnds {
    case .preserved: bytes.append(copying: lines.span)
    case .normalized, .refolded: appendNormalized(lines.span, to: &bytes)
    }
    if last != ASCII.lineFeed, last != ASCII.carriageReturn {
      bytes += [ASCII.carriageReturn, ASCII.lineFeed]
    }
  }

  /// Appends lines with CRLF in the place of each lone LF or CR; what lies between is copied as it is.
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
      if byte == ASCII.carriageReturn, index < lines.count, lines[index] == ASCII.lineFeed {
        index += 1
      } else {
        bytes.append(copying: lines.extracting(copied..<(index - 1)))
        bytes += [ASCII.carriageReturn, ASCII.lineFeed]
        copied = index
      }
    }
    bytes.append(copying: lines.extracting(copied..<lines.count))
  }
}
