// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The time zones of a machine, loaded from TZif files on first use.
///
/// It is a class, so that all its users share the loaded zones. It is safe to use from several
/// threads. ``system`` is one database for a whole process; the libraries use no database that the
/// caller did not pass, except as the default of a parameter.
///
/// ```swift
/// import CivilTime
///
/// let berlin = try ZoneDatabase.system.rules(named: "europe/berlin")
/// print(berlin.name)  // Europe/Berlin
/// print(ZoneDatabase.system.canonicalName(of: "Europe/Kiev") ?? "")  // Europe/Kyiv
/// ```
///
/// The first use of a zone reads its file, in 10 to 40 µs with optimization. The list of names is
/// read at the first name that is written in another case, in about 5 ms. A zone stays in memory,
/// with about 3 KB and at most 6 KB.
///
/// ## Topics
///
/// ### Making a database
/// - ``system``
/// - ``init(folders:fallback:)``
/// - ``systemFolders``
///
/// ### Zones
/// - ``rules(named:)``
/// - ``canonicalName(of:)``
/// - ``names``
///
/// ### Properties of the database
/// - ``source``
/// - ``isFallback``
/// - ``version``
public final class ZoneDatabase: Sendable {
  /// The usual folders of time zone files, most common first.
  public static let systemFolders = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]

  /// The time zones of the system, loaded once for the process.
  public static let system = ZoneDatabase(folders: systemFolders)

  /// The maximum size of a zone file in bytes; real ones have less than 4,000.
  private static let fileLimit = 1 << 18
  /// The maximum size of `tzdata.zi` in bytes; the real one has about 110,000.
  private static let indexLimit = 1 << 22

  private struct State {
    var index: ZoneIndex?
    var links: ZoneLinks?
    var rules: [String: ZoneRules] = [:]
  }

  /// The origin of the zones, or nil if there are none.
  ///
  /// It is the path of the first given folder that exists, or else ``ZoneFallback/source``.
  public let source: String?
  /// The source of zones if no folder exists.
  private let fallback: (any ZoneFallback)?
  private let state = Mutex(State())

  /// Creates a database from the first folder that exists.
  ///
  /// - Parameters:
  ///   - folders: Paths in order of preference, such as `$TZDIR` and then ``systemFolders``. Files
  ///     are read when they are needed.
  ///   - fallback: The source of zones if none of the folders exists.
  public init(folders: [String], fallback: (any ZoneFallback)? = nil) {
    let folder = folders.first { !$0.isEmpty && ZoneFiles.isFolder($0) }
    source = folder ?? fallback?.source
    self.fallback = folder == nil ? fallback : nil
  }

  /// Whether the zones come from the fallback, and may therefore be out of date.
  public var isFallback: Bool { fallback != nil }

  /// The version of the zones, such as `2025b`, or nil if it is unknown.
  public var version: String? { fallback.map { $0.version } ?? index?.version }

  /// The names of all zones, sorted.
  public var names: [String] { index.map { $0.names.values.sorted() } ?? [] }

  /// Returns the rules of a zone.
  ///
  /// - Parameter name: The name, such as `Europe/Berlin`. Names in ``names`` match in any case.
  /// - Returns: The rules, with the name in the database's spelling.
  /// - Throws: `ZoneError` if the name is invalid or unknown, or the file is malformed.
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

  /// Returns the preferred name of a zone, such as `Asia/Kolkata` for `Asia/Calcutta`.
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

  /// The database's spelling of a name in any case, or nil if the name is unknown.
  package func spelling(of name: String) -> String? {
    guard let source else { return nil }
    return isExact(name, in: source) ? name : index?.spelling(of: name)
  }

  /// Whether the database has a zone with exactly this name.
  ///
  /// Names are looked up often, and nearly all are spelled exactly. The index, which takes longer
  /// to read than a zone, is only loaded for the others.
  private func isExact(_ name: String, in source: String) -> Bool {
    state.withLock { [fallback] state in
      ZoneDatabase.isUsual(name) && fallback == nil && ZoneDatabase.isPlain(name)
        && ZoneDatabase.loaded(name, of: source, &state) != nil
    }
  }

  /// The zone name for a variant such as `America/Los Angeles` or `Europe_Berlin`, or nil.
  package func name(foldedLike name: String) -> String? { index?.name(foldedLike: name) }

  /// The only zone whose names end in a place such as `Berlin`; nil if none or several match.
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
    // Some systems package the old names separately; the zone they link to is still installed.
    let files = [spelling, index.canonicalName(of: spelling)]
    let rules = try load(spelling, from: files.map { "\(source)/\($0)" })
    state.rules[spelling] = rules
    return rules
  }

  /// Whether a name may be an exact zone name, which starts with a capital letter.
  ///
  /// Other files in the folder, and the copies with other leap seconds, start with a lowercase
  /// letter.
  private static func isUsual(_ name: String) -> Bool {
    name.utf8.first.map { 0x41...0x5A ~= $0 } ?? false
  }

  /// Loads a zone by its exact file name, or returns nil if that fails.
  private static func loaded(
    _ name: String, of source: String, _ state: inout State
  ) -> ZoneRules? {
    if let rules = state.rules[name] { return rules }
    guard let rules = try? load(name, from: ["\(source)/\(name)"]) else { return nil }
    state.rules[name] = rules
    return rules
  }

  /// Loads a zone from the first file that exists.
  private static func load(_ name: String, from paths: [String]) throws(ZoneError) -> ZoneRules {
    for path in paths {
      guard let bytes = try contents(of: path, for: name) else { continue }
      return try ZoneRules(tzif: bytes.span, name: name)
    }
    throw ZoneError(.unknownZone, zone: name, "the database has no such zone")
  }

  /// The bytes of a zone file, or nil if the file does not exist.
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

  /// Whether a name is a relative path inside the folder.
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

/// A source of time zones for machines without zone files.
public protocol ZoneFallback: Sendable {
  /// A description of the source for people.
  var source: String { get }
  /// The version of the zones, such as `2022e`, or nil if it is unknown.
  var version: String? { get }
  /// The names of all zones.
  var names: [String] { get }

  /// Returns the rules of a zone.
  ///
  /// - Parameter name: One of ``names``.
  /// - Returns: The rules, with that name.
  /// - Throws: `ZoneError` if the zone cannot be loaded.
  func rules(named name: String) throws(ZoneError) -> ZoneRules
}

/// An error that prevented a time zone from being loaded.
public struct ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error, for programs.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case invalidName, unknownZone, unreadableFile, malformedFile
    }

    private let kind: Kind

    /// The name cannot be the name of any zone.
    public static let invalidName = Code(kind: .invalidName)
    /// No folder of the database has a zone of that name.
    public static let unknownZone = Code(kind: .unknownZone)
    /// The file exists but could not be read.
    public static let unreadableFile = Code(kind: .unreadableFile)
    /// The file is not a valid TZif file (RFC 9636).
    public static let malformedFile = Code(kind: .malformedFile)

    /// The name of the code.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// The requested zone.
  public let zone: String
  /// The message without the zone.
  public let message: String

  /// Creates an error.
  package init(_ code: Code, zone: String, _ message: String) {
    self.code = code
    self.zone = zone
    self.message = message
  }

  /// The message with the zone.
  public var description: String { "time zone \(quoted(zone)): \(message)" }
}
