// SPDX-License-Identifier: Apache-2.0

/// A run as JSON, with the data for comparing it to another run.
struct Report {
  /// The hash of the generator's output.
  let digest: String
  let results: [RowResult]

  /// The run, with one line for each row, so that two reports can be compared line by line.
  var json: String {
    let version = try? System.run(["swift", "--version"]).output.split(separator: "\n").first
    let head: [(String, String)] = [
      ("date", System.date()), ("processor", System.processor()),
      ("compiler", version.map(String.init) ?? "unknown"), ("build", Self.build),
      ("inputs", digest),
    ]
    var lines = head.map { "  \(JSON.text($0).text): \(JSON.text($1).text)," }
    lines.append("  \"rows\": [")
    lines.append(results.map { "    \($0.json.text)" }.joined(separator: ",\n"))
    return "{\n\(lines.joined(separator: "\n"))\n  ]\n}\n"
  }

  /// The build configuration, because a debug build has no meaningful speed.
  static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
