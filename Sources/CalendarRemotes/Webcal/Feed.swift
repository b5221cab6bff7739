// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// A feed that was read as a whole: its items by href, and what could not be read of it.
struct Feed: Sendable {
  /// An item, and what tells whether it changed.
  struct Item: Sendable {
    let item: CalendarItem
    let tag: EntityTag
  }

  /// The items; the href of an item is its UID.
  private(set) var items: [Href: Item] = [:]
  /// The hrefs of the items, in the order of the feed.
  private(set) var order: [Href] = []
  /// Why something that may be an item cannot be read, by the href that it is listed under.
  private(set) var unreadable: [Href: String] = [:]
  /// Which item has which UID.
  private(set) var uids: [FeedKey: UID] = [:]
  /// What the feed says of itself.
  let properties: CollectionProperties
  /// For how many seconds the feed says that it does not change.
  private(set) var rest: Int64 = 0

  /// The longest time that a feed is believed not to change, in seconds: what runs every night always
  /// looks.
  private static let longestRest: Int64 = 12 * 3600

  /// Reads a feed.
  ///
  /// - Parameters:
  ///   - bytes: All that came.
  ///   - location: What tells the feed from others, for UIDs that are made here.
  ///   - known: Which item had which UID when the feed was read before.
  ///   - inventsUIDs: Whether the UIDs of the feed are of no use, so that all are made here.
  ///   - subject: How the feed is called in errors.
  /// - Throws: `RemoteError` unless the bytes are whole calendars and nothing else: a login page, half a
  ///   file or no bytes at all say nothing of what the feed holds.
  init(
    parsing bytes: [UInt8], location: String, known: [FeedKey: UID], inventsUIDs: Bool = false,
    subject: String
  ) throws(RemoteError) {
    let feed = try Self.read(bytes, subject)
    let stream = feed.stream
    properties = CollectionProperties(of: stream.calendars)
    var grouping = ItemGrouping(window: .max)
    var numbering = FeedNumbering()
    for calendar in stream.calendars {
      let position = calendar.position ?? SourcePosition(line: 1, column: 1)
      grouping.take(.calendarBegan(position, offset: 0))
      // Feeds are the files of services that mean the declared zone by times without one.
      var zone = CalendarZone()
      for property in calendar.properties {
        zone.take(property)
        grouping.take(.property(property))
      }
      for component in calendar.components {
        let named = Self.named(component, &numbering, in: location)
        grouping.take(.component(zone.applied(to: named)))
      }
      grouping.take(.calendarEnded(isComplete: true, offset: 0))
      rest = max(rest, Self.rest(of: calendar))
    }
    grouping.finish()
    var found: [CalendarItem] = []
    var faults: [Diagnostic] = []
    while let element = grouping.next() {
      switch element {
      case .item(let item): found.append(item)
      case .rejected(let fault) where fault.severity == .error: faults.append(fault)
      case .rejected, .diagnostic: break
      }
    }
    // Of an item of which a part is missing, nothing is known.
    let lost = Set(feed.gaps.map(\.uid))
    found.removeAll { lost.contains($0.uid) }
    take(found, known: inventsUIDs ? Self.made(for: found, in: location) : known)
    for gap in feed.gaps {
      unreadable[Href(gap.uid.rawValue)] = "beyond what is read: \(gap.fault.message)"
      for (key, uid) in known where uid == gap.uid { uids[key] = uid }
    }
    if !faults.isEmpty { doubt(faults, known: known) }
  }

  private static func read(
    _ bytes: [UInt8], _ subject: String
  ) throws(RemoteError) -> FeedExcision {
    let feed: FeedExcision
    do throws(SyntaxError) {
      feed = try FeedExcision(parsing: bytes)
    } catch {
      throw RemoteError(
        code: .tooLarge, subject: subject,
        message: "the feed is beyond what is read: \(error.diagnostic.message)")
    }
    let stream = feed.stream
    guard !stream.calendars.isEmpty else {
      throw RemoteError(code: .notCalendar, subject: subject, message: reason(notCalendar: bytes))
    }
    if let fault = stream.diagnostics.first(where: \.isStructural) {
      throw RemoteError(
        code: .malformed, subject: subject,
        message: "the feed is not whole, and nothing of it is used: "
          + "\(ServerText.escaped(fault.message)) (line \(fault.position.line))")
    }
    return feed
  }

  private static func reason(notCalendar bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "the server gives an empty file, which is no calendar" }
    let start = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
    guard start.contains("<html") || start.contains("<!doctype") else {
      return "expected BEGIN:VCALENDAR, found something that is no calendar"
    }
    return "the server answers with a web page instead of a calendar; the address may be that of a "
      + "page, or want a login"
  }

  /// The component, with a UID if it has none.
  private static func named(
    _ component: Component, _ numbering: inout FeedNumbering, in location: String
  ) -> Component {
    guard ItemKind(component.name) != nil, component.uid == nil else { return component }
    let content = FeedKey.content(of: component)
    let number = numbering.number(of: content)
    var named = component
    named[.uid] = Property(
      .uid, text: FeedKey.uid(for: content, number: number, in: location).rawValue)
    return named
  }

  /// Takes the items under the UIDs that they had before.
  ///
  /// One that comes back under another UID, with the start and the title of one that is gone, is that one:
  /// some feeds invent new UIDs each time.
  private mutating func take(_ found: [CalendarItem], known: [FeedKey: UID]) {
    let knownUIDs = Set(known.values)
    var taken = Set(found.map(\.uid))
    var numbering = FeedNumbering()
    for item in found {
      let content = (item.main ?? item.components.first).map(FeedKey.content) ?? ""
      let key = FeedKey(content, number: numbering.number(of: content))
      var item = item
      if !knownUIDs.contains(item.uid), let before = known[key], !taken.contains(before),
        let renamed = Self.item(item, under: before)
      {
        item = renamed
        taken.insert(before)
      }
      let href = Href(item.uid.rawValue)
      uids[key] = item.uid
      order.append(href)
      items[href] = Item(item: item, tag: Self.tag(of: item))
    }
  }

  /// The UIDs that the items would have if they had none.
  private static func made(for found: [CalendarItem], in location: String) -> [FeedKey: UID] {
    var numbering = FeedNumbering()
    var made: [FeedKey: UID] = [:]
    for item in found {
      let content = (item.main ?? item.components.first).map(FeedKey.content) ?? ""
      let number = numbering.number(of: content)
      made[FeedKey(content, number: number)] = FeedKey.uid(
        for: content, number: number, in: location)
    }
    return made
  }

  /// Whether the same items have other UIDs in another reading of the feed: none is the same, although
  /// most are alike.
  func hasOtherUIDs(than other: Feed) -> Bool {
    guard Set(uids.values).isDisjoint(with: other.uids.values) else { return false }
    return Set(uids.keys).intersection(other.uids.keys).count * 2
      > max(uids.count, other.uids.count)
  }

  private static func item(_ item: CalendarItem, under uid: UID) -> CalendarItem? {
    let components = item.components.map { component in
      var renamed = component
      renamed[.uid] = Property(.uid, text: uid.rawValue)
      return renamed
    }
    return try? item.replacing(components: components, timeZones: item.timeZones)
  }

  /// The tag of an item: what it means, without its SEQUENCE, which some feeds count up each time that
  /// they are made.
  private static func tag(of item: CalendarItem) -> EntityTag {
    let components = item.components.map { component in
      guard component[.sequence] != nil else { return component }
      var other = component
      other[.sequence] = nil
      return other
    }
    return EntityTag("\"\(NormalForm().fingerprint(of: components).rawValue)\"")
  }

  /// Lists what cannot be read as there, and with it every known item that may be among it.
  private mutating func doubt(_ faults: [Diagnostic], known: [FeedKey: UID]) {
    for fault in faults {
      unreadable[Href("line \(fault.position.line)")] = ServerText.escaped(fault.message)
    }
    for (key, uid) in known where items[Href(uid.rawValue)] == nil {
      unreadable[Href(uid.rawValue)] =
        "the feed holds something that cannot be read, which may be this"
      uids[key] = uids[key] ?? uid
    }
  }

  /// How long a calendar says that it does not change (RFC 7986 §5.7, or the older X-PUBLISHED-TTL).
  private static func rest(of calendar: Component) -> Int64 {
    guard let text = (calendar[.refreshInterval] ?? calendar["X-PUBLISHED-TTL"])?.rawValue,
      let duration = try? CivilDuration(parsing: text), !duration.isNegative
    else { return 0 }
    let seconds = Int64(duration.nominalDays) * 86_400 + duration.exactSeconds
    return min(seconds, longestRest)
  }

  /// The listing: what cannot be read has no tag, so that it is asked for and told of.
  var entries: [RemoteEntry] {
    order.map { RemoteEntry(href: $0, etag: items[$0]?.tag) }
      + unreadable.keys.sorted { $0.rawValue < $1.rawValue }
      .map { RemoteEntry(href: $0, etag: nil) }
  }

  /// What there is under an href.
  func fetch(_ href: Href) -> RemoteFetch {
    if let found = items[href] { return .item(href: href, etag: found.tag, item: found.item) }
    if let reason = unreadable[href] { return .unreadable(href: href, reason: reason) }
    return .missing(href: href)
  }
}
