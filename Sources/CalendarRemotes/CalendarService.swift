// SPDX-License-Identifier: Apache-2.0

/// A calendar service that is known by name: how a program reaches it, and which credentials it accepts.
///
/// Only facts with a public source are listed. The comment of each service names it. The addresses are
/// those of the end of 2026, and none was tried at the service.
package struct CalendarService: Hashable, Sendable {
  /// The way to the calendars of a service.
  package enum Interface: Hashable, Sendable {
    /// A CalDAV server at this address.
    case calDAV(String)
    /// CalDAV on servers that people and organizations run, each with an address of its own.
    case ownServers
    /// The interface of Google Calendar.
    case google
    /// Microsoft Graph.
    case graph
    /// No interface for other programs.
    ///
    /// - sharesLinks: Whether the service publishes a calendar as a feed.
    case none(sharesLinks: Bool)
  }

  /// The name for users to type, in lower case.
  package let name: String
  /// The name as the service writes it.
  package let title: String
  /// Other names, in lower case and without spaces.
  let otherNames: [String]
  /// The domains of the e-mail addresses.
  let domains: [String]
  /// The hosts of the web pages.
  let pages: [String]
  /// The domains of the CalDAV servers.
  let servers: [String]
  /// The way to the calendars.
  package let interface: Interface
  /// The credentials that the service accepts and where the user creates them, as a sentence without
  /// its full stop; empty if its own password suffices.
  package let credentials: String

  init(
    _ name: String, _ title: String, _ interface: Interface, _ credentials: String = "",
    known identity: Identity
  ) {
    (self.name, self.title) = (name, title)
    (self.interface, self.credentials) = (interface, credentials)
    otherNames = identity.names
    (domains, pages, servers) = (identity.domains, identity.pages, identity.servers)
  }

  /// The names and addresses by which a service is recognized.
  struct Identity {
    var names: [String] = []
    var domains: [String] = []
    var pages: [String] = []
    var servers: [String] = []
  }
}

extension CalendarService {
  /// The service that a user means by a name, an e-mail address, a domain or the address of a web page.
  ///
  /// Nil if the text means none of them.
  ///
  /// - Parameter text: The input of the user.
  package init?(named text: String) {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    let word = words.joined()
    if let page = Self.page(word) {
      guard let found = Self.all.first(where: { $0.pages.contains(page) }) else { return nil }
      self = found
      return
    }
    guard let domain = word.split(separator: "@", omittingEmptySubsequences: false).last else {
      return nil
    }
    let isMail = domain.count < word.count
    let found = Self.all.first { service in
      if service.domains.contains(String(domain)) { return true }
      return !isMail
        && (service.name == word || service.otherNames.contains(word)
          || service.pages.contains(word))
    }
    // A name has no space in it unless another name is spelled with one.
    guard let found, words.count == 1 || found.otherNames.contains(word) else { return nil }
    self = found
  }

  /// The host of the address of a web page, as the browser shows it; nil for other text.
  ///
  /// The path of a CalDAV interface is no web page.
  private static func page(_ word: String) -> String? {
    guard let start = word.firstRange(of: "://"), !word.contains("/dav/") else { return nil }
    return String(word[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
  }

  /// The service to which a CalDAV server belongs; nil for other servers.
  package static func of(host: String) -> CalendarService? {
    all.first { service in
      service.servers.contains { host == $0 || host.hasSuffix(".\($0)") }
    }
  }
}

extension CalendarService {
  /// The services, the most common first.
  package static let all = [
    google, outlook, iCloud, fastmail, nextcloud, posteo, mailboxOrg, zoho, gmx, webDe, yahoo,
    proton,
    tuta,
  ]

  // developers.google.com/workspace/calendar/caldav/v2/guide: OAuth only.
  private static let google = CalendarService(
    "google", "Google Calendar", .google,
    "Google accepts no password here: sign-in = \"oauth\" and the client-id of a client of your own "
      + "replace it, as the article \"Google Calendar\" describes",
    known: Identity(
      names: ["gmail", "googlecalendar", "googlemail", "gcal"],
      domains: ["gmail.com", "googlemail.com"],
      pages: ["google.com", "calendar.google.com", "calendar.app.google", "mail.google.com"],
      servers: ["googleusercontent.com", "google.com"]))

  // Domains: autoconfig.thunderbird.net/v1.1/outlook.com. Microsoft has no CalDAV.
  private static let outlook = CalendarService(
    "outlook", "Outlook", .graph,
    known: Identity(
      names: [
        "outlook.com", "office", "office365", "microsoft", "microsoft365", "m365", "o365",
        "exchange",
        "exchangeonline", "hotmail", "live",
      ],
      domains: [
        "outlook.com", "hotmail.com", "hotmail.co.uk", "hotmail.co.jp", "hotmail.com.br",
        "hotmail.de", "hotmail.fr", "hotmail.it", "hotmail.es", "live.com", "live.co.uk",
        "live.co.jp", "live.de", "live.fr", "live.it", "live.jp", "msn.com",
      ],
      pages: [
        "outlook.live.com", "outlook.office.com", "outlook.office365.com",
        "outlook.cloud.microsoft",
        "www.office.com", "office365.com",
      ]))

  // support.apple.com/121539; the hosts: github.com/python-caldav/caldav/issues/3.
  private static let iCloud = CalendarService(
    "icloud", "iCloud", .calDAV("https://caldav.icloud.com/"),
    "iCloud requires an app-specific password, which you create at account.apple.com under Sign-In and "
      + "Security, instead of the password of the account; changing that password revokes all "
      + "app-specific passwords",
    known: Identity(
      names: ["apple", "applecalendar", "icloudcalendar"],
      domains: ["icloud.com", "me.com", "mac.com"], pages: ["icloud.com", "www.icloud.com"],
      servers: ["icloud.com"]))

  // "Server names and ports" of fastmail.help, as quoted by utf9k.net/blog/fastmail-caldav; vdirsyncer's
  // docs/tutorials/fastmail.rst; domains: chatmail/provider-db, _providers/fastmail.md.
  private static let fastmail = CalendarService(
    "fastmail", "Fastmail", .calDAV("https://caldav.fastmail.com/"),
    "Fastmail requires an app password, which you create in its settings under Privacy & Security > App "
      + "Passwords",
    known: Identity(
      domains: [
        "fastmail.com", "fastmail.cn", "fastmail.co.uk", "fastmail.com.au", "fastmail.de",
        "fastmail.es", "fastmail.fm", "fastmail.fr", "fastmail.im", "fastmail.in", "fastmail.jp",
        "fastmail.mx", "fastmail.net", "fastmail.nl", "fastmail.org", "fastmail.se", "fastmail.to",
        "fastmail.tw", "fastmail.uk", "fastmail.us", "sent.com", "warpmail.net", "mailcan.com",
      ], pages: ["app.fastmail.com", "www.fastmail.com"], servers: ["fastmail.com"]))

  // docs.nextcloud.com, user manual, groupware; its servers have all kinds of addresses.
  private static let nextcloud = CalendarService(
    "nextcloud", "Nextcloud", .ownServers,
    "Nextcloud recommends an app password, which you create in its settings under Security > Devices & "
      + "sessions, and requires it with a second factor",
    known: Identity(names: ["owncloud"]))

  // github.com/python-caldav/caldav, docs/source/about.rst; posteo.de/en/help/app-passwords; domains:
  // chatmail/provider-db, _providers/posteo.md.
  private static let posteo = CalendarService(
    "posteo", "Posteo", .calDAV("https://posteo.de:8443/"),
    "Posteo has app passwords, which its help describes at posteo.de/en/help/app-passwords",
    known: Identity(
      domains: [
        "posteo.de", "posteo.af", "posteo.at", "posteo.be", "posteo.ca", "posteo.ch", "posteo.cl",
        "posteo.co", "posteo.co.uk", "posteo.com", "posteo.com.br", "posteo.cr", "posteo.cz",
        "posteo.dk", "posteo.ee", "posteo.es", "posteo.eu", "posteo.fi", "posteo.gl", "posteo.gr",
        "posteo.hn", "posteo.hr", "posteo.hu", "posteo.ie", "posteo.in", "posteo.is", "posteo.it",
        "posteo.jp", "posteo.la", "posteo.li", "posteo.lt", "posteo.lu", "posteo.me", "posteo.mx",
        "posteo.my", "posteo.net", "posteo.nl", "posteo.no", "posteo.nz", "posteo.org", "posteo.pe",
        "posteo.pl", "posteo.pm", "posteo.pt", "posteo.ro", "posteo.ru", "posteo.se", "posteo.sg",
        "posteo.si", "posteo.tn", "posteo.uk", "posteo.us",
      ], servers: ["posteo.de"]))

  // tymeslot.app/docs/caldav-mailbox-org; kb.mailbox.org, application passwords for external programs.
  private static let mailboxOrg = CalendarService(
    "mailbox.org", "mailbox.org", .calDAV("https://dav.mailbox.org/"),
    "mailbox.org requires an application password if a second factor is on, which you create in its "
      + "settings under Security > Application-specific passwords",
    known: Identity(
      names: ["mailbox"], domains: ["mailbox.org"], pages: ["office.mailbox.org", "mailbox.org"],
      servers: ["mailbox.org"]))

  // help.zoho.com: community topic "Zoho Calendar via CalDAV in Windows Calendar", and the article "How to
  // generate app specific password". Accounts of zoho.eu, zoho.in and other centers have other servers.
  private static let zoho = CalendarService(
    "zoho", "Zoho Calendar", .calDAV("https://calendar.zoho.com/caldav/"),
    "Zoho requires an app password if a second factor is on, which you create in the settings of the "
      + "account under Security > App passwords; an account of zoho.eu or another center needs the "
      + "address of that center",
    known: Identity(
      names: ["zohocalendar", "zohomail"], domains: ["zoho.com", "zohomail.com"],
      pages: ["calendar.zoho.com"], servers: ["zoho.com", "zoho.eu", "zoho.in", "zoho.com.au"]))

  // hilfe.gmx.net/sicherheit/2fa/anwendungsspezifisches-passwort.html; the address: python-caldav,
  // caldav/compatibility_hints.py; domains: chatmail/provider-db, _providers/gmx.net.md.
  private static let gmx = CalendarService(
    "gmx", "GMX", .calDAV("https://caldav.gmx.net/"),
    "GMX requires an application-specific password if a second factor is on, which you create under Mein "
      + "Account > Sicherheit",
    known: Identity(
      domains: [
        "gmx.net", "gmx.de", "gmx.at", "gmx.ch", "gmx.org", "gmx.eu", "gmx.info", "gmx.biz",
      ],
      pages: ["www.gmx.net"], servers: ["gmx.net"]))

  // github.com/WLAN-Kabel/ioBroker.calendar, its list of base addresses. Whether a second factor needs
  // another password is not documented where it could be read.
  private static let webDe = CalendarService(
    "web.de", "WEB.DE", .calDAV("https://caldav.web.de/"),
    known: Identity(
      names: ["webde"], domains: ["web.de"], pages: ["www.web.de"], servers: ["web.de"]))

  // The address: jobisoft/DAV-4-TbSync, its list of services; chatmail/provider-db, _providers/yahoo.md.
  private static let yahoo = CalendarService(
    "yahoo", "Yahoo", .calDAV("https://caldav.calendar.yahoo.com/"),
    "Yahoo requires an app password, which you create in the settings of the account under Security > "
      + "Generate app password",
    known: Identity(
      domains: [
        "yahoo.com", "yahoo.de", "yahoo.it", "yahoo.fr", "yahoo.es", "yahoo.se", "yahoo.co.uk",
        "yahoo.co.nz", "yahoo.com.au", "yahoo.com.ar", "yahoo.com.br", "yahoo.com.mx",
        "myyahoo.com",
        "ymail.com", "rocketmail.com",
      ], pages: ["calendar.yahoo.com"], servers: ["yahoo.com"]))

  // proton.me/support/share-calendar: a link for others, and no interface (github.com/pimalaya/calendula).
  private static let proton = CalendarService(
    "proton", "Proton Calendar", .none(sharesLinks: true),
    known: Identity(
      names: ["protonmail", "protoncalendar"],
      domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
      pages: ["calendar.proton.me", "mail.proton.me", "account.proton.me"]))

  // privacyguides.org/en/calendar: import and export; no interface (github.com/pimalaya/calendula).
  private static let tuta = CalendarService(
    "tuta", "Tuta Calendar", .none(sharesLinks: false),
    known: Identity(
      names: ["tutanota", "tutacalendar"],
      domains: [
        "tuta.com", "tuta.io", "tutanota.com", "tutanota.de", "tutamail.com", "keemail.me",
      ], pages: ["app.tuta.com", "calendar.tuta.com", "mail.tutanota.com"]))
}
