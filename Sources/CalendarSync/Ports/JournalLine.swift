// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A change that a run made, or was about to make.
public struct JournalLine: Hashable, Sendable {
  /// What became of the change.
  public enum State: String, Hashable, Sendable {
    /// Not known yet: the run goes on, or was cut off.
    case pending
    /// It was made.
    case done
    /// It was not made: its condition failed, or it was refused.
    case givenUp = "given up"
  }

  /// The item.
  public let uid: UID
  /// What was done.
  public let action: Intent.Action
  /// What was there before; nil for an addition, or if it is not known.
  public let before: [UInt8]?
  /// What was written; nil for a deletion.
  public let after: [UInt8]?
  /// What both sides had agreed on until then, as the local side held it, if they ever did.
  public let agreed: [UInt8]?
  /// The same as the remote held it, where that does not mean the same.
  public let agreedRemotely: [UInt8]?
  /// What the other side held at that time; nil where that is `after` or, of a deletion, nothing.
  public let other: [UInt8]?
  /// Its place on the remote, where it was known beforehand.
  public let href: Href?
  /// What became of the change.
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

  /// Whether it is known to have been made.
  public var isDone: Bool { state == .done }

  /// A title for people, from what was written or else from what was there.
  public var title: String {
    let item = (after ?? before).flatMap { try? CalendarItem(parsing: $0) }
    return item?.title ?? uid.rawValue
  }
}
