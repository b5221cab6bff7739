// SPDX-License-Identifier: Apache-2.0

/// A case-insensitive but case-preserving name (RFC 5545 §2.1) of one vocabulary.
///
/// `ComponentName`, `PropertyName` and `ParameterName` are the three in use. Names that the
/// vocabulary knows compare by number; all others (`X-` and IANA names) by their letters.
public struct Name<Vocabulary: NameVocabulary>: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The name as it is spelled in the file.
  public let rawName: String
  /// The number of the name in its vocabulary, or nil if it is not one of them.
  package let index: Int?

  /// Creates a name from its spelling.
  public init(_ rawName: String) {
    self.rawName = rawName
    self.index = Vocabulary.table.index(of: rawName.utf8.span)
  }

  /// Creates a name from its spelling.
  public init(stringLiteral value: StaticString) {
    self.init(value.description)
  }

  /// Creates a name from the bytes of its spelling; those of known names need no new text.
  init(spelling: Span<UInt8>) {
    index = Vocabulary.table.index(of: spelling)
    if let index, Vocabulary.table.isCanonical(spelling, at: index) {
      rawName = Vocabulary.table.names[index]
    } else {
      rawName = String(copying: spelling)
    }
  }

  /// The name in upper case.
  public var canonicalName: String {
    index.map { Vocabulary.table.names[$0] } ?? rawName.asciiUppercased
  }

  /// The name as it is spelled in the file.
  public var description: String { rawName }

  /// Whether two names are the same but for the case of their ASCII letters.
  public static func == (left: Name, right: Name) -> Bool {
    switch (left.index, right.index) {
    case (let left?, let right?): left == right
    case (nil, nil): left.rawName.isEqualIgnoringASCIICase(to: right.rawName)
    default: false
    }
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalName)
  }
}

/// The names of one kind that the RFCs define.
public protocol NameVocabulary: Sendable {
  /// The table of the names.
  static var table: NameTable { get }
}

/// The name of a component (RFC 5545 §3.6).
public typealias ComponentName = Name<ComponentVocabulary>

/// The name of a property (RFC 5545 §3.7, §3.8).
public typealias PropertyName = Name<PropertyVocabulary>

/// The name of a property parameter (RFC 5545 §3.2).
public typealias ParameterName = Name<ParameterVocabulary>
