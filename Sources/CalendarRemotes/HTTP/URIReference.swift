// SPDX-License-Identifier: Apache-2.0

/// A URI reference, split into its unvalidated components (RFC 3986 Appendix B).
///
/// The fragment is dropped, because it is never sent.
struct URIReference {
  let scheme: String?
  let authority: String?
  let path: String
  let query: String?

  init(_ text: String) {
    var rest = Substring(text)
    // The search is on bytes, because none of these occurs inside another character.
    if let hash = rest.utf8.firstIndex(of: 0x23) { rest = rest[..<hash] }
    if let mark = rest.utf8.firstIndex(of: 0x3F) {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    } else {
      query = nil
    }
    if let colon = rest.utf8.firstIndex(of: 0x3A), !rest[..<colon].utf8.contains(0x2F),
      colon > rest.startIndex
    {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    } else {
      scheme = nil
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<slash])
      rest = rest[slash...]
    } else {
      authority = nil
    }
    path = String(rest)
  }

  /// The path and query of the target of a relative-path reference (RFC 3986 §5.2.2).
  func pathAndQuery(
    against basePath: String, query baseQuery: String?
  ) -> (path: String, query: String?) {
    if path.isEmpty { return (basePath, query ?? baseQuery) }
    if path.hasPrefix("/") { return (path.removingDotSegments(), query) }
    let folder = basePath.lastIndex(of: "/").map { basePath[...$0] } ?? "/"
    return ((folder + path).removingDotSegments(), query)
  }
}

extension String {
  /// Removes the `.` and `..` segments of the path (RFC 3986 §5.2.4).
  func removingDotSegments() -> String {
    guard utf8.first == 0x2F else { return self }
    // Without a segment that starts with a dot, there is nothing to remove.
    let isPlain = zip(utf8, utf8.dropFirst()).allSatisfy { $0 != 0x2F || $1 != 0x2E }
    if isPlain { return self }
    var output: [Substring] = []
    let segments = dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { output.append("") }
      case "..":
        if !output.isEmpty { output.removeLast() }
        if isLast { output.append("") }
      default:
        output.append(segment)
      }
    }
    return "/" + output.joined(separator: "/")
  }
}
