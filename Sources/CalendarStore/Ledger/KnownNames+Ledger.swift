// SPDX-License-Identifier: Apache-2.0

extension KnownNames {
  /// The names in a ledger, which is opened for each lookup.
  ///
  /// - Parameter path: The path of the database.
  public init(ledger path: String) {
    self.init { uids, location in
      let ledger = try LedgerDatabase(reading: path)
      return try ledger.read { try $0.names(of: uids, in: location) }
    }
  }
}

extension LedgerDatabase {
  /// The names by which the syncs of this ledger know items.
  public var knownNames: KnownNames {
    KnownNames { [self] uids, location in
      try read { try $0.names(of: uids, in: location) }
    }
  }
}
