// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Something of an item that a server was sent and does not keep.
///
/// It is no edit: this side keeps what it has.
public struct RemoteLoss: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// Its title, for people.
  public let title: String
  /// The component that it is in: `VEVENT`, `VEVENT 20260302T090000`, `VEVENT / VALARM`.
  public let component: String
  /// The name of the property, or of a component that is missing as a whole.
  public let property: String
  /// The content line that was sent, unfolded; of a component its first one.
  public let sent: String
  /// The content line that the server holds instead; nil if it holds none.
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
