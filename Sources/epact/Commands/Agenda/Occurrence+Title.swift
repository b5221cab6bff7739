// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

extension Occurrence {
  /// What a person reads of it in one line: a sign for what is no event, and the summary or else the
  /// UID.
  var title: String {
    let summary = component[.summary]?.text ?? ""
    let words = summary.split(whereSeparator: \.isNewline).joined(separator: " ")
    return sign + (words.isEmpty ? uid.rawValue : words)
  }

  private var sign: String {
    switch kind {
    case .reminder: isDone ? "☑ " : "☐ "
    case .journal: "✎ "
    case .event, .freeBusy, .availability: ""
    }
  }

  /// Whether it is a reminder of something that was done.
  var isDone: Bool {
    guard kind == .reminder else { return false }
    return component[.completed] != nil
      || component[.status]?.text.asciiUppercased == ReminderStatus.completed.rawValue
  }
}
