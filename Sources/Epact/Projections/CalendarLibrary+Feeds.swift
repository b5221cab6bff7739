// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import FoundationEssentials

/// The feeds of the user: what others may read of the calendars.
///
/// ```swift
/// var settings = FeedSettings(["work", "family"])
/// settings.projection.detail = .busy
/// let (feed, token) = try library.makeFeed(settings, comment: "for Ana")
/// print(token.revealed)   // shown once; the ledger has only its digest
/// try library.write(feed, to: "public/busy.ics")
/// ```
extension CalendarLibrary {
  /// The feeds, in order of creation.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  public func feeds() throws -> [Feed] {
    try readLedger { try $0.feeds() }.map { try Feed($0) }
  }

  /// The feed with a name.
  ///
  /// - Throws: `EpactError` if there is none; `StoreError`; errors of the ledger.
  public func feed(named name: String) throws -> Feed {
    let feeds = try feeds()
    guard let feed = feeds.first(where: { $0.name == name }) else {
      throw EpactError.unknown(
        name, what: "feed", in: "the ledger", known: feeds.map(\.name))
    }
    return feed
  }

  /// The feed with the token of an address; nil if there is none.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  public func feed(for token: FeedToken) throws -> Feed? {
    // The digest is compared by the index, so that the time tells nothing of the token.
    try readLedger { try $0.feed(withTokenDigest: token.digest) }.map { try Feed($0) }
  }

  /// Makes a feed.
  ///
  /// - Parameters:
  ///   - settings: What it shows.
  ///   - name: The name; nil for one that is made from the comment or the calendars.
  ///   - comment: The user's note, such as the name of the reader.
  /// - Returns: The feed and its token, which cannot be read again.
  /// - Throws: `EpactError` if a calendar is unknown, or if there is a feed with the name;
  ///   `QueryError`; `LibraryError`; `StoreError`; errors of the ledger.
  public func makeFeed(
    _ settings: FeedSettings, named name: String? = nil, comment: String = ""
  ) throws -> (feed: Feed, token: FeedToken) {
    var settings = settings
    try settings.projection.checkTitle()
    settings.calendars = try sources(of: settings).map(\.name)
    let token = FeedToken(of: machine.makeSecret())
    // The settings are checked before the feed is stored.
    _ = try projector(of: settings, named: name ?? "")
    let ledger = try writableLedger()
    let json = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
    let stored = try ledger.write { ledger in
      let known = Set(try ledger.feeds().map(\.name))
      let feed = StoredFeed(
        name: name ?? Self.freeName(for: settings, comment, besides: known),
        tokenDigest: token.digest, settings: json, comment: comment, createdAt: machine.now())
      guard try ledger.add(feed) else {
        throw EpactError(
          .argument, "there is a feed \"\(feed.name)\" already", subject: feed.name)
      }
      return feed
    }
    return (try Feed(stored), token)
  }

  /// Revokes a feed: its address, and its name, are those of no feed any more.
  ///
  /// - Throws: `EpactError` if there is none with the name; `StoreError`; errors of the ledger.
  public func revokeFeed(named name: String) throws {
    let feed = try feed(named: name)
    _ = try writableLedger().write { try $0.removeFeed(named: feed.name) }
  }

  /// Notes that a feed was read at its address, at most once a minute.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  package func noteUse(of feed: Feed) throws {
    let now = machine.now()
    if let last = feed.lastUsedAt, (0..<60).contains(now.secondsSinceEpoch - last.secondsSinceEpoch)
    {
      return
    }
    try writableLedger().write { try $0.noteUse(ofFeed: feed.name, at: now) }
  }

  private static func freeName(
    for settings: FeedSettings, _ comment: String, besides known: Set<String>
  ) -> String {
    let detail = settings.projection.detail.rawValue
    let words = comment.isEmpty ? settings.calendars.joined(separator: " ") + " " + detail : comment
    let plain = CalendarInfo.plainName(words)
    var (name, number) = (plain, 1)
    while known.contains(name) {
      number += 1
      name = "\(plain)-\(number)"
    }
    return name
  }

  /// The calendars of a feed.
  ///
  /// - Throws: `EpactError` if one is unknown, or its folder is missing; `LibraryError`.
  func sources(of settings: FeedSettings) throws -> [CalendarInfo] {
    guard !settings.calendars.isEmpty else {
      throw EpactError(.argument, "a feed shows at least one calendar")
    }
    let all = try calendars()
    let titles = Dictionary(all.map { ($0.name, $0.title) }) { first, _ in first }
    let configured = try configuration().calendars
    return try settings.calendars.map { text in
      if let known = configured[text], !all.contains(where: { $0.name == text }) {
        throw EpactError(calendar: text, notAt: known.path)
      }
      let name = try CalendarName.find(text, among: all.map(\.name)) { titles }
      guard let calendar = all.first(where: { $0.name == name }) else {
        throw EpactError.unknown(text, what: "calendar", known: all.map(\.name))
      }
      return calendar
    }
  }

  /// The projector of a feed.
  func projector(of settings: FeedSettings, named name: String) throws -> ItemProjector {
    var key = try readLedger { try $0.projectionKey() }
    if key == nil {
      try writableLedger().write { try $0.add(projectionKey: machine.makeSecret()) }
      key = try readLedger { try $0.projectionKey() }
    }
    return try ItemProjector(
      settings.projection, name: "feed \(name)", key: ProjectionKey(key ?? []),
      user: try userAddresses(), machine: machine)
  }
}

extension Feed {
  fileprivate init(_ stored: StoredFeed) throws {
    self.init(
      name: stored.name,
      settings: try JSONDecoder().decode(FeedSettings.self, from: Data(stored.settings.utf8)),
      comment: stored.comment, createdAt: stored.createdAt, lastUsedAt: stored.lastUsedAt)
  }
}
