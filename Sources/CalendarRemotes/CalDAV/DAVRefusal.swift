// SPDX-License-Identifier: Apache-2.0

/// Why a server refuses a request, in its own words (RFC 4918 §16, RFC 4791 §1.3).
struct DAVRefusal {
  /// The status of the answer.
  let status: Int
  /// The conditions that did not hold, as `no-uid-conflict`.
  let preconditions: [String]
  /// What the server says to people.
  let words: String

  init(_ response: HTTPResponse) {
    status = response.status
    let error = Self.error(in: response.body)
    preconditions = (error?.children ?? []).map(\.name).filter(\.isStandard).map(\.local)
    if let error {
      let names = ["message", "responsedescription", "error-description", "human-readable"]
      words = error.children.first { names.contains($0.name.local) }?.trimmedText ?? ""
    } else if response.headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? false {
      words = String(decoding: response.body.prefix(1000), as: UTF8.self)
    } else {
      words = ""
    }
  }

  /// Whether the item's UID is in the calendar already, under another href (RFC 4791 §5.3.2.1).
  var isUIDConflict: Bool {
    preconditions.contains {
      ["no-uid-conflict", "unique-scheduling-object-resource"].contains($0)
    }
  }

  /// The reason on one line, with the server's words made harmless.
  var reason: String {
    var text = "the server refuses it with status \(status)"
    if !preconditions.isEmpty {
      text += " (\(ServerText.escaped(preconditions.joined(separator: ", "))))"
    }
    let words = ServerText.escaped(ServerText.collapsed(words))
    return words.isEmpty ? text : "\(text): \(words)"
  }

  /// The `DAV:error` document of an answer, if there is one.
  private static func error(in body: [UInt8]) -> XMLElement? {
    var limits = XMLDocumentReader.Limits()
    limits.size = 1 << 16
    do throws(XMLDocumentError) {
      var reader = try XMLDocumentReader(body, limits: limits)
      var root = XMLElement(name: try reader.readRoot())
      while let child = try reader.readChild() { root.children.append(child) }
      return root.name == .dav("error") ? root : nil
    } catch {
      return nil
    }
  }
}
