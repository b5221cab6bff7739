// SPDX-License-Identifier: Apache-2.0

import CivilTime
package import ICalSyntax

/// The titles of birthdays and anniversaries.
///
/// `{name}` stands for the name of the contact, and `{year}` for the year if the contact states it.
/// Without a year, `({year})` is left out with its parentheses.
public struct ContactEventTitles: Hashable, Sendable {
  /// The title of a birthday.
  public var birthday = "{name}'s birthday"
  /// The title of an anniversary.
  public var anniversary = "{name}'s anniversary"

  /// Creates the default titles.
  public init() {}
}

/// A yearly all-day event for a date of a contact.
///
/// Of the card, the event has the name, the year and the CLASS, and nothing else.
package struct ContactEvent: Hashable, Sendable {
  /// The kind of the date.
  package enum Kind: String, CaseIterable, Sendable {
    case birthday, anniversary

    /// The category (RFC 5545 §3.8.1.2).
    fileprivate var category: String { self == .birthday ? "Birthday" : "Anniversary" }

    /// The words before the year in the description.
    fileprivate var prefix: String { self == .birthday ? "Born" : "Since" }
  }

  /// The first year of the Gregorian calendar; earlier dates are usually Julian (RFC 5545 §3.3.4 has
  /// only the Gregorian one).
  private static let firstYear = 1583
  /// The first year of a series whose year is unknown or too early: a leap year, which has a
  /// 29 February, and after 1970, because some programs show no event before that.
  private static let unknownYear = 1972
  /// The DTSTAMP of all events: a constant, so that an edit of other parts of a card, which changes
  /// its REV, changes no event.
  private static let stamp = "19700101T000000Z"

  /// The kind of the date.
  package let kind: Kind
  /// The UID, which stays the same as long as the key does.
  package let uid: UID
  private let name: String
  private let date: VCardDate
  private let classification: String?

  /// The events of a card: a birthday and an anniversary at most.
  ///
  /// - Parameters:
  ///   - card: The card.
  ///   - key: The identity of a card without a UID, such as the name of its file.
  /// - Returns: The events, none if the card has no name.
  package static func events(of card: VCard, withoutUID key: String) -> [ContactEvent] {
    guard let name = card.name else { return [] }
    return Kind.allCases.compactMap { kind in
      (kind == .birthday ? card.birthday : card.anniversary).map { date in
        ContactEvent(
          kind: kind, uid: uid(of: kind, card.uid.map { "uid \($0)" } ?? "file \(key)"), name: name,
          date: date, classification: card.classification)
      }
    }
  }

  private static func uid(of kind: Kind, _ key: String) -> UID {
    UID("epact-\(kind.rawValue)-" + SHA256.digest(of: Array(key.utf8)).description.prefix(40))
  }

  /// The event as an item.
  ///
  /// - Throws: `ItemError` if it is not a valid item.
  package func item(titled titles: ContactEventTitles) throws(ItemError) -> CalendarItem {
    var properties = [
      Property(.uid, text: uid.rawValue), Property(.dtStamp, rawValue: Self.stamp),
      Property(.dtStart, rawValue: start, parameters: [Parameter(.value, "DATE")]),
      // The rule of RFC 5545 would skip the 29 February in other years; the last day of February is
      // there in each.
      Property(
        .rRule,
        rawValue: date.isLeapDay ? "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1" : "FREQ=YEARLY"),
      Property(.summary, text: title(from: titles)),
    ]
    if let year = date.year {
      properties.append(Property(.descriptionText, text: "\(kind.prefix) \(year)"))
    }
    properties.append(Property(.categories, text: kind.category))
    if let classification {
      // A value that calendars do not know is to be treated as PRIVATE (RFC 5545 §3.8.1.3).
      let isKnown = ["PUBLIC", "PRIVATE", "CONFIDENTIAL"].contains(classification)
      properties.append(Property(.classification, rawValue: isKnown ? classification : "PRIVATE"))
    }
    properties.append(Property(.transparency, rawValue: "TRANSPARENT"))
    return try CalendarItem(components: [Component(.event, properties: properties)])
  }

  /// The first day (RFC 5545 §3.3.4).
  private var start: String {
    let year = date.year.flatMap { $0 < Self.firstYear ? nil : $0 } ?? Self.unknownYear
    return CivilDate(year: year, month: date.month, day: date.day)?.description ?? ""
  }

  private func title(from titles: ContactEventTitles) -> String {
    let template = kind == .birthday ? titles.birthday : titles.anniversary
    var title = template
    if date.year == nil {
      title = title.replacing(" ({year})", with: "").replacing("({year})", with: "")
    }
    // The name comes last, because it may contain braces.
    return title.replacing("{year}", with: date.year.map(String.init) ?? "")
      .replacing("{name}", with: name)
  }
}
