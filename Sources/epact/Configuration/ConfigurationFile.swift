// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where the configuration and the state of a person are, and how the configuration is read.
struct ConfigurationFile: Sendable {
  /// The largest configuration that is read, in bytes.
  private static let sizeLimit = 1 << 20

  /// The absolute path of the configuration.
  let path: String
  /// Whether the person named it, so that its absence is a mistake.
  let isExplicit: Bool
  private let machine: Dependencies

  /// Finds the configuration: `--config`, else `$XDG_CONFIG_HOME/epact/config.toml`, else
  /// `~/.config/epact/config.toml`.
  init(option: String?, machine: Dependencies) {
    self.machine = machine
    isExplicit = option != nil
    if let option {
      let paths = PathResolver(home: machine.homeFolder, base: machine.currentFolder)
      path = paths.absolute(option)
    } else {
      path = Self.folder("XDG_CONFIG_HOME", orHome: ".config", machine) + "/epact/config.toml"
    }
  }

  /// The folder of the ledger: `$XDG_STATE_HOME/epact`, else `~/.local/state/epact`.
  static func stateFolder(_ machine: Dependencies) -> String {
    folder("XDG_STATE_HOME", orHome: ".local/state", machine) + "/epact"
  }

  /// Reads the configuration; an absent one that nobody named is empty.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func load() throws -> Configuration {
    var file: InputStream
    do {
      file = try InputStream(path: path)
    } catch  where error.code == ENOENT && !isExplicit {
      return Configuration()
    } catch {
      throw Failure(.configuration, "cannot read the configuration \(path): \(error)")
    }
    let facts = try file.facts()
    guard !facts.isFolder else { throw Failure(.configuration, "\(path) is a folder") }
    // It names programs that are run.
    try FileTrust(machine).expect(path, "configuration")
    guard let bytes = try file.readAll(limit: Self.sizeLimit) else {
      throw Failure(.configuration, "the configuration \(path) is larger than 1 MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.configuration, "the configuration \(path) is not UTF-8")
    }
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    return try Configuration(
      parsing: text, path: path,
      paths: PathResolver(home: machine.homeFolder, base: String(folder)),
      isPrivate: !facts.isOpenToOthers && facts.owner == machine.userID)
  }

  /// A folder of the XDG base directory specification, which says that relative ones do not count.
  private static func folder(
    _ variable: String, orHome part: String, _ machine: Dependencies
  ) -> String {
    if let path = machine.environment[variable], path.hasPrefix("/") { return path }
    return machine.homeFolder + "/" + part
  }
}
