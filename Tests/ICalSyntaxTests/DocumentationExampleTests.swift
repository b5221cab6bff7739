// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The examples in the articles are those that are compiled and run.
@Suite("Articles of the documentation")
struct DocumentationExampleTests {
  private static let catalogue = CatalogueExamples(
    of: "ICalSyntax",
    in: #filePath.replacing("DocumentationExampleTests", with: "DocumentationExamples"))

  @Test("Each example of an article is compiled and run, and the other way round")
  func examples() throws {
    try Self.catalogue.check()
  }

  @Test("The landing page leads to every article")
  func links() throws {
    try Self.catalogue.checkLinks()
  }
}
