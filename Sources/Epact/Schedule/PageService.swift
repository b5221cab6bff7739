// SPDX-License-Identifier: Apache-2.0

/// The page in the browser as a service of the user's systemd, which starts with the first request and
/// ends some time after the last one.
///
/// Systemd listens at the port. Its own `systemd-socket-proxyd` passes connections on to a Unix socket,
/// which only the user can connect to, and there the page listens.
package struct PageService: Sendable {
  private static let socketUnit = "epact-page.socket"
  private static let proxyUnit = "epact-page-proxy.service"
  private static let pageUnit = "epact-page.service"
  private static let all = [socketUnit, proxyUnit, pageUnit]
  /// The places of the program, in newer and older systems.
  private static let proxies = [
    "/usr/lib/systemd/systemd-socket-proxyd", "/lib/systemd/systemd-socket-proxyd",
  ]

  private let machine: Machine
  private let units: SystemdUnits

  /// Creates an instance for a machine.
  package init(machine: Machine) {
    self.machine = machine
    units = SystemdUnits(
      machine: machine,
      remedy: .other("Without systemd, start the page yourself when you need it."))
  }

  /// The files that ``install(port:_:)`` writes.
  ///
  /// - Parameters:
  ///   - port: The port on 127.0.0.1.
  ///   - words: The program of the page and its options, without the socket.
  /// - Returns: The files.
  /// - Throws: `EpactError` if systemd's proxy is not installed.
  package func files(
    port: Int, _ words: [String]
  ) throws(EpactError) -> [(path: String, text: String)] {
    guard let proxy = Self.proxies.first(where: { machine.executable($0) != nil }) else {
      throw EpactError(
        .configuration, "systemd has no systemd-socket-proxyd here",
        remedy: .other("It is a part of the package systemd."))
    }
    return [
      (units.path(of: Self.socketUnit), Self.socket(port)),
      (units.path(of: Self.proxyUnit), Self.proxy(proxy)),
      (units.path(of: Self.pageUnit), Self.page(port, machine.keepingFolders(words))),
    ]
  }

  /// Checks that the page could start.
  ///
  /// - Throws: `EpactError` if no password is set.
  package func check() throws {
    guard try PagePassword(machine: machine).isSet() else {
      throw EpactError(
        .configuration, "a service has no terminal for its key, so that the page needs a password",
        remedy: .setPagePassword)
    }
  }

  /// Writes the units, and lets systemd listen at the port.
  ///
  /// - Returns: Whether a file has changed.
  /// - Throws: `EpactError` if no password is set, if a file is not from this program, or if systemd does
  ///   not start the socket.
  package func install(port: Int, _ words: [String]) throws -> Bool {
    try check()
    let hasChanged = try units.write(files(port: port, words))
    if hasChanged {
      try units.systemctl(["daemon-reload"])
      _ = try? units.systemctl(["stop", Self.proxyUnit, Self.pageUnit])
    }
    try units.systemctl(["enable", "--now", Self.socketUnit])
    if hasChanged { try units.systemctl(["restart", Self.socketUnit]) }
    return hasChanged
  }

  /// Stops the units and removes the files.
  ///
  /// - Returns: Whether there was a unit.
  /// - Throws: `EpactError` if a file is not from this program.
  package func remove() throws -> Bool {
    guard try units.remove(Self.all, stopping: Self.all) else { return false }
    _ = try? units.systemctl(["daemon-reload"])
    return true
  }

  /// The address of the installed page, and whether systemd listens there; nil if none is installed.
  ///
  /// - Throws: `EpactError` if a file cannot be read.
  package func installed() throws -> (address: String, isActive: Bool?)? {
    guard let text = try units.text(of: Self.socketUnit) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("ListenStream=") }
    let place = line.map { String($0.dropFirst("ListenStream=".count)) } ?? ""
    return ("http://\(place)", units.isActive(Self.socketUnit))
  }

  // MARK: Units

  private static func socket(_ port: Int) -> String {
    """
    \(SystemdUnits.mark)
    [Unit]
    Description=Calendars in the browser

    [Socket]
    ListenStream=127.0.0.1:\(port)
    Service=\(proxyUnit)

    [Install]
    WantedBy=sockets.target

    """
  }

  private static func proxy(_ path: String) -> String {
    """
    \(SystemdUnits.mark)
    [Unit]
    Description=Hand the browser's connections to the calendars
    Requires=\(pageUnit)
    After=\(pageUnit)

    [Service]
    Type=notify
    ExecStart=\(path) --exit-idle-time=15min %t/epact/page.sock
    \(SystemdUnits.commonRestrictions)
    RestrictAddressFamilies=AF_UNIX AF_INET
    MemoryDenyWriteExecute=yes

    """
  }

  /// The page may write the calendars, and starts the programs that remotes get their passwords from,
  /// so that it is not cut off from files and from generated code.
  private static func page(_ port: Int, _ words: [String]) -> String {
    // The browser's requests name the port of systemd.
    let names = ["127.0.0.1:\(port)", "localhost:\(port)"].flatMap { ["--host", $0] }
    let socket = ["--socket", "%t/epact/page.sock", "--no-key"]
    let command = words.map(SystemdUnits.word) + socket + names
    return """
      \(SystemdUnits.mark)
      [Unit]
      Description=Show calendars in the browser
      StopWhenUnneeded=yes

      [Service]
      Type=notify
      ExecStart=\(command.joined(separator: " "))
      RuntimeDirectory=epact
      RuntimeDirectoryMode=0700
      \(SystemdUnits.restrictions)

      """
  }
}
