// SPDX-License-Identifier: Apache-2.0

extension KnownNames {
  /// The names in a ledger, which is opened for each lookup.
  ///
  /// - Parameter path: The path of the database.
  public init(ledger path: String) {
    self.init(opening: { () throws(StoreError) in try LedgerDatabase(reading: path) })
  }

  /// The names in a ledger, which is opened for each lookup.
  ///
  /// - Parameter open: Opens the ledger for reading.
  package init(opening open: @escaping @Sendable () throws(StoreError) -> LedgerDatabase) {
    self.init(
      { uids, location in try open().read { try $0.names(of: uids, in: location) } },
      openStored: { DatabaseCalendar($0, for: $1, opening: open) })
  }
}

extension LedgerDatabase {
  /// The names by which the syncs of this ledger know items.
  public var knownNames: KnownNames {
    KnownNames(
      { [self] uids, location in try read { try $0.names(of: uids, in: location) } },
      openStored: { [self] name, purpose in
        DatabaseCalendar(name, for: purpose) { () throws(StoreError) in self }
      })
  }
}
