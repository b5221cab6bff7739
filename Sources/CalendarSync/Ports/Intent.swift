// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A change that is about to be made: durable before the request, gone once its outcome is recorded.
///
/// An intent that is found at the start of a run tells that the run before was cut off, and what it
/// had sent: if the other side holds just that, it was ours.
public struct Intent: Hashable, Sendable {
  /// What was about to be done.
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
  /// What was about to be done.
  public let action: Action
  /// The content that was about to be written; nil for a deletion.
  public let content: [UInt8]?
  /// The fingerprint of `content`.
  public let fingerprint: Fingerprint?
  /// The content that the change was about to replace or delete, for undoing; nil for an addition.
  public let before: [UInt8]?
  /// What both sides agree on once the change got through, where that is not `content`: of a merge, the
  /// remote version while the rest is still to be sent, and what nobody has to choose about any more.
  public let mergedWith: [UInt8]?
  /// What the other side held at that time, for undoing; nil where that is `content` or, of a deletion,
  /// nothing.
  public let other: [UInt8]?
  /// The name on the remote, where it is known beforehand.
  public let href: Href?
  /// The version on the remote that the change was conditional on.
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
