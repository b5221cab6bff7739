// SPDX-License-Identifier: Apache-2.0

import Epact
import Glibc

/// Locates the configuration and the state of the user, and reads the configuration.
struct ConfigurationFile: Sendable {
  /// The maximum size of a configuration, in bytes.
  private static let sizeLimit = 1 << 20

  /// The absolute path of the configuration.
  let path: String
  /// Whether the user specified the path, so that a missing file is an error.
  let isExplicit: Bool
  private let machine: Machine

  /// Locates the configuration.
  ///
  /// The path is that of `--config`, else `$XDG_CONFIG_HOME/epact/config.toml`, else
  /// `~/.config/epact/config.toml`.
  init(option: String?, machine: Machine) {
    self.machine = machine
    isExplicit = option != nil
    if let option {
      path = machine.paths.absolute(option)
    } else {
      path = machine.configurationFolder + "/epact/config.toml"
    }
  }

  /// Reads the configuration; a missing file is empty unless the user specified the path.
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
    // The configuration names programs that are run.
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
}
