// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore

/// The certificate and key files of a remote.
///
/// They are checked before a connection, because the error of the TLS library names neither the
/// setting nor the reason.
struct IdentityFiles {
  /// The maximum size of a key file, in bytes.
  private static let sizeLimit = 1 << 20

  private let identity: NetworkIdentity

  init(_ identity: NetworkIdentity) {
    self.identity = identity
  }

  /// Checks that all files exist, and that the private key has no pass phrase.
  ///
  /// - Throws: `EpactError`.
  func expectUsable() throws {
    let files = [
      ("ca-file", identity.caFile), ("client-certificate", identity.client?.certificateFile),
      ("client-key", identity.client?.keyFile),
    ]
    for case (let setting, let path?) in files where FileMode(path) == nil {
      throw EpactError(
        .configuration, "\(setting) names \(path), which is not there", subject: path)
    }
    guard let key = identity.client?.keyFile else { return }
    let bytes = try FileSource.file(key).bytesIfPresent(
      limit: Self.sizeLimit, "\(key): expected a private key, found more than 1 MiB")
    let text = String(decoding: bytes ?? [], as: UTF8.self)
    // RFC 7468 §11, and the older form of OpenSSL.
    guard !text.contains("BEGIN ENCRYPTED PRIVATE KEY"), !text.contains("Proc-Type: 4,ENCRYPTED")
    else {
      throw EpactError(
        .configuration,
        "the private key \(key) is encrypted; expected one without a pass phrase, which only you can "
          + "read",
        subject: key)
    }
  }
}
