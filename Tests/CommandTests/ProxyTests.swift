// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Requests through the proxy that the environment names.
@Suite(.timeLimit(.minutes(60))) struct ProxyTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let setup = try sandbox.run(
      """
      mkdir -p config/epact; chmod 700 config/epact
      printf '[calendar.home]\\npath = "~/cals/home"
      [remote.dav]\\nkind = "caldav"\\nurl = "https://dav.example.org/cal/"\\nusername = "ada"\\npassword = "p"
      [[sync]]\\nname = "dav"\\ncalendar = "home"\\nremote = "dav"\\n' > config/epact/config.toml
      chmod 600 config/epact/config.toml; mkdir -p cals/home
      epact access dav --grant full --purpose 'Keeps a copy on a server'
      """)
    #expect(setup.status == 0, "\(setup.errors)")
  }

  @Test("A proxy that asks for a password is named, and is not asked again and again")
  func refused() throws {
    let proxy = try LoopbackServer { _ in
      [
        .answer(
          "407 Proxy Authentication Required", fields: ["Proxy-Authenticate: Basic realm=\"x\""])
      ]
    }
    defer { proxy.stop() }
    for user in ["", "ada:wrong@"] {
      let before = proxy.requests.count
      let result = try sandbox.run(
        "https_proxy=http://\(user)127.0.0.1:\(proxy.port) epact sync")
      #expect(result.status == 78, "\(result.errors)")
      #expect(result.errors.contains("the proxy refuses the connection"))
      #expect(result.errors.contains("it requires a user name and a password, or rejects those"))
      #expect(!(result.output + result.errors).contains("wrong"))
      // Two requests are in flight at first.
      #expect(1...2 ~= proxy.requests.count - before)
      #expect(proxy.requests.allSatisfy { $0.method == "CONNECT" && $0.body.isEmpty })
    }
  }

  @Test("A proxy that reaches no server is named, and this machine needs none")
  func unreachable() throws {
    let proxy = try LoopbackServer { _ in [.answer("502 Bad Gateway")] }
    defer { proxy.stop() }
    let result = try sandbox.run("https_proxy=http://127.0.0.1:\(proxy.port) epact sync")
    #expect(result.status != 0)
    #expect(
      result.errors.contains("the proxy does not reach the server (status 502)"), "\(result.errors)"
    )
    let feed = try LoopbackServer { _ in
      [.answer("200 OK", body: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")]
    }
    defer { feed.stop() }
    let asked = proxy.requests.count
    let local = try sandbox.run(
      "http_proxy=http://127.0.0.1:\(proxy.port) epact subscribe http://127.0.0.1:\(feed.port)/a.ics --yes"
    )
    #expect(local.status == 0, "\(local.errors)")
    #expect(proxy.requests.count == asked)
  }
}
