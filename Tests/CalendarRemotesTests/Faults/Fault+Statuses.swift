// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension Fault {
  /// What servers answer instead of doing what is asked for.
  static let ofStatuses: [Fault] =
    [
      onceOnly("s_401_always", .fail, mostRequests: 3) { _ in
        Reply("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"r\""]).steps
      },
      .answer("s_403_list", .fail, to: .list) { _ in Reply("403 Forbidden").steps },
      .answer("s_404_list", .fail, to: .list) { _ in Reply("404 Not Found").steps },
      .answer("s_410_list", .fail, to: .list) { _ in Reply("410 Gone").steps },
      .answer("s_500_list", .fail, to: .list) { _ in Reply("500 Internal Server Error").steps },
      .answer("s_502_html", .fail, to: .list) { _ in Reply.html("502 Bad Gateway").steps },
      .answer("s_503_retry_after", .either) { scene in
        scene.total <= 3
          ? Reply("503 Service Unavailable", fields: ["Retry-After: 1"]).steps : nil
      },
      .answer("s_429_short", .either) { scene in
        scene.total.isMultiple(of: 3)
          ? Reply("429 Too Many Requests", fields: ["Retry-After: 1"]).steps : nil
      },
      onceOnly("s_429_long", .fail, mostRequests: 3) { _ in
        Reply("429 Too Many Requests", fields: ["Retry-After: 86400"]).steps
      },
      onceOnly("s_429_date", .fail, mostRequests: 3) { _ in
        Reply(
          "429 Too Many Requests", fields: ["Retry-After: Mon, 01 Jan 2035 00:00:00 GMT"]
        ).steps
      },
      .answer("s_412_put_once", .either, to: .put) { scene in
        scene.count == 1 ? Reply("412 Precondition Failed").steps : nil
      },
      .answer("s_412_put_always", .fail, to: .put) { _ in
        Reply("412 Precondition Failed").steps
      },
      .answer("s_412_delete_always", .fail, to: .delete) { _ in
        Reply("412 Precondition Failed").steps
      },
      .spoil("s_404_delete", .ok, .delete) { _, _ in Reply("404 Not Found").steps },
      .answer("s_500_poison_item", .fail, to: .put) { scene in
        scene.request.target.contains("new-here")
          ? Reply("500 Internal Server Error").steps : nil
      },
      .answer("s_204_list", .fail, to: .list) { _ in Reply("204 No Content").steps },
      .spoil("s_200_for_207", .either, .list) { _, reply in
        var reply = reply
        reply.status = "200 OK"
        return reply.steps
      },
    ]
    + [
      ("400", "Bad Request"), ("403", "Forbidden"), ("409", "Conflict"),
      ("413", "Content Too Large"), ("415", "Unsupported Media Type"), ("423", "Locked"),
      ("500", "Internal Server Error"), ("507", "Insufficient Storage"),
    ].map { code, words in
      .answer("s_\(code)_put", .fail, to: .put) { _ in Reply("\(code) \(words)").steps }
    }

  /// What servers say of single items.
  static let ofItems: [Fault] = [
    .spelling("s_207_inner_500", .fail) { $0.itemStatus = ["i3@x": 500] },
    .spelling("s_207_inner_403", .fail) { $0.itemStatus = ["i3@x": 403] },
    .spelling("s_207_inner_404", .either) { $0.itemStatus = ["i3@x": 404] },
    .spelling("b_html_data", .fail) { style in
      style.data = { _, _ in "<!DOCTYPE html><html><body>Sign in</body></html>" }
    },
    .spelling("b_data_other_uid", .either) { style in
      style.data = { uid, text in
        uid == "i3@x" ? text.replacing("i3@x", with: "other@x") : text
      }
    }.believed,
    .spelling("b_data_two_uids", .either) { style in
      style.data = { uid, text in
        guard uid == "i3@x" else { return text }
        let event = text.split(separator: "PRODID:-//Example//Test//EN\r\n")[1]
          .replacing("i3@x", with: "second@x").replacing("END:VCALENDAR\r\n", with: "")
        return text.replacing("END:VCALENDAR", with: event + "END:VCALENDAR")
      }
    },
    .spoil("b_invalid_utf8", .either, .data) { _, reply in spoilText(of: reply, with: [0xFF, 0xC3])
    }.believed,
    .spoil("b_nul", .either, .data) { _, reply in spoilText(of: reply, with: [0x00, 0x01]) }
      .believed,
  ]

  /// Puts bytes into the title of an item.
  private static func spoilText(of reply: Reply, with bytes: [UInt8]) -> [LoopbackServer.Step] {
    var reply = reply
    if let place = reply.body.firstRange(of: Array("Edited there".utf8)) {
      reply.body.insert(contentsOf: bytes, at: place.lowerBound)
    }
    return reply.steps
  }

  /// A fault of all answers, after which few more requests may come.
  private static func onceOnly(
    _ name: String, _ expectation: Expectation, mostRequests: Int,
    _ steps: @escaping @Sendable (Scene) -> [LoopbackServer.Step]?
  ) -> Fault {
    var fault = Fault(name: name, expectation: expectation, mostRequests: mostRequests)
    fault.instead = steps
    return fault
  }
}
