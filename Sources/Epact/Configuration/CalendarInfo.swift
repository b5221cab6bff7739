// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarRemotes

/// An origin of calendars: this computer, an account on a server, or feeds.
public struct CalendarSource: Hashable, Sendable {
  /// The kind of a source.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Calendars that no sync connects with a server.
    case local
    /// An account on a CalDAV server or at Google, which EventKit does not distinguish.
    case calDAV
    /// An account at Microsoft.
    case exchange
    /// Feeds, which can only be read.
    case subscribed

    /// Whether it is an account, whose server may tell organizers what attendees do.
    package var isAccount: Bool { self == .calDAV || self == .exchange }
  }

  /// The identifier: a digest of the kind, the server and the user, in the form of a UUID.
  public let id: String
  /// The kind.
  public let kind: Kind
  /// The name for people.
  public let title: String

  /// Creates a source.
  public init(id: String, kind: Kind, title: String) {
    self.id = id
    self.kind = kind
    self.title = title
  }
}

extension CalendarSource {
  /// The source of the calendars that no sync connects with a server.
  public static let local = CalendarSource(
    id: StableIdentifier(of: "source", "local").text, kind: .local, title: "On This Computer")

  /// The source of the feeds.
  public static let subscribed = CalendarSource(
    id: StableIdentifier(of: "source", "subscribed").text, kind: .subscribed,
    title: "Subscribed Calendars")

  /// The source for the account of a remote; nil for a feed, a folder and other remotes without one.
  init?(accountOf remote: RemoteSettings) {
    switch remote.kind {
    case .calDAV(let settings): self.init(account: settings)
    case .vendor(let settings): self.init(account: settings, named: remote.grantName)
    default: return nil
    }
  }

  /// The source for an account at a vendor, which is that of one sign-in.
  private init(account settings: VendorSettings, named name: String) {
    let (kind, vendor): (Kind, String) =
      switch settings.vendor {
      case .google: (.calDAV, "Google")
      case .graph: (.exchange, "Microsoft")
      }
    let user = settings.server.username
    self.init(
      id: StableIdentifier(of: "source", settings.vendor.rawValue, user ?? name).text, kind: kind,
      title: user ?? "\(vendor) (\(name))")
  }

  /// The source for an account on a server.
  private init(account settings: CalDAVSettings) {
    let user = settings.server.username ?? ""
    let address = settings.account?.address ?? settings.address
    let (origin, host) = ("\(address.origin)", address.host)
    self.init(
      id: StableIdentifier(of: "source", "caldav", origin, user).text, kind: .calDAV,
      title: user.isEmpty ? host : user.contains("@") ? user : "\(user)@\(host)")
  }
}

/// A calendar of the configuration, with its properties.
public struct CalendarInfo: Hashable, Sendable {
  /// The kinds of items that a calendar accepts unless the configuration states others.
  public static let standardKinds: Set<ItemKind> = [.event, .reminder]

  /// A name that needs no quotes in paths and commands: letters, digits and hyphens.
  static func plainName(_ title: String) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    let text = String(words.joined(separator: "-").prefix(40))
    return text.isEmpty ? "calendar" : text
  }

  /// The identifier: a digest of the canonical path, in the form of a UUID.
  public let id: String
  /// The name in the configuration.
  public let name: String
  /// The name for people: the file `displayname` of the folder, or else the name.
  public let title: String
  /// The color as `#RRGGBB`; nil if the calendar has none.
  public let color: String?
  /// The place of the folder or file, with its canonical path.
  public let location: CalendarLocation
  /// The source.
  public let source: CalendarSource
  /// Whether items cannot be added or changed.
  public let isReadOnly: Bool
  /// Whether the calendar is the copy of a feed or of the birthdays of contacts.
  public let isSubscribed: Bool
  /// Whether the title and the color cannot be changed: one file has no place for them.
  public let isImmutable: Bool
  /// The kinds of new items.
  public let kinds: Set<ItemKind>
}

/// An identifier that depends only on texts: their digest in the form of a UUID (RFC 9562 §5.8).
package struct StableIdentifier: Hashable, Sendable {
  /// The identifier in upper case.
  package let text: String

  /// Creates the identifier of texts.
  package init(of parts: String...) {
    // No part contains a NUL character, as paths and addresses do not.
    var bytes = Array(SHA256.digest(of: Array(parts.joined(separator: "\0").utf8)).bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    text = Self.text(of: bytes)
  }

  /// The notation of 16 bytes as a UUID (RFC 9562 §4), in upper case.
  private static func text(of bytes: [UInt8]) -> String {
    let digits = bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "0" + digits : digits
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-")
  }

  /// The identifier of the calendar at a canonical path.
  init(calendarAt path: String) {
    self.init(of: "calendar", path)
  }
}

extension ItemKind {
  /// Whether items of this kind can be added to a calendar that accepts some kinds.
  ///
  /// Journals and other kinds are not limited, because the configuration states none of them.
  func isAddable(to kinds: Set<ItemKind>) -> Bool {
    kinds.contains(self) || !CalendarInfo.standardKinds.contains(self)
  }
}
