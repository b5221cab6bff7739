// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
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

  /// Checks that all files exist, that the file of the private key has one, and that it has no pass
  /// phrase.
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
    guard let client = identity.client else { return }
    let key = client.keyFile
    let bytes = try FileSource.file(key).bytesIfPresent(
      limit: Self.sizeLimit, "\(key): expected a private key, found more than 1 MiB")
    let text = String(decoding: bytes ?? [], as: UTF8.self)
    // A file in another form is left to the TLS library.
    guard text.contains("PRIVATE KEY") || !text.contains("BEGIN CERTIFICATE") else {
      throw EpactError(
        .configuration,
        "expected a private key in \(key), found certificates only; client-key names the file of the "
          + "key",
        subject: key)
    }
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
