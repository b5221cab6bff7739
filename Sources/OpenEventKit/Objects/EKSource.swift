// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation

/// An origin of calendars: this computer, an account on a server, or feeds.
open class EKSource: EKObject, @unchecked Sendable {
  /// The store; nil if a program created the source.
  private(set) var core: StoreCore?
  private(set) var value = CalendarSource(
    id: LiveDependencies.makeIdentifier(), kind: .local, title: "")

  /// Creates a local source of no store, for subclasses in tests.
  ///
  /// The sources of a store come from ``EKEventStore/sources``. No calendar can be saved in another.
  public init() {
    super.init()
  }

  @usableFromInline
  override init(lock: NSRecursiveLock) {
    super.init(lock: lock)
  }

  convenience init(_ value: CalendarSource, _ core: StoreCore) {
    self.init(lock: core.lock)
    self.core = core
    self.value = value
  }

  /// False, because a program cannot create a source.
  open override var isNew: Bool { false }

  /// The identifier.
  open var sourceIdentifier: String { value.id }

  /// The kind of the source.
  open var sourceType: EKSourceType {
    switch value.kind {
    case .local: .local
    case .calDAV: .calDAV
    case .exchange: .exchange
    case .subscribed: .subscribed
    }
  }

  /// The name for people.
  open var title: String { value.title }

  /// Whether the calendars are those of another person; always false.
  open var isDelegate: Bool { false }

  /// The calendars of the source.
  @available(iOS, deprecated: 6.0, message: "use calendars(for:)")
  open var calendars: Set<EKCalendar> { calendars(for: .event) }

  /// Returns the calendars of the source.
  ///
  /// - Parameter entityType: The kind of items that the calendars hold.
  /// - Returns: The calendars.
  open func calendars(for entityType: EKEntityType) -> Set<EKCalendar> {
    let calendars = core?.calendars(for: entityType) ?? []
    return Set(calendars.filter { $0.source?.sourceIdentifier == value.id })
  }

  /// Whether another object is the same source of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKSource else { return false }
    return core === other.core && value.id == other.value.id
  }

  /// A hash of the identifier.
  open override var hash: Int { value.id.hashValue }

  /// The title, for debugging.
  open override var description: String { "EKSource \(title) <\(sourceIdentifier)>" }
}
