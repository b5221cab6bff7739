// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Testing

/// A file under `Fixtures/`, with its bytes.
public struct Fixture: Hashable, Sendable, CustomTestStringConvertible {
  /// The folders whose files are calendars, each read by every test of the whole corpus.
  public static let calendarFolders = [
    "rfc5545", "valid", "real-world", "timezones", "encodings", "invalid", "quirks", "tour",
  ]

  /// The folder that holds all fixtures.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// The path below `Fixtures/`, as `invalid/date-month-13.ics`.
  public let path: String
  /// What the file holds.
  public let bytes: [UInt8]

  /// The path, which names a test case.
  public var testDescription: String { path }

  /// Reads one file.
  public init(_ path: String) throws {
    self.path = path
    bytes = Array(try Data(contentsOf: Self.root.appending(path: path)))
  }

  /// Reads the calendars of one folder, in order of name.
  public static func calendars(in folder: String) throws -> [Fixture] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".ics") }.sorted()
      .map { try Fixture("\(folder)/\($0)") }
  }

  /// Reads every calendar of the corpus.
  public static func allCalendars() throws -> [Fixture] {
    try calendarFolders.flatMap { try calendars(in: $0) }
  }
}
