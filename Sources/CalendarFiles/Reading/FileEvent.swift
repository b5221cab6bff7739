// SPDX-License-Identifier: Apache-2.0

public import ICUServices
public import ICalSyntax

/// An event while files are read: a problem, or a remark about a conversion.
public enum FileEvent: Hashable, Sendable {
  /// The file or the folder cannot be read.
  case unreadable(path: String, reason: String)
  /// A line of a list of files, or what a NUL ends in it, is no path.
  case invalidPath(list: String, line: Int, reason: String)
  /// The file contains no calendar.
  case notCalendar(path: String)
  /// The file is converted from another charset.
  case decoded(path: String, charset: FileCharset)
  /// The file has a problem.
  case diagnostic(path: String, Diagnostic)
  /// The file has this many more diagnostics, which are not reported.
  case moreDiagnostics(path: String, count: Int)
  /// The output format cannot represent this many content lines of the file.
  case omittedLines(path: String, count: Int)
  /// The archive has this many entries that are not calendars, and are not read.
  case otherEntries(path: String, count: Int)

  /// Whether the event means that contents of the file are missing.
  public var isFailure: Bool {
    switch self {
    case .unreadable, .invalidPath, .notCalendar, .omittedLines: true
    case .diagnostic(_, let diagnostic): diagnostic.losesContents
    case .decoded, .moreDiagnostics, .otherEntries: false
    }
  }
}

/// The charset from which a file is converted to UTF-8.
public struct FileCharset: Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `windows-1252`.
  public let name: String
  /// The evidence for the charset; nil if the caller specified it.
  public let evidence: Charset.Evidence?

  /// The name and the evidence as text.
  public var description: String {
    switch evidence {
    case nil, .validUTF8?: name
    case .byteOrderMark?: "\(name) (byte order mark)"
    case .declared?: "\(name) (declared in the file)"
    case .detected(let confidence)?: "\(name) (detected, confidence \(confidence) %)"
    case .fallback?: "\(name) (fallback)"
    }
  }
}

/// How much of the contents of files could be read.
public enum FileOutcome: Hashable, Sendable {
  /// No file contains a calendar.
  case nothing
  /// Some files or parts of files are missing.
  case partial
  /// All files were read completely.
  case complete
}

/// Limits the diagnostics that are reported for a file; a check of the file reports all.
package struct DiagnosticBudget: Hashable, Sendable {
  /// The maximum number of diagnostics of a file, unless a caller wants fewer.
  package static let standardLimit = 200
  private let limit: Int
  private var count = 0

  package init(limit: Int = standardLimit) {
    self.limit = limit
  }

  /// Counts a diagnostic; returns whether it is to be reported.
  package mutating func admits() -> Bool {
    count += 1
    return count <= limit
  }

  /// The event about the diagnostics that were not reported; nil if there are none.
  package func rest(path: String) -> FileEvent? {
    count > limit ? .moreDiagnostics(path: path, count: count - limit) : nil
  }
}

extension Diagnostic {
  /// Whether contents of the file are missing, because the structure is broken or a limit is
  /// reached.
  package var losesContents: Bool {
    guard severity == .error else { return false }
    return isStructural || code == .malformedJSON || code.rawValue.hasPrefix("limit.")
  }
}
