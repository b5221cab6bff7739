// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

/// The rules for the status of an event or a journal entry in an edit (RFC 5545 §3.8.1.11).
enum ItemStatus {
  /// Checks that an item can have the status of some details.
  ///
  /// A meeting with attendees is cancelled by a CANCEL message, which its deletion sends.
  static func expectPossible(
    _ details: ItemDetails, for item: CalendarItem
  ) throws(EpactError) {
    guard details.journalStatus == nil || item.kind == .journal else {
      throw EpactError(.argument, "a status of draft, final or cancelled is for journal entries")
    }
    guard let status = details.eventStatus else { return }
    guard item.kind == .event else {
      throw EpactError(
        .argument, "a status of confirmed, tentative or cancelled is for events")
    }
    let hasAttendees = item.components.contains { $0[.attendee] != nil }
    guard status != .cancelled || !hasAttendees else {
      throw EpactError(
        .argument,
        "\"\(item.title)\" has attendees; its deletion cancels it and informs them (RFC 5546 §3.2.5)",
        subject: item.uid.rawValue)
    }
  }
}

extension JournalStatus {
  /// The word for people, such as `draft`.
  package var text: String { rawValue.lowercased() }

  /// The status with a word.
  package init?(word: String) { self.init(rawValue: word.uppercased()) }
}

extension Classification {
  /// The word for people, such as `private`; nil for a public item.
  package var text: String? { self == .public ? nil : rawValue.lowercased() }

  /// The classification with a word, such as `private`; public for an empty word.
  ///
  /// - Throws: `EpactError` for a word that RFC 5545 §3.8.1.3 does not define.
  package init(word: String) throws(EpactError) {
    let known: [Classification] = [.public, .private, .confidential]
    let named = Classification(rawValue: word.isEmpty ? Classification.public.rawValue : word)
    guard known.contains(named) else {
      throw EpactError(
        .argument, "expected a class of public, private or confidential, found \"\(word)\"")
    }
    self = named
  }
}

extension EventStatus {
  /// The status with a word, such as `confirmed`.
  package init?(word: String) { self.init(rawValue: word.uppercased()) }
}
