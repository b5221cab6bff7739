// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A copy of a version of an item, with a different UID.
///
/// The UID is derived from the content, so that repeated copies are the same item. The copy refers
/// to the original item (RELATED-TO, RFC 5545 §3.8.4.5). Its attendees have SCHEDULE-AGENT=CLIENT
/// (RFC 6638 §7.1), so that a server that stores the copy sends no mail.
struct ConflictCopy {
  private let original: CalendarItem

  init(of original: CalendarItem) {
    self.original = original
  }

  /// The copy, or nil if the components are not a valid item.
  var item: CalendarItem? {
    let uid = "epact-copy-\(original.fingerprint.rawValue.prefix(32))"
    let components = original.components.map { component in
      var copy = component
      copy[.uid] = Property(.uid, text: uid)
      copy.properties = PropertyList(
        copy.properties.map { property in
          guard property.isNamed(.attendee) || property.isNamed(.organizer) else { return property }
          var person = property
          person[.scheduleAgent] = "CLIENT"
          return person
        })
      copy.properties.append(
        Property(
          .relatedTo, text: original.uid.rawValue,
          parameters: [Parameter(.relationshipType, "SIBLING")]))
      return copy
    }
    do throws(ItemError) {
      return try original.replacing(components: components, timeZones: original.timeZones)
    } catch {
      return nil
    }
  }
}
