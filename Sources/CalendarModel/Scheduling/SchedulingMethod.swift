// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The purpose of a scheduling message (METHOD, RFC 5546 §1.4).
///
/// Other words than those named here are kept; case does not count.
public struct SchedulingMethod: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a method from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// The organizer publishes an item, to no one in particular (RFC 5546 §3.2.1).
  public static let publish = SchedulingMethod(rawValue: "PUBLISH")
  /// The organizer invites, reschedules or updates (RFC 5546 §3.2.2).
  public static let request = SchedulingMethod(rawValue: "REQUEST")
  /// An attendee answers (RFC 5546 §3.2.3).
  public static let reply = SchedulingMethod(rawValue: "REPLY")
  /// The organizer adds an occurrence (RFC 5546 §3.2.4).
  public static let add = SchedulingMethod(rawValue: "ADD")
  /// The organizer cancels an item or an occurrence, or uninvites attendees (RFC 5546 §3.2.5).
  public static let cancel = SchedulingMethod(rawValue: "CANCEL")
  /// An attendee asks for the latest version (RFC 5546 §3.2.6).
  public static let refresh = SchedulingMethod(rawValue: "REFRESH")
  /// An attendee proposes a change (RFC 5546 §3.2.7).
  public static let counter = SchedulingMethod(rawValue: "COUNTER")
  /// The organizer declines a proposed change (RFC 5546 §3.2.8).
  public static let declineCounter = SchedulingMethod(rawValue: "DECLINECOUNTER")

  /// Whether RFC 5546 defines the method for items of a kind (RFC 5546 §3).
  ///
  /// Whole components are taken of any kind: programs publish and send journals and availability,
  /// too.
  func isDefined(for kind: ItemKind) -> Bool {
    if bringsItem { return true }
    switch kind {
    case .event, .reminder: return isKnown
    case .journal: return self == .add || self == .cancel
    case .freeBusy: return self == .reply
    case .availability: return false
    }
  }

  /// Whether RFC 5546 defines the method.
  var isKnown: Bool {
    bringsItem || isInformative || [.reply, .add, .cancel].contains(self)
  }

  /// Whether a message with this method never changes an item: a person decides on an answer.
  var isInformative: Bool { [.refresh, .counter, .declineCounter].contains(self) }

  /// Whether a message with this method brings whole components of the organizer's item.
  var bringsItem: Bool { self == .publish || self == .request }
}
