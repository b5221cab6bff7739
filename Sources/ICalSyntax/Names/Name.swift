// SPDX-License-Identifier: Apache-2.0

/// A case-insensitive but case-preserving name (RFC 5545 §2.1) of one vocabulary.
///
/// `ComponentName`, `PropertyName` and `ParameterName` are its three uses. Names in the vocabulary
/// are compared by index; all others (`X-` and IANA names) by their text.
public struct Name<Vocabulary: NameVocabulary>: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The name as spelled in the file.
  public let rawName: String
  /// The index of the name in its vocabulary, or `unknown`.
  private let number: UInt16

  private static var unknown: UInt16 { .max }

  /// The index of the name in its vocabulary, or nil if it is unknown.
  package var index: Int? { number == Self.unknown ? nil : Int(number) }

  /// Creates a name from its spelling; control characters, which are invalid in lines, are dropped.
  public init(_ rawName: String) {
    self.init(stringLiteral: rawName)
  }

  /// Creates a name from its spelling; control characters, which are invalid in lines, are dropped.
  public init(stringLiteral value: String) {
    let bytes = value.utf8.span
    // Known names are found first: most names are literals of them, and these have no controls.
    if let index = Vocabulary.table.index(of: bytes) {
      rawName = value
      number = UInt16(index)
      return
    }
    guard bytes.isPrintable(from: 0, to: bytes.count) else {
      let scalars = value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
      rawName = String(String.UnicodeScalarView(scalars))
      number = Vocabulary.table.index(of: rawName.utf8.span).map { UInt16($0) } ?? Self.unknown
      return
    }
    rawName = value
    number = Self.unknown
  }

  /// Creates a name from its index in the vocabulary.
  init(index: Int) {
    rawName = Vocabulary.table.names[index]
    number = UInt16(index)
  }

  /// Creates a name from the bytes of its spelling, without allocating a text for known names.
  init(spelling: Span<UInt8>) {
    guard let index = Vocabulary.table.index(of: spelling) else {
      self.rawName = String(copying: spelling)
      self.number = Self.unknown
      return
    }
    let isCanonical = Vocabulary.table.isCanonical(spelling, at: index)
    rawName = isCanonical ? Vocabulary.table.names[index] : String(copying: spelling)
    number = UInt16(index)
  }

  /// Whether the name is known and spelled in upper case.
  var isCanonical: Bool { index.map { Vocabulary.table.names[$0] == rawName } ?? false }

  /// The name in upper case.
  public var canonicalName: String {
    index.map { Vocabulary.table.names[$0] } ?? rawName.asciiUppercased
  }

  /// The name as spelled in the file.
  public var description: String { rawName }

  /// Whether two names are equal, ignoring the case of ASCII letters.
  public static func == (left: Name, right: Name) -> Bool {
    guard left.number == right.number else { return false }
    return left.number != unknown || left.rawName.isEqualIgnoringASCIICase(to: right.rawName)
  }

  /// Hashes the values that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    if number == Self.unknown { hasher.combine(rawName.asciiUppercased) }
  }
}

/// A set of names of one kind that the RFCs define.
public protocol NameVocabulary: Sendable {
  /// The lookup table of the names.
  static var table: NameTable { get }
}

/// The name of a component (RFC 5545 §3.6).
public typealias ComponentName = Name<ComponentVocabulary>

/// The name of a property (RFC 5545 §3.7, §3.8).
public typealias PropertyName = Name<PropertyVocabulary>

/// The name of a property parameter (RFC 5545 §3.2).
public typealias ParameterName = Name<ParameterVocabulary>

/// The indices of the names that define the structure of a stream (RFC 5545 §3.4, §3.6).
struct StructureNames: Sendable {
  static let shared = StructureNames()

  /// The indices of BEGIN and END in the property vocabulary.
  let begin: Int
  let end: Int
  /// The index of VCALENDAR in the component vocabulary.
  let calendar: Int
  let properties: NameTable
  let components: NameTable
  /// The components that are directly in a calendar, one bit for each index.
  private let outermost: UInt64

  private init() {
    begin = PropertyName("BEGIN").index ?? -1
    end = PropertyName("END").index ?? -1
    calendar = ComponentName.calendar.index ?? -1
    properties = PropertyVocabulary.table
    components = ComponentVocabulary.table
    let outermost: [ComponentName] = [
      .event, .reminder, .journal, .freeBusy, .timeZone, .availability,
    ]
    self.outermost = outermost.reduce(0) { $0 | 1 << UInt64($1.index ?? 63) }
  }

  /// Whether a component must be directly in a calendar.
  ///
  /// If it begins inside another component, the END line of that component is missing.
  func isOutermost(_ component: Int?) -> Bool {
    guard let component else { return false }
    return outermost & 1 << UInt64(truncatingIfNeeded: component) != 0
  }
}
