// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Rules for a release")
struct ReleaseTests {
  private let version: String

  init() throws {
    let source = try #require(SourceTree.file("Sources/Epact/Machine/Machine.swift"))
    version = try #require(ReleaseRules.version(in: source))
  }

  @Test("The documents name the package of the current version, which the changelog describes")
  func versions() throws {
    for path in ReleaseRules.documents {
      let document = try #require(SourceTree.file(path))
      #expect(ReleaseRules.versionViolations(in: document, of: version) == [])
    }
    let changelog = try #require(SourceTree.file("CHANGELOG.md"))
    #expect(ReleaseRules.changelogViolations(in: changelog, of: version) == [])
  }

  @Test("Another version is reported, and so is one without entries")
  func badVersions() {
    let document = SourceFile(path: "a.md", text: "x\napt install ./epact_0.1.0_amd64.deb\n")
    #expect(
      ReleaseRules.versionViolations(in: document, of: "0.2.0").map(\.description)
        == ["a.md:2: names the version 0.1.0"])
    let changelog = SourceFile(path: "b.md", text: "## [0.2.0]\n\n## [0.1.0]\n\n- First\n")
    #expect(ReleaseRules.changelogViolations(in: changelog, of: "0.2.0").count == 1)
    #expect(ReleaseRules.changelogViolations(in: changelog, of: "0.1.0") == [])
  }

  @Test("Each dependency has a licence in the package")
  func licences() throws {
    let copyright = try #require(SourceTree.file(".ci/packaging/copyright"))
    let manifest = try #require(SourceTree.file("Package.swift"))
    #expect(ReleaseRules.licenceViolations(in: copyright, manifest: manifest) == [])
    let other = SourceFile(path: "Package.swift", text: "url: \"https://host/a/other.git\", from:")
    #expect(ReleaseRules.licenceViolations(in: copyright, manifest: other).count == 1)
  }

  @Test("The unit of the package has the restrictions of the program's own units")
  func units() throws {
    let unit = try #require(SourceTree.file(".ci/packaging/epact@.service"))
    let units = try #require(SourceTree.file("Sources/Epact/Schedule/SystemdUnits.swift"))
    #expect(ReleaseRules.unitViolations(in: unit, units: units) == [])
    let bare = SourceFile(path: unit.path, text: "[Service]\nNoNewPrivileges=yes\n")
    #expect(ReleaseRules.unitViolations(in: bare, units: units).count == 8)
  }

  @Test("The AppStream metadata names both programs, and has places for the version and the date")
  func metadata() throws {
    let path = ".ci/packaging/org.epact.epact.metainfo.xml"
    let metadata = try #require(SourceTree.file(path))
    for part in ["<binary>epact</binary>", "<binary>epact-serve</binary>", "@VERSION@", "@DATE@"] {
      #expect(metadata.text.contains(part))
    }
  }
}
