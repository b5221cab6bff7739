// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The parts of an item that a remote holds, declared by the remote.
///
/// Some remotes are no stores of iCalendar objects: they have fields, such as a title and a place. What
/// has no field goes verbatim into a stash of the remote (``ComponentStash``), and returns with the item.
/// An item that even the stash cannot hold is refused. Nothing is approximated.
public protocol ItemHolding: Sendable {
  /// Returns what goes into the stash, and why the remote cannot hold the item.
  ///
  /// A run asks before it plans a change of the remote, so that a dry run shows the answer. No request
  /// is sent.
  ///
  /// - Parameters:
  ///   - item: The item that is to be written.
  ///   - held: The item of the remote that it replaces; nil for an addition.
  /// - Returns: The fit.
  func fit(of item: CalendarItem, replacing held: HeldItem?) -> ItemFit

  /// Returns the reason why an item of the remote is not deleted there; nil if it can be.
  ///
  /// Default implementation: nil.
  func refusal(ofDeleting held: HeldItem) -> HoldingRefusal?

  /// The table of the remote's fields, for display.
  var table: HoldingTable { get }
}

extension ItemHolding {
  /// Returns the fit of an item that is added.
  public func fit(of item: CalendarItem) -> ItemFit { fit(of: item, replacing: nil) }

  /// Default implementation: everything can be deleted.
  public func refusal(ofDeleting held: HeldItem) -> HoldingRefusal? { nil }
}

/// How an item fits into a remote.
public enum ItemFit: Hashable, Sendable {
  /// Fields hold the whole item.
  case whole
  /// These properties and components go into the stash; in order, each name once.
  case stashed([String])
  /// The remote cannot hold the item.
  case refused(HoldingRefusal)
}

/// The reason why a remote cannot hold an item.
public enum HoldingRefusal: Error, Hashable, Sendable, Codable {
  /// The remote holds no components of this kind: `VTODO`.
  case component(String)
  /// The item has overrides and no series.
  case noSeries
  /// The item has a series, and the remote has occurrences without it: the series belongs to another
  /// person.
  case foreignSeries
  /// The remote deleted the occurrence at this time, and cannot restore it.
  case returning(String)
  /// The component has no start.
  case noStart
  /// The end is not after the start.
  case endBeforeStart
  /// The remote has no equivalent of a recurrence rule or date; the content line.
  case recurrence(String)
  /// The override is of a time at which the series has no occurrence; the RECURRENCE-ID.
  case stray(String)
  /// The override is for all following occurrences, too; the RECURRENCE-ID.
  case following(String)
  /// The rules of a time zone have no name that the remote knows; the TZID.
  case timeZone(String)
  /// The stash would be larger than the remote accepts.
  case size(bytes: Int, limit: Int)
  /// A property or component would return in another form, such as a text that is not UTF-8; its name.
  case altered(String)
  /// Overrides cannot be added under write-only access, because other requests have to read first.
  case overrides
  /// Excluded occurrences cannot be added under write-only access, for the same reason.
  case exclusions
  /// The remote would mail the attendees, which the user does not allow.
  case mail
}

/// The fields of a kind of remote, as a table for people.
public struct HoldingTable: Hashable, Sendable {
  /// A property and the field that holds it.
  public struct Row: Hashable, Sendable {
    /// The name of the property or component: `SUMMARY`, `VALARM`.
    public let property: String
    /// The name of the field in the remote's interface.
    public let field: String
    /// The values that go into the stash instead; nil if the field holds all values.
    public let limit: String?

    /// Creates a row.
    public init(_ property: String, _ field: String, limit: String? = nil) {
      (self.property, self.field, self.limit) = (property, field, limit)
    }
  }

  /// The name of the remote's interface.
  public let interface: String
  /// The properties that have fields, in order.
  public let rows: [Row]
  /// The place of everything else.
  public let stash: String
  /// The size limit of the stash of a component, in bytes.
  public let stashLimit: Int
  /// The refused items, each kind as a phrase.
  public let refused: [String]

  /// Creates a table.
  public init(
    interface: String, rows: [Row], stash: String, stashLimit: Int, refused: [String]
  ) {
    self.interface = interface
    self.rows = rows
    self.stash = stash
    self.stashLimit = stashLimit
    self.refused = refused
  }
}

extension HoldingRefusal {
  /// The name of the reason, stable for programs: `component`, `no-series`.
  public var code: String {
    switch self {
    case .component: "component"
    case .noSeries: "no-series"
    case .foreignSeries: "foreign-series"
    case .returning: "returning-occurrence"
    case .noStart: "no-start"
    case .endBeforeStart: "end-before-start"
    case .recurrence: "recurrence"
    case .stray: "stray-override"
    case .following: "following-override"
    case .timeZone: "time-zone"
    case .size: "size"
    case .altered: "altered"
    case .overrides: "overrides"
    case .exclusions: "exclusions"
    case .mail: "mail"
    }
  }

  /// The values of the reason, for logs.
  var values: [String] {
    switch self {
    case .component(let name), .recurrence(let name), .stray(let name), .following(let name),
      .returning(let name), .timeZone(let name), .altered(let name):
      [name]
    case .size(let bytes, let limit): ["\(bytes)", "\(limit)"]
    case .noSeries, .foreignSeries, .noStart, .endBeforeStart, .overrides, .exclusions, .mail:
      []
    }
  }
}
