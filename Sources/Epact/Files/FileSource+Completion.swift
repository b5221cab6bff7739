// SPDX-License-Identifier: Apache-2.0

package import CalendarFiles

extension FileSource {
  /// The maximum number of paths that complete a prefix.
  private static let completionLimit = 2000

  /// The paths of files and folders that begin with a prefix; folders end with a slash.
  package static func paths(beginningWith prefix: String, on machine: Machine) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let place = machine.paths.absolute(folder.isEmpty ? "." : folder)
    guard let names = try? entries(ofFolder: place) else { return [] }
    return names.prefix(completionLimit).map { folder + $0 }.filter { $0.hasPrefix(prefix) }
      .map { path in
        FileMode(machine.paths.absolute(path))?.isFolder == true ? path + "/" : path
      }
  }
}
