// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore

/// A secret key for the identifiers of projected items.
///
/// A reader without the key cannot test whether an identifier belongs to a known UID.
struct ProjectionKey: Hashable, Sendable {
  /// The block size of SHA-256 in bytes (FIPS 180-4 §1).
  private static let blockSize = 64

  /// The bytes, at most 64.
  let bytes: [UInt8]

  /// Takes a stored key.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The message authentication code of texts by HMAC-SHA-256 (RFC 2104 §2).
  ///
  /// A NUL separates the texts, which may not contain it themselves.
  func code(of texts: String...) -> [UInt8] {
    let key = bytes + [UInt8](repeating: 0, count: max(0, Self.blockSize - bytes.count))
    var inner = SHA256()
    inner.update(key.map { $0 ^ 0x36 })
    inner.update(Array(texts.joined(separator: "\0").utf8))
    var outer = SHA256()
    outer.update(key.map { $0 ^ 0x5C })
    outer.update(inner.finalize().bytes)
    return outer.finalize().bytes
  }

  /// The UID of the projection of an item.
  ///
  /// - Parameters:
  ///   - uid: The UID of the item.
  ///   - name: The name of the projection; the UIDs of two projections have nothing in common.
  /// - Returns: The UID.
  func uid(of uid: UID, in name: String) -> UID {
    let digits = code(of: name, uid.rawValue).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return UID(digits.joined() + Self.suffix(of: name))
  }

  /// The end of the UIDs of a projection, which tells them from others without the key.
  static func suffix(of name: String) -> String {
    let digest = SHA256.digest(of: Array("projection \(name)".utf8)).description
    return "-\(digest.prefix(8))@copy.epact"
  }
}

extension ProjectionKey {
  /// The key in a ledger, which gets one if it has none.
  ///
  /// - Parameters:
  ///   - store: The ledger.
  ///   - machine: The source of a new key.
  ///   - isStored: Whether a new key is stored; a dry run stores nothing.
  /// - Throws: An error of the ledger.
  init(in store: any ProjectionKeyStore, _ machine: Machine, isStored: Bool) async throws {
    var stored = try await store.projectionKey()
    if stored == nil {
      let new = machine.makeSecret()
      if isStored { try await store.add(projectionKey: new) }
      // Another process may have stored one meanwhile.
      stored = try await store.projectionKey() ?? new
    }
    self.init(stored ?? [])
  }
}

extension Configuration {
  /// The ends of the UIDs of the copies that the mirrors make.
  package var copySuffixes: [String] { mirrors.map { ProjectionKey.suffix(of: $0.name) } }
}

extension CalendarLibrary {
  /// Whether an item of a calendar is a copy that one of its mirrors made.
  func isCopy(_ uid: UID, in calendar: CalendarInfo) -> Bool {
    mirror(of: uid, in: calendar) != nil
  }

  /// The mirror that made an item of a calendar; nil for other items.
  package func mirror(of uid: UID, in calendar: CalendarInfo) -> SyncSettings? {
    guard let configuration = try? configuration() else { return nil }
    return configuration.mirrors.first { mirror in
      mirror.calendar == calendar.name
        && uid.rawValue.hasSuffix(ProjectionKey.suffix(of: mirror.name))
    }
  }
}
