// SPDX-License-Identifier: Apache-2.0

/// The fast path for most lines of a file.
extension RecordBuilder {
  /// Reads well-formed lines, up to the first other one.
  ///
  /// The result is the same as that of `read(_:upTo:isLast:)`, but it keeps all changing state in
  /// local variables. It stops before a line that has control characters or invalid UTF-8, that is
  /// at an unusual position, or that approaches a limit.
  mutating func readRun(_ bytes: Span<UInt8>, upTo end: Int) {
    guard scanner.isAtLineStart else { return }
    let finder = LineFinder(
      names: names.properties, acceptsBareLineFeeds: scanner.otherLineEnds.bare != nil)
    var place = RunPlace(start: scanner.lineStart, lineNumber: scanner.lineNumber)
    while isCalendarOpen || !open.isEmpty, let line = readProperties(finder, bytes, end, &place) {
      let isTaken = line.isNamed(names.begin) ? beginUsual(line, bytes) : endUsual(line, bytes)
      guard isTaken else { break }
      place.start = Int(line.end)
      place.lineNumber += 1
    }
    scanner.pass(to: place.start, lineNumber: place.lineNumber)
  }

  /// The progress of a run.
  private struct RunPlace {
    /// The start of the next line.
    var start: Int
    /// The physical line number there.
    var lineNumber: Int
  }

  /// Reads properties up to the next BEGIN or END line, and returns that line without consuming it.
  ///
  /// It returns nil at any other line that the fast path does not read. The limits of the component
  /// do not change meanwhile, so they are kept in local variables.
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

  /// Begins a component with a known name at an allowed position.
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

  /// Ends the open component, or the calendar if none is open, if the name matches.
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

  /// The index of the name after BEGIN or END, if it is in upper case and not folded.
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
