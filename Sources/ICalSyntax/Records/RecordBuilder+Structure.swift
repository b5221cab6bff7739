// SPDX-License-Identifier: Apache-2.0

/// The structure of the stream: the nesting of components (RFC 5545 §3.4, §3.6).
extension RecordBuilder {
  /// Begins or ends a component.
  mutating func readKeyword(
    _ line: LineRecord, _ bytes: Span<UInt8>
  ) throws(SyntaxError) {
    let isBegin = line.isNamed(names.begin)
    let name = componentName(in: line, bytes)
    checkKeyword(line, bytes)
    if isBegin {
      try begin(name, line, bytes)
    } else {
      end(name, line, bytes)
    }
  }

  /// Reports parameters and blanks beside the name of a component.
  private mutating func checkKeyword(_ line: LineRecord, _ bytes: Span<UInt8>) {
    let nameLength = Int(line.nameLength)
    let valueStart = Int(line.valueStart)
    if valueStart > nameLength + 1 {
      report(
        .warning, .componentLine, line, at: nameLength,
        "expected \":\" and the name of a component, found a parameter", "RFC 5545 §3.6", bytes)
    }
    let text = text(of: line, bytes)
    let value = text.span.extracting(min(valueStart, text.count)..<text.count)
    let range = value.trimmedRange
    guard range.count < value.count, !range.isEmpty else { return }
    report(
      .warning, .componentLine, line,
      at: valueStart + (range.lowerBound > 0 ? 0 : range.upperBound),
      "expected the name of a component and nothing else, found a blank", "RFC 5545 §3.6", bytes)
  }

  private func text(of line: LineRecord, _ bytes: Span<UInt8>) -> [UInt8] {
    line.isFolded
      ? Array(arena.padded[line.textRange]) : Array(copying: bytes.extracting(line.textRange))
  }

  private func componentName(in line: LineRecord, _ bytes: Span<UInt8>) -> ComponentName {
    line.isFolded
      ? line.componentName(in: arena.padded.span.extracting(line.textRange))
      : line.componentName(in: bytes.extracting(line.textRange))
  }

  /// The name of an open component.
  private func name(of component: OpenComponent, _ bytes: Span<UInt8>) -> ComponentName {
    let record = records[component.record]
    if let index = record.nameIndex { return ComponentName(index: index) }
    return componentName(in: lines[Int(record.beginLine)], bytes)
  }

  /// Reads a line by the grammar, and reports its problems.
  mutating func readLine(
    _ found: LineRecord, _ bytes: Span<UInt8>
  ) throws(SyntaxError) {
    var line = found
    var text = text(of: line, bytes)
    guard !text.span.trimmedRange.isEmpty else {
      noteBlank(line, bytes)
      return
    }
    let blanks = text.span.blanksBeforeKeyword
    if let blanks {
      report(
        .warning, .componentLine, line, at: 0, ContentLineParser.blankBeforeKeyword,
        "RFC 5545 §3.1", bytes)
      text.removeFirst(blanks)
      line.dropFirst(blanks)
    }
    let parser = ContentLineParser(text.span)
    let parts = parser.parts(of: text.span)
    line.note(parts)
    parameterCount &+= Int(parts.parameterCount)
    let isKeyword = line.isNamed(names.begin) || line.isNamed(names.end)
    if isKeyword || !open.isEmpty || isCalendarOpen {
      for problem in parser.problems {
        report(
          problem.severity, problem.code, line, at: problem.offset, problem.message,
          problem.reference, bytes)
      }
    }
    guard isKeyword else { return try add(line, bytes) }
    try readKeyword(line, bytes)
    if blanks != nil, line.isNamed(names.begin), !open.isEmpty {
      // After another line, the blanks would make the first line of the component a part of it.
      open[open.count - 1].hasStrayEnd = true
    }
  }

  private mutating func begin(
    _ name: ComponentName, _ line: LineRecord, _ bytes: Span<UInt8>
  ) throws(SyntaxError) {
    if name.rawName.isEmpty {
      report(
        .error, .malformedLine, line, at: 6, "expected the name of a component, found nothing",
        "RFC 5545 §3.6", bytes)
    }
    hasComponents = true
    isOutsideReported = false
    if name == .calendar {
      closeAll(foundAt: line, bytes)
      isCalendarOpen = true
      findings.append(.calendarBegan(line: lines.count))
      lines.append(line)
      return
    }
    if !open.isEmpty, names.isOutermost(name.index),
      let first = open.firstIndex(where: { names.isOutermost(self.name(of: $0, bytes).index) })
    {
      close(downTo: first, foundAt: line, bytes)
    }
    if open.isEmpty, !isCalendarOpen {
      report(
        .error, .misplacedComponent, line, at: 6,
        "expected BEGIN:VCALENDAR, found BEGIN:\(name.rawName) outside of a calendar",
        "RFC 5545 §3.4", bytes)
    }
    guard open.count < limits.nesting else {
      throw limit(
        .nesting, at: line,
        "at most \(limits.nesting) components inside one another, found more", bytes)
    }
    push(nameIndex: name.isCanonical ? name.index : nil, line)
  }

  private mutating func end(_ name: ComponentName, _ line: LineRecord, _ bytes: Span<UInt8>) {
    if let place = open.lastIndex(where: { self.name(of: $0, bytes) == name }) {
      close(downTo: place + 1, foundAt: line, bytes)
      pop(endLine: line)
    } else if name == .calendar, isCalendarOpen {
      close(downTo: 0, foundAt: line, bytes)
      endCalendar(line)
    } else {
      for index in open.indices { open[index].hasStrayEnd = true }
      let expected =
        open.last.map { "END:\(self.name(of: $0, bytes).rawName)" }
        ?? (isCalendarOpen ? "END:VCALENDAR" : "BEGIN:VCALENDAR")
      report(
        .error, .unexpectedEnd, line, at: 0,
        "expected \(expected), found END:\(name.rawName), which ends nothing", "RFC 5545 §3.6",
        bytes)
    }
  }

  /// Ends the calendar, which has no open components, at its END line.
  mutating func endCalendar(_ line: LineRecord) {
    isCalendarOpen = false
    findings.append(.calendarEnded(isComplete: true, end: Int(line.end)))
  }

  /// Closes all open components at the end of the stream.
  mutating func finish(_ bytes: Span<UInt8>) {
    closeAll(bytes)
    guard !hasComponents else { return }
    findings.append(
      .diagnostic(
        Diagnostic(
          .error, .noCalendar, at: SourcePosition(line: 1, column: 1),
          "expected BEGIN:VCALENDAR, found no calendar", reference: "RFC 5545 §3.4")))
  }

  /// Closes all open components and the calendar, at the end of the file or before another one.
  private mutating func closeAll(foundAt line: LineRecord? = nil, _ bytes: Span<UInt8>) {
    close(downTo: 0, foundAt: line, isWhole: false, bytes)
    guard isCalendarOpen else { return }
    isCalendarOpen = false
    if let line {
      report(
        .error, .missingEnd, line, at: 0, "expected END:VCALENDAR, found the begin of another one",
        "RFC 5545 §3.4", bytes)
    } else {
      reportAtEnd("expected END:VCALENDAR, found the end of the file")
    }
    let end = line.map { Int($0.start) } ?? scanner.lineStart
    findings.append(.calendarEnded(isComplete: false, end: end))
  }

  /// Closes the innermost components, which lack an END line, until `count` remain open.
  ///
  /// They are whole if a line ends them: the begin of a component that cannot be nested, or the end
  /// of one around them. At the end of the file and before another calendar something may be
  /// missing.
  private mutating func close(
    downTo count: Int, foundAt line: LineRecord?, isWhole: Bool = true, _ bytes: Span<UInt8>
  ) {
    while open.count > count, let last = open.last {
      let lineNumber = lines[Int(records[last.record].beginLine)].lineNumber
      let name = name(of: last, bytes).rawName
      let begun = "for the \(name) that begins in line \(lineNumber)"
      if let line {
        let text = LinePlace(line, firstLineNumber: 0).text(in: bytes)
        let end = Property("END", rawValue: name)
        report(
          .error, .missingEnd, line, at: 0,
          "expected END:\(name) \(begun), found \(text)", "RFC 5545 §3.6",
          fix: isWhole
            ? Fix("add END:\(name)", .end(before: Int(line.lineNumber), end)) : nil, bytes)
      } else {
        reportAtEnd("expected END:\(name) \(begun), found the end of the file")
      }
      pop(endLine: nil, isWhole: isWhole && line != nil)
    }
  }
}

/// Diagnostics about the structure.
extension RecordBuilder {
  mutating func reportOutside(_ line: LineRecord, _ bytes: Span<UInt8>) {
    guard !isOutsideReported else { return }
    isOutsideReported = true
    report(
      .error, .strayProperty, line, at: 0,
      "expected BEGIN:VCALENDAR, found something outside of any component", "RFC 5545 §3.4", bytes)
  }

  private mutating func noteBlank(_ line: LineRecord, _ bytes: Span<UInt8>) {
    guard !open.isEmpty || isCalendarOpen else { return }
    report(
      .warning, .blankLine, line, at: 0, "expected a content line, found an empty line",
      "RFC 5545 §3.1", bytes)
  }

  private mutating func report(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ line: LineRecord, at offset: Int,
    _ message: String, _ reference: String?, fix: Fix? = nil, _ bytes: Span<UInt8>
  ) {
    let diagnostic = LinePlace(line, firstLineNumber: 0).diagnostic(
      severity, code, at: offset, message, reference: reference, in: bytes)
    findings.append(.diagnostic(diagnostic.with(fix)))
  }

  private mutating func reportAtEnd(_ message: String) {
    findings.append(
      .diagnostic(
        Diagnostic(
          .error, .missingEnd, at: scanner.endPosition, message, reference: "RFC 5545 §3.6")))
  }
}

extension LineRecord {
  /// The component name after BEGIN or END, from the text of the line.
  func componentName(in text: Span<UInt8>) -> ComponentName {
    let value = text.extracting(Int(valueStart)..<text.count)
    return ComponentName(spelling: value.extracting(value.trimmedRange))
  }
}

extension LineRecord {
  /// Leaves out bytes at the start of the line.
  mutating func dropFirst(_ count: Int) {
    textStart &+= UInt32(truncatingIfNeeded: count)
    textCount &-= UInt32(truncatingIfNeeded: count)
  }
}

extension Span<UInt8> {
  /// The number of blanks before BEGIN or END, or nil if there are none or another text follows.
  ///
  /// Lenient: a line that starts with a blank continues the one before (RFC 5545 §3.1). Without
  /// one, the blanks have no meaning.
  var blanksBeforeKeyword: Int? {
    let start = trimmedRange.lowerBound
    guard start > 0, start &+ 4 < count else { return nil }
    let name = String(copying: extracting(start..<Swift.min(start &+ 6, count))).asciiUppercased
    let isKeyword =
      ["BEGIN:", "BEGIN;"].contains(name) || name.hasPrefix("END:") || name.hasPrefix("END;")
    return isKeyword ? start : nil
  }

  /// The range of the bytes without the spaces and tabs around them.
  var trimmedRange: Range<Int> {
    var start = 0
    var end = count
    while start < end, self[start].isFoldSpace { start += 1 }
    while end > start, self[end - 1].isFoldSpace { end -= 1 }
    return start..<end
  }
}
