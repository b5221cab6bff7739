// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
package import CalendarSync

/// The stored runs of a user's syncs, imports and edits, with their changes.
package struct History: Sendable {
  /// The changes of a run.
  package struct Changes: Sendable {
    package let run: PastRun
    /// The changes of items, in order.
    package let items: [JournalLine]
    /// The changes of calendar properties, in order.
    package let properties: [PropertyLine]

    /// The run with its changes.
    package var json: JSONValue {
      [
        "run": run.json, "operations": .array(items.map(\.json)),
        "properties": .array(properties.map(\.json)),
      ]
    }
  }

  /// Whether a run may be in progress.
  package let isBusy: Bool
  private let ledger: any LedgerStore

  /// Opens the ledger of a user for reading.
  ///
  /// - Throws: `StoreError`.
  package init(machine: Machine) throws(StoreError) {
    let folder = LedgerFolder(machine: machine, isReadOnly: true)
    ledger = try folder.openForViewing()
    isBusy = folder.isBusy
  }

  /// The maximum number of runs that are offered for completion.
  private static let numberLimit = 100

  /// The numbers of the last runs as text, newest first; none if the ledger cannot be read.
  package static func numbers(machine: Machine) -> [String] {
    let folder = LedgerFolder(machine: machine, isReadOnly: true)
    let runs = try? folder.openDatabase().read { try $0.runs(of: nil) }
    return (runs ?? []).prefix(numberLimit).map { String($0.id.rawValue) }
  }

  /// The subjects that are no names of syncs.
  package static let groups: Set<String> = ["import", "edit"]

  /// The runs, newest first.
  ///
  /// - Parameter subject: The name of a sync, `import` for imports or `edit` for edits; nil for all
  ///   runs.
  /// - Returns: The runs.
  /// - Throws: Errors of the ledger.
  package func runs(of subject: String?) async throws -> [PastRun] {
    let runs = try await ledger.runs(of: subject)
    guard runs.isEmpty else { return runs }
    switch subject {
    case "import": return try await ledger.runs(of: nil).filter { $0.binding?.isImport == true }
    case "edit": return try await ledger.runs(of: SyncBinding.edits.name)
    default: return []
    }
  }

  /// The maximum number of edits whose titles are looked up.
  private static let titleLimit = 200

  /// The number of changed items above which the title of an edit is not looked up.
  private static let itemLimit = 10

  /// The titles of the items of edits that changed one item, by run.
  ///
  /// - Throws: Errors of the ledger.
  package func titles(of runs: [PastRun]) async throws -> [RunID: String] {
    var titles: [RunID: String] = [:]
    let edits = runs.lazy.filter { run in
      // A restoration is an edit, too, and may have thousands of items.
      run.isEdit && run.summary.downloaded + run.summary.deletedLocally <= Self.itemLimit
    }
    for run in edits.prefix(Self.titleLimit) {
      let found = Set(try await ledger.journal(of: run.id).map(\.title))
      if found.count == 1 { titles[run.id] = found.first }
    }
    return titles
  }

  /// The changes of the run with a number.
  ///
  /// - Throws: `EpactError` if there is no such run; errors of the ledger.
  package func changes(ofRun number: Int64) async throws -> Changes {
    let run = try await ledger.pastRun(RunID(number))
    return Changes(
      run: run, items: try await ledger.journal(of: run.id),
      properties: try await ledger.propertyJournal(of: run.id))
  }
}
