// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Testing

@Suite struct CredentialsTests {
  @Test func `No way of printing shows the password`() throws {
    let credentials = Credentials(user: "alice", password: "s3cret")
    let request = HTTPRequest(
      method: .get, url: try RemoteURL(parsing: "https://h/"), credentials: credentials)
    var dumped = ""
    dump(request, to: &dumped)
    dump(credentials, to: &dumped)
    for text in [
      "\(credentials)", String(reflecting: credentials), "\(request)", String(reflecting: request),
      "\(Optional(credentials) as Any)", "\([credentials])", dumped,
    ] {
      #expect(!text.contains("s3cret"))
      #expect(text.contains("alice"))
    }
  }
}
