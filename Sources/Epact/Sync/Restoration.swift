// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CalendarSync

/// The result of restoring the items of a sync that its local calendar lost.
public struct Restoration: Sendable {
  /// The place that the text of an item came from.
  public enum Source: String, Hashable, Sendable {
    /// The version in the ledger on which both sides last agreed.
    case ledger
    /// The version that a past run sent or wrote.
    case history
    /// The version on the remote.
    case remote
  }

  /// What the restoration did with an item.
  public enum Action: String, Hashable, Sendable {
    /// The item was missing, and was added.
    case added
    /// The item was back at an earlier version, and was replaced.
    case replaced
    /// The item was back after its deletion, and was deleted again.
    case deleted
  }

  /// An item that was restored, or that a dry run would restore.
  public struct Item: Hashable, Sendable {
    /// The item.
    public let uid: UID
    /// Its title.
    public let title: String
    /// What was done with it.
    public var action = Action.added
    /// The place that its text came from.
    public let source: Source
  }

  /// A missing item that was not restored.
  public struct Left: Hashable, Sendable {
    /// The item.
    public let uid: UID
    /// Its title; the UID if it is unknown.
    public let title: String
    /// The reason, for display.
    public let reason: String
    /// Whether no text of the item was found, so that it could not be restored.
    public let isFailure: Bool
  }

  /// The name of the sync.
  public let sync: String
  /// The run in the history; nil if nothing was restored.
  public internal(set) var run: RunID?
  /// The restored items, each group in order of UID.
  public internal(set) var items: [Item] = []
  /// The restored properties of the calendar.
  public internal(set) var properties: [CollectionProperty] = []
  /// The other missing items, in order of UID.
  public internal(set) var left: [Left] = []

  init(sync: String) {
    self.sync = sync
  }
}

extension SyncSet {
  /// Sends the local versions to a remote that was restored from a backup, or that lost items.
  ///
  /// The run synchronizes both sides as usual, except for the items whose agreed versions the remote
  /// lost: items that are missing on the remote are added again, earlier versions are replaced, and
  /// deleted items that are back are deleted again, within the limits of the safeguards. Items are
  /// also added again if another client deleted them. If the remote lost nothing, the run does nothing.
  ///
  /// - Parameters:
  ///   - name: The name of the sync; of an account, that of the sync of one calendar.
  ///   - report: Called with every event.
  /// - Returns: The result; an error is in it.
  /// - Throws: `CancellationError`; `EpactError` if the name is unknown; errors of the ledger.
  public func push(
    _ name: String, report: @escaping @Sendable (SyncSetEvent) -> Void = { _ in }
  ) async throws -> SyncResult {
    guard let sync = configuration.syncs.first(where: { $0.name == name }) else {
      throw EpactError.unknown(name, what: "sync", known: configuration.syncs.map(\.name))
    }
    return try await ledgerFolder.whileRunning("restore", keeping: configuration.historyDays) {
      ledger in
      if !options.isDryRun { try FileBatch(of: machine).recover() }
      var options = options
      options.rollback = .push
      return try await SyncSession(
        sync: sync, configuration: configuration, ledger: ledger, options: options,
        machine: machine, log: log, report: report
      ).run()
    }
  }

  /// Restores the items and properties that a sync knows and that are missing in its local calendar.
  ///
  /// Each item gets the version on which both sides last agreed, in a file with its earlier name.
  /// No file is overwritten, unless earlier versions are replaced. An item without a stored version is fetched from the remote under full
  /// access; under write-only access nothing is requested. Items that are in another calendar of
  /// the configuration, or whose deletion was in progress, are skipped. The restoration is a run of
  /// the history, which ``undo(_:report:)`` takes back. The name, colour, description and order of a
  /// folder get the values on which both sides last agreed, unless single items are named.
  ///
  /// - Parameters:
  ///   - name: The name of the sync; of an account, that of the sync of one calendar.
  ///   - words: The UIDs of the items, or parts of their titles; all items if it is empty. Events
  ///     that were added under write-only access are only restored if they are named, because the
  ///     ledger does not know which of them were deleted on purpose.
  ///   - isNewPlaceAllowed: Whether to restore even if the calendar is missing, or is on another
  ///     file system than in the last run.
  ///   - isReplacing: Whether to replace earlier versions, too, and to delete deleted items that are
  ///     back, if the calendar was restored from a backup (`LocalRollback`).
  /// - Returns: The restored items and the others.
  /// - Throws: `EpactError`; `BatchError` if no file was changed; `StoreError`; errors of the
  ///   ledger and of the remote.
  public func restore(
    _ name: String, only words: [String] = [], isNewPlaceAllowed: Bool = false,
    isReplacing: Bool = false
  ) async throws -> Restoration {
    guard let sync = configuration.syncs.first(where: { $0.name == name }) else {
      throw EpactError.unknown(name, what: "sync", known: configuration.syncs.map(\.name))
    }
    return try await ledgerFolder.whileRunning("restore", keeping: configuration.historyDays) {
      ledger in
      if !options.isDryRun { try recorder.recover() }
      let search = try await MissingItems(
        of: sync, in: self, ledger: ledger, isNewPlaceAllowed: isNewPlaceAllowed)
      var (restoration, found) = try await search.find(words)
      let properties = words.isEmpty ? try await search.missingProperties() : []
      restoration.properties = properties.map(\.property)
      let old = isReplacing ? try await search.rolledBack() : []
      restoration.items += old.map(\.restored)
      let isNothing = found.isEmpty && properties.isEmpty && old.isEmpty
      guard !options.isDryRun, !isNothing else { return restoration }
      restoration.run = try recorder.make(
        ChangeSet(
          found.map { found in
            Intent(
              uid: found.item.uid, action: .createLocal, content: found.item.serialized(),
              fingerprint: nil, before: nil, href: Href(search.calendar.location), etag: nil)
          } + old.map { $0.intent(in: search.calendar.location) },
          try search.replacements(for: found, old) + properties.map(\.file)))
      return restoration
    }
  }
}
