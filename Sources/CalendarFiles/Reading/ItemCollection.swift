// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import ICalSyntax

/// The items of files in memory, by UID.
///
/// The parts of a UID that are in several files are joined where possible.
public struct ItemCollection: Sendable {
  /// A problem of a component, with the path of its file.
  public struct Fault: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The problem.
    public let diagnostic: Diagnostic
  }

  /// The items by UID.
  public private(set) var items: [UID: CalendarItem] = [:]
  /// The components that are not part of a valid item.
  public private(set) var faults: [Fault] = []
  /// Notes on items that were changed to be valid, or that share a UID.
  public private(set) var notes: [Fault] = []
  /// The properties of the calendar if exactly one calendar was read, otherwise nil.
  public var calendar: Component? { calendarCount == 1 ? lastCalendar : nil }
  private var lastCalendar: Component?
  private var calendarCount = 0

  /// Creates an empty collection.
  package init() {}

  /// Reads a file, or all files of a folder.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - options: The choices for reading.
  /// - Throws: `FileError` if a file cannot be read at all; `CancellationError`.
  public init(contentsOf path: String, options: ReadingOptions = ReadingOptions()) throws {
    var unreadable: FileError?
    let sources = FileSource.find([path]) { event in
      guard case .unreadable(let path, let reason) = event else { return }
      unreadable = FileError(.unreadable, path, reason)
    }
    if let unreadable { throw unreadable }
    for source in sources {
      try source.reporting {
        var reader = try CalendarReader(source, options: options)
        var elements: [ReaderElement] = []
        while let element = try reader.next() { elements.append(element) }
        guard add(elements, of: source.label) else {
          throw FileError(.noCalendar, source.label, "expected a calendar, found none")
        }
      }
    }
  }

  /// Reads two files or folders at the same time.
  ///
  /// - Parameters:
  ///   - first: The first path, or `-` for standard input.
  ///   - second: The second path.
  ///   - options: The choices for reading.
  /// - Returns: The items of both.
  /// - Throws: `FileError` if a file cannot be read at all; `CancellationError`.
  public static func pair(
    _ first: String, _ second: String, options: ReadingOptions = ReadingOptions()
  ) async throws -> (ItemCollection, ItemCollection) {
    guard first != "-" || second != "-" else {
      // Standard input can be read only once, and the second reader has to find it at its end.
      let before = try ItemCollection(contentsOf: first, options: options)
      return (before, try ItemCollection(contentsOf: second, options: options))
    }
    async let before = ItemCollection(contentsOf: first, options: options)
    let after = Result { try ItemCollection(contentsOf: second, options: options) }
    // An error of the first one is reported before that of the second one.
    return (try await before, try after.get())
  }

  /// Adds the elements of a file; returns whether they contain a calendar.
  @discardableResult
  package mutating func add(_ elements: [ReaderElement], of path: String) -> Bool {
    var grouping = ItemGrouping(window: .max)
    var isCalendar = false
    for element in elements {
      switch element {
      case .calendarBegan:
        isCalendar = true
        calendarCount += 1
        lastCalendar = Component(.calendar)
      case .component: isCalendar = true
      case .property(let property): lastCalendar?.properties.append(property)
      case .calendarEnded, .diagnostic: break
      }
      grouping.take(element)
    }
    grouping.finish()
    while let element = grouping.next() {
      switch element {
      case .item(let item): add(item, of: path)
      case .rejected(let diagnostic): faults.append(Fault(path: path, diagnostic: diagnostic))
      case .diagnostic(let diagnostic): notes.append(Fault(path: path, diagnostic: diagnostic))
      }
    }
    return isCalendar
  }

  /// Adds an item; an item with the same UID is from an earlier file.
  private mutating func add(_ item: CalendarItem, of path: String) {
    switch ItemUpdate(of: items[item.uid], by: item) {
    case .added(let new): items[new.uid] = new
    case .updated(let new):
      items[new.uid] = new
      if item.main != nil { note(item, path, "which replaces that of an earlier file") }
    case .unchanged: break
    case .older: note(item, path, "which is older than that of an earlier file and is left out")
    case .otherKind:
      note(item, path, "of another kind than that of an earlier file; it is left out")
    }
  }

  private mutating func note(_ item: CalendarItem, _ path: String, _ finding: String) {
    guard let component = item.components.first else { return }
    let diagnostic = component.diagnostic(
      .warning, .sharedUID,
      "expected one item with the UID '\(item.uid)' in all files, found another one, \(finding)",
      reference: "RFC 4791 §4.1")
    notes.append(Fault(path: path, diagnostic: diagnostic))
  }
}
