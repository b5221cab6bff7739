// SPDX-License-Identifier: Apache-2.0

/// How much the parser takes from a file before it gives up with a `SyntaxError`.
///
/// The RFC sets no limits; these keep hostile files from exhausting the machine. Every one is far
/// above what real calendars hold.
public struct ParserLimits: Hashable, Sendable {
  /// The most bytes of one content line with its folds.
  ///
  /// Default: 32 MiB, for inline attachments.
  public var lineLength = 32 << 20
  /// The most bytes of one component inside a calendar.
  ///
  /// Default: 64 MiB.
  public var componentSize = 64 << 20
  /// How deep components may be nested.
  ///
  /// Default: 16.
  public var nesting = 16
  /// The most properties of one component inside a calendar, with those of all that is nested in it.
  ///
  /// Default: 1,000,000.
  public var propertiesPerComponent = 1_000_000
  /// The most parameters of all properties of one component inside a calendar, with those of all that
  /// is nested in it.
  ///
  /// Default: 1,000,000.
  public var parametersPerComponent = 1_000_000

  /// The default limits.
  public init() {}
}
