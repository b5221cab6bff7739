// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A part of a sent item that a server did not store.
///
/// It is not an edit: the local version keeps it.
public struct RemoteLoss: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// Its title, for display.
  public let title: String
  /// The path of the component: `VEVENT`, `VEVENT 20260302T090000`, `VEVENT / VALARM`.
  public let component: String
  /// The name of the property, or of a missing component.
  public let property: String
  /// The sent content line, unfolded; the first line of a component.
  public let sent: String
  /// The stored content line; nil if it is missing.
  public let kept: String?

  /// Creates a loss.
  public init(
    uid: UID, title: String, component: String, property: String, sent: String, kept: String?
  ) {
    self.uid = uid
    self.title = title
    self.component = component
    self.property = property
    self.sent = sent
    self.kept = kept
  }
}
