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
    let lengthLimit = limits.lineLength
    var start = scanner.lineStart
    var lineNumber = scanner.lineNumber
    while isCalendarOpen || !open.isEmpty {
      var stop = min(end, componentLimit)
      if stop &- start > lengthLimit { stop = start &+ lengthLimit }
      let before = parameterCount
      var number = lineNumber
      guard
        let line = finder.next(
          in: bytes, from: start, upTo: stop, lineNumber: &number,
          parameterCount: &parameterCount, arena: &arena)
      else { break }
      guard hasRoom, take(line, bytes) else {
        parameterCount = before
        if line.isFolded { arena.truncate(to: Int(line.textStart)) }
        break
      }
      start = Int(line.end)
      lineNumber = number
    }
    scanner.pass(to: start, lineNumber: lineNumber)
  }

  /// Whether neither limit of counts can be reached by one more line.
  @inline(__always)
  private var hasRoom: Bool {
    lines.count &- firstLine &+ scattered.count < limits.propertiesPerComponent
      && parameterCount &- firstParameter <= limits.parametersPerComponent
  }

  /// Puts a line in its place, if there is nothing unusual about it.
  @inline(__always)
  private mutating func take(_ line: LineRecord, _ bytes: Span<UInt8>) -> Bool {
    if line.isNamed(names.begin) { return beginUsual(line, bytes) }
    if line.isNamed(names.end) { return endUsual(line, bytes) }
    guard isContiguous else { return false }
    lines.append(line)
    return true
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

  /// Ends the component that is open, if that is the one which is named.
  @inline(never)
  private mutating func endUsual(_ line: LineRecord, _ bytes: Span<UInt8>) -> Bool {
    guard let last = open.last, let name = usualName(in: line, bytes),
      records[last.record].nameIndex == name
    else { return false }
    pop(endLine: line)
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
