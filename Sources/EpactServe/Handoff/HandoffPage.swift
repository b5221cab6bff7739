// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import Epact
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import UnixSignals

/// The server of one form that another program requests, for one browser.
///
/// It ends with the answer of the user, or after ``timeLimit`` without one.
package struct HandoffPage: Sendable {
  /// The form.
  package enum Form: Sendable {
    /// A prepared event, which the user saves or not.
    case save(CalendarItem)
    /// An event of the user, or one occurrence of it.
    case show(UID, calendar: String, at: EventTime?, isEditable: Bool)
    /// A choice of calendars.
    case choose(ItemKind, isMultiple: Bool, isWritableOnly: Bool)
  }

  /// The time for the answer, in seconds.
  package static let timeLimit = 1800.0
  /// The maximum number of connections.
  private static let connectionLimit = 32

  private let form: Form
  private let site: Site
  private let key: SecretText
  private let answer = HandoffAnswer()
  private let deadline: Double

  /// The answer; nil before it is given.
  package var outcome: HandoffOutcome? { answer.outcome }

  /// Prepares a form.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - library: The calendars.
  ///   - machine: The clock, the locale and the folders.
  ///   - key: The key of the address; nil for a random one.
  /// - Throws: `EpactError` if there is no such event or no suitable calendar, or if the prepared item
  ///   is not an event; `LibraryError`.
  package init(
    _ form: Form, library: CalendarLibrary, machine: Machine, key: String? = nil
  ) throws {
    let secret = key.map { SecretText($0) } ?? SecretText(of: machine.makeSecret())
    (self.form, self.key) = (form, secret)
    site = Site(
      library: library, machine: machine.using(library.file),
      pages: try PageRenderer(machine: machine, isReadOnly: false),
      signIn: SignIn(key: secret, machine: machine, isSingleUse: true))
    deadline = machine.stopwatch() + Self.timeLimit
    try check()
  }

  /// Checks that the form can be shown, before a browser is opened.
  private func check() throws {
    let desk = try HandoffDesk(site.library)
    switch form {
    case .save(let item):
      guard item.kind == .event else {
        throw EpactError(.argument, "the form in the browser is for events only")
      }
      _ = try desk.targets(for: item.kind)
    case .show(let uid, let calendar, let time, _):
      _ = try desk.event(uid, in: calendar, at: time)
    case .choose(let kind, _, let isWritableOnly):
      _ = try desk.calendars(for: kind, isWritableOnly: isWritableOnly)
    }
  }

  /// Serves the form on a free port until it is answered, or the process gets SIGINT or SIGTERM.
  ///
  /// - Parameter started: Called with the address, which has the key.
  /// - Returns: The answer.
  /// - Throws: An error of the network.
  package func run(
    started: @escaping @Sendable (_ address: String) -> Void
  ) async throws -> HandoffOutcome {
    var logger = Logger(label: "epact-serve") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let (key, port) = (key.revealed, ServerPort())
    let app = Application(
      router: router(port: port), server: PageServer.limited,
      configuration: .init(
        address: .hostname("127.0.0.1", port: 0),
        availableConnectionsDelegate: MaximumAvailableConnections(
          Self.connectionLimit, logger: logger)),
      onServerRunning: { channel in
        let number = channel.localAddress?.port ?? 0
        port.set(number)
        started("http://127.0.0.1:\(number)/?key=\(key)")
      }, logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [app], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    let answer = answer
    let end = Task {
      await answer.end(within: Self.timeLimit)
      await group.triggerGracefulShutdown()
    }
    defer { end.cancel() }
    try await group.run()
    return outcome ?? .cancelled
  }

  /// The routes of the form.
  ///
  /// - Parameter port: The port, which requests name in their host.
  /// - Returns: The router.
  package func router(port: ServerPort) -> Router<PageContext> {
    let hosts = HostRule(port: port)
    let router = Router(context: PageContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: PageGuard(hosts: hosts))
    router.add(middleware: PageErrors(pages: site.pages))
    router.get("/assets/page.css") { _, _ in PageServer.styleSheet }
    let pages = router.group().add(
      middleware: HandoffGuard(
        site: site, hosts: hosts, port: port, answer: answer, deadline: deadline))
    switch form {
    case .save(let item):
      let route = PreparedEventRoute(site: site, answer: answer, item: item)
      pages.get("/", use: route.show)
      pages.post("/", use: route.take)
    case .show(let uid, let calendar, let time, let isEditable):
      let route = ShownEventRoute(
        site: site, answer: answer, uid: uid, calendar: calendar, time: time,
        isEditable: isEditable)
      pages.get("/", use: route.show)
      pages.post("/", use: route.close)
      if isEditable {
        pages.get("/edit", use: route.edit)
        pages.post("/edit", use: route.change)
      }
    case .choose(let kind, let isMultiple, let isWritableOnly):
      let route = CalendarChoiceRoute(
        site: site, answer: answer, kind: kind, isMultiple: isMultiple,
        isWritableOnly: isWritableOnly)
      pages.get("/", use: route.show)
      pages.post("/", use: route.take)
    }
    let (site, answer) = (site, answer)
    pages.get("\(HandoffGuard.end)") { _, _ in
      defer { answer.see() }
      return site.pages.message(
        .ok, answer.outcome?.title ?? "Done", "You can close this window.")
    }
    return router
  }
}

extension HandoffOutcome {
  /// The title of the page that confirms the answer.
  fileprivate var title: String {
    switch self {
    case .saved, .changed: "Saved."
    case .deleted: "Deleted."
    case .closed: "Closed."
    case .chosen: "Chosen."
    case .cancelled: "Cancelled."
    }
  }
}

extension Site {
  /// Takes a form that may be the answer, once.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - body: Processes the form. It returns the answer, or a page on which the user corrects it.
  /// - Returns: The page, or the way to the confirmation.
  /// - Throws: The errors of `body`.
  static func taking(
    _ answer: HandoffAnswer, _ body: () async throws -> FormResult
  ) async throws -> Response {
    guard answer.begin() else { return .redirect(to: HandoffGuard.end) }
    do {
      switch try await body() {
      case .answer(let outcome):
        answer.give(outcome)
        return .redirect(to: HandoffGuard.end)
      case .page(let page):
        answer.reopen()
        return page
      }
    } catch {
      answer.reopen()
      throw error
    }
  }

  /// The result of a form.
  enum FormResult {
    /// It is the answer.
    case answer(HandoffOutcome)
    /// It has to be corrected on this page.
    case page(Response)
  }
}
