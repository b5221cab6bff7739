// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// What a server made of an item that it was sent, as far as that is no edit of another program.
///
/// Servers drop properties, parameters and components that RFC 5545 does not have, or spoil them so that
/// what is left is no content line. They escape what is in a property that is no text, and they cut
/// values at commas. When the item is read for the first time after it was sent, none of this is an edit.
/// What a server that answers a write without an entity tag adds, such as properties of its own, is none
/// either, nor is what it adds while the tag is the one that the write was answered with: then it may
/// also give a zone to times, and a length to what has no end, as SOGo does. Everything else that differs
/// counts as an edit, because it may be one of another program; of a few servers even where the tag is
/// the same.
struct ItemEcho {
  /// What is known of how the item came to be as it is.
  struct Trust: OptionSet, Hashable {
    let rawValue: Int

    /// What the server holds came from here, and nothing tells that it ever held all of it.
    static let isSent = Trust(rawValue: 1)
    /// It is read for the first time since it was sent.
    static let isUnseen = Trust(rawValue: 2)
    /// Its entity tag is the one that is known.
    static let isTagKnown = Trust(rawValue: 4)
    /// The write was answered without a tag.
    static let isUntagged = Trust(rawValue: 8)

    /// Whether what the server added is its own.
    var allowsAdditions: Bool {
      contains(.isUnseen) && !isDisjoint(with: [.isTagKnown, .isUntagged])
    }
    /// Whether times may have got zones and ends.
    var allowsTimes: Bool { isSuperset(of: [.isUnseen, .isTagKnown]) }
    /// Whether anything of a value may be missing at its end.
    var allowsAnyCut: Bool { contains(.isTagKnown) }
  }

  /// The item as it was sent, but for what the server made of it; nil if that is nothing.
  let base: CalendarItem?
  /// What of the item the server does not keep, in the order of the item.
  let losses: [RemoteLoss]

  init(of sent: CalendarItem, as returned: CalendarItem, _ trust: Trust) {
    let clock = MergeClock(sent.normalForm, items: [sent, returned])
    let theirs = ComponentKey.keyed(returned.components, clock)
    let keyed = ComponentKey.keyed(sent.components, clock)
    var work = ComponentEcho(trust: trust, clock: clock)
    let components = keyed.keys.compactMap { key in
      keyed[key].map { component in
        theirs[key].map { work.echo(of: component, as: $0, path: Self.path(of: component)) }
          ?? component
      }
    }
    losses = work.losses.map { loss in
      RemoteLoss(
        uid: sent.uid, title: sent.title, component: loss.path, property: loss.name,
        sent: loss.sent, kept: loss.kept)
    }
    base = components == sent.components ? nil : Self.item(sent, components, returned)
  }

  private static func path(of component: Component) -> String {
    let name = component.name.canonicalName
    return component[.recurrenceID].map { "\(name) \($0.rawValue)" } ?? name
  }

  private static func item(
    _ sent: CalendarItem, _ components: [Component], _ returned: CalendarItem
  ) -> CalendarItem? {
    do throws(ItemError) {
      let known = Set(sent.timeZones.compactMap { $0[.tzID]?.text })
      let others = returned.timeZones.filter { zone in
        zone[.tzID].map { !known.contains($0.text) } ?? false
      }
      return try sent.replacing(components: components, timeZones: sent.timeZones + others)
    } catch {
      return nil
    }
  }
}
