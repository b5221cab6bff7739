// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// An item that could not be dealt with, and when it is tried again.
public struct QuarantinedItem: Hashable, Sendable {
  /// The item; the name of a file or a place on the remote where no item can be read.
  public let uid: UID
  /// Its title, for people.
  public let title: String
  /// Why it could not be dealt with, the last time, for people.
  public let reason: String
  /// What was to be written, if it was a matter of writing: other content is tried at once.
  public let content: Fingerprint?
  /// How often it failed in a row; 0 for what is left alone until it changes.
  public let failures: Int
  /// When it failed first.
  public let since: Instant
  /// When it is tried again; nil for what is looked at by every run.
  public let nextTry: Instant?

  /// Whether it is left alone until it changes, and no failure: the remote lists it and does not give it.
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
