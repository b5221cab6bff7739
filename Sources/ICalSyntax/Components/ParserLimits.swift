// SPDX-License-Identifier: Apache-2.0

/// Limits of the parser, which throws a `SyntaxError` if one is exceeded.
///
/// The RFC sets no limits; these prevent hostile files from exhausting memory. All are far above
/// the sizes in real calendars.
public struct ParserLimits: Hashable, Sendable {
  /// The maximum number of bytes in a content line, including folds.
  ///
  /// Default: 32 MiB, for inline attachments.
  public var lineLength = 32 << 20
  /// The maximum number of bytes in a component inside a calendar.
  ///
  /// Default: 64 MiB.
  public var componentSize = 64 << 20
  /// The maximum nesting depth of components.
  ///
  /// Default: 16.
  public var nesting = 16
  /// The maximum number of properties in a component of a calendar, including nested components.
  ///
  /// Default: 1,000,000.
  public var propertiesPerComponent = 1_000_000
  /// The maximum number of parameters in a component of a calendar, including nested components.
  ///
  /// Default: 1,000,000.
  public var parametersPerComponent = 1_000_000

  /// Creates the default limits.
  public init() {}
}
