// SPDX-License-Identifier: Apache-2.0

extension ComponentReader {
  /// Components that stand directly in a calendar: one inside another is one whose END is missing.
  private static let outermost: Set<ComponentName> = [
    .event, .reminder, .journal, .freeBusy, .timeZone, .availability,
  ]

  /// Puts a line where it belongs: in the component that is open, or as the begin or end of one.
  mutating func read(_ line: ContentLine) throws(SyntaxError) {
    var line = line
    let head = LineHead(of: line, in: scanner.block.span)
    guard !head.isBlank else {
      noteBlank(line)
      return
    }
    line.nameLength = head.nameLength
    line.valueStart = head.valueStart
    if open.isEmpty, !isCalendarOpen, head.keyword == nil {
      reportOutside(line)
    } else {
      for problem in head.problems {
        report(
          problem.severity, problem.code, line, at: problem.offset, problem.message,
          problem.reference)
      }
    }
    switch head.keyword {
    case .begin(let name): try begin(name, line)
    case .end(let name): end(name, line)
    case nil: try add(line)
    }
  }

  private mutating func add(_ line: ContentLine) throws(SyntaxError) {
    guard let last = open.indices.last else {
      findings.append(.property(line))
      return
    }
    open[last].properties.append(line)
    open[0].lineCount += 1
    if open[0].lineCount > limits.linesPerComponent {
      throw limit(
        at: line, "at most \(limits.linesPerComponent) lines in a component, found more")
    }
  }

  private mutating func begin(_ name: ComponentName, _ line: ContentLine) throws(SyntaxError) {
    if name.rawName.isEmpty {
      report(
        .error, .malformedLine, line, at: 6, "expected the name of a component, found nothing",
        "RFC 5545 §3.6")
    }
    hasComponents = true
    isOutsideReported = false
    if name == .calendar {
      closeAll(foundAt: line)
      isCalendarOpen = true
      findings.append(.calendarBegan(line))
      return
    }
    if Self.outermost.contains(name),
      let first = open.firstIndex(where: { Self.outermost.contains($0.name) })
    {
      close(downTo: first, foundAt: line)
    }
    if open.isEmpty, !isCalendarOpen {
      report(
        .error, .misplacedComponent, line, at: 6,
        "expected BEGIN:VCALENDAR, found BEGIN:\(name.rawName) outside of a calendar",
        "RFC 5545 §3.4")
    }
    guard open.count < limits.nesting else {
      throw limit(at: line, "at most \(limits.nesting) components inside one another, found more")
    }
    open.append(ComponentDraft(name: name, begin: line))
  }

  private mutating func end(_ name: ComponentName, _ line: ContentLine) {
    if let place = open.lastIndex(where: { $0.name == name }) {
      close(downTo: place + 1, foundAt: line)
      open[place].end = line
      closeLast()
    } else if name == .calendar, isCalendarOpen {
      close(downTo: 0, foundAt: line)
      isCalendarOpen = false
      findings.append(.calendarEnded(isComplete: true, end: line.end))
    } else {
      for index in open.indices { open[index].hasStrayEnd = true }
      let expected =
        open.last.map { "END:\($0.name.rawName)" }
        ?? (isCalendarOpen ? "END:VCALENDAR" : "BEGIN:VCALENDAR")
      report(
        .error, .unexpectedEnd, line, at: 0,
        "expected \(expected), found END:\(name.rawName), which ends nothing", "RFC 5545 §3.6")
    }
  }

  /// Closes everything that is open, at the end of the file or where another calendar begins.
  mutating func closeAll(foundAt line: ContentLine? = nil) {
    close(downTo: 0, foundAt: line)
    guard isCalendarOpen else { return }
    isCalendarOpen = false
    if let line {
      report(
        .error, .missingEnd, line, at: 0, "expected END:VCALENDAR, found the begin of another one",
        "RFC 5545 §3.4")
    } else {
      reportAtEnd("expected END:VCALENDAR, found the end of the file")
    }
    findings.append(.calendarEnded(isComplete: false, end: line?.start ?? scanner.count))
  }

  /// Closes the innermost components that lack an END line, until `count` are left open.
  private mutating func close(downTo count: Int, foundAt line: ContentLine?) {
    while open.count > count, let last = open.last {
      let begun = "for the \(last.name.rawName) that begins in line \(last.begin.lineNumber)"
      if let line {
        let text = line.text(in: scanner.block.span)
        report(
          .error, .missingEnd, line, at: 0,
          "expected END:\(last.name.rawName) \(begun), found \(text)", "RFC 5545 §3.6")
      } else {
        reportAtEnd("expected END:\(last.name.rawName) \(begun), found the end of the file")
      }
      closeLast()
    }
  }

  /// Hands the innermost component to the one around it, or out.
  private mutating func closeLast() {
    guard let draft = open.popLast() else { return }
    if let last = open.indices.last {
      open[last].components.append(draft)
    } else {
      findings.append(.component(draft))
    }
  }

  private mutating func reportOutside(_ line: ContentLine) {
    guard !isOutsideReported else { return }
    isOutsideReported = true
    report(
      .error, .strayProperty, line, at: 0,
      "expected BEGIN:VCALENDAR, found something outside of any component", "RFC 5545 §3.4")
  }

  private mutating func noteBlank(_ line: ContentLine) {
    guard !open.isEmpty || isCalendarOpen else { return }
    report(
      .warning, .blankLine, line, at: 0, "expected a content line, found an empty line",
      "RFC 5545 §3.1")
  }

  private mutating func report(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ line: ContentLine, at offset: Int,
    _ message: String, _ reference: String?
  ) {
    let diagnostic = line.diagnostic(
      severity, code, at: offset, message, reference: reference, in: scanner.block.span)
    findings.append(.diagnostic(diagnostic))
  }

  private mutating func reportAtEnd(_ message: String) {
    findings.append(
      .diagnostic(
        Diagnostic(
          .error, .missingEnd, at: scanner.endPosition, message, reference: "RFC 5545 §3.6")))
  }
}
