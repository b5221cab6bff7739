// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The time zones of a machine, read from TZif files when they are first asked for.
///
/// A database is passed to those who need one; there is none by default. It is a class, because all
/// who hold it share what was loaded, and may be used from several threads at once.
///
/// ```swift
/// let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
/// try database.rules(named: "europe/berlin").name   // "Europe/Berlin"
/// database.canonicalName(of: "Europe/Kiev")         // "Europe/Kyiv"
/// ```
///
/// ## Topics
///
/// ### Making a database
/// - ``init(folders:fallback:)``
/// - ``systemFolders``
///
/// ### Zones
/// - ``rules(named:)``
/// - ``canonicalName(of:)``
/// - ``names``
///
/// ### What it is
/// - ``source``
/// - ``isFallback``
/// - ``version``
public final class ZoneDatabase: Sendable {
  /// Where systems keep their time zones, the most usual place first.
  public static let systemFolders = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]

  /// The greatest size of a zone's file in bytes; a real one has less than 4,000.
  private static let fileLimit = 1 << 18
  /// The greatest size of `tzdata.zi` in bytes; a real one has about 110,000.
  private static let indexLimit = 1 << 22

  private struct State {
    var index: ZoneIndex?
    var links: ZoneLinks?
    var rules: [String: ZoneRules] = [:]
  }

  /// The folder that the zones are read from, the first one given that exists; or what they come from if
  /// none does, or nil if there are none.
  public let source: String?
  /// Where zones come from if there is no folder of them.
  private let fallback: (any ZoneFallback)?
  private let state = Mutex(State())

  /// Creates a database of the first of some folders that exists.
  ///
  /// - Parameters:
  ///   - folders: Paths, the preferred one first, such as `$TZDIR` and then ``systemFolders``. The files in
  ///     them are read when they are needed.
  ///   - fallback: Where zones come from if none of the folders exists.
  public init(folders: [String], fallback: (any ZoneFallback)? = nil) {
    let folder = folders.first { !$0.isEmpty && ZoneFiles.isFolder($0) }
    source = folder ?? fallback?.source
    self.fallback = folder == nil ? fallback : nil
  }

  /// Whether there is no folder of zones, so that they come from somewhere else and may be out of date.
  public var isFallback: Bool { fallback != nil }

  /// The version of the zones, such as `2025b`, or nil if the folder does not tell.
  public var version: String? { fallback.map { $0.version } ?? index?.version }

  /// The names of all zones, in order.
  public var names: [String] { index.map { $0.names.values.sorted() } ?? [] }

  /// The rules of a zone.
  ///
  /// - Parameter name: The name, such as `Europe/Berlin`; the case of its letters does not matter
  ///   for the names in ``names``.
  /// - Returns: The rules, under the name as the database writes it.
  /// - Throws: `ZoneError` if the name is not one, nothing is known by it, or its file is broken.
  public func rules(named name: String) throws(ZoneError) -> ZoneRules {
    guard ZoneDatabase.isPlain(name) else {
      throw ZoneError(.invalidName, zone: name, "the name is not a plain path")
    }
    guard let source else {
      throw ZoneError(.unknownZone, zone: name, "there is no time zone database")
    }
    let result = state.withLock { [fallback] state in
      Result { () throws(ZoneError) in
        try ZoneDatabase.rules(named: name, of: source, fallback, &state)
      }
    }
    return try result.get()
  }

  /// The name that the database prefers for a zone, such as `Asia/Kolkata` for `Asia/Calcutta`.
  ///
  /// - Parameter name: A name, in any case.
  /// - Returns: The preferred name, or nil if the database has no zone of that name.
  public func canonicalName(of name: String) -> String? {
    guard let source else { return nil }
    if isExact(name, in: source) {
      return state.withLock { ZoneDatabase.links(of: source, &$0).canonicalName(of: name) }
    }
    guard let index, let spelling = index.spelling(of: name) else { return nil }
    return index.canonicalName(of: spelling)
  }

  /// The name in the database as it is written there, whatever the case of its letters; nil if there is
  /// none.
  package func spelling(of name: String) -> String? {
    guard let source else { return nil }
    return isExact(name, in: source) ? name : index?.spelling(of: name)
  }

  /// Whether a name certainly is that of a zone, as the database writes it.
  ///
  /// Names are looked up again and again, and nearly all are written so. The index, which takes longer
  /// to read than a zone, is made for the others.
  private func isExact(_ name: String, in source: String) -> Bool {
    state.withLock { [fallback] state in
      ZoneDatabase.isUsual(name) && fallback == nil && ZoneDatabase.isPlain(name)
        && ZoneDatabase.loaded(name, of: source, &state) != nil
    }
  }

  /// The name that another spelling means, as `America/Los Angeles` or `Europe_Berlin`; nil if none.
  package func name(foldedLike name: String) -> String? { index?.name(foldedLike: name) }

  /// The one zone whose names end in a place, such as `Berlin`; nil if there is none, or several that
  /// differ.
  package func name(ofPlace place: String) -> String? {
    guard let index else { return nil }
    let names = index.names(ofPlace: place)
    guard let first = names.first.map({ index.canonicalName(of: $0) }),
      names.allSatisfy({ index.canonicalName(of: $0) == first })
    else { return nil }
    return first
  }

  private var index: ZoneIndex? {
    guard let source else { return nil }
    return state.withLock { [fallback] in ZoneDatabase.index(of: source, fallback, &$0) }
  }

  private static func index(
    of source: String, _ fallback: (any ZoneFallback)?, _ state: inout State
  ) -> ZoneIndex {
    if let index = state.index { return index }
    let index: ZoneIndex
    if let fallback {
      index = ZoneIndex(names: fallback.names)
    } else if let text = try? ZoneFiles.read("\(source)/tzdata.zi", limit: indexLimit) {
      index = ZoneIndex(text: text)
    } else {
      index = ZoneIndex(folder: source)
    }
    state.index = index
    return index
  }

  private static func links(of source: String, _ state: inout State) -> ZoneLinks {
    if let links = state.links { return links }
    let text = try? ZoneFiles.read("\(source)/tzdata.zi", limit: indexLimit)
    let links = text.map { ZoneLinks(text: $0, limit: ZoneIndex.nameLimit) } ?? ZoneLinks()
    state.links = links
    return links
  }

  private static func rules(
    named name: String, of source: String, _ fallback: (any ZoneFallback)?, _ state: inout State
  ) throws(ZoneError) -> ZoneRules {
    if let rules = state.rules[name] { return rules }
    if fallback == nil, isUsual(name), let rules = loaded(name, of: source, &state) { return rules }
    let index = index(of: source, fallback, &state)
    let spelling = index.spelling(of: name) ?? name
    if let rules = state.rules[spelling] { return rules }
    if let fallback {
      guard index.spelling(of: name) != nil else {
        throw ZoneError(.unknownZone, zone: name, "\(source) has no such zone")
      }
      let rules = try fallback.rules(named: spelling)
      state.rules[spelling] = rules
      return rules
    }
    // Some systems have the old names in a package of their own; their zone is there all the same.
    let files = [spelling, index.canonicalName(of: spelling)]
    let rules = try load(spelling, from: files.map { "\(source)/\($0)" })
    state.rules[spelling] = rules
    return rules
  }

  /// Whether a name may be that of a zone as the database writes it: all of those begin with a capital
  /// letter, and the files that are no zones, and the copies with other leap seconds, do not.
  private static func isUsual(_ name: String) -> Bool {
    name.utf8.first.map { 0x41...0x5A ~= $0 } ?? false
  }

  /// The zone in the file of a name, or nil if there is none.
  private static func loaded(
    _ name: String, of source: String, _ state: inout State
  ) -> ZoneRules? {
    if let rules = state.rules[name] { return rules }
    guard let rules = try? load(name, from: ["\(source)/\(name)"]) else { return nil }
    state.rules[name] = rules
    return rules
  }

  /// Loads a zone from the first of some files that exists.
  private static func load(_ name: String, from paths: [String]) throws(ZoneError) -> ZoneRules {
    for path in paths {
      guard let bytes = try contents(of: path, for: name) else { continue }
      return try ZoneRules(tzif: bytes.span, name: name)
    }
    throw ZoneError(.unknownZone, zone: name, "the database has no such zone")
  }

  /// The bytes of a zone's file, or nil if there is no such file.
  private static func contents(
    of path: String, for name: String
  ) throws(ZoneError) -> [UInt8]? {
    do {
      return try ZoneFiles.read(path, limit: fileLimit)
    } catch .missing {
      return nil
    } catch {
      throw ZoneError(.unreadableFile, zone: name, "\(path): \(error.message)")
    }
  }

  /// Whether a name is a relative path that stays in its folder.
  private static func isPlain(_ name: String) -> Bool {
    guard 1...255 ~= name.utf8.count else { return false }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      guard let first = part.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else {
        return false
      }
      return part.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"),
          UInt8(ascii: "+"), UInt8(ascii: "."):
          true
        default: false
        }
      }
    }
  }
}
