// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

/// The person's configuration: local calendars, remotes, and which of them are kept in step.
///
/// It never holds a grant: an edit of it cannot raise what the program may do.
package struct Configuration: Sendable, Hashable {
  /// The local calendars, by name.
  package var calendars: [String: CalendarSettings] = [:]
  /// The remotes, by name.
  package var remotes: [String: RemoteSettings] = [:]
  /// The syncs, in the order of the file.
  package var syncs: [SyncSettings] = []
  /// For how many days the runs that changed something are remembered.
  package var historyDays = 30
  /// The program that is run when a sync does not end with 0: its name or path, then its arguments.
  package var onFailure: [String]?
  /// The file for the figures of the syncs; an absolute path that ends in `.prom`.
  package var metrics: String?

  /// Creates an empty configuration.
  package init() {}

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - text: The TOML document.
  ///   - path: The path of the file, for messages.
  ///   - paths: How the paths in the file are made absolute.
  ///   - isPrivate: Whether only its owner can read the file, so that it may hold a password.
  /// - Throws: Everything that is wrong with it, at once.
  package init(
    parsing text: String, path: String, paths: PathResolver, isPrivate: Bool
  ) throws(ConfigurationError) {
    self = try ConfigurationReader.read(text, path: path, paths: paths, isPrivate: isPrivate)
  }
}

/// A local calendar of the configuration.
package struct CalendarSettings: Sendable, Hashable {
  /// The name of the calendar.
  package let name: String
  /// An absolute path: a folder, or a file that ends in `.ics`.
  package let path: String
}

/// A sync of the configuration: a local calendar and a remote that are kept in step.
package struct SyncSettings: Sendable, Hashable {
  /// The name of the sync.
  package let name: String
  /// The name of the local calendar.
  package let calendar: String
  /// The name of the remote.
  package let remote: String
  /// How many deletions on one side are let through, unless they empty it; nil for the default.
  package let maxDelete: DeletionLimit?
  /// After how many days contents are compared and not only tags, 0 for never; nil for the default.
  package let verifyDays: Int?
  /// What is done with what both sides edited.
  package let policies: MergePolicies
  /// Which items are brought from one side to the other.
  package let filter: ItemFilter
  /// The lowest tier that does the job: what is asked for, and the most that is made use of.
  package let access: AccessTier
  /// What the access is for, to be shown with the question; nil for a sentence made of the names.
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
