// SPDX-License-Identifier: Apache-2.0

/// How both ends of a TLS connection are known: which server is trusted, and which certificate is shown
/// to it.
///
/// None of it makes TLS trust more than it would: a certificate is always checked against an authority,
/// the system's or the one of `caFile`, and a pin comes on top of that.
public struct NetworkIdentity: Hashable, Sendable {
  /// The certificate that is shown to a server that asks for one.
  public struct Client: Hashable, Sendable {
    /// The path of the certificate, in PEM form.
    public let certificateFile: String
    /// The path of its private key, in PEM form and not encrypted; the same file may hold both.
    public let keyFile: String

    /// Creates a client's certificate.
    public init(certificateFile: String, keyFile: String) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  /// The path of a file of certificates in PEM form that are trusted instead of the system's.
  public var caFile: String?
  /// The public keys of which the server must have one; empty for any.
  public var pins: [PublicKeyPin]
  /// The certificate of whoever asks.
  public var client: Client?

  /// Creates an identity; without arguments it is that of an ordinary connection.
  public init(caFile: String? = nil, pins: [PublicKeyPin] = [], client: Client? = nil) {
    self.caFile = caFile
    self.pins = pins
    self.client = client
  }

  /// The pins as libcurl reads them.
  var pinText: String { pins.map(\.description).joined(separator: ";") }
}
