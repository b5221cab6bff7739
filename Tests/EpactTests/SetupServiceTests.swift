// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Epact
import TestSupport
import Testing

/// What the setup makes of the names of services, and of words that are none.
struct SetupServiceTests {
  private func location(_ text: String, in folder: TemporaryFolder) throws -> SetupLocation {
    try SetupLocation(text, paths: PathResolver(home: folder.path, base: folder.path))
  }

  static let accounts = [
    ("icloud", "caldav.icloud.com", nil), ("ada@me.com", "caldav.icloud.com", "ada@me.com"),
    ("fastmail", "caldav.fastmail.com", nil), ("ada@posteo.net", "posteo.de", "ada@posteo.net"),
    ("mailbox.org", "dav.mailbox.org", nil), ("gmx.de", "caldav.gmx.net", nil),
    ("ada@web.de", "caldav.web.de", "ada@web.de"), ("zoho", "calendar.zoho.com", nil),
    ("ada@example.org", "example.org", "ada@example.org"),
  ]

  @Test(arguments: accounts)
  func `A service has an address, and an e-mail address is the user`(
    _ text: String, _ host: String, _ user: String?
  ) throws {
    guard case .account(let account) = try location(text, in: try TemporaryFolder()) else {
      Issue.record("no account")
      return
    }
    #expect(account.host == host)
    #expect(account.user == user)
  }

  @Test func `Vendors have an interface of their own`() throws {
    let folder = try TemporaryFolder()
    for (text, expected) in [
      ("ada@gmail.com", VendorSettings.Vendor.google), ("Exchange Online", .graph),
    ] {
      guard case .vendor(_, let vendor, let user) = try location(text, in: folder) else {
        Issue.record("no vendor: \(text)")
        continue
      }
      #expect(vendor == expected)
      #expect(user == (text.contains("@") ? text : nil))
    }
  }

  @Test func `A known name is no folder, and an unknown word is no host`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("outlook")
    guard case .vendor = try location("outlook", in: folder) else {
      Issue.record("the folder")
      return
    }
    guard case .path = try location("./outlook", in: folder) else {
      Issue.record("no folder")
      return
    }
    for word in ["gogle", "nas", "calendar"] {
      let error = try #require(throws: EpactError.self) { try location(word, in: folder) }
      #expect(error.message.hasPrefix("\"\(word)\" is neither a known service nor a folder"))
      guard case .other(let words)? = error.remedy else {
        Issue.record("no remedy")
        continue
      }
      #expect(words.contains("https://\(word)/"))
    }
  }

  @Test func `A service without an interface is refused, and a feed of it is not`() throws {
    let folder = try TemporaryFolder()
    for (text, sharesLinks) in [("proton", true), ("ada@pm.me", true), ("ada@tuta.io", false)] {
      let error = try #require(throws: EpactError.self) { try location(text, in: folder) }
      #expect(error.message.hasSuffix("has no interface for other programs"))
      #expect(error.remedy == .exchangeFiles(sharesLinks: sharesLinks))
    }
    let link = "https://calendar.proton.me/api/calendar/v1/url/x/calendar.ics?PassphraseKey=y"
    guard case .feed = try location(link, in: folder) else {
      Issue.record("no feed")
      return
    }
  }
}
