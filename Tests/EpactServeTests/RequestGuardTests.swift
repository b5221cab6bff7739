// SPDX-License-Identifier: Apache-2.0

import Epact
import EpactServe
import HTTPTypes
import Testing

/// Who may ask for what: hosts, sign-in, origins, tokens of forms, and the headers of all responses.
struct RequestGuardTests {
  static let pages = [
    "/", "/week", "/month", "/agenda", "/search", "/tasks", "/new", "/feeds", "/calendars.css",
    "/item/private/dinner",
  ]
  static let forms = [
    "/new", "/tasks/new", "/tasks/done", "/item/private/dinner", "/undo", "/feeds",
  ]

  // MARK: Hosts

  @Test(
    "The server answers to its own names and port alone",
    arguments: [
      ("127.0.0.1:8338", true), ("localhost:8338", true), ("LocalHost:8338", true),
      ("[::1]:8338", true), ("evil.example:8338", false), ("127.0.0.1:8339", false),
      ("127.0.0.1", false), ("localhost", false), ("localhost:", false), ("", false),
      ("localhost.evil.example:8338", false), ("evil.example#localhost:8338", false),
      ("127.0.0.1:8338:8338", false), ("localhost:8338.", false), ("[::1%25lo]:8338", false),
    ])
  func hosts(_ host: String, isOwn: Bool) async throws {
    let scene = try PageScene()
    for path in ["/", "/assets/page.css", "/feed/x.ics", "/nothing", "/?key=\(PageScene.key)"] {
      let answer = try await scene.get(path, host: host)
      #expect((answer.status != 421) == isOwn, "\(path) of \(host): \(answer.status)")
      if !isOwn { #expect(answer.headers[.setCookie] == nil) }
    }
  }

  @Test("A request without a host is refused")
  func missingHost() async throws {
    let scene = try PageScene()
    #expect(try await scene.get("/feed/x.ics", host: nil).status == 421)
  }

  @Test("Additional names are allowed with the port and without")
  func additionalHosts() async throws {
    let scene = try PageScene { $0.hosts = ["Calendar.example"] }
    for (host, status) in [
      ("calendar.example", 401), ("calendar.example:8338", 401), ("calendar.example:1", 421),
      ("127.0.0.1:8338", 401), ("other.example", 421),
    ] {
      #expect(try await scene.get("/", host: host).status == status, "\(host)")
    }
  }

  // MARK: Sign-in

  @Test("No page and no form answers without a cookie")
  func noCookie() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    for path in Self.pages {
      for cookie in [nil, "epact=", "epact=\(PageScene.key)", "epact=x; other=y"] {
        var headers: HTTPFields = [:]
        headers[.cookie] = cookie
        let answer = try await scene.get(path, headers)
        #expect(answer.status == 401, "\(path)")
        #expect(!answer.text.contains("Dinner"))
        #expect(answer.page.problems == [])
      }
    }
    for path in Self.forms {
      let answer = try await scene.send(.post, path, body: Array("action=delete".utf8))
      #expect(answer.status == 401, "\(path)")
    }
    #expect(try scene.text(of: "dinner").contains("SUMMARY:Dinner"))
  }

  @Test("The key is exchanged for a cookie that scripts and other sites do not get")
  func cookie() async throws {
    let scene = try PageScene()
    let answer = try await scene.get("/week?key=\(PageScene.key)")
    #expect(answer.status == 302 || answer.status == 303)
    #expect(answer.headers[.location] == "/week")
    let parts = try #require(answer.headers[.setCookie]).split(separator: "; ").map(String.init)
    let value = try #require(parts.first?.split(separator: "=").last)
    #expect(value.count == 64 && value.allSatisfy(\.isHexDigit))
    #expect(Set(parts.dropFirst()) == ["Path=/", "HttpOnly", "SameSite=Strict"])
    #expect(value != PageScene.key)
    let other = try await scene.get("/?key=\(PageScene.key)")
    #expect(other.headers[.setCookie] != answer.headers[.setCookie])
  }

  @Test("The address after the sign-in is one of this server", arguments: ["//evil.example", "//"])
  func ownRedirect(_ path: String) async throws {
    let scene = try PageScene()
    let answer = try await scene.get("\(path)?key=\(PageScene.key)")
    let location = answer.headers[.location] ?? "/"
    #expect(location.hasPrefix("/") && !location.hasPrefix("//"), "\(location)")
  }

  @Test("The key is in no page, no header and no redirect")
  func hiddenKey() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    var answers = [try await scene.get("/?key=\(PageScene.key)")]
    for path in Self.pages { answers.append(try await visitor.get(path)) }
    answers.append(try await scene.get("/?key=\(PageScene.key)x"))
    answers.append(try await visitor.get("/nothing?key=\(PageScene.key)"))
    let value = visitor.cookie.dropFirst("epact=".count)
    for answer in answers {
      let headers = answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
      #expect(!answer.text.contains(PageScene.key) && !headers.contains(PageScene.key))
      #expect(!answer.text.contains(value) && !headers.contains(value))
    }
  }

  @Test("Five wrong keys stop the sign-in for a minute, and the right key with it")
  func wrongKeys() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    func sign(_ key: String) async throws -> Int { try await scene.get("/?key=\(key)").status }
    for number in 1...4 { #expect(try await sign("wrong\(number)") == 401) }
    // A right key begins the count again.
    #expect(try await [302, 303].contains(sign(PageScene.key)))
    for number in 1...5 { #expect(try await sign("wrong\(number)") == 401) }
    #expect(try await sign(PageScene.key) == 429)
    #expect(try await scene.get("/?key=\(PageScene.key)").headers[.setCookie] == nil)
    #expect(try await visitor.get("/feeds").status == 200, "signed-in browsers go on")
    scene.clock.seconds += 59.9
    #expect(try await sign(PageScene.key) == 429)
    scene.clock.seconds += 0.2
    #expect(try await sign("wrong") == 401)
    #expect(try await [302, 303].contains(sign(PageScene.key)))
  }

  @Test("A wrong key does not sign out, and its page shows nothing of the key")
  func wrongKeyPage() async throws {
    let scene = try PageScene()
    let answer = try await scene.get("/?key=%3Cscript%3Ealert(1)%3C/script%3E")
    #expect(answer.status == 401)
    #expect(answer.text.contains("The key in the address is wrong."))
    #expect(!answer.text.contains("alert"))
    for key in ["", "0", String(PageScene.key.dropLast()), PageScene.key.uppercased()] {
      #expect(try await scene.get("/?key=\(key)").headers[.setCookie] == nil, "\(key)")
    }
  }

  // MARK: Forms

  @Test(
    "A form of another site is refused, and one of this server is not",
    arguments: [
      (nil, nil, true), ("http://127.0.0.1:8338", "same-origin", true),
      ("http://127.0.0.1:8338", nil, true), (nil, "same-origin", true),
      (nil, "same-site", false), (nil, "cross-site", false), (nil, "none", false),
      ("null", nil, false), ("", nil, false), ("http://evil.example", nil, false),
      ("http://evil.example:8338", "same-origin", false), ("http://localhost:8338", nil, false),
      ("http://127.0.0.1:8339", nil, false), ("http://127.0.0.1", nil, false),
      ("http://127.0.0.1:8338", "cross-site", false),
      ("http://127.0.0.1:8338.evil.example", nil, false), ("127.0.0.1:8338", nil, false),
    ] as [(String?, String?, Bool)])
  func origins(_ origin: String?, site: String?, isOwn: Bool) async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    var headers: HTTPFields = [:]
    headers[.origin] = origin
    if let site { headers[HTTPField.Name("Sec-Fetch-Site")!] = site }
    let answer = try await visitor.post(
      "/new", ["text": "Lunch tomorrow 12:00", "calendar": "private"], headers)
    #expect(answer.status == (isOwn ? 303 : 403), "\(answer.text)")
    #expect(try scene.texts().contains("SUMMARY:Lunch") == isOwn)
  }

  @Test("A form without the token of its session changes nothing", arguments: forms)
  func tokens(_ path: String) async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    try scene.add("rent", to: "tasks", "SUMMARY:Rent")
    let (visitor, other) = (try await scene.signIn(), try await scene.signIn())
    #expect(visitor.csrf != other.csrf)
    let cookie = String(visitor.cookie.dropFirst("epact=".count))
    for token in ["", "x", other.csrf, cookie, PageScene.key, visitor.csrf.uppercased() + "x"] {
      let answer = try await visitor.post(
        path,
        [
          "text": "Lunch tomorrow 12:00", "action": "delete", "calendar": "tasks", "uid": "rent",
          "show": "all", "run": "1",
        ], csrf: token)
      #expect(answer.status == 403, "\(path) with \(token)")
      #expect(answer.text.contains("Nothing was changed."))
    }
    var headers: HTTPFields = [:]
    headers[.cookie] = visitor.cookie
    let bare = try await scene.send(.post, path, headers, body: Array("text=x".utf8))
    #expect(bare.status == 403 || bare.status == 415 || bare.status == 400)
    #expect(try scene.texts() == scene.text(of: "dinner"))
    #expect(try !scene.text(of: "rent", in: "tasks").contains("COMPLETED"))
    #expect(try scene.library.feeds().isEmpty)
  }

  @Test("A form over 64 KB is refused")
  func largeForm() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    let text = String(repeating: "x", count: 64 << 10)
    let answer = try await visitor.post("/new", ["text": text])
    #expect(answer.status == 413)
    #expect(answer.page.problems == [])
    let less = try await visitor.post("/new", ["text": String(text.dropLast(200))])
    #expect(less.status == 303)
  }

  @Test(
    "Bytes that are no form are refused",
    arguments: [
      "", "a", "=&=&", "%", "csrf=%zz", "csrf", "a[b]=c", "csrf[]=1&csrf[]=2", "\0\u{7F}",
    ])
  func malformedForm(_ body: String) async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    let headers: HTTPFields = [
      .cookie: visitor.cookie, .contentType: "application/x-www-form-urlencoded",
    ]
    let answer = try await scene.send(.post, "/new", headers, body: Array(body.utf8))
    #expect((400..<500).contains(answer.status), "\(answer.status): \(answer.text)")
    #expect(answer.page.problems == [])
  }

  @Test("A read-only server shows all pages without forms, and takes none")
  func readOnly() async throws {
    let scene = try PageScene { $0.isReadOnly = true }
    try scene.add("dinner", "SUMMARY:Dinner")
    let answer = try await scene.get("/?key=\(PageScene.key)")
    let cookie = try #require(answer.headers[.setCookie]?.split(separator: ";").first)
    let visitor = Visitor(scene: scene, cookie: String(cookie), csrf: "")
    for path in Self.pages where path != "/calendars.css" {
      let page = try await visitor.page(path)
      let forms = page.indices("form").map { page.elements[$0].attributes }
      #expect(forms.allSatisfy { $0["method"] == nil }, "\(path)")
    }
    for path in Self.forms {
      let answer = try await visitor.post(path, ["text": "Lunch tomorrow 12:00"])
      #expect(answer.status == 403)
      #expect(answer.text.contains("This page only shows; nothing was changed."))
    }
  }

  // MARK: Responses

  @Test("Every response has the headers of a page that nothing else may use")
  func headers() async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    let (_, token) = try scene.library.makeFeed(.init(["private"]))
    let feed = "/feed/\(token.revealed).ics"
    let tag = try #require(try await scene.get(feed).headers[.eTag])
    var answers: [(String, Answer)] = [
      ("421", try await scene.get("/", host: "evil.example")),
      ("401", try await scene.get("/")), ("404", try await visitor.get("/nothing")),
      ("404 item", try await visitor.get("/item/private/none")),
      ("303", try await scene.get("/?key=\(PageScene.key)")),
      ("429", try await scene.get("/?key=x")),
      ("403", try await visitor.post("/new", [:], csrf: "x")),
      ("405", try await scene.send(.delete, "/")), ("feed", try await scene.get(feed)),
      ("304", try await scene.get(feed, [.ifNoneMatch: tag])),
      ("no feed", try await scene.get("/feed/x.ics")),
      ("sheet", try await scene.get("/assets/page.css")),
    ]
    for path in Self.pages { answers.append((path, try await visitor.get(path))) }
    for (name, answer) in answers {
      func header(_ name: String) -> String? { answer.headers[HTTPField.Name(name)!] }
      #expect(
        header("Content-Security-Policy") == """
          default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
          img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
          """, "\(name)")
      #expect(header("X-Content-Type-Options") == "nosniff", "\(name)")
      #expect(header("Referrer-Policy") == "same-origin", "\(name)")
      #expect(header("Cross-Origin-Resource-Policy") == "same-origin", "\(name)")
      let isKept = ["feed", "304", "sheet"].contains(name)
      #expect((header("Cache-Control") == "no-store") != isKept, "\(name)")
    }
    #expect(answers.first { $0.0 == "304" }?.1.status == 304)
  }

  @Test("HEAD has the status and the headers of GET, and no body", arguments: pages)
  func head(_ path: String) async throws {
    let scene = try PageScene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    let get = try await visitor.get(path)
    let head = try await scene.send(.head, path, [.cookie: visitor.cookie])
    #expect(head.status == get.status)
    #expect(head.bytes.isEmpty)
    #expect(head.headers[.contentType] == get.headers[.contentType])
    #expect(try await scene.send(.head, path).status == 401)
  }

  @Test("HEAD leaves the notice of the last form to the page that shows it")
  func headNotice() async throws {
    let scene = try PageScene()
    let visitor = try await scene.signIn()
    _ = try await visitor.post("/new", ["text": "Lunch tomorrow 12:00", "calendar": "private"])
    _ = try await scene.send(.head, "/", [.cookie: visitor.cookie])
    #expect(try await visitor.page("/").notice.first?.hasPrefix("added: Lunch") == true)
    #expect(try await visitor.page("/").notice == [])
  }

  @Test("The oldest of more than a hundred sessions ends")
  func sessionLimit() async throws {
    let scene = try PageScene()
    let first = try await scene.signIn()
    for _ in 0..<99 { _ = try await scene.get("/?key=\(PageScene.key)") }
    #expect(try await first.get("/feeds").status == 200)
    _ = try await scene.get("/?key=\(PageScene.key)")
    #expect(try await first.get("/feeds").status == 401)
  }
}
