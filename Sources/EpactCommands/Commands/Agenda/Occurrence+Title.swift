// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax

extension Occurrence {
  /// The title of the occurrence on one line: the summary, or the UID.
  ///
  /// A sign precedes the title of reminders and journal entries.
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

  /// Whether the occurrence is a completed reminder.
  var isDone: Bool {
    guard kind == .reminder else { return false }
    return component[.completed] != nil
      || component[.status]?.text.asciiUppercased == ReminderStatus.completed.rawValue
  }
}
