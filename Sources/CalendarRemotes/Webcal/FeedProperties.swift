// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import ICalSyntax

/// The read-only properties of a feed.
struct FeedProperties: CollectionPropertyStore {
  let calendar: WebcalCalendar

  var canBeSet: Bool { false }

  func collectionProperties() async throws -> CollectionProperties {
    await calendar.ownProperties
  }

  func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome {
    .refused(reason: WebcalCalendar.reason)
  }
}

extension CollectionProperties {
  /// Creates the properties of calendars from RFC 7986, or else from older extensions.
  ///
  /// If a feed has several calendars, the first one with a value counts.
  init(of calendars: [Component]) {
    self.init()
    for property in CollectionProperty.allCases {
      let values = calendars.lazy.compactMap { Self.value(of: property, in: $0) }
      self[property] = values.first { $0.utf8.count <= CollectionProperty.sizeLimit }
    }
  }

  private static func value(of property: CollectionProperty, in calendar: Component) -> String? {
    func text(_ names: PropertyName...) -> String? {
      names.lazy.compactMap { calendar[$0]?.text }.first { property.canonical($0) != nil }
    }
    switch property {
    // RFC 7986 §5.1, §5.2.
    case .name: return text(.name, "X-WR-CALNAME")
    case .description: return text(.descriptionText, "X-WR-CALDESC")
    case .color:
      // RFC 7986 §5.9 uses a color name; the older properties use hexadecimal digits.
      let named = text(.color).flatMap { ColorName.hexadecimal(of: $0) }
      return named ?? text("X-APPLE-CALENDAR-COLOR", "X-OUTLOOK-COLOR")
    case .order: return nil
    }
  }
}
