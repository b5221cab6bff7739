// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension Fault {
  /// What becomes of a token that a server does not know any more.
  static let ofTokens: [Fault] =
    [
      ("400", "Bad Request", Expectation.either), ("403", "Forbidden", .ok),
      ("409", "Conflict", .ok), ("410", "Gone", .ok), ("412", "Precondition Failed", .either),
      ("418", "I'm a teapot", .either), ("500", "Internal Server Error", .either),
      ("507", "Insufficient Storage", .either),
    ].map { code, words, expectation in
      Fault.answer("k_token_\(code)", expectation, to: .report) { _ in
        Reply("\(code) \(words)").steps
      }.withTokens
    } + [
      spelling("k_token_507_partial", .ok) { $0.pages = true }.withTokens,
      spelling("k_token_missing", .either) { $0.hasSyncToken = false }.withTokens,
    ]

  /// Where servers send requests on to.
  static let ofRedirects: [Fault] = [
    .answer("r_loop", .fail) { scene in
      Reply.redirect("302 Found", to: scene.request.target).steps
    },
    .answer("r_chain", .fail) { scene in
      let last = Int(scene.request.target.split(separator: "/").last ?? "") ?? 0
      return Reply.redirect("302 Found", to: "/\(last + 1)").steps
    },
    .answer("r_308_same", .ok) { scene in
      guard scene.request.target.hasPrefix("/cal/") else { return nil }
      let alias = "/alias" + scene.request.target.dropFirst("/cal".count)
      return Reply.redirect("308 Permanent Redirect", to: alias).steps
    },
    .answer("r_cross_origin", .fail, to: .list) { scene in
      Reply.redirect("302 Found", to: scene.evil + "/cal/").steps
    },
    .answer("r_307_put_cross", .fail, to: .put) { scene in
      Reply.redirect("307 Temporary Redirect", to: scene.evil + "/cal/x.ics").steps
    },
    .answer("r_userinfo", .fail, to: .list) { scene in
      let place = scene.evil.replacing("http://", with: "http://user:pass@")
      return Reply.redirect("302 Found", to: place + "/cal/").steps
    },
    .answer("r_file", .fail, to: .list) { _ in
      Reply.redirect("302 Found", to: "file:///etc/passwd").steps
    },
    .answer("r_302_put", .either, to: .put) { scene in
      guard scene.request.target.hasPrefix("/cal/") else { return nil }
      let alias = "/alias" + scene.request.target.dropFirst("/cal".count)
      return Reply.redirect("302 Found", to: alias).steps
    },
    .answer("r_302_login", .fail) { scene in
      scene.request.target == "/login"
        ? Reply.html("200 OK").steps : Reply.redirect("302 Found", to: "/login").steps
    },
  ]
}
