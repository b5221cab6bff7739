// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A change that a run made or attempted.
public struct JournalLine: Hashable, Sendable {
  /// The outcome of the change.
  public enum State: String, Hashable, Sendable {
    /// The outcome is unknown: the run is still in progress, or was interrupted.
    case pending
    /// The change was made.
    case done
    /// The change was not made: its condition failed, or it was rejected.
    case givenUp = "given up"
  }

  /// The item.
  public let uid: UID
  /// The kind of the change.
  public let action: Intent.Action
  /// The previous content; nil for an addition, or if it is unknown.
  public let before: [UInt8]?
  /// The content that was written; nil for a deletion.
  public let after: [UInt8]?
  /// The previously agreed content of the local side; nil if the sides never agreed.
  public let agreed: [UInt8]?
  /// The previously agreed content of the remote, if its meaning differs from `agreed`.
  public let agreedRemotely: [UInt8]?
  /// The content of the other side at that time.
  ///
  /// Nil if it equals `after` or, for a deletion, if the other side held nothing.
  public let other: [UInt8]?
  /// Its href on the remote, if it was known in advance.
  public let href: Href?
  /// The outcome of the change.
  public let state: State
  /// The sync that the item was moved to or came from, if it was a move between calendars.
  public let moved: String?

  /// Creates a line.
  public init(
    uid: UID, action: Intent.Action, before: [UInt8]?, after: [UInt8]?, agreed: [UInt8]?,
    agreedRemotely: [UInt8]? = nil, other: [UInt8]? = nil, href: Href?, state: State,
    moved: String? = nil
  ) {
    self.uid = uid
    self.action = action
    self.before = before
    self.after = after
    self.agreed = agreed
    self.agreedRemotely = agreedRemotely
    self.other = other
    self.href = href
    self.state = state
    self.moved = moved
  }

  /// Whether the change is known to have been made.
  public var isDone: Bool { state == .done }

  /// A display title, from the written content or else from the previous content.
  public var title: String {
    let item = (after ?? before).flatMap { try? CalendarItem(parsing: $0) }
    return item?.title ?? uid.rawValue
  }
}
