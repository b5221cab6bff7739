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
  /// The href on the remote, if it is known in advance.
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
