// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A libcurl transfer: one request and its response.
///
/// It is a class because libcurl stores its address. It moves from its task to the loop's thread
/// and back, and only one of them accesses it at a time; hence `@unchecked Sendable`.
@safe final class CurlTransfer: @unchecked Sendable {
  /// The authentication of a request.
  enum Proof {
    case basic(user: String, password: String)
    case digest(user: String, password: String)
    case token(String)
  }

  let pointer: OpaquePointer
  private let limits: HTTPLimits

  /// The identity of the transfer during its lifetime.
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  /// Prepares a request, or returns nil if libcurl rejects an argument or memory is short.
  init?(
    _ request: HTTPRequest, proof: Proof?, userAgent: String, identity: NetworkIdentity,
    limits: HTTPLimits
  ) {
    self.limits = limits
    let bounds = ccurl_limits(
      connect_milliseconds: Int(clamping: limits.connect.milliseconds),
      answer_seconds: Int(clamping: max(1, limits.answer.components.seconds)),
      idle_seconds: Int(clamping: max(1, limits.idle.components.seconds)),
      total_milliseconds: Int(clamping: limits.total.milliseconds),
      header_bytes: limits.headerSize, body_bytes: limits.bodySize)
    // Loopback traffic is unencrypted and must not go through a proxy on another machine.
    let made = unsafe ccurl_transfer_make(
      request.method.rawValue, request.url.description, request.body, request.body?.count ?? 0,
      userAgent, request.url.isLoopback, bounds)
    guard let made = unsafe made else { return nil }
    unsafe pointer = made
    guard set(identity), set(proof), set(Self.lines(of: request)) else { return nil }
    if request.isFromElsewhere {
      guard unsafe ccurl_transfer_avoid_this_machine(pointer) else { return nil }
    }
    if request.acceptsCompression {
      guard unsafe ccurl_transfer_accept_compression(pointer) else { return nil }
    }
  }

  deinit {
    unsafe ccurl_transfer_free(pointer)
  }

  /// Lets the request share a connection with others, if the server has HTTP/2 (RFC 9113).
  ///
  /// Every error that may come from sharing counts as a lost connection.
  func shareConnection() -> Bool { unsafe ccurl_transfer_share_connection(pointer) }

  /// Whether the response came by HTTP/2.
  var hasStreams: Bool { unsafe ccurl_transfer_has_streams(pointer) }

  /// Whether the request was sent again because its connection was lost.
  var isResent: Bool { unsafe ccurl_transfer_is_resent(pointer) }

  private func set(_ identity: NetworkIdentity) -> Bool {
    // Each optional text becomes a C string for the duration of the call.
    unsafe withOptionalCString(identity.caFile) { caFile in
      unsafe withOptionalCString(identity.pins.isEmpty ? nil : identity.pinText) { pin in
        unsafe withOptionalCString(identity.client?.certificateFile) { certificate in
          unsafe withOptionalCString(identity.client?.keyFile) { key in
            unsafe ccurl_transfer_set_identity(
              pointer,
              ccurl_identity(ca_file: caFile, pin: pin, certificate: certificate, key: key))
          }
        }
      }
    }
  }

  private func set(_ proof: Proof?) -> Bool {
    switch proof {
    case nil: true
    case .basic(let user, let password):
      unsafe ccurl_transfer_set_credentials(pointer, user, password, .basic)
    case .digest(let user, let password):
      unsafe ccurl_transfer_set_credentials(pointer, user, password, .digest)
    case .token(let token): unsafe ccurl_transfer_set_token(pointer, token)
    }
  }

  private func set(_ lines: [String]) -> Bool {
    lines.allSatisfy { unsafe ccurl_transfer_add_header(pointer, $0) }
  }

  /// The status with which a proxy refused a connection to a server; nil for other messages.
  private static func statusOfTunnel(_ message: String) -> Int? {
    let prefix = "CONNECT tunnel failed, response "
    return message.hasPrefix(prefix) ? Int(message.dropFirst(prefix.count)) : nil
  }

  /// The header lines of the request; a name without a value suppresses a libcurl default.
  private static func lines(of request: HTTPRequest) -> [String] {
    var lines = request.headers.fields.map { "\($0.name): \($0.value)" }
    lines.append("Expect:")
    if !request.acceptsCompression { lines.append("Accept-Encoding: identity") }
    if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
    return lines
  }

  /// Returns the complete response.
  ///
  /// - Throws: `HTTPError` if there is none.
  func response(to request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    if var code = unsafe Self.code(of: ccurl_transfer_outcome(pointer)) {
      var message = unsafe String(cString: ccurl_transfer_message(pointer))
      if unsafe ccurl_transfer_has_avoided(pointer) {
        (code, message) = (.redirected, "redirected to this machine, \(request.url.origin)")
      } else if code == .tooLarge {
        // libcurl only reports that the write callback accepted no more data.
        message =
          "the response is larger than \(Self.size(limits.bodySize)), or its header than "
          + Self.size(limits.headerSize)
      } else if code == .proxy {
        message = HTTPError.refusedByProxy(message)
      } else if let status = Self.statusOfTunnel(message) {
        message = "the proxy does not reach the server (status \(status))"
      } else if code == .untrusted, Self.isNotTLS(message) {
        (code, message) = (
          .malformed, "\(HTTPError.noTLS) on port \(request.url.origin.port)"
        )
      }
      throw HTTPError(
        code: code, url: request.url, message: ServerText.escaped(message),
        isBeforeAnswer: unsafe !ccurl_transfer_has_begun(pointer))
    }
    var response = unsafe HTTPResponse(
      status: ccurl_transfer_status(pointer),
      headers: HTTPHeaders(parsing: Self.copy(ccurl_transfer_header(pointer))),
      body: Self.copy(ccurl_transfer_body(pointer)), url: request.url)
    response.duration = unsafe .microseconds(ccurl_transfer_microseconds(pointer))
    response.connectDuration = unsafe .microseconds(ccurl_transfer_connect_microseconds(pointer))
    let encoding = response.headers["Content-Encoding"]?.lowercased() ?? "identity"
    // libcurl has already decompressed a requested encoding.
    guard encoding == "identity" || request.acceptsCompression else {
      throw HTTPError(
        code: .malformed, url: request.url,
        message:
          "the response is encoded as \(ServerText.escaped(encoding)), which was not requested"
      )
    }
    return response
  }

  /// Whether a message of a TLS library reports a response without TLS, such as plain HTTP.
  static func isNotTLS(_ message: String) -> Bool {
    let signs = [
      "wrong version number", "packet length too long", "unknown protocol", "http request",
      "unexpected tls packet", "record overflow", "record too long", "rx_record_too_long",
    ]
    let text = message.lowercased()
    return signs.contains(where: text.contains)
  }

  /// A number of bytes for people.
  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
  }

  private static func code(of outcome: ccurl_outcome) -> HTTPError.Code? {
    switch outcome {
    case .done: nil
    case .unreachable: .unreachable
    case .timeout: .timeout
    case .interrupted: .interrupted
    case .untrusted: .untrusted
    case .tooLarge: .tooLarge
    case .malformed: .malformed
    case .proxy: .proxy
    case .failed: .failed
    }
  }

  private static func copy(_ slice: ccurl_bytes) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: slice.bytes, count: slice.count))
  }
}

extension Duration {
  /// The duration in whole milliseconds.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    return isTooLong ? .max : whole &+ attoseconds / 1_000_000_000_000_000
  }
}

/// Calls `body` with a C string, or with a null pointer for nil.
private func withOptionalCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let text else { return body(nil) }
  return unsafe text.withCString { unsafe body($0) }
}
