// SPDX-License-Identifier: Apache-2.0

/// Forms of requests and queries of addresses (`application/x-www-form-urlencoded`).
enum FormText {
  /// The text of a form.
  static func encoded(_ parameters: [AuthorizationServer.Parameter]) -> String {
    parameters.map { parameter in
      PercentEncoding.escapingAll(parameter.name) + "="
        + PercentEncoding.escapingAll(parameter.value)
    }.joined(separator: "&")
  }

  /// The parameters in a query; those that are not UTF-8 are left out.
  static func decoded(_ query: String) -> [AuthorizationServer.Parameter] {
    query.split(separator: "&").compactMap { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = pair.map { PercentEncoding.decoded(String($0).replacing("+", with: " ")) }
      guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else { return nil }
      return AuthorizationServer.Parameter(name, value)
    }
  }
}

extension RemoteURL {
  /// The address with further parameters in its query (RFC 6749 §3.1).
  func adding(_ parameters: [AuthorizationServer.Parameter]) -> RemoteURL {
    let more = FormText.encoded(parameters)
    let all = query.map { $0.isEmpty ? more : "\($0)&\(more)" } ?? more
    return RemoteURL(origin: origin, path: path, query: all)
  }
}
