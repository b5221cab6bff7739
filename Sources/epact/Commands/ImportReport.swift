// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Tells what becomes of each item of an import, and adds it all up.
struct ImportReport: Sendable {
  /// What became of an item.
  enum Outcome: String, Sendable, CaseIterable {
    case added
    case updated
    case unchanged
    /// The calendar holds a later version.
    case older
    /// The message asks for a decision of a person, and changes nothing.
    case noted
    case rejected
  }

  /// The most diagnostics that are printed of one file; `epact check` prints all.
  private static let diagnosticLimit = 200

  private let console: Console
  private let isDryRun: Bool
  private let asJSON: Bool
  private var counts: [Outcome: Int] = [:]
  private var items: [JSONValue] = []
  private var diagnostics: [JSONValue] = []
  private var diagnosticCount = 0
  private var unreadCount = 0
  private var calendarCount = 0

  /// Creates an empty report.
  init(console: Console, isDryRun: Bool, asJSON: Bool) {
    self.console = console
    self.isDryRun = isDryRun
    self.asJSON = asJSON
  }

  /// Tells what became of an item; unchanged ones are only counted.
  mutating func tell(_ outcome: Outcome, _ item: CalendarItem, because reason: String? = nil) {
    tell(outcome, title: item.title, uid: item.uid, because: reason)
  }

  /// Tells what became of an item that is known by its UID.
  mutating func tell(_ outcome: Outcome, title: String, uid: UID, because reason: String?) {
    counts[outcome, default: 0] += 1
    guard outcome != .unchanged else { return }
    if asJSON {
      items.append([
        "outcome": .string(outcome.rawValue), "uid": .string(uid.rawValue),
        "title": .string(title), "reason": JSONValue(reason),
      ])
    } else {
      let word = outcome.rawValue + String(repeating: " ", count: 10 - outcome.rawValue.count)
      let why = reason.map { ": \($0)" } ?? ""
      console.say("\(word, Self.style(of: outcome))\(title) \("(\(uid))", .dim)\(why)")
    }
  }

  /// Tells of a component that cannot be imported.
  mutating func reject(_ diagnostic: Diagnostic, in source: InputFiles.Source) {
    counts[.rejected, default: 0] += 1
    tell(diagnostic, in: source)
    guard !asJSON else { return }
    console.say("\("rejected  ", .red)\("\(source.label):\(diagnostic.position)")")
  }

  /// Tells of a fault that does not keep anything from being imported.
  mutating func tell(_ diagnostic: Diagnostic, in source: InputFiles.Source) {
    diagnosticCount += 1
    guard diagnosticCount <= Self.diagnosticLimit else { return }
    if asJSON {
      diagnostics.append(DiagnosticText.json(diagnostic, path: source.label))
    } else {
      let text = DiagnosticText.of(diagnostic, path: source.label)
      if diagnostic.severity == .note { console.note(text) } else { console.report(text) }
    }
  }

  /// Tells that a file or a folder cannot be read.
  mutating func cannotRead(_ path: String, _ reason: String) {
    unreadCount += 1
    console.complain(Failure(.nothingDone, "\(path): \(reason)"))
  }

  /// Tells which charset a file is converted from.
  func tell(charset: String, of source: InputFiles.Source) {
    console.note("\(source.label): read as \(charset).")
  }

  /// Ends a file.
  mutating func end(_ source: InputFiles.Source, isCalendar: Bool) {
    if diagnosticCount > Self.diagnosticLimit {
      let rest = diagnosticCount - Self.diagnosticLimit
      console.note(
        "\(source.label): \(Count(rest, "more diagnostic")); to see all: \(SuggestedCommand.check(source.label))"
      )
    }
    diagnosticCount = 0
    if isCalendar {
      calendarCount += 1
    } else {
      unreadCount += 1
      console.complain(Failure(.nothingDone, "\(source.label) is not a calendar"))
    }
  }

  /// Prints the sum.
  ///
  /// - Returns: How the import ended.
  func end(into label: String?) -> ExitStatus {
    let status: ExitStatus =
      if calendarCount == 0 {
        .nothingDone
      } else if count(.rejected) > 0 || unreadCount > 0 {
        .someFailed
      } else {
        .done
      }
    if asJSON {
      console.write(json(status, into: label))
    } else if calendarCount > 0 {
      let numbers = Outcome.allCases.filter { count($0) > 0 || $0 != .older && $0 != .noted }
        .map { "\(Count.grouped(count($0))) \($0.rawValue)" }
      let place = label.map { " into \($0)" } ?? ""
      let end = isDryRun ? "; nothing was written, because of --dry-run." : "."
      console.say("\(numbers.joined(separator: ", "))\(place)\(end)")
    }
    return status
  }

  private func json(_ status: ExitStatus, into label: String?) -> JSONValue {
    var members = [JSONValue.Member(name: "calendar", value: JSONValue(label))]
    members.append(JSONValue.Member(name: "dryRun", value: .bool(isDryRun)))
    for outcome in Outcome.allCases {
      members.append(
        JSONValue.Member(name: outcome.rawValue, value: .integer(count(outcome))))
    }
    members.append(JSONValue.Member(name: "unreadFiles", value: .integer(unreadCount)))
    members.append(JSONValue.Member(name: "items", value: .array(items)))
    members.append(JSONValue.Member(name: "diagnostics", value: .array(diagnostics)))
    members.append(JSONValue.Member(name: "exit", value: .integer(Int(status.rawValue))))
    return .object(members)
  }

  private func count(_ outcome: Outcome) -> Int { counts[outcome] ?? 0 }

  private static func style(of outcome: Outcome) -> ConsoleText.Style? {
    switch outcome {
    case .added: .green
    case .updated, .noted: .yellow
    case .unchanged, .older: .dim
    case .rejected: .red
    }
  }
}
