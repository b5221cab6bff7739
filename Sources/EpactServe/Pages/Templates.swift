// SPDX-License-Identifier: Apache-2.0

import Mustache

/// The templates of the pages, which are embedded in the program.
package struct Templates: Sendable {
  /// The name of the content type that escapes all values.
  private static let contentType = "EPACT"
  private let library: MustacheLibrary

  /// Parses the templates.
  ///
  /// - Throws: An error of a template, which a test would find.
  init() throws {
    MustacheContentTypes.register(PageContentType(), named: Self.contentType)
    var library = MustacheLibrary()
    for (name, bytes) in Self.sources {
      let text = String(decoding: bytes, as: UTF8.self)
      // A page is in the scope of its model, beside the token of its forms.
      let body = Self.parts.contains(name) ? text : "{{#page}}\(text){{/page}}"
      try library.register("{{% CONTENT_TYPE: \(Self.contentType)}}\(body)", named: name)
    }
    self.library = library
  }

  /// Renders a page without its frame.
  func render(_ model: some Sendable, _ template: String) -> String {
    library.render(model, withTemplate: template) ?? ""
  }

  /// The names of the embedded templates.
  package static var names: [String] { sources.map(\.0) }

  private static let sources: [(String, [UInt8])] = [
    ("frame", PackageResources.frame_mustache), ("message", PackageResources.message_mustache),
    ("days", PackageResources.days_mustache), ("entry", PackageResources.entry_mustache),
    ("today", PackageResources.today_mustache), ("week", PackageResources.week_mustache),
    ("month", PackageResources.month_mustache), ("agenda", PackageResources.agenda_mustache),
    ("search", PackageResources.search_mustache), ("tasks", PackageResources.tasks_mustache),
    ("item", PackageResources.item_mustache), ("new", PackageResources.new_mustache),
    ("feeds", PackageResources.feeds_mustache), ("sync", PackageResources.sync_mustache),
    ("history", PackageResources.history_mustache), ("run", PackageResources.run_mustache),
    ("conflicts", PackageResources.conflicts_mustache),
    ("access", PackageResources.access_mustache),
    ("calendars", PackageResources.calendars_mustache), ("quick", PackageResources.quick_mustache),
    ("partial", PackageResources.partial_mustache), ("field", PackageResources.field_mustache),
    ("prepared", PackageResources.prepared_mustache), ("shown", PackageResources.shown_mustache),
    ("change", PackageResources.change_mustache), ("choice", PackageResources.choice_mustache),
    ("signin", PackageResources.signin_mustache), ("job", PackageResources.job_mustache),
  ]

  /// The templates that others include.
  private static let parts: Set<String> = [
    "frame", "days", "entry", "quick", "partial", "field", "job",
  ]
}

/// The frame of a page: its head, the bar with the places to go, and the content.
struct Frame: Sendable {
  /// A place to go.
  struct Link: Sendable {
    let href: String
    let name: String
    var isCurrent = false
    /// The number of things that wait there; nil for none.
    var count: Int?
  }

  let title: String
  let language: String
  let direction: String
  var links: [Link] = []
  /// The result of the last form.
  struct Notice: Sendable {
    let lines: [String]
    let run: String?
    let isFailure: Bool
  }

  var notice: Notice?
  /// Whether the browser loads the page again after some seconds.
  var refreshes = false
  /// The token that forms send back; nil without a session, and for a page without the bar.
  var csrf: String?
  /// The rendered content, which is HTML.
  let content: String
}
