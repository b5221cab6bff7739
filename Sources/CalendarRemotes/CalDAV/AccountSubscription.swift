// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

/// A feed to which the user subscribed on a server, in the `calendarserver.org` namespace.
///
/// It is a collection without items: each client reads the feed itself.
public struct AccountSubscription: Hashable, Sendable {
  /// The name for people; the last path segment of its address on the server if it has none.
  public let title: String
  /// The address of the feed; nil if the server does not return a valid one.
  public let feed: String?

  /// Reads a response of a listing; nil if the resource is not a subscription.
  init?(_ response: MultiStatus.Response) {
    let type = response.properties[.dav("resourcetype")]
    // A server that caches the feed offers it as a calendar, too.
    guard type?[.calendarServer("subscribed")] != nil, type?[.caldav("calendar")] == nil else {
      return nil
    }
    let name = response.properties[.dav("displayname")]?.trimmedText ?? ""
    let path = URIReference(response.href).path.split(separator: "/")
    title = name.isEmpty ? path.last.map(String.init) ?? response.href : name
    let text = response.properties[.calendarServer("source")]?[.dav("href")]?.trimmedText
    feed = text.flatMap { try? RemoteURL(parsingFeed: $0) }?.description
  }
}

/// The parts of an account besides its calendars.
package struct AccountParts: Hashable, Sendable {
  /// The collections for new calendars (`calendar-home-set`, RFC 4791 §6.2.1).
  package var homes: [RemoteURL] = []
  /// The subscriptions, in the order of the server.
  package var subscriptions: [AccountSubscription] = []
  /// The parts that the lists omit because of an error.
  package var gaps: [Gap] = []

  /// A part that a list omits because of an error.
  package struct Gap: Hashable, Sendable {
    /// The address of the member, or of the home set.
    package let url: RemoteURL
    /// Whether it is a home set.
    package let isHome: Bool
    /// The error.
    package let failure: RemoteError
  }
}

/// All calendars of a user on a server or at a vendor.
package protocol RemoteAccount: CalendarAccount {
  /// Lists the feeds to which the user subscribed on the server; they are no calendars.
  func subscriptions() async throws -> [AccountSubscription]
}
