// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The wizard with the names of services.
@Suite(.timeLimit(.minutes(60))) struct InitServiceTests {
  @Test("A service is introduced before anything is asked, and an unknown word is asked again")
  func service() throws {
    let sandbox = try Sandbox()
    let (shown, status) = try sandbox.talk(
      [
        ("Address", 1, "gogle"), ("Address", 2, "ada@proton.me"), ("Address", 3, "ada@gmail.com"),
        ("Which access", 1, "full"), ("What for", 1, ""),
        ("Identifier of your client", 1, "club.apps.googleusercontent.com"),
      ])
    #expect(status == 0, "\(shown)")
    for words in [
      "did you mean \"google\"?", "epact subscribe LINK",
      "Google Calendar: you sign in by a client",
      "epact login google",
    ] {
      #expect(shown.contains(words), "\(words): \(shown)")
    }
    #expect(try sandbox.configuration.contains("username = \"ada@gmail.com\""))
    // The credentials are explained before they are asked for.
    let other = try Sandbox()
    let (explained, _) = try other.talk([("Address", 1, "icloud"), ("Which access", 1, "\\003")])
    #expect(explained.contains("iCloud: its calendars are at https://caldav.icloud.com/."))
    #expect(explained.contains("account.apple.com"))
    #expect((try? other.configuration) == nil)
  }
}

extension Sandbox {
  /// The text of the configuration.
  fileprivate var configuration: String {
    get throws {
      try String(contentsOf: folder.appending(path: "config/epact/config.toml"), encoding: .utf8)
    }
  }
}
