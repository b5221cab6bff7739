// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Sandbox {
  /// A sandbox whose configuration has one empty calendar, one server and a sync of the two.
  convenience init(
    syncingWith server: PretendServer, password: String = PretendServer.password
  ) throws {
    try self.init()
    try add(
      "to-club", of: "mine", in: "cal", with: "club", at: "\(server.address)/ada/home/", password)
  }

  /// Adds an empty calendar, a calendar on a server and a sync of the two to the configuration.
  func add(
    _ sync: String, of calendar: String, in path: String, with remote: String, at address: String,
    _ password: String = PretendServer.password
  ) throws {
    let text = """
      [calendar.\(calendar)]
      path = "~/\(path)"
      [remote.\(remote)]
      kind = "caldav"
      url = "\(address)"
      username = "ada"
      password-command = ["echo", "\(password)"]
      [[sync]]
      name = "\(sync)"
      calendar = "\(calendar)"
      remote = "\(remote)"

      """
    let settings = folder.appending(path: "config/epact")
    for place in [settings, folder.appending(path: path)] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    let file = settings.appending(path: "config.toml")
    let earlier = (try? Data(contentsOf: file)) ?? Data()
    try (earlier + Data(text.utf8)).write(to: file)
  }
}
