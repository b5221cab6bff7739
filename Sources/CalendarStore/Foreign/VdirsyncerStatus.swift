// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
import GRDB

/// The items on which both sides of a collection last agreed according to vdirsyncer.
///
/// Since version 0.18, vdirsyncer keeps them in an SQLite database for each collection,
/// `STATUS_PATH/PAIR/COLLECTION.items`. The database is only read.
package struct VdirsyncerStatus: Sendable {
  /// An item on one side.
  package struct Place: Hashable, Sendable {
    /// Its name: a file name in a folder, a path on a server.
    package let href: Href
    /// The hash of its content without the properties that servers alter.
    package let hash: String
    /// Its tag.
    package let etag: EntityTag
  }

  /// An item that both sides hold.
  package struct Row: Hashable, Sendable {
    /// The UID; a hash of the content if the item has no UID.
    package let ident: String
    /// The item on the side `a`.
    package let first: Place
    /// The item on the side `b`.
    package let second: Place
  }

  /// The items; those that are missing on a side are left out.
  package let rows: [Row]

  /// Reads a database.
  ///
  /// - Parameter path: The absolute path; it must exist.
  /// - Throws: `StoreError` if the file is not such a database, or a writer was interrupted.
  package init(path: String) throws(StoreError) {
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      rows = try queue.read { db in
        try GRDB.Row.fetchAll(
          db,
          sql: """
            SELECT ident, href_a, hash_a, etag_a, href_b, hash_b, etag_b FROM status ORDER BY ident
            """
        ).compactMap { row in
          guard let ident = row[0] as String?, let first = Self.place(row, 1),
            let second = Self.place(row, 4)
          else { return nil }
          return Row(ident: ident, first: first, second: second)
        }
      }
    } catch {
      throw StoreError(
        code: .corrupt, path: path, message: "cannot read the status of vdirsyncer: \(error)")
    }
  }

  private static func place(_ row: GRDB.Row, _ index: Int) -> Place? {
    guard let href = row[index] as String?, let hash = row[index + 1] as String?,
      let etag = row[index + 2] as String?
    else { return nil }
    return Place(href: Href(href), hash: hash, etag: EntityTag(etag))
  }
}
