// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarRemotes
import CalendarSync

/// The syncs that a configuration of vdirsyncer describes, and what cannot be taken over.
///
/// ```
/// [pair work] ──► a: filesystem ──► local calendar ─┐
///                 b: caldav     ──► remote ─────────┴─ a sync for each collection
/// STATUS_PATH/work.collections ──► the path and the URL of each collection
/// ```
package struct VdirsyncerMigration: Sendable {
  /// Something that is not taken over.
  package struct Left: Hashable, Sendable {
    /// The section, or the section and the collection.
    package let subject: String
    /// The reason, for display.
    package let reason: String
  }

  /// A collection of a pair.
  struct Collection: Hashable, Sendable {
    /// The title, from which the name of the sync is derived.
    let title: String
    /// The absolute path of the local calendar.
    let path: String
    /// The kind and the location of the remote, as in `SetupPlan.Entry`.
    let kind: String
    let location: String
    /// The absolute path of the status; it need not exist.
    let status: String
    /// Whether the side `a` is the local one.
    let isFirstLocal: Bool
  }

  /// A pair whose collections are taken over.
  struct Pair: Sendable {
    let name: String
    /// The name of the storage of the remote.
    let storage: String
    let user: String?
    let password: SetupPlan.Password
    let identity: NetworkIdentity
    let policy: MergePolicy?
    var collections: [Collection] = []
  }

  /// The pairs, in their order.
  private(set) var pairs: [Pair] = []
  /// The parts that are not taken over.
  package private(set) var left: [Left] = []
  private let file: VdirsyncerFile
  private let paths: PathResolver
  private let statusPath: String

  /// The usual path of the configuration.
  package static func usualPath(on machine: Machine) -> String {
    if let path = machine.environment["VDIRSYNCER_CONFIG"] { return machine.paths.absolute(path) }
    let old = machine.homeFolder + "/.vdirsyncer/config"
    guard FileMode(old) == nil else { return old }
    let folder = machine.environment["XDG_CONFIG_HOME"] ?? machine.homeFolder + "/.config"
    return folder + "/vdirsyncer/config"
  }

  /// Reads a configuration and the collections that vdirsyncer found.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the configuration.
  ///   - machine: The machine with the home folder.
  /// - Throws: `EpactError` with file, line and column if the configuration is invalid.
  package init(path: String, machine: Machine) throws {
    file = try VdirsyncerFile(parsing: try Self.text(at: path), path: path)
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    paths = PathResolver(home: machine.homeFolder, base: folder)
    let general = file.section("general", "general")
    statusPath = paths.absolute(
      general?["status_path"]?.text ?? machine.homeFolder + "/.vdirsyncer/status")
    var used: Set<String> = []
    for section in file.sections where section.kind == "pair" {
      for key in ["a", "b"] { if let name = section[key]?.text { used.insert(name) } }
      try add(section)
    }
    for section in file.sections where section.kind == "storage" && !used.contains(section.name) {
      leave("storage \(section.name)", "no pair uses it")
    }
  }

  private static func text(at path: String) throws -> String {
    do {
      var stream = try InputStream(path: path)
      if let bytes = try stream.readAll(limit: 1 << 20),
        let text = String(validating: bytes, as: UTF8.self)
      {
        return text
      }
    } catch let error as SystemError {
      throw EpactError(
        .configuration, "cannot read the configuration of vdirsyncer \(path): \(error)",
        subject: path)
    }
    throw EpactError(
      .configuration, "the configuration of vdirsyncer \(path) is no text", subject: path)
  }

  private mutating func leave(_ subject: String, _ reason: String) {
    left.append(Left(subject: subject, reason: reason))
  }

  // MARK: Pairs

  private mutating func add(_ section: VdirsyncerFile.Section) throws {
    let subject = "pair \(section.name)"
    var sides: [VdirsyncerStorage] = []
    for key in ["a", "b"] {
      guard let name = section[key]?.text, let storage = file.section("storage", name) else {
        throw file.error("the pair has no storage \"\(key)\"", section.line)
      }
      sides.append(VdirsyncerStorage(storage))
    }
    if let reason = sides.lazy.compactMap(\.obstacle).first { return leave(subject, reason) }
    guard let here = sides.firstIndex(where: \.isLocal) else {
      return leave(
        subject, "neither side is a folder or a file; one side has to be on this machine")
    }
    let (local, remote) = (sides[here], sides[1 - here])
    for remark in sides.flatMap(\.remarks) { leave("storage \(remark.storage)", remark.text) }
    var pair = Pair(
      name: section.name, storage: remote.section.name, user: remote.section["username"]?.text,
      password: try password(of: remote.section), identity: identity(of: remote.section),
      policy: policy(of: section, isFirstLocal: here == 0))
    for (name, arguments) in collections(of: section, [local, remote], here) {
      let title = name.map { "\(section.name) \($0)" } ?? section.name
      guard let path = arguments[here]["path"]?.text,
        let location = arguments[1 - here][remote.isLocal ? "path" : "url"]?.text,
        !location.contains("%s"), !path.contains("%s")
      else {
        leave(
          "\(subject), collection \(name ?? "")",
          "vdirsyncer has not looked for it yet; run vdirsyncer discover first")
        continue
      }
      guard local.isFolder || path.lowercased().hasSuffix(".ics") else {
        leave("\(subject), collection \(name ?? "")", "the name of a file has to end in .ics")
        continue
      }
      pair.collections.append(
        Collection(
          title: title, path: paths.absolute(path), kind: remote.kind,
          location: remote.isLocal ? paths.absolute(location) : remote.address(location),
          status: "\(statusPath)/\(section.name)\(name.map { "/" + $0 } ?? "").items",
          isFirstLocal: here == 0))
    }
    if !pair.collections.isEmpty { pairs.append(pair) }
  }

  /// The collections that vdirsyncer found, each with the arguments of both sides.
  private mutating func collections(
    of section: VdirsyncerFile.Section, _ sides: [VdirsyncerStorage], _ here: Int
  ) -> [(name: String?, arguments: [[String: VdirsyncerFile.Value]])] {
    let ordered = here == 0 ? sides : sides.reversed()
    let usual = ordered.map(\.section.values)
    let found = (try? Self.text(at: "\(statusPath)/\(section.name).collections"))
      .flatMap(VdirsyncerFile.value)?.members?["collections"]?.elements
    guard let found else {
      // Without collections, the storages are the calendars.
      guard section["collections"] == .null else {
        leave(
          "pair \(section.name)",
          "vdirsyncer has not looked for its collections yet; run vdirsyncer discover first")
        return []
      }
      return [(nil, usual)]
    }
    return found.compactMap { element in
      guard let parts = element.elements, parts.count == 2, let both = parts[1].elements,
        both.count == 2
      else { return nil }
      let arguments = zip(usual, both).map { usual, own in
        usual.merging(own.members ?? [:]) { $1 }
      }
      return (parts[0].text, arguments)
    }
  }

  private mutating func policy(
    of section: VdirsyncerFile.Section, isFirstLocal: Bool
  ) -> MergePolicy? {
    if section["partial_sync"] != nil {
      leave("pair \(section.name)", "partial_sync is not taken over")
    }
    switch section["conflict_resolution"] {
    case nil, .null: return nil
    case .string("a wins"): return isFirstLocal ? .local : .remote
    case .string("b wins"): return isFirstLocal ? .remote : .local
    default:
      leave(
        "pair \(section.name)",
        "conflict_resolution is not taken over; conflicts keep both versions")
      return nil
    }
  }

  // MARK: Credentials

  private mutating func password(
    of section: VdirsyncerFile.Section
  ) throws(EpactError) -> SetupPlan.Password {
    if let text = section["password"]?.text, !text.isEmpty { return .new(Secret(text), .file("")) }
    guard let words = section["password.fetch"]?.elements?.compactMap(\.text), words.count > 1
    else { return .none }
    let rest = words.dropFirst()
    if words[0] == "shell" { return .command(["sh", "-c", rest.joined(separator: " ")]) }
    // vdirsyncer expands a tilde at the start of every word, and the program has no shell that would.
    return .command(rest.map { $0.hasPrefix("~") ? paths.absolute($0) : $0 })
  }

  private func identity(of section: VdirsyncerFile.Section) -> NetworkIdentity {
    var client: NetworkIdentity.Client?
    switch section["auth_cert"] {
    case .string(let path):
      let file = paths.absolute(path)
      client = NetworkIdentity.Client(certificateFile: file, keyFile: file)
    case .array(let parts):
      let files = parts.compactMap(\.text).map(paths.absolute)
      if files.count == 2 {
        client = NetworkIdentity.Client(certificateFile: files[0], keyFile: files[1])
      }
    default: break
    }
    return NetworkIdentity(
      caFile: section["verify"]?.text.map(paths.absolute), client: client)
  }
}
