// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// An item that could not be synchronized, and the time of its next attempt.
public struct QuarantinedItem: Hashable, Sendable {
  /// The item; the file name or href if no item can be read.
  public let uid: UID
  /// Its title, for people.
  public let title: String
  /// The reason of the last failure, for display.
  public let reason: String
  /// The content that could not be written, if writing failed; other content is tried at once.
  public let content: Fingerprint?
  /// The number of consecutive failures; 0 for an item that is skipped until it changes.
  public let failures: Int
  /// The time of the first failure.
  public let since: Instant
  /// The time of the next attempt; nil for an item that every run checks.
  public let nextTry: Instant?

  /// Whether the item is skipped until it changes: the remote lists it but does not return it.
  public var isLeft: Bool { failures == 0 }

  /// Creates the record of an item that failed.
  public init(
    uid: UID, title: String, reason: String, content: Fingerprint?, failures: Int, since: Instant,
    nextTry: Instant?
  ) {
    self.uid = uid
    self.title = title
    self.reason = reason
    self.content = content
    self.failures = failures
    self.since = since
    self.nextTry = nextTry
  }
}
