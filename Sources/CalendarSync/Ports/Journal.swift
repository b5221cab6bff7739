// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A planned change: stored before the request is sent, and removed once its outcome is recorded.
///
/// An intent that exists at the start of a run shows that the previous run was interrupted, and
/// what that run had sent. If the other side holds exactly that content, the previous run wrote it.
public struct Intent: Hashable, Sendable {
  /// The kind of the change.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Add the item to the remote.
    case createRemote = "create-remote"
    /// Replace the item on the remote.
    case updateRemote = "update-remote"
    /// Delete the item on the remote.
    case deleteRemote = "delete-remote"
    /// Move the item on the remote, from the calendar of another sync to this one.
    case moveRemote = "move-remote"
    /// Add the item to the local calendar.
    case createLocal = "create-local"
    /// Replace the item in the local calendar.
    case updateLocal = "update-local"
    /// Delete the item in the local calendar.
    case deleteLocal = "delete-local"
    /// Add the item to a remote that may not be read.
    case append
  }

  /// The item.
  public let uid: UID
  /// The kind of the change.
  public let action: Action
  /// The content that was about to be written; nil for a deletion.
  public let content: [UInt8]?
  /// The fingerprint of `content`.
  public let fingerprint: Fingerprint?
  /// The content that the change was about to replace or delete, for undoing; nil for an addition.
  public let before: [UInt8]?
  /// The new agreed content after the change succeeded, if that is not `content`; nil otherwise.
  ///
  /// For a merge it is the remote version while the rest is still to be sent, or the part without
  /// conflicts.
  public let mergedWith: [UInt8]?
  /// The content of the other side at that time, for undoing.
  ///
  /// Nil if it equals `content` or, for a deletion, if the other side held nothing.
  public let other: [UInt8]?
  /// The href on the remote, if it is known in advance; for an edit, the path of the calendar.
  public let href: Href?
  /// The ETag that the change was conditional on.
  public let etag: EntityTag?

  /// Creates an intent.
  public init(
    uid: UID, action: Action, content: [UInt8]?, fingerprint: Fingerprint?, before: [UInt8]?,
    mergedWith: [UInt8]? = nil, other: [UInt8]? = nil, href: Href?, etag: EntityTag?
  ) {
    self.uid = uid
    self.action = action
    self.content = content
    self.fingerprint = fingerprint
    self.before = before
    self.mergedWith = mergedWith
    self.other = other
    self.href = href
    self.etag = etag
  }
}

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
  /// Its href on the remote, if it was known in advance; for an edit, the path of the calendar.
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

/// A change of a calendar property that a run made or attempted.
public struct PropertyLine: Hashable, Sendable {
  /// The property.
  public let property: CollectionProperty
  /// The side that was written.
  public let side: MergeSide
  /// The previous value of the side; nil if it was not set.
  public let before: String?
  /// The value that was written; nil if the property was removed.
  public let after: String?
  /// The last agreed value of the other side; nil if it was not set or the sides never agreed.
  public let agreed: String?
  /// The outcome of the change.
  public var state: JournalLine.State

  /// Creates a line.
  public init(
    property: CollectionProperty, side: MergeSide, before: String?, after: String?,
    agreed: String?, state: JournalLine.State = .pending
  ) {
    self.property = property
    self.side = side
    self.before = before
    self.after = after
    self.agreed = agreed
    self.state = state
  }

  /// Whether the change is known to have been made.
  public var isDone: Bool { state == .done }
}
