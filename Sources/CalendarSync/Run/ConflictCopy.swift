// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A version of an item as an item of its own, under another UID.
///
/// The UID is made of the content, so that copying the same version again gives the same item. The
/// copy names the item it is of (RELATED-TO, RFC 5545 §3.8.4.5), and its people are left to whoever
/// manages it, so that storing it on a server sends no mail (SCHEDULE-AGENT=CLIENT, RFC 6638 §7.1).
struct ConflictCopy {
  private let original: CalendarItem

  init(of original: CalendarItem) {
    self.original = original
  }

  /// The copy, or nil if the components are no item.
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
