// SPDX-License-Identifier: Apache-2.0

/// The settings of a host: a machine that runs syncs for the accounts of others.
///
/// ```toml
/// accounts-folder = "/data/calendars"
/// accounts-password-command = ["vault-read", "{account}", "{remote}"]
/// accounts-per-server = 8
/// ```
package struct HostingSettings: Sendable, Hashable {
  /// The absolute path of the folder in which each account has a home folder.
  package let folder: String
  /// The command that prints the password of an account for a remote, with `{account}` and `{remote}`
  /// in its words; nil for none.
  let passwordCommand: [String]?
  /// The maximum number of accounts that use one server at a time, on all machines together.
  package let accountsPerServer: Int

  /// The default of the maximum number of accounts that use one server at a time.
  static let defaultAccountsPerServer = 8
}

extension ConfigurationReader {
  /// The keys of a host.
  static let hostingKeys = ["accounts-folder", "accounts-password-command", "accounts-per-server"]

  /// The settings of a host; nil for the configuration of a person.
  mutating func hosting(in root: Table) -> HostingSettings? {
    guard let folder = string("accounts-folder", in: root) else {
      for key in Self.hostingKeys.dropFirst()
      where root.members[key] != nil && root.members["accounts-folder"] == nil {
        complain(
          [key], "\"\(key)\" is about accounts of others, and there is no \"accounts-folder\"")
      }
      return nil
    }
    let number =
      count("accounts-per-server", of: "accounts", in: root)
      ?? HostingSettings.defaultAccountsPerServer
    if number == 0 {
      complain(["accounts-per-server"], "expected \"accounts-per-server\" to be 1 or more")
    }
    return HostingSettings(
      folder: paths.absolute(folder),
      passwordCommand: root.members["accounts-password-command"] == nil
        ? nil : words("accounts-password-command", in: root),
      accountsPerServer: max(1, number))
  }
}
