// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLConnection: LedgerConnection {
  func statement(_ sql: String) throws -> any LedgerStatement { prepared(sql) }

  /// A table that was found once is not looked up again: no version removes one.
  func hasTable(_ name: String) throws -> Bool {
    if knownTables.contains(name) { return true }
    let isFound = try has(
      "SELECT 1 FROM pg_tables WHERE schemaname = 'epact' AND tablename = ?", [name.lowercased()])
    if isFound { knownTables.insert(name) }
    return isFound
  }

  /// Takes IDs from the table's sequence until they follow the greatest one.
  ///
  /// The sequence is that of all tenants, and is never set back or forth: another one could be given an ID
  /// twice.
  func reserveIDs(of table: String) throws {
    try execute(
      """
      SELECT count(nextval(pg_get_serial_sequence('\(PostgreSQLSchema.name).\(table)', 'id')))
      FROM generate_series(
        nextval(pg_get_serial_sequence('\(PostgreSQLSchema.name).\(table)', 'id')),
        (SELECT coalesce(max(id), 0) FROM \(table)))
      """)
  }

  /// None: the server checks references at each change, and pages by their checksums.
  func faults(limit: Int) throws -> [String] { [] }

  func snapshot(of sync: Int64, in range: Range<Int>) throws -> [UInt8] {
    let content = try first(
      """
      SELECT substr(content, CAST(? AS INTEGER), CAST(? AS INTEGER)) FROM snapshot WHERE sync = ?
      """, [range.lowerBound + 1, range.count, sync]
    ) { try $0.value(0) as [UInt8] }
    guard let content, content.count == range.count else {
      throw LedgerFault.corrupt("a snapshot is shorter than its length")
    }
    return content
  }

  /// An equal snapshot is not written again.
  func store(snapshot parts: [[UInt8]], of sync: Int64) throws {
    try execute(
      """
      INSERT INTO snapshot (sync, content) VALUES (?, ?)
      ON CONFLICT (sync) DO UPDATE SET content = excluded.content
      WHERE snapshot.content <> excluded.content
      """, [sync, Array(parts.joined())])
  }
}
