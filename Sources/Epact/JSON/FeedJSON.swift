// SPDX-License-Identifier: Apache-2.0

extension Feed {
  /// The feed without its token.
  package var json: JSONValue { .object(members) }

  /// The feed with its token, which cannot be read again.
  package func json(with token: FeedToken) -> JSONValue {
    .object(members + [JSONValue.Member("token", .string(token.revealed))])
  }

  private var members: [JSONValue.Member] {
    let projection = settings.projection
    return [
      .init("name", .string(name)), .init("calendars", JSONValue(settings.calendars)),
      .init("show", .string(projection.detail.rawValue)),
      .init("title", JSONValue(projection.title?.description)),
      .init("keep", JSONValue(projection.kept.sorted())),
      .init("private", .string(projection.privateItems.rawValue)),
      .init("where", JSONValue(projection.query)), .init("past", JSONValue(settings.past)),
      .init("future", JSONValue(settings.future)), .init("comment", .string(comment)),
      .init("createdAt", .string(createdAt.timestamp)),
      .init("lastUsedAt", JSONValue(lastUsedAt?.timestamp)),
    ]
  }

  /// The detail and the calendars in words.
  package var words: String {
    let detail =
      switch settings.projection.detail {
      case .all: "everything"
      case .titles: "titles"
      case .busy: "busy time"
      }
    return "\(detail) of \(settings.calendars.joined(separator: ", "))"
  }
}
