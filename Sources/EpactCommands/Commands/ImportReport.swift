// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax

/// Reports the outcome of each item of an import, and the totals.
struct ImportReport: Sendable {
  /// The outcome of an item.
  enum Outcome: String, Sendable, CaseIterable {
    case added
    case updated
    case unchanged
    /// The calendar has a newer version.
    case older
    /// The message needs a decision by the user, and changes nothing.
    case noted
    case rejected
  }

  /// The maximum number of diagnostics printed for a file; `epact check` prints all.
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

  /// Reports the outcome of an item; unchanged items are only counted.
  mutating func tell(_ outcome: Outcome, _ item: CalendarItem, because reason: String? = nil) {
    tell(outcome, title: item.title, uid: item.uid, because: reason)
  }

  /// Reports the outcome of an item with a known title and UID.
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

  /// Reports a component that cannot be imported.
  mutating func reject(_ diagnostic: Diagnostic, in source: InputFiles.Source) {
    counts[.rejected, default: 0] += 1
    tell(diagnostic, in: source)
    guard !asJSON else { return }
    console.say("\("rejected  ", .red)\("\(source.label):\(diagnostic.position)")")
  }

  /// Reports a problem that does not prevent the import.
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

  /// Reports that a file or a folder cannot be read.
  mutating func cannotRead(_ path: String, _ reason: String) {
    unreadCount += 1
    console.complain(Failure(.nothingDone, "\(path): \(reason)"))
  }

  /// Reports the charset from which a file is converted.
  func tell(charset: String, of source: InputFiles.Source) {
    console.note("\(source.label): read as \(charset).")
  }

  /// Completes the report of a file.
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

  /// Prints the totals.
  ///
  /// - Returns: The exit status of the import.
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
