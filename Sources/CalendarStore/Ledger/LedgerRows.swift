// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import FoundationEssentials

// Conversions between the rows of the ledger and the engine's types. Every column is decoded with
// an error instead of a trap, because a file that passes the checks may still have been edited by
// hand.

extension LedgerRow {
  /// Decodes an href that may be null.
  fileprivate func href(_ column: String) throws -> Href? {
    try bytes(column).map { Href(String(decoding: $0, as: UTF8.self)) }
  }
}

extension Sequence<UInt8> {
  /// The bytes in stored form.
  var blob: [UInt8] { [UInt8](self) }
}

extension ItemObstacle {
  /// Decodes an obstacle.
  init(stored text: String) throws {
    self = try JSONDecoder().decode(ItemObstacle.self, from: Data(text.utf8))
  }

  /// The obstacle as JSON.
  var stored: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

extension UID {
  /// The UID in stored form.
  var blob: [UInt8] { rawValue.utf8.blob }
}

extension LedgerEntry {
  /// The stored value for a version that was sent to the remote and not read since.
  private static let unseen: Int64 = 1
  /// The stored value for a version that was sent to the remote and read since.
  private static let sent: Int64 = 2

  /// The stored value for the origin of the remote version.
  var origin: Int64 { isUnseen ? Self.unseen : wasSent ? Self.sent : 0 }

  init(_ row: LedgerRow) throws {
    self.init(
      uid: UID(try row.identifier("uid")), localName: try row.identifier("localName"),
      localBase: Fingerprint(try row.value("localBase")), href: Href(try row.identifier("href")),
      etag: try row.optional("etag").map(EntityTag.init),
      remoteBase: Fingerprint(try row.value("remoteBase")), base: try row.bytes("base"),
      remoteContent: try row.bytes("remoteContent"),
      isUnseen: try row.value("origin") == Self.unseen,
      wasSent: try row.value("origin") == Self.sent,
      // A ledger of an earlier schema can be read without the migration.
      isOwn: row.hasColumn("isOwn") ? try row.value("isOwn") : nil)
  }
}

extension LedgerSummary {
  /// The columns of a place, which are read by index for speed.
  static let columns = "uid, localName, localBase, href, etag, base IS NOT NULL"

  init(_ row: LedgerRow) throws {
    self.init(
      uid: UID(try row.text(0)), localName: try row.text(1),
      localBase: Fingerprint(try row.value(2)),
      href: Href(try row.text(3)),
      etag: try row.optional(4).map(EntityTag.init),
      hasBase: try row.value(5))
  }
}

extension StoredConflict {
  init(_ row: LedgerRow) throws {
    self.init(
      uid: UID(try row.identifier("uid")), title: try row.value("title"),
      base: try row.bytes("base"), remoteBase: try row.bytes("remoteBase"),
      local: try row.bytes("local"), remote: try row.bytes("remote"), href: try row.href("href"),
      etag: try row.optional("etag").map(EntityTag.init),
      isTakenBack: try row.value("isTakenBack"))
  }
}

extension AppendRecord {
  init(_ row: LedgerRow) throws {
    self.init(
      uid: UID(try row.identifier("uid")), href: Href(try row.identifier("href")),
      etag: try row.optional("etag").map(EntityTag.init),
      fingerprint: Fingerprint(try row.value("fingerprint")))
  }
}

extension Intent {
  init(_ row: LedgerRow) throws {
    let name: String = try row.value("action")
    guard let action = Action(rawValue: name) else {
      throw LedgerFault.corrupt("the journal holds the unknown action '\(name)'")
    }
    self.init(
      uid: UID(try row.identifier("uid")), action: action, content: try row.bytes("content"),
      fingerprint: try row.optional("fingerprint").map(Fingerprint.init),
      before: try row.bytes("before"), mergedWith: try row.bytes("mergedWith"),
      other: try row.bytes("other"), href: try row.href("href"),
      etag: try row.optional("etag").map(EntityTag.init))
  }
}

extension AccessGrant {
  init(_ row: LedgerRow) throws {
    let name: String = try row.value("tier")
    guard let tier = AccessTier(rawValue: name) else {
      throw LedgerFault.corrupt("a grant holds the unknown tier '\(name)'")
    }
    self.init(
      remote: RemoteIdentity(
        kind: try row.value("kind"), location: try row.value("location"),
        user: try row.value("user")),
      tier: tier, purpose: try row.value("purpose"),
      grantedAt: Instant(secondsSinceEpoch: try row.value("grantedAt")),
      grantedBy: try row.value("grantedBy"))
  }
}
