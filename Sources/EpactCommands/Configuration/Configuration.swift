// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
package import Epact

/// The user's configuration: local calendars, remotes, and syncs.
///
/// It contains no grants, so that editing it cannot raise the program's access.
package struct Configuration: Sendable, Hashable {
  /// The local calendars, by name.
  package var calendars: [String: CalendarSettings] = [:]
  /// The remotes, by name.
  package var remotes: [String: RemoteSettings] = [:]
  /// The syncs, in the order of the file.
  package var syncs: [SyncSettings] = []
  /// The number of days for which runs with changes are kept.
  package var historyDays = 30
  /// The command to run after a failed sync: its name or path, then its arguments.
  package var onFailure: [String]?
  /// The absolute path of the metrics file, which ends in `.prom`.
  package var metrics: String?

  /// Creates an empty configuration.
  package init() {}

  /// Parses a configuration.
  ///
  /// - Parameters:
  ///   - text: The TOML document.
  ///   - path: The path of the file, for messages.
  ///   - paths: The resolver for paths in the file.
  ///   - isPrivate: Whether only the owner can read the file, so that it may contain a password.
  /// - Throws: All errors in the configuration.
  package init(
    parsing text: String, path: String, paths: PathResolver, isPrivate: Bool
  ) throws(ConfigurationError) {
    self = try ConfigurationReader.read(text, path: path, paths: paths, isPrivate: isPrivate)
  }
}

/// The settings of a local calendar.
package struct CalendarSettings: Sendable, Hashable {
  /// The name of the calendar.
  package let name: String
  /// The absolute path of a folder, or of a file that ends in `.ics`.
  package let path: String
}

/// The settings of a sync between a local calendar and a remote.
package struct SyncSettings: Sendable, Hashable {
  /// The name of the sync.
  package let name: String
  /// The name of the local calendar.
  package let calendar: String
  /// The name of the remote.
  package let remote: String
  /// The maximum number of deletions on a side; nil for the default.
  package let maxDelete: DeletionLimit?
  /// The interval of full content comparisons in days, 0 for never; nil for the default.
  package let verifyDays: Int?
  /// The policies for conflicts.
  package let policies: MergePolicies
  /// The filter for the items to sync.
  package let filter: ItemFilter
  /// The access that the sync needs, which is also the maximum that it uses.
  package let access: AccessTier
  /// The purpose shown when the user is asked; nil for a generated sentence.
  package let purpose: Purpose?

  /// Creates settings.
  package init(
    name: String, calendar: String, remote: String, maxDelete: DeletionLimit?,
    verifyDays: Int? = nil,
    policies: MergePolicies = MergePolicies(), filter: ItemFilter = ItemFilter(),
    access: AccessTier = .full, purpose: Purpose? = nil
  ) {
    self.name = name
    self.calendar = calendar
    self.remote = remote
    self.maxDelete = maxDelete
    self.verifyDays = verifyDays
    self.policies = policies
    self.filter = filter
    self.access = access
    self.purpose = purpose
  }
}
