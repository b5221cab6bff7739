// SPDX-License-Identifier: Apache-2.0

import Epact
import Hummingbird

/// `/feeds`: what others may read, and the forms that make and revoke it.
struct FeedsRoute: Sendable {
  let site: Site

  private struct Model: Sendable {
    struct Row: Sendable {
      let name: String
      let words: String
      let comment: String
      let made: String
      let read: String
    }

    struct Choice: Sendable {
      let name: String
      let title: String
    }

    let feeds: [Row]
    let calendars: [Choice]
  }

  func show(_ request: Request, _ context: PageContext) async throws -> Response {
    let site = site
    let model = try await Background.run {
      Model(
        feeds: try site.library.feeds().map { feed in
          Model.Row(
            name: feed.name, words: ShortText(feed.words).text,
            comment: ShortText(feed.comment).text, made: site.machine.localTime(feed.createdAt),
            read: feed.lastUsedAt.map { site.machine.localTime($0) } ?? "never")
        },
        calendars: try site.library.calendars().map {
          Model.Choice(name: $0.name, title: ShortText($0.title).text)
        })
    }
    return site.pages.page("Feeds", "feeds", model, context)
  }

  /// Makes or revokes a feed.
  func change(_ request: Request, _ context: PageContext) async throws -> Response {
    let form = try await site.form(request, context)
    let (site, host) = (site, request.head.authority ?? "")
    return try await site.act("/feeds", context) {
      try await Background.run { try Self.notice(of: form, site, host: host) }
    }
  }

  private static func notice(
    of form: FormValues, _ site: Site, host: String
  ) throws -> SignIn.Notice {
    if let name = form.text("revoke") {
      try site.library.revokeFeed(named: name)
      return SignIn.Notice(lines: ["Revoked the feed \(name). Its address no longer works."])
    }
    var settings = FeedSettings([form["calendar"]])
    guard let detail = ProjectionSettings.Detail(rawValue: form["show"]) else {
      throw EpactError(.argument, "choose what the feed shows")
    }
    settings.projection.detail = detail
    let (feed, token) = try site.library.makeFeed(settings, comment: form["comment"])
    return SignIn.Notice(lines: [
      "Made the feed \(feed.name). Its address, which is not shown again:",
      "http://\(host)/feed/\(token.revealed).ics",
    ])
  }
}
