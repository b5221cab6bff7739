// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The test program, started once more to run one suite, so that it can be killed and its calls can
/// fail.
///
/// The suite does the job that `own` names, and exits with a status of its own.
package struct ChildTest: Sendable {
  private static let jobKey = "EPACT_TEST_JOB"
  private static let folderKey = "EPACT_TEST_FOLDER"

  /// The status of a child that the system killed.
  package static let killed: Int32 = 137

  /// The job of this process, if it is a child, and its folder.
  package static var own: (job: String, folder: String)? {
    let environment = ProcessInfo.processInfo.environment
    guard let job = environment[jobKey], let folder = environment[folderKey] else { return nil }
    return (job, folder)
  }

  /// The name of the suite.
  let suite: String

  /// Takes the name of a suite.
  package init(suite: String) {
    self.suite = suite
  }

  /// Runs a job to its end.
  ///
  /// - Parameters:
  ///   - job: The name of the job.
  ///   - folder: The folder of the job.
  ///   - prefix: The text before the command in a shell.
  ///   - fileLimit: The limit of open files; nil for the usual one.
  /// - Returns: The status.
  /// - Throws: An error of starting the process.
  package func run(
    _ job: String, in folder: String, _ prefix: String = "", fileLimit: Int? = nil
  ) throws -> Int32 {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    let limit = fileLimit.map { "ulimit -n \($0); " } ?? ""
    var child = TestProgram([
      "/bin/sh", "-c",
      """
      \(limit)\(Self.jobKey)='\(job)' \(Self.folderKey)='\(folder)' \(prefix) '\(program)' \
      --testing-library swift-testing --filter \(suite)
      """,
    ])
    (child.output, child.errors) = (.null, .null)
    return try child.run()
  }
}
