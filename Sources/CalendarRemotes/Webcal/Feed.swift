// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax

/// A parsed feed: its items by href, and the parts that could not be read.
struct Feed: Sendable {
  /// An item and its entity tag, which detects changes.
  struct Item: Sendable {
    let item: CalendarItem
    let tag: EntityTag
  }

  /// The items; the href of an item is its UID.
  private(set) var items: [Href: Item] = [:]
  /// The hrefs of the items, in the order of the feed.
  private(set) var order: [Href] = []
  /// The reasons why possible items cannot be read, by their listed hrefs.
  private(set) var unreadable: [Href: String] = [:]
  /// The UIDs of the items.
  private(set) var uids: [FeedKey: UID] = [:]
  /// The properties of the feed as a whole.
  let properties: CollectionProperties
  /// The number of seconds for which the feed declares itself unchanged.
  private(set) var rest: Int64 = 0

  /// The maximum time without a request, in seconds, so that a nightly run always checks the feed.
  private static let longestRest: Int64 = 12 * 3600

  /// Parses a feed.
  ///
  /// - Parameters:
  ///   - bytes: The whole response body.
  ///   - location: The identity of the feed, for generated UIDs.
  ///   - known: The UIDs of the items when the feed was last read.
  ///   - inventsUIDs: Whether the UIDs of the feed change each time, so that all UIDs are
  ///     generated.
  ///   - subject: The name of the feed in errors.
  /// - Throws: `RemoteError` unless the bytes contain complete calendars. A login page, a truncated
  ///   file or an empty body reveals nothing about the contents of the feed.
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
      unreadable[Href(gap.uid.rawValue)] = "exceeds a limit: \(gap.fault.message)"
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
        message: "the feed exceeds a limit: \(error.diagnostic.message)")
    }
    let stream = feed.stream
    guard !stream.calendars.isEmpty else {
      throw RemoteError(code: .notCalendar, subject: subject, message: reason(notCalendar: bytes))
    }
    if let fault = fault(in: stream) {
      throw RemoteError(
        code: .malformed, subject: subject,
        message: "the feed is incomplete and was not used: "
          + "\(ServerText.escaped(fault.message)) (line \(fault.position.line))")
    }
    return feed
  }

  /// The reason why a feed is incomplete or uncertain; nil if its calendars are whole.
  ///
  /// Lenient: text around whole calendars, such as the comment of a cache, has no meaning, and a
  /// component without an END line ends where the next one begins (RFC 5545 §3.4, §3.6). One that
  /// begins and has no property is cut.
  private static func fault(in stream: CalendarStream) -> Diagnostic? {
    let faults = stream.diagnostics.filter(\.isStructural)
    guard let first = faults.first else { return nil }
    // The text after the calendars may be the start of another one.
    let last = stream.strays.properties.last?.rawValue.asciiUppercased ?? ""
    guard stream.calendars.allSatisfy(\.isWhole), last.isEmpty || !"BEGIN:".hasPrefix(last) else {
      return first
    }
    let isCut = stream.calendars.lazy.flatMap(\.components).contains { component in
      ItemKind(component.name) != nil && component.properties.isEmpty
    }
    if isCut, let end = faults.first(where: { $0.code == .missingEnd }) { return end }
    return faults.first { $0.code != .strayProperty && $0.code != .missingEnd }
  }

  private static func reason(notCalendar bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "the server returned an empty file instead of a calendar" }
    let start = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
    guard start.contains("<html") || start.contains("<!doctype") else {
      return "expected BEGIN:VCALENDAR, found something else"
    }
    return "the server returned a web page instead of a calendar; the address may be that of a "
      + "page, or require a login"
  }

  /// The component, with a generated UID if it has none.
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

  /// Adds the items with their earlier UIDs.
  ///
  /// Some feeds generate new UIDs each time. If the UID of an item is new, and its start and title
  /// match an item that is gone, the item keeps the earlier UID.
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

  /// The UIDs that are generated for the items.
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

  /// Whether another reading of the feed has the same items with other UIDs.
  ///
  /// That is the case if no UID is the same although most items match.
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

  /// The entity tag of an item: its fingerprint without SEQUENCE.
  ///
  /// Some feeds increment SEQUENCE each time they are generated.
  private static func tag(of item: CalendarItem) -> EntityTag {
    let components = item.components.map { component in
      guard component[.sequence] != nil else { return component }
      var other = component
      other[.sequence] = nil
      return other
    }
    return EntityTag("\"\(NormalForm().fingerprint(of: components).rawValue)\"")
  }

  /// Lists unreadable parts, and every known item that may be among them, as present.
  private mutating func doubt(_ faults: [Diagnostic], known: [FeedKey: UID]) {
    for fault in faults {
      unreadable[Href("line \(fault.position.line)")] = ServerText.escaped(fault.message)
    }
    for (key, uid) in known where items[Href(uid.rawValue)] == nil {
      unreadable[Href(uid.rawValue)] =
        "the feed has an unreadable part, which may be this item"
      uids[key] = uids[key] ?? uid
    }
  }

  /// The declared refresh interval of a calendar (RFC 7986 §5.7, or the older X-PUBLISHED-TTL).
  private static func rest(of calendar: Component) -> Int64 {
    guard let text = (calendar[.refreshInterval] ?? calendar["X-PUBLISHED-TTL"])?.rawValue,
      let duration = try? CivilDuration(parsing: text), !duration.isNegative
    else { return 0 }
    let seconds = Int64(duration.nominalDays) * 86_400 + duration.exactSeconds
    return min(seconds, longestRest)
  }

  /// The entries of the feed; unreadable ones have no tag, so that they are fetched and reported.
  var entries: [RemoteEntry] {
    order.map { RemoteEntry(href: $0, etag: items[$0]?.tag) }
      + unreadable.keys.sorted { $0.rawValue < $1.rawValue }
      .map { RemoteEntry(href: $0, etag: nil) }
  }

  /// Returns the item or the error for an href.
  func fetch(_ href: Href) -> RemoteFetch {
    if let found = items[href] { return .item(href: href, etag: found.tag, item: found.item) }
    if let reason = unreadable[href] { return .unreadable(href: href, reason: reason) }
    return .missing(href: href)
  }
}
