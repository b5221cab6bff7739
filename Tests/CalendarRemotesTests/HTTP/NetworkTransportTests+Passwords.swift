// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import TestSupport
import Testing

extension NetworkTransportTests {
  @Test func `A digest is given to a server that wants only that`() async throws {
    try await withServer(script: { request in
      if request["authorization"]?.hasPrefix("Digest ") ?? false { return [.answer("201 Created")] }
      let challenge = #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#
      return [.answer("401 Unauthorized", fields: [challenge], body: "no")]
    }) { transport, server in
      for _ in 0..<2 {
        let response = try await transport.send(
          HTTPRequest(
            method: .put, url: url(server), headers: ["If-None-Match": "*"],
            body: Array("item".utf8), credentials: Self.alice))
        #expect(response.status == 201)
        #expect(response.body.isEmpty)
        let final = try #require(server.requests.last)
        #expect(final.body == Array("item".utf8))
        #expect(final["authorization"]?.contains(#"username="alice""#) ?? false)
        #expect(final["if-none-match"] == "*")
      }
      // The second time the password is not sent in clear any more.
      #expect(server.requests.count { $0["authorization"] == Self.basic } == 1)
    }
  }

  @Test func `A refused password is not tried again`() async throws {
    try await withServer(script: { _ in
      [.answer("401 Unauthorized", fields: [#"WWW-Authenticate: Basic realm="r""#])]
    }) { transport, server in
      let response = try await transport.send(
        HTTPRequest(method: .propfind, url: url(server), credentials: Self.alice))
      #expect(response.status == 401)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [true, false])
  func `A digest is tried once where it is offered beside Basic`(isRight: Bool) async throws {
    try await withServer(script: { request in
      if isRight, request["authorization"]?.hasPrefix("Digest ") ?? false {
        return [.answer("207 Multi-Status")]
      }
      let challenges = [
        #"WWW-Authenticate: Basic realm="r""#,
        #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#,
      ]
      return [.answer("401 Unauthorized", fields: challenges)]
    }) { transport, server in
      let response = try await transport.send(
        HTTPRequest(method: .propfind, url: url(server), credentials: Self.alice))
      #expect(response.status == (isRight ? 207 : 401))
      let proofs = server.requests.compactMap { $0["authorization"]?.prefix { $0 != " " } }
      #expect(proofs == ["Basic", "Digest"])
    }
  }

  @Test(arguments: ["a", "abc"])
  func `A short password does not redact parts of words`(password: String) async throws {
    try await withServer(script: { _ in
      [.answer("403 Forbidden", fields: ["Content-Type: text/plain"], body: "abc: a calendar")]
    }) { transport, server in
      let response = try await transport.send(
        HTTPRequest(
          method: .propfind, url: url(server),
          credentials: Credentials(user: "ada", password: password)))
      #expect(String(decoding: response.body, as: UTF8.self) == "abc: a calendar")
    }
  }
}
