// SPDX-License-Identifier: Apache-2.0

public import Epact
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// The calendars, the renderer and the sessions that all pages use.
struct Site: Sendable {
  let library: CalendarLibrary
  let machine: Machine
  let pages: PageRenderer
  let signIn: SignIn
}

/// A server of pages and feeds for one person, on this machine.
///
/// It is created with the calendars, and ``run(started:)`` serves them until the process is asked to end.
public struct PageServer: Sendable {
  /// The options of a server.
  public struct Options: Sendable {
    /// The IP address; all other machines reach an address that is not on loopback.
    public var address = "127.0.0.1"
    /// The port; 0 for a free one.
    public var port = 8338
    /// The path of a Unix socket, which only the user can connect to; nil to use the address.
    public var socket: String?
    /// The names under which a proxy with TLS passes requests on.
    public var hosts: [String] = []
    /// Whether nothing can be changed.
    public var isReadOnly = false
    /// Whether a key signs browsers in, and not only the password.
    public var usesKey = true
    /// The key that signs browsers in; nil for a random one.
    public var key: String?

    /// Whether other machines reach the server without a proxy.
    public var isPublic: Bool {
      socket == nil && !address.hasPrefix("127.") && address != "::1"
    }

    /// Creates the default options.
    public init() {}
  }

  /// The maximum size of a request's header, in bytes.
  private static let headerLimit = 16 << 10
  /// The time after which an idle connection is closed.
  private static let idleTimeout = TimeAmount.seconds(30)
  /// The maximum number of connections.
  private static let connectionLimit = 256

  /// The limits of connections and requests.
  static var limited: HTTPServerBuilder {
    .http1(
      configuration: .init(
        idleTimeout: idleTimeout,
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: headerLimit, maxHeaderListSize: headerLimit,
          maxHeaderFieldCount: 100)))
  }

  private let site: Site
  private let options: Options
  private let key: SecretText?

  /// Prepares a server.
  ///
  /// - Parameters:
  ///   - library: The calendars.
  ///   - machine: The clock, the locale and the folders.
  ///   - options: The options.
  /// - Throws: `EpactError` if a password is needed and none is set; an error of an embedded template.
  public init(library: CalendarLibrary, machine: Machine, options: Options = Options()) throws {
    if options.isPublic || !options.usesKey, try !PagePassword(machine: machine).isSet() {
      throw EpactError(
        .configuration,
        options.isPublic
          ? "a page that other machines reach needs a password"
          : "without a key, browsers are signed in by a password, and none is set",
        remedy: .setPagePassword)
    }
    self.options = options
    key =
      options.usesKey
      ? options.key.map { SecretText($0) } ?? SecretText(of: machine.makeSecret()) : nil
    site = Site(
      library: library, machine: machine.using(library.file),
      pages: try PageRenderer(machine: machine, isReadOnly: options.isReadOnly),
      signIn: SignIn(key: key, machine: machine))
  }

  /// Serves until the task is cancelled or the process gets SIGINT or SIGTERM.
  ///
  /// - Parameter started: Called with the addresses, which have the key if there is one.
  /// - Throws: `EpactError` if the port or the socket is taken.
  public func run(started: @escaping @Sendable (_ addresses: [String]) -> Void) async throws {
    var logger = Logger(label: "epact-serve") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let port = ServerPort()
    let place = try ListeningPlace(options)
    let options = options
    let path = key.map { "/?key=\($0.revealed)" } ?? "/"
    let networkAddresses = site.machine.networkAddresses
    let app = Application(
      router: router(port: port),
      server: Self.limited,
      configuration: .init(
        address: place.address,
        availableConnectionsDelegate: MaximumAvailableConnections(
          Self.connectionLimit, logger: logger)),
      onServerRunning: { channel in
        place.end()
        port.set(channel.localAddress?.port ?? 0)
        let addresses = options.addresses(
          port: port.value, networkAddresses: networkAddresses())
        started(addresses.map { $0 + path })
      }, logger: logger)
    do {
      try await app.runService()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw place.error(of: error)
    }
  }

  /// The routes of the server.
  ///
  /// - Parameter port: The port, which requests name in their host.
  /// - Returns: The router with all pages.
  package func router(port: ServerPort) -> Router<PageContext> {
    let names = options.hosts + (options.socket == nil ? [] : ["localhost"])
    let hosts = HostRule(port: port, names: names, allowsAddresses: options.isPublic)
    let router = Router(context: PageContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: PageGuard(hosts: hosts))
    router.add(middleware: PageErrors(pages: site.pages))
    router.get("/assets/page.css") { _, _ in Self.styleSheet }
    router.get("/assets/page.js") { _, _ in
      Self.file(PackageResources.page_js, "text/javascript; charset=utf-8")
    }
    router.get("/feed/:file", use: FeedRoute(site: site).show)
    let signIn = SignInGuard(
      signIn: site.signIn, hosts: hosts, isReadOnly: options.isReadOnly, pages: site.pages)
    router.post("/sign-in", use: signIn.takePassword)
    let pages = router.group().add(middleware: signIn)
    addPages(to: pages)
    let site = site
    pages.get("/calendars.css") { _, _ in
      let sheet = try await Background.run {
        CalendarSigns(try site.library.calendars()).styleSheet
      }
      return Self.file(Array(sheet.utf8), "text/css; charset=utf-8", isFixed: false)
    }
    return router
  }

  /// The style sheet of all pages.
  static var styleSheet: Response {
    file(PackageResources.page_css + Array(WeekSheet.text.utf8), "text/css; charset=utf-8")
  }

  private func addPages(to pages: RouterGroup<PageContext>) {
    pages.get("/", use: TodayRoute(site: site).show)
    let views = ViewRoutes(site: site)
    pages.get("/week", use: views.week)
    pages.get("/month", use: views.month)
    pages.get("/agenda", use: views.agenda)
    pages.get("/search", use: SearchRoute(site: site).show)
    let tasks = TasksRoute(site: site)
    pages.get("/tasks", use: tasks.show)
    pages.post("/tasks/done", use: tasks.complete)
    pages.post("/tasks/new", use: tasks.add)
    let new = NewRoute(site: site)
    pages.get("/new", use: new.show)
    pages.post("/new", use: new.save)
    let item = ItemRoute(site: site)
    pages.get("/item/:calendar/:uid", use: item.show)
    pages.post("/item/:calendar/:uid", use: item.change)
    pages.post("/undo", use: UndoRoute(site: site).undo)
    addAdministration(to: pages)
  }

  private func addAdministration(to pages: RouterGroup<PageContext>) {
    let feeds = FeedsRoute(site: site)
    pages.get("/feeds", use: feeds.show)
    pages.post("/feeds", use: feeds.change)
    let calendars = CalendarsRoute(site: site)
    pages.get("/calendars", use: calendars.show)
    pages.post("/calendars", use: calendars.change)
    let sync = SyncRoute(site: site, jobs: SyncJobs())
    pages.get("/sync", use: sync.show)
    pages.post("/sync", use: sync.run)
    pages.get("/mirrors", use: sync.showMirrors)
    let history = HistoryRoute(site: site)
    pages.get("/history", use: history.list)
    pages.get("/history/:run", use: history.show)
    let conflicts = ConflictsRoute(site: site)
    pages.get("/conflicts", use: conflicts.show)
    pages.post("/conflicts", use: conflicts.settle)
    let access = AccessRoute(site: site)
    pages.get("/access", use: access.show)
    pages.post("/access", use: access.revoke)
  }

  static func file(
    _ bytes: [UInt8], _ type: String, isFixed: Bool = true
  ) -> Response {
    var headers: HTTPFields = [.contentType: type]
    if isFixed { headers[.cacheControl] = "private, max-age=3600" }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// Turns errors into pages that say what happened.
struct PageErrors: RouterMiddleware {
  let pages: PageRenderer

  @concurrent func handle(
    _ request: Request, context: PageContext,
    next: @concurrent (Request, PageContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as Hummingbird.HTTPError where error.status == .notFound {
      return pages.message(.notFound, "Not found", error.body ?? "There is no such page.")
    } catch let error as Hummingbird.HTTPError {
      return pages.message(error.status, "Refused", error.body ?? "The request cannot be answered.")
    } catch let error as CancellationError {
      throw error
    } catch {
      let error = EpactError(describing: error)
      let isOfCaller = error.code == .argument
      return pages.message(
        isOfCaller ? .badRequest : .internalServerError, "That did not work", error.message)
    }
  }
}
