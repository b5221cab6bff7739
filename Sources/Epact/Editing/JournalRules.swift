// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import ICalSyntax

/// The edits that a journal entry allows: it has neither an end, a location, alarms nor a priority
/// (RFC 5545 §3.6.3).
enum JournalRules {
  /// Rejects values that a journal entry has no property for.
  ///
  /// - Parameters:
  ///   - item: The journal entry.
  ///   - details: The new values.
  /// - Throws: `EpactError` with the name of the value.
  static func expectEditable(_ item: CalendarItem, _ details: ItemDetails) throws(EpactError) {
    let others: [(String, Bool)] = [
      ("end", details.end != nil), ("duration", details.duration != nil),
      ("location", details.location != nil),
      ("alarms", details.alarms.map { !$0.isEmpty } ?? false),
      ("priority", details.priority != nil), ("due time", details.status != nil),
    ]
    if let (name, _) = others.first(where: \.1) {
      throw EpactError(
        .argument, "a journal entry has no \(name) (RFC 5545 §3.6.3)", subject: item.uid.rawValue)
    }
    let count = item.components.map { $0.properties(named: .descriptionText).count }.max() ?? 0
    guard details.note == nil || count <= 1 else {
      throw EpactError(
        .argument, "expected one description in \"\(item.title)\", found \(count)",
        subject: item.uid.rawValue)
    }
  }
}

/// The values of other items are never set, because ``JournalRules`` rejects them.
extension Journal: EditableContent {
  package var descriptionText: String? {
    get { descriptionTexts.first }
    set { descriptionTexts = newValue.map { [$0] } ?? [] }
  }

  package var location: String? {
    get { nil }
    set {}
  }

  package var priority: Int {
    get { 0 }
    set {}
  }

  package var alarms: [Alarm] {
    get { [] }
    set {}
  }
}
