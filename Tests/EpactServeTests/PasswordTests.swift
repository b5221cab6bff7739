// SPDX-License-Identifier: Apache-2.0

import Epact
import HTTPTypes
import TestSupport
import Testing

@testable import EpactServe

/// The sign-in by a password, and the hosts of a page that other machines reach.
struct PasswordTests {
  private static let password = "correct horse battery"

  private static func scene(
    _ change: (inout PageServer.Options) -> Void = { _ in }
  ) throws -> PageScene {
    let scene = try PageScene()
    try PagePassword(machine: scene.machine).set(Secret(password))
    return try PageScene(over: scene, change)
  }

  private static func signIn(
    _ scene: PageScene, _ password: String, host: String = PageScene.host,
    _ headers: HTTPFields = [:]
  ) async throws -> Answer {
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    let body = Array("password=\(FormText.escaped(password))".utf8)
    return try await scene.send(.post, "/sign-in", host: host, headers, body: body)
  }

  @Test("The password signs a browser in, and a page without a cookie asks for it")
  func password() async throws {
    let scene = try Self.scene()
    let asking = try await scene.get("/week")
    #expect(asking.status == 401 && asking.text.contains("type=\"password\""))
    #expect(asking.page.problems == [])
    let answer = try await Self.signIn(scene, Self.password)
    #expect(answer.status == 303 && answer.headers[.location] == "/")
    let parts = try #require(answer.headers[.setCookie]).split(separator: "; ").map(String.init)
    #expect(Set(parts.dropFirst()) == ["Path=/", "HttpOnly", "SameSite=Strict"])
    let page = try await scene.get("/week", [.cookie: parts[0]])
    #expect(page.status == 200)
  }

  @Test(
    "A wrong password signs nobody in",
    arguments: ["", " ", "Correct horse battery", "correct horse batter"])
  func wrongPassword(text: String) async throws {
    let scene = try Self.scene()
    let answer = try await Self.signIn(scene, text)
    #expect(answer.status == 401 && answer.headers[.setCookie] == nil)
    #expect(!answer.text.contains(Self.password))
  }

  @Test("Five wrong passwords stop the sign-in for a minute, and the key with it")
  func pause() async throws {
    let scene = try Self.scene()
    for _ in 0..<5 { _ = try await Self.signIn(scene, "wrong password") }
    #expect(try await Self.signIn(scene, Self.password).status == 429)
    #expect(try await scene.get("/?key=\(PageScene.key)").status == 429)
    scene.clock.seconds += 61
    #expect(try await Self.signIn(scene, Self.password).status == 303)
  }

  @Test("The form of another site signs nobody in")
  func foreignForm() async throws {
    let scene = try Self.scene()
    for headers: HTTPFields in [
      [.origin: "https://evil.example"], [.origin: "null"], [.secFetchSite: "cross-site"],
    ] {
      let answer = try await Self.signIn(scene, Self.password, headers)
      #expect(answer.status == 403 && answer.headers[.setCookie] == nil)
    }
  }

  @Test("Without a password, the form signs nobody in, and pages do not show it")
  func noPassword() async throws {
    let scene = try PageScene()
    #expect(try await scene.get("/").text.contains("type=\"password\"") == false)
    for text in ["", "x"] {
      #expect(try await Self.signIn(scene, text).status == 401)
    }
  }

  @Test("A digest that others can read is not used")
  func openDigest() async throws {
    let scene = try Self.scene()
    let digest = scene.machine.stateFolder + "/page-password"
    #expect(try TestProgram(["chmod", "644", digest]).run() == 0)
    let answer = try await Self.signIn(scene, Self.password)
    #expect(answer.status == 500 && answer.headers[.setCookie] == nil)
    #expect(answer.text.contains("can be read by others"))
  }

  @Test("Without a key, only the password signs in")
  func noKey() async throws {
    let scene = try Self.scene { ($0.usesKey, $0.key) = (false, nil) }
    #expect(try await scene.get("/?key=\(PageScene.key)").status == 401)
    #expect(try await scene.get("/?key=").status == 401)
    #expect(try await Self.signIn(scene, Self.password).status == 303)
  }

  @Test("A page that other machines reach needs a password")
  func publicAddress() throws {
    for address in ["0.0.0.0", "192.0.2.7", "::", "2001:db8::7"] {
      let error = #expect(throws: EpactError.self) {
        _ = try PageScene { $0.address = address }
      }
      #expect(error?.code == .configuration && error?.remedy == .setPagePassword)
      _ = try Self.scene { $0.address = address }
    }
    for address in ["127.0.0.1", "127.0.0.2", "::1"] {
      _ = try PageScene { $0.address = address }
    }
  }

  @Test(
    "A page that other machines reach answers to addresses, and to no other site's name",
    arguments: [
      ("192.0.2.7:8338", true), ("[2001:db8::7]:8338", true), ("127.0.0.1:8338", true),
      ("192.0.2.7:80", false), ("192.0.2.7", false), ("evil.example:8338", false),
      ("192.0.2.7.evil.example:8338", false), ("[evil]:8338", false), ("2001:db8::7:8338", false),
      ("192.0.2.7@evil.example:8338", false), (":8338", false),
    ])
  func addresses(host: String, isOwn: Bool) async throws {
    let scene = try Self.scene { $0.address = "0.0.0.0" }
    #expect(try await (scene.get("/", host: host).status != 421) == isOwn, "\(host)")
  }

  @Test(
    "The addresses of the machine are printed for a page at all of them",
    arguments: [
      ("0.0.0.0", ["127.0.0.1", "192.0.2.7"]),
      ("::", ["127.0.0.1", "192.0.2.7", "[2001:db8::7]"]),
      ("192.0.2.7", ["192.0.2.7"]), ("2001:db8::7", ["[2001:db8::7]"]), ("::1", ["[::1]"]),
    ])
  func printedAddresses(address: String, hosts: [String]) {
    var options = PageServer.Options()
    (options.address, options.hosts) = (address, ["cal.example.org"])
    let addresses = options.addresses(port: 8338, networkAddresses: ["192.0.2.7", "2001:db8::7"])
    #expect(addresses == hosts.map { "http://\($0):8338" } + ["https://cal.example.org"])
  }

  @Test("The cookie of a proxy with TLS is sent over TLS only")
  func secureCookie() async throws {
    let scene = try Self.scene {
      $0.hosts = ["calendar.example.org", "127.0.0.1:80"]
    }
    let proxied = try await Self.signIn(scene, Self.password, host: "calendar.example.org")
    #expect(proxied.headers[.setCookie]?.contains("; Secure") == true)
    for host in [PageScene.host, "127.0.0.1:80"] {
      let local = try await Self.signIn(scene, Self.password, host: host)
      #expect(local.headers[.setCookie]?.contains("Secure") == false)
    }
  }
}
