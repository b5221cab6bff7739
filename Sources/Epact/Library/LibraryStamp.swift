// SPDX-License-Identifier: Apache-2.0

/// The state of the calendars of a library, for finding out whether something changed.
///
/// ```swift
/// let stamp = try library.stamp()   // before the items are read
/// // … and later:
/// if try library.stamp() != stamp { print("something changed") }
/// ```
public struct LibraryStamp: Hashable, Sendable {
  private let configuration: Int
  private let calendars: [CalendarInfo]
  /// The generations of the calendars' items; nil for a calendar that cannot be read.
  private let generations: [Int?]

  fileprivate init(of library: CalendarLibrary, _ names: [String]?) throws {
    calendars = try library.calendars().filter { names?.contains($0.name) ?? true }
    configuration = library.configurationGeneration
    generations = calendars.map { calendar in
      try? library.reading(calendar) { cache in
        try cache.note(library.machine.normalForm, at: library.machine.now())
        return cache.generation
      }
    }
  }
}

extension CalendarLibrary {
  /// The state of the configuration, the calendars and their items.
  ///
  /// Only the files that changed since the last call are read. A later stamp of the same library and
  /// names is equal only if nothing changed; it may differ without a change.
  ///
  /// - Parameter names: The names of the calendars whose changes count; nil for all.
  /// - Returns: The stamp.
  /// - Throws: `LibraryError` if the configuration is invalid.
  public func stamp(of names: [String]? = nil) throws -> LibraryStamp {
    try LibraryStamp(of: self, names)
  }
}
