// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICalSyntax

/// The alterations of a sent item by a server, as opposed to edits of other programs.
///
/// When a sent item is read back for the first time, these differences count as alterations:
///
/// - Properties, parameters and components that RFC 5545 does not define are dropped, or spoiled so
///   that they are not content lines.
/// - Values that are not texts are escaped, and values are cut at commas.
/// - Properties are added, if the server returned no ETag for the write, or if the ETag is still
///   the one of the write.
/// - Times get a zone, or events get an end, as in SOGo, if the ETag is still the one of the write.
///
/// All other differences count as edits, because another program may have made them. With a few
/// servers this is the case even if the ETag is unchanged.
struct ItemEcho {
  /// The known facts about the history of a returned item.
  struct Trust: OptionSet, Hashable {
    let rawValue: Int

    /// The item was sent from here, and the server was never seen to hold all of it.
    static let isSent = Trust(rawValue: 1)
    /// The item is read for the first time since it was sent.
    static let isUnseen = Trust(rawValue: 2)
    /// The ETag is the known one.
    static let isTagKnown = Trust(rawValue: 4)
    /// The server returned no ETag for the write.
    static let isUntagged = Trust(rawValue: 8)

    /// Whether additions count as made by the server.
    var allowsAdditions: Bool {
      contains(.isUnseen) && !isDisjoint(with: [.isTagKnown, .isUntagged])
    }
    /// Whether the server may have added zones and ends.
    var allowsTimes: Bool { isSuperset(of: [.isUnseen, .isTagKnown]) }
    /// Whether a value may be cut at any position.
    var allowsAnyCut: Bool { contains(.isTagKnown) }
  }

  /// The sent item with the server's alterations; nil if there are none.
  let base: CalendarItem?
  /// The losses of the server, in the order of the item.
  let losses: [RemoteLoss]

  init(of sent: CalendarItem, as returned: CalendarItem, _ trust: Trust) {
    let clock = MergeClock(sent.normalForm, items: [sent, returned])
    let theirs = ComponentIdentity.keyed(returned.components, clock)
    let keyed = ComponentIdentity.keyed(sent.components, clock)
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

/// A part of a sent item that a server did not store.
///
/// It is not an edit: the local version keeps it.
public struct RemoteLoss: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// Its title, for display.
  public let title: String
  /// The path of the component: `VEVENT`, `VEVENT 20260302T090000`, `VEVENT / VALARM`.
  public let component: String
  /// The name of the property, or of a missing component.
  public let property: String
  /// The sent content line, unfolded; the first line of a component.
  public let sent: String
  /// The stored content line; nil if it is missing.
  public let kept: String?

  /// Creates a loss.
  public init(
    uid: UID, title: String, component: String, property: String, sent: String, kept: String?
  ) {
    self.uid = uid
    self.title = title
    self.component = component
    self.property = property
    self.sent = sent
    self.kept = kept
  }
}
