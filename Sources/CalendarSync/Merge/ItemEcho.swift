// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICalSyntax

/// The alterations of a sent item by a server, as opposed to edits of other programs.
///
/// The version that is read first after a write is the server's own, as long as its tag shows no
/// other write: the server returned no ETag for the write, or the ETag is still the one of the
/// write. In that version, these differences count as alterations:
///
/// - Parts are missing: components, properties, values of a list, parameters, definitions of time
///   zones. A part is what a merge decides about separately.
/// - Texts are cut at any position.
/// - Properties are added.
/// - Times get a zone, or events get an end, as in SOGo, if the ETag is still the one of the write.
///
/// If another ETag shows another write, only these differences count, because other programs rarely
/// make them:
///
/// - Properties, parameters and components that RFC 5545 does not define are dropped, or spoiled so
///   that they are not content lines.
/// - Values that are not texts are escaped, and values are cut at commas.
///
/// This is also the case if the answer to the write was lost, and other differences show an edit.
///
/// All other differences count as edits, because another program may have made them. Missing parts
/// and cut values are losses; the local version keeps them.
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
    /// The answer to the write was lost, and another program edited the item since.
    static let isEdited = Trust(rawValue: 16)

    /// Whether no other write is known, so that added parts count as the server's.
    var isOwnWrite: Bool {
      contains(.isUnseen) && !isDisjoint(with: [.isTagKnown, .isUntagged])
    }
    /// Whether missing parts count as the server's.
    var allowsLosses: Bool { isOwnWrite && !contains(.isEdited) }
    /// Whether the server may have added zones and ends.
    var allowsTimes: Bool { isSuperset(of: [.isUnseen, .isTagKnown]) }
    /// Whether a value may be cut at any position.
    var allowsAnyCut: Bool { contains(.isTagKnown) || allowsLosses }
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
      keyed[key].flatMap { work.echo(of: $0, as: theirs[key], path: Self.path(of: $0)) }
    }
    let zones = Self.zones(sent, components, returned, trust)
    base =
      components == sent.components && zones.lost.isEmpty
      ? nil : Self.item(sent, components, zones.held)
    losses = (zones.lost + work.losses).map { loss in
      RemoteLoss(
        uid: sent.uid, title: sent.title, component: loss.path, property: loss.name,
        sent: loss.sent, kept: loss.kept)
    }
  }

  private static func path(of component: Component) -> String {
    let name = component.name.canonicalName
    return component[.recurrenceID].map { "\(name) \($0.rawValue)" } ?? name
  }

  /// The time zones of the echo: those that were sent and returned, and those that were added.
  ///
  /// A zone that was not returned is lost if its name alone has another meaning.
  private static func zones(
    _ sent: CalendarItem, _ components: [Component], _ returned: CalendarItem, _ trust: Trust
  ) -> (held: [Component], lost: [ComponentEcho.Loss]) {
    let known = Set(sent.timeZones.compactMap { $0[.tzID]?.text })
    let theirs = Set(returned.timeZones.compactMap { $0[.tzID]?.text })
    let added = returned.timeZones.filter { zone in
      zone[.tzID].map { !known.contains($0.text) } ?? false
    }
    let whole = sent.timeZones + added
    guard trust.allowsLosses, !known.isSubset(of: theirs) else { return (whole, []) }
    let held = whole.filter { zone in zone[.tzID].map { theirs.contains($0.text) } ?? true }
    let reduced = item(sent, components, held)?.fingerprint
    guard reduced != item(sent, components, whole)?.fingerprint else { return (whole, []) }
    let lost = known.subtracting(theirs).sorted().map { name in
      ComponentEcho.Loss(
        path: "VCALENDAR", name: "VTIMEZONE \(name)", sent: "BEGIN:VTIMEZONE", kept: nil)
    }
    return (held, lost)
  }

  private static func item(
    _ sent: CalendarItem, _ components: [Component], _ timeZones: [Component]
  ) -> CalendarItem? {
    try? sent.replacing(components: components, timeZones: timeZones)
  }
}

/// A part of a sent item that a server did not store.
///
/// It is not an edit: the local version keeps it.
public struct RemoteLoss: Hashable, Sendable, CustomStringConvertible {
  /// The item.
  public let uid: UID
  /// Its title, for display.
  public let title: String
  /// The path of the component: `VEVENT`, `VEVENT 20260302T090000`, `VEVENT / VALARM`, `VCALENDAR`.
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

  /// One line for display: `VEVENT: COLOR of "Lunch" (lunch@example.org)`.
  public var description: String { "\(component): \(property) of \"\(title)\" (\(uid))" }
}
