// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A row about a component.
protocol ComponentHolder: Sendable {
  /// The component.
  var component: Component { get }
}

/// The columns that rows about components share.
extension RowField where Row: ComponentHolder {
  /// The text of a property, without escapes.
  static func property(
    _ name: String, _ use: RowColumn.Use, _ property: PropertyName, _ reference: String
  ) -> RowField {
    let text = (meaning: "\(property.rawName)", reference: Optional(reference))
    return RowField(column: RowColumn(name, .text, use, isNullable: true, text)) {
      $1.text($0.component[property])
    }
  }

  /// The time of a property that is always in UTC.
  static func stamp(
    _ name: String, _ property: PropertyName, _ reference: String
  ) -> RowField {
    .instant(name, .optional, "\(property.rawName)", reference) {
      guard case .dateTime(let time, true)? = $0.component[property]?.typedValues.first else {
        return nil
      }
      return time
    }
  }

  /// The integer of a property.
  static func number(
    _ name: String, _ property: PropertyName, _ reference: String
  ) -> RowField {
    .integer(name, .optional, "\(property.rawName)", reference) {
      guard case .integer(let number)? = $0.component[property]?.typedValues.first else {
        return nil
      }
      return number
    }
  }

  /// The kind and the UID.
  static var identity: [RowField] {
    [
      .presentText(
        "kind", .standard,
        """
        `event`, `reminder`, `journal`, `freebusy`, `availability`, or the name of the component in \
        lower case
        """, "RFC 5545 §3.6"
      ) { ComponentSummary(of: $0.component).kind },
      .property("uid", .standard, .uid, "RFC 5545 §3.8.4.7"),
    ]
  }

  /// The title, the place and the other contents of a component.
  static var contents: [RowField] {
    [
      .property("summary", .standard, .summary, "RFC 5545 §3.8.1.12"),
      .property("location", .standard, .location, "RFC 5545 §3.8.1.7"),
      .property("status", .standard, .status, "RFC 5545 §3.8.1.11"),
      .text(
        "description", .optional,
        "DESCRIPTION; several of a journal entry are on lines of their own", "RFC 5545 §3.8.1.5"
      ) { ComponentSummary(of: $0.component).descriptionText },
      .text("url", .optional, "URL", "RFC 5545 §3.8.4.6") {
        ComponentSummary(of: $0.component).url
      },
      .texts("categories", .optional, "all CATEGORIES", "RFC 5545 §3.8.1.2") {
        ComponentSummary(of: $0.component).categories
      },
      .text("organizer", .optional, "ORGANIZER, without `mailto:`", "RFC 5545 §3.8.4.3") {
        ComponentSummary(of: $0.component).organizer?.plainAddress
      },
      .texts(
        "attendees", .optional, "the addresses of all ATTENDEEs, without `mailto:`",
        "RFC 5545 §3.8.4.1"
      ) { ComponentSummary(of: $0.component).attendees.map(\.plainAddress) },
      .property("class", .optional, .classification, "RFC 5545 §3.8.1.3"),
      .property("transparency", .optional, .transparency, "RFC 5545 §3.8.2.7"),
      .number("priority", .priority, "RFC 5545 §3.8.1.9"),
      .number("sequence", .sequence, "RFC 5545 §3.8.7.4"),
      .presentInteger("alarms", .optional, "the number of alarms", "RFC 5545 §3.6.6") {
        Int64(ComponentSummary(of: $0.component).alarms.count)
      },
      .stamp("stamp", .dtStamp, "RFC 5545 §3.8.7.2"),
      .stamp("created", .created, "RFC 5545 §3.8.7.1"),
      .stamp("last_modified", .lastModified, "RFC 5545 §3.8.7.3"),
      .stamp("completed", .completed, "RFC 5545 §3.8.2.1"),
    ]
  }
}
