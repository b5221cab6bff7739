// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Sandbox {
  /// A sandbox whose configuration has one empty calendar, one server and a sync of the two.
  convenience init(
    syncingWith server: PretendServer, password: String = PretendServer.password
  ) throws {
    try self.init()
    let config = """
      [calendar.mine]
      path = "~/cal"
      [remote.club]
      kind = "caldav"
      url = "\(server.address)/ada/home/"
      username = "ada"
      password-command = ["echo", "\(password)"]
      [[sync]]
      name = "to-club"
      calendar = "mine"
      remote = "club"

      """
    let settings = folder.appending(path: "config/epact")
    for place in [settings, folder.appending(path: "cal")] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    try Data(config.utf8).write(to: settings.appending(path: "config.toml"))
  }
}
