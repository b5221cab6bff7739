// SPDX-License-Identifier: Apache-2.0

/// An error that prevented a time zone from being loaded.
public struct ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error, for programs.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case invalidName, unknownZone, unreadableFile, malformedFile
    }

    private let kind: Kind

    /// The name cannot be the name of any zone.
    public static let invalidName = Code(kind: .invalidName)
    /// No folder of the database has a zone of that name.
    public static let unknownZone = Code(kind: .unknownZone)
    /// The file exists but could not be read.
    public static let unreadableFile = Code(kind: .unreadableFile)
    /// The file is not a valid TZif file (RFC 9636).
    public static let malformedFile = Code(kind: .malformedFile)

    /// The name of the code.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// The requested zone.
  public let zone: String
  /// The message without the zone.
  public let message: String

  /// Creates an error.
  package init(_ code: Code, zone: String, _ message: String) {
    self.code = code
    self.zone = zone
    self.message = message
  }

  /// The message with the zone.
  public var description: String { "time zone \(quoted(zone)): \(message)" }
}
