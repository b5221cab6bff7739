// SPDX-License-Identifier: Apache-2.0

/// The reason why a server rejects a request (RFC 4918 §16, RFC 4791 §1.3).
struct DAVRefusal {
  /// The status code.
  let status: Int
  /// The violated preconditions, such as `no-uid-conflict`.
  let preconditions: [String]
  /// The server's message for users.
  let words: String
  /// The href of the item that has the UID, if the server returns it (RFC 4791 §5.3.2.1).
  let conflictingHref: String?

  /// The preconditions for a UID that exists in this calendar, or in any calendar of the user.
  private static let uidConditions = ["no-uid-conflict", "unique-scheduling-object-resource"]

  init(_ response: HTTPResponse) {
    status = response.status
    let error = Self.error(in: response.body)
    preconditions = (error?.children ?? []).map(\.name).filter(\.isStandard).map(\.local)
    conflictingHref = error?.children.lazy
      .filter { $0.name.isStandard && Self.uidConditions.contains($0.name.local) }
      .compactMap { $0[.dav("href")]?.trimmedText }.first { !$0.isEmpty }
    if let error {
      let names = ["message", "responsedescription", "error-description", "human-readable"]
      words = error.children.first { names.contains($0.name.local) }?.trimmedText ?? ""
    } else if response.headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? false {
      words = String(decoding: response.body.prefix(1000), as: UTF8.self)
    } else {
      words = ""
    }
  }

  /// Whether the UID already exists in the calendar under another href (RFC 4791 §5.3.2.1).
  ///
  /// Nextcloud reports this only in the message.
  var isUIDConflict: Bool {
    preconditions.contains(where: Self.uidConditions.contains)
      || [400, 403, 409, 412].contains(status)
        && words.lowercased().contains("uid already exists")
  }

  /// Whether the condition of the request failed (status 412, RFC 9110 §15.5.13).
  ///
  /// Xandikos uses status 412 for all rejections, with the reason in the body. DAViCal names the
  /// header field of the condition there.
  var isFailedCondition: Bool {
    status == 412
      && preconditions.allSatisfy {
        ["if-match", "if-none-match", "if-schedule-tag-match"].contains($0)
      }
  }

  /// Whether the server rejects all writes instead of this item (RFC 3744 §7.1.1).
  var isReadOnly: Bool {
    status == 405 || status == 403 && preconditions.contains("need-privileges")
  }

  /// The reason on one line, with control characters of the server's message escaped.
  var reason: String {
    var text = "the server refuses it with status \(status)"
    if !preconditions.isEmpty {
      text += " (\(ServerText.escaped(preconditions.joined(separator: ", "))))"
    }
    if isReadOnly { text += ", as one that this user may not change" }
    let words = ServerText.escaped(ServerText.collapsed(words))
    return words.isEmpty ? text : "\(text): \(words)"
  }

  /// Parses the `DAV:error` document of a response, if there is one.
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
