// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import Synchronization
import Testing

/// A transport that expects exactly these requests in this order, and has the answers ready.
///
/// Any other request is an issue of the test, and fails.
final class ScriptedTransport: HTTPTransport {
  /// What comes back.
  enum Answer: Sendable {
    case status(Int, fields: HTTPHeaders = [:], body: String = "")
    case failure(HTTPError.Code)
    /// The first bytes of an answer, and then nothing for too long.
    case stalled
    /// An answer that another address gave, after redirects.
    indirect case moved(to: String, Answer)

    /// A multi-status answer with these responses.
    static func multiStatus(
      _ responses: String, status: Int = 207, fields: HTTPHeaders = [:]
    ) -> Answer {
      .status(
        status, fields: fields,
        body: #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" "#
          + #"xmlns:c="urn:ietf:params:xml:ns:caldav">\#(responses)</d:multistatus>"#)
    }
  }

  /// A request that is to come, and its answer.
  struct Exchange: Sendable {
    let method: HTTPMethod
    let url: String
    let fields: HTTPHeaders
    let answer: Answer

    init(_ method: HTTPMethod, _ url: String, fields: HTTPHeaders = [:], answer: Answer) {
      self.method = method
      self.url = url
      self.fields = fields
      self.answer = answer
    }
  }

  private let script: [Exchange]
  private let received = Mutex<[HTTPRequest]>([])

  init(_ script: [Exchange]) {
    self.script = script
  }

  /// The requests that came, in order.
  var log: [HTTPRequest] { received.withLock { $0 } }

  /// Records an issue if not all of the script was played.
  func expectFinished(sourceLocation: SourceLocation = #_sourceLocation) {
    let missing = script.dropFirst(log.count).map { "\($0.method) \($0.url)" }
    #expect(missing.isEmpty, sourceLocation: sourceLocation)
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let index = received.withLock { log in
      log.append(request)
      return log.count - 1
    }
    guard script.indices.contains(index) else {
      Issue.record("unexpected request \(index + 1): \(request.method) \(request.url)")
      throw HTTPError(code: .failed, url: request.url, message: "the script has ended")
    }
    let expected = script[index]
    #expect("\(request.method) \(request.url)" == "\(expected.method) \(expected.url)")
    for field in expected.fields.fields {
      #expect(request.headers[field.name] == field.value, "\(field.name) of request \(index + 1)")
    }
    return try response(expected.answer, from: request.url)
  }

  private func response(_ answer: Answer, from url: RemoteURL) throws -> HTTPResponse {
    switch answer {
    case .status(let status, let fields, let body):
      return HTTPResponse(status: status, headers: fields, body: Array(body.utf8), url: url)
    case .failure(let code):
      throw HTTPError(
        code: code, url: url, message: "as the script says", isBeforeAnswer: code == .timeout)
    case .stalled: throw HTTPError(code: .timeout, url: url, message: "the server sent nothing")
    case .moved(let address, let answer):
      return try response(answer, from: RemoteURL(parsing: address))
    }
  }
}
