// SPDX-License-Identifier: Apache-2.0

import Epact
import EpactServe
import HTTPTypes
import Testing

/// Who may answer a form: the browser that used the address first, in time, and no other site.
struct HandoffGuardTests {
  @Test("The address works once, and again in the same browser alone")
  func keyOnce() async throws {
    let form = try HandoffScene()
    let first = try await form.scene.get("/?key=\(HandoffScene.key)")
    #expect([302, 303].contains(first.status))
    let cookie = try #require(first.headers[.setCookie])
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
    #expect(cookie.hasPrefix("epact-form-\(PageScene.port)="))
    let second = try await form.scene.get("/?key=\(HandoffScene.key)")
    #expect(second.status == 401 && second.headers[.setCookie] == nil)
    #expect(second.page.text.contains("works once"))
    var headers: HTTPFields = [:]
    headers[.cookie] = String(cookie.prefix { $0 != ";" })
    let same = try await form.scene.get("/?key=\(HandoffScene.key)", headers)
    #expect(same.status == 303 && same.headers[.location] == "/")
    #expect(try await form.scene.get("/", headers).status == 200)
  }

  @Test("A wrong key signs nobody in, and several begin a pause")
  func wrongKey() async throws {
    let form = try HandoffScene()
    for key in ["", "x", String(HandoffScene.key.dropLast()), HandoffScene.key + "0", "a b"] {
      let answer = try await form.scene.get("/?key=\(FormText.escaped(key))")
      #expect(answer.status == 401 && answer.headers[.setCookie] == nil)
    }
    let paused = try await form.scene.get("/?key=\(HandoffScene.key)")
    #expect(paused.status == 429 && paused.headers[.setCookie] == nil)
    #expect(paused.headers[.retryAfter] == "60")
    form.scene.clock.seconds += 61
    _ = try await form.open()
  }

  @Test("Without the cookie there is no form, and no text of the event")
  func noCookie() async throws {
    let form = try HandoffScene()
    _ = try await form.open()
    for path in ["/", "/done", "/edit", "/nothing"] {
      for cookie in [nil, "epact-form-8338=", "epact-form-8338=\(HandoffScene.key)", "epact=x"] {
        var headers: HTTPFields = [:]
        headers[.cookie] = cookie
        let answer = try await form.scene.get(path, headers)
        #expect([401, 404].contains(answer.status), "\(path)")
        #expect(!answer.text.contains("Lunch") && answer.page.problems == [])
      }
    }
    let post = try await form.scene.send(.post, "/", body: Array("action=save".utf8))
    #expect(post.status == 401)
    #expect(form.page.outcome == nil)
  }

  @Test(
    "Other hosts are refused",
    arguments: ["evil.example:8338", "127.0.0.1:8339", "127.0.0.1", "localhost.evil.example:8338"])
  func hosts(_ host: String) async throws {
    let form = try HandoffScene()
    for path in ["/", "/?key=\(HandoffScene.key)", "/assets/page.css"] {
      let answer = try await form.scene.get(path, host: host)
      #expect(answer.status == 421 && answer.headers[.setCookie] == nil)
    }
  }

  @Test("A form of another site, or without the token, saves nothing")
  func origins() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    for (name, value) in [
      (HTTPField.Name.origin, "http://evil.example"), (.origin, "null"),
      (.origin, "http://127.0.0.1:8339"), (.origin, "http://localhost:8338"),
      (try #require(HTTPField.Name("Sec-Fetch-Site")), "cross-site"),
      (try #require(HTTPField.Name("Sec-Fetch-Site")), "same-site"),
    ] {
      let answer = try await visitor.send("save", [name: value])
      #expect(answer.status == 403, "\(name): \(value)")
    }
    for token in ["", "x", HandoffScene.key] {
      #expect(try await visitor.send("save", ["csrf": token]).status == 403)
    }
    #expect(form.page.outcome == nil)
    #expect(try form.scene.texts() == "")
    let own = try await visitor.send("save", [.origin: "http://127.0.0.1:8338"])
    #expect(own.status == 303 && form.page.outcome == .saved)
  }

  @Test("After 30 minutes the form is gone, also for the browser that has it")
  func expiry() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    let values = HandoffVisitor.values(of: try await visitor.page())
    form.scene.clock.seconds += HandoffPage.timeLimit - 1
    _ = try await visitor.page()
    form.scene.clock.seconds += 1
    let late = try await visitor.post(values.merging(["action": "save"]) { $1 })
    #expect(late.status == 410 && late.page.text.contains("nothing was done"))
    #expect(try await form.scene.get("/?key=\(HandoffScene.key)").status == 410)
    #expect(try form.scene.texts() == "" && form.page.outcome == nil)
  }

  @Test("An answer is given once")
  func once() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    let values = HandoffVisitor.values(of: try await visitor.page())
    #expect(try await visitor.get("/done").headers[.location] == "/")
    let saved = try await visitor.post(values.merging(["action": "save"]) { $1 })
    #expect(try await visitor.confirmation(of: saved).contains("Saved."))
    let again = try await visitor.post(values.merging(["action": "cancel"]) { $1 })
    #expect(again.status == 303 && again.headers[.location] == "/done")
    #expect(try await visitor.get("/").headers[.location] == "/done")
    #expect(form.page.outcome == .saved)
  }

  @Test("All responses have the headers of the page, and a form of more than 64 KB is refused")
  func headers() async throws {
    let form = try HandoffScene()
    let visitor = try await form.open()
    for path in ["/", "/done", "/?key=x", "/nothing", "/assets/page.css"] {
      let headers = try await visitor.get(path).headers
      #expect(headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true, "\(path)")
      #expect(headers[.xContentTypeOptions] == "nosniff")
      #expect(path.hasPrefix("/assets") || headers[.cacheControl] == "no-store", "\(path)")
    }
    let page = try await visitor.page()
    #expect(page.indices("script") == [] && page.indices("nav") == [])
    let large = try await visitor.send("save", ["note": String(repeating: "x", count: 70_000)])
    #expect(large.status == 413 && form.page.outcome == nil)
  }
}

extension HandoffVisitor {
  /// Sends the form of a page with headers.
  fileprivate func send(_ action: String, _ headers: [HTTPField.Name: String]) async throws
    -> Answer
  {
    var fields: HTTPFields = [:]
    for (name, value) in headers { fields[name] = value }
    return try await send(action, [String: String?](), fields)
  }

  /// The response at an address.
  fileprivate func get(_ path: String) async throws -> Answer { try await visitor.get(path) }
}
