// SPDX-License-Identifier: Apache-2.0

/// The short way for most lines of a file.
extension RecordBuilder {
  /// Reads lines that are as they should be, as far as there are any.
  ///
  /// It does nothing that `read(_:upTo:isLast:)` would not do in the same way, but with all that
  /// changes from line to line at hand. It stops before a line that has control characters or bytes
  /// that are not UTF-8, stands in an unusual place, or comes near to a limit.
  mutating func readRun(_ bytes: Span<UInt8>, upTo end: Int) {
    guard scanner.isAtLineStart else { return }
    let finder = LineFinder(
      splitter: splitter, acceptsBareLineFeeds: scanner.firstBareLineEnd != nil)
    var place = RunPlace(start: scanner.lineStart, lineNumber: scanner.lineNumber)
    while isCalendarOpen || !open.isEmpty, let line = readProperties(finder, bytes, end, &place) {
      let isTaken = line.isNamed(names.begin) ? beginUsual(line, bytes) : endUsual(line, bytes)
      guard isTaken else { break }
      place.start = Int(line.end)
      place.lineNumber += 1
    }
    scanner.pass(to: place.start, lineNumber: place.lineNumber)
  }

  /// Where a run has come to.
  private struct RunPlace {
    /// Where the next line starts.
    var start: Int
    /// The number of the physical line there.
    var lineNumber: Int
  }

  /// Reads properties up to the next line that begins or ends a component, which it gives without
  /// passing by it; nil if there is another line that is not to be read so.
  ///
  /// Nothing that it does changes what the lines of the component are held to, so that this is at hand.
  private mutating func readProperties(
    _ finder: LineFinder, _ bytes: Span<UInt8>, _ end: Int, _ place: inout RunPlace
  ) -> LineRecord? {
    let keywords = (begin: names.begin, end: names.end)
    let blockEnd = min(end, componentLimit)
    let limits = limits
    let firstLine = firstLine &- scattered.count
    var start = place.start
    var number = place.lineNumber
    defer { place = RunPlace(start: start, lineNumber: number) }
    while true {
      let stop = blockEnd &- start > limits.lineLength ? start &+ limits.lineLength : blockEnd
      let before = parameterCount
      var nextNumber = number
      guard
        let line = finder.next(
          in: bytes, from: start, upTo: stop, lineNumber: &nextNumber,
          parameterCount: &parameterCount, arena: &arena)
      else { return nil }
      if lines.count &- firstLine < limits.propertiesPerComponent,
        parameterCount &- firstParameter <= limits.parametersPerComponent
      {
        let isKeyword = line.isNamed(keywords.begin) || line.isNamed(keywords.end)
        if isKeyword, !line.isFolded, parameterCount == before { return line }
        if !isKeyword, isContiguous || open.isEmpty {
          if !isContiguous { findings.append(.property(line: lines.count)) }
          lines.append(line)
          start = Int(line.end)
          number = nextNumber
          continue
        }
      }
      parameterCount = before
      if line.isFolded { arena.truncate(to: Int(line.textStart)) }
      return nil
    }
  }

  /// Begins a component that has a known name and stands where it should.
  @inline(never)
  private mutating func beginUsual(_ line: LineRecord, _ bytes: Span<UInt8>) -> Bool {
    guard isCalendarOpen, open.count < limits.nesting, let name = usualName(in: line, bytes),
      name != names.calendar, open.isEmpty || !names.isOutermost(name)
    else { return false }
    hasComponents = true
    isOutsideReported = false
    push(nameIndex: name, line)
    return true
  }

  /// Ends the component that is open, or the calendar if none is, if that is the one which is named.
  @inline(never)
  private mutating func endUsual(_ line: LineRecord, _ bytes: Span<UInt8>) -> Bool {
    guard let name = usualName(in: line, bytes) else { return false }
    if let last = open.last {
      guard records[last.record].nameIndex == name else { return false }
      pop(endLine: line)
    } else {
      guard name == names.calendar else { return false }
      endCalendar(line)
    }
    return true
  }

  /// The number of the name after BEGIN or END, if it is in upper case and not folded.
  @inline(__always)
  private func usualName(in line: LineRecord, _ bytes: Span<UInt8>) -> Int? {
    let count = Int(line.textCount &- line.valueStart)
    guard !line.isFolded, count <= NameKey.limit,
      let found = names.components.find(
        NameKey(bytes, at: Int(line.textStart &+ line.valueStart), count: count)),
      found.isCanonical
    else { return nil }
    return found.index
  }
}
