// SPDX-License-Identifier: Apache-2.0

/// The TLS identities: the trusted servers and the client certificate.
///
/// It never weakens TLS: a certificate is always verified against an authority, the system's or
/// that of `caFile`. A pin is an additional condition.
public struct NetworkIdentity: Hashable, Sendable {
  /// A client certificate.
  public struct Client: Hashable, Sendable {
    /// The path of the certificate, in PEM format.
    public let certificateFile: String
    /// The path of the unencrypted private key, in PEM format; one file may contain both.
    public let keyFile: String

    /// Creates a client certificate.
    public init(certificateFile: String, keyFile: String) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  /// The path of a PEM file with certificates that are trusted instead of the system's.
  public var caFile: String?
  /// The public keys of which the server must use one; empty for any.
  public var pins: [PublicKeyPin]
  /// The client certificate.
  public var client: Client?

  /// Creates an identity; without arguments, connections use the system defaults.
  public init(caFile: String? = nil, pins: [PublicKeyPin] = [], client: Client? = nil) {
    self.caFile = caFile
    self.pins = pins
    self.client = client
  }

  /// The pins in libcurl's format.
  var pinText: String { pins.map(\.description).joined(separator: ";") }
}
