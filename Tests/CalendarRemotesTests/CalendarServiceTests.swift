// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Testing

/// The services that are known by name, and what a rejected password says about them.
@Suite struct CalendarServiceTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    /// The name of the service; nil for none.
    let name: String?
    var testDescription: String { text }

    init(_ text: String, _ name: String?) { (self.text, self.name) = (text, name) }
  }

  static let cases = [
    Case("google", "google"), Case("Google", "google"), Case("gmail", "google"),
    Case("Google Calendar", "google"), Case("ada@gmail.com", "google"),
    Case("Ada@GoogleMail.com", "google"), Case("gmail.com", "google"),
    Case("https://calendar.google.com/calendar/u/0/r?pli=1", "google"),
    Case("outlook", "outlook"), Case("office365", "outlook"), Case("Office 365", "outlook"),
    Case("exchange online", "outlook"), Case("ada@hotmail.com", "outlook"),
    Case("ada@live.com", "outlook"), Case("https://outlook.live.com/calendar/0/", "outlook"),
    Case("icloud", "icloud"), Case("ada@me.com", "icloud"), Case("ada@mac.com", "icloud"),
    Case("ada@icloud.com", "icloud"), Case("https://www.icloud.com/calendar", "icloud"),
    Case("fastmail", "fastmail"), Case("ada@fastmail.fm", "fastmail"),
    Case("nextcloud", "nextcloud"), Case("posteo", "posteo"), Case("ada@posteo.net", "posteo"),
    Case("mailbox.org", "mailbox.org"), Case("ada@mailbox.org", "mailbox.org"),
    Case("zoho", "zoho"), Case("ada@zohomail.com", "zoho"), Case("gmx", "gmx"),
    Case("gmx.de", "gmx"), Case("ada@gmx.net", "gmx"), Case("web.de", "web.de"),
    Case("ada@web.de", "web.de"), Case("ada@yahoo.de", "yahoo"),
    Case("proton", "proton"), Case("ada@proton.me", "proton"), Case("ada@pm.me", "proton"),
    Case("tuta", "tuta"), Case("ada@tutanota.de", "tuta"),
    // Neither a part of a name, nor a name inside of another address.
    Case("goo", nil), Case("googl", nil), Case("google.example.org", nil), Case("", nil),
    Case("@", nil), Case("ada@google", nil), Case("ada@notgmail.com", nil),
    Case("ada@gmail.com.example.org", nil), Case("ada@example.org", nil), Case("a b", nil),
    Case("i cloud", nil), Case("ada bob@gmail.com", nil),
    // An address of CalDAV is used as it is.
    Case("https://caldav.icloud.com/", nil), Case("caldav.icloud.com", nil),
    Case("https://calendar.google.com/calendar/dav/ada@gmail.com/user/", nil),
    Case("https://apidata.googleusercontent.com/caldav/v2/ada@gmail.com/user/", nil),
    Case("https://posteo.de:8443/", nil), Case("https://evil.example/?gmail.com", nil),
    Case("https://evil.example/https://calendar.google.com/", nil),
  ]

  @Test(arguments: cases) func `Names and addresses mean a service`(_ row: Case) {
    #expect(CalendarService(named: row.text)?.name == row.name)
  }

  @Test func `Each name and domain belongs to one service, and each address is one`() throws {
    #expect(Set(CalendarService.all.map(\.name)).count == CalendarService.all.count)
    for service in CalendarService.all {
      #expect(CalendarService(named: service.name) == service)
      guard case .calDAV(let address) = service.interface else { continue }
      let url = try RemoteURL(parsing: address)
      #expect(url.description == address)
      // A rejected password is explained by the same service.
      #expect(CalendarService.of(host: url.host) == service)
    }
  }

  static let rejections = [
    ("https://p42-caldav.icloud.com/1/calendars/work/", "iCloud requires an app-specific password"),
    ("https://caldav.fastmail.com/dav/", "Fastmail requires an app password"),
    ("https://apidata.googleusercontent.com/caldav/v2/a/events/", "sign-in = \"oauth\""),
    ("https://caldav.calendar.yahoo.com/dav/", "Yahoo requires an app password"),
    ("https://dav.mailbox.org/caldav/", "mailbox.org requires an application password"),
    ("https://calendar.zoho.eu/caldav/", "another center needs the address"),
    ("https://caldav.gmx.net/begenda/", "Mein Account > Sicherheit"),
    ("https://noticloud.com/dav/", "some services require an app password"),
    ("https://icloud.com.example.org/dav/", "some services require an app password"),
  ]

  @Test(arguments: rejections) func `A rejected password is explained in one sentence`(
    _ address: String, _ words: String
  ) async throws {
    let transport = ScriptedTransport([.init(.propfind, address, answer: .status(401))])
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: address),
      credentials: Credentials(user: "ada", password: "marker-s3cret"), transport: transport)
    let error = try #require(
      await #expect(throws: RemoteError.self) { _ = try await remote.openCalendar() })
    #expect(error.code == .credentials)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(!error.message.contains("marker-s3cret"))
    // One sentence: it is a part of a line.
    #expect(!error.message.contains(". ") && !error.message.contains("\n"))
  }

  @Test func `A rejected token is no password`() async throws {
    let address = "https://apidata.googleusercontent.com/caldav/v2/a/events/"
    let transport = ScriptedTransport([.init(.propfind, address, answer: .status(401))])
    let url = try RemoteURL(parsing: address)
    let tokens = TokenSource(for: url, renewing: { _ in "t" })
    let remote = CalDAVRemote(
      address: url, credentials: Credentials(tokens: tokens), transport: transport)
    let error = try #require(
      await #expect(throws: RemoteError.self) { _ = try await remote.openCalendar() })
    #expect(!error.message.contains("password"), "\(error.message)")
  }
}
