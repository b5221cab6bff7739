// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import TestSupport
import Testing

/// Documents whose parsing would take far more time than their size suggests.
@Suite(.timeLimit(.minutes(60))) struct HostileXMLTests {
  enum Encoding: CaseIterable {
    case utf8, utf8WithMark, utf16Little, utf16Big, utf16LittleWithMark, utf16BigWithMark

    func bytes(_ text: String) -> [UInt8] {
      switch self {
      case .utf8: Array(text.utf8)
      case .utf8WithMark: [0xEF, 0xBB, 0xBF] + Array(text.utf8)
      case .utf16Little: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .utf16Big: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      case .utf16LittleWithMark: [0xFF, 0xFE] + Self.utf16Little.bytes(text)
      case .utf16BigWithMark: [0xFE, 0xFF] + Self.utf16Big.bytes(text)
      }
    }

    /// The name for declarations.
    var name: String { self == .utf8 || self == .utf8WithMark ? "UTF-8" : "UTF-16" }
  }

  static let documentType = "a document type, which is not allowed"
  static let malformed = "XML that is not well-formed"

  private static func message(_ bytes: [UInt8]) -> String? {
    do throws(XMLDocumentError) {
      _ = try MultiStatus(parsing: bytes)
      return nil
    } catch {
      return error.message
    }
  }

  private static func message(_ text: String) -> String? { message(Array(text.utf8)) }

  /// A document type with nine levels of entities, each of ten references.
  private static func laughs(_ kind: String, _ reference: (Int) -> String) -> String {
    var text = "<!DOCTYPE m [<!ENTITY \(kind)e0 'ha'>"
    for level in 1..<10 {
      let tenfold = String(repeating: reference(level - 1), count: 10)
      text += "<!ENTITY \(kind)e\(level) \"\(tenfold)\">"
    }
    return text
  }

  @Test(arguments: Encoding.allCases)
  func `A document type is rejected before entities are expanded`(_ encoding: Encoding) {
    let root = "<m/>"
    let texts = [
      // A billion laughs, with general and with parameter entities.
      Self.laughs("") { "&e\($0);" } + "]><m>&e9;</m>",
      Self.laughs("% ") { "&#37;e\($0);" } + "%e9;]>" + root,
      // Quadratic: a long entity, referred to often.
      "<!DOCTYPE m [<!ENTITY a \"\(String(repeating: "a", count: 20_000))\">]><m>"
        + String(repeating: "&a;", count: 5_000) + "</m>",
      "<!DOCTYPE m SYSTEM \"http://127.0.0.1:9/m.dtd\">" + root,
      "<!DOCTYPE m PUBLIC \"-//X//Y\" \"file:///etc/passwd\">" + root,
      "<!DOCTYPE m [<!ENTITY % x SYSTEM \"file:///dev/zero\">%x;]>" + root,
      // The rest is not read: it would not be well-formed.
      "<!DOCTYPE m [ %undefined; <!ENTITY", "<!DOCTYPE", "<!DOCTYPE>", "<!DOCTYPE m [",
    ]
    let declaration = "<?xml version=\"1.0\" encoding=\"\(encoding.name)\"?>"
    for text in texts {
      #expect(Self.message(encoding.bytes(text)) == Self.documentType)
      #expect(Self.message(encoding.bytes(declaration + text)) == Self.documentType)
    }
  }

  @Test func `A document type is rejected wherever it is`() {
    #expect(Self.message("<m/><!DOCTYPE m>") == Self.documentType)
    #expect(Self.message(MultiStatusTests.document("<!DOCTYPE m>")) == Self.documentType)
    // In comments, instructions and sections it is none.
    for text in [
      "<!--<!DOCTYPE m>-->", "<?x <!DOCTYPE m>?>", "<d:x><![CDATA[<!DOCTYPE m>]]></d:x>",
    ] {
      #expect(Self.message(MultiStatusTests.document(text)) == nil, "\(text)")
    }
  }

  @Test func `Any prolog before a document type is skipped, and cut off anywhere it is rejected`() {
    forAll(60) { random in
      let parts = [
        " ", "\n", "\r\n", "\t", "<!---->", "<!-- > ' \" <!DOCTYPE x [ -->", "<?p?>", "<?p ?x>y?>",
        "<!--\u{E9}\u{20AC}\u{1F600}-->", "<?p <m> ?>",
      ]
      let encoding = Encoding.allCases.randomElement(using: &random) ?? .utf8
      var prolog = Bool.random(using: &random) ? "<?xml version='1.0' ?>" : "<!--x-->"
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        prolog += parts.randomElement(using: &random) ?? ""
      }
      let start = encoding.bytes(prolog + "<!DOCTYPE")
      let whole = encoding.bytes(prolog + "<!DOCTYPE m [<!ENTITY % a 'b'> %a; ]><m/>")
      for length in whole.indices {
        let message = Self.message(Array(whole[..<length]))
        #expect(message != nil, "\(prolog.debugDescription), cut at \(length)")
        guard length >= start.count, encoding.name == "UTF-8" || length % 2 == 0 else { continue }
        #expect(message == Self.documentType, "\(prolog.debugDescription), cut at \(length)")
      }
    }
  }

  @Test func `An element with many attributes is rejected`() {
    func element(_ attributes: (Int) -> String, count: Int) -> String {
      let all = (0..<count).map(attributes).joined(separator: " ")
      return MultiStatusTests.document("<d:x \(all)/>")
    }
    let message = "more than 64 attributes in one element"
    let kinds: [(Int) -> String] = [
      { "a\($0)='1'" }, { "d:a\($0)=\"=\"" }, { "xmlns:a\($0)='urn:\($0)'" },
    ]
    for kind in kinds {
      #expect(Self.message(element(kind, count: 64)) == nil)
      #expect(Self.message(element(kind, count: 65)) == message)
      #expect(Self.message(element(kind, count: 1_000)) == message)
    }
  }

  @Test func `Namespaces in scope are limited`() {
    func nested(_ levels: Int) -> String {
      var text = ""
      for level in 0..<levels {
        text += "<d:x " + (0..<40).map { "xmlns:n\(level)-\($0)='u'" }.joined(separator: " ") + ">"
      }
      return MultiStatusTests.document(text + String(repeating: "</d:x>", count: levels))
    }
    #expect(Self.message(nested(6)) == nil)
    #expect(Self.message(nested(7)) == "more than 256 namespaces")
    // They are counted only where they are in scope.
    let beside = String(repeating: "<d:x xmlns:a='u' xmlns:b='u'/>", count: 1_000)
    #expect(Self.message(MultiStatusTests.document(beside)) == nil)
  }

  @Test func `Long markup is rejected`() {
    let long = String(repeating: "x", count: 66_000)
    let rows = [
      ("<d:\(long)/>", "a tag over 65536 bytes"),
      ("<d:x \(long)='1'/>", "a tag over 65536 bytes"),
      ("<d:x name='\(long)'/>", "a tag over 65536 bytes"),
      ("<d:x></d:x\(long)>", "a tag over 65536 bytes"),
      ("<!--\(long)-->", "a comment over 65536 bytes"),
      ("<?p \(long)?>", "a processing instruction over 65536 bytes"),
      ("&\(long);", Self.malformed), ("&#\(String(repeating: "0", count: 100))65;", Self.malformed),
    ]
    for (text, message) in rows {
      #expect(Self.message(MultiStatusTests.document(text)) == message)
    }
    // Short markup may be repeated.
    let many = String(repeating: "<!-- x --><?p y?>", count: 20_000)
    #expect(Self.message(MultiStatusTests.document(many)) == nil)
  }

  @Test func `Many different names are rejected`() {
    func names(_ count: Int) -> String {
      MultiStatusTests.document((0..<count).map { "<d:x\($0)/>" }.joined())
    }
    #expect(Self.message(names(10_000)) == nil)
    #expect(Self.message(names(40_000)) == "too many different names")
  }

  @Test func `An encoding other than UTF-8, UTF-16, ISO-8859-1 and US-ASCII is rejected`() {
    let text = "<?xml version='1.0'?><!DOCTYPE m><m/>"
    func unsupported(_ name: String) -> String {
      "the encoding \(name), which is not supported"
    }
    let little: [UInt8] = text.utf8.flatMap { [$0, 0, 0, 0] as [UInt8] }
    let big: [UInt8] = text.utf8.flatMap { [0, 0, 0, $0] as [UInt8] }
    let marked: [[UInt8]] = [[0xFF, 0xFE, 0, 0] + little, [0, 0, 0xFE, 0xFF] + big]
    for bytes in [little, big] + marked {
      #expect(Self.message(bytes) == unsupported("UTF-32"))
    }
    #expect(Self.message([0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40]) == unsupported("EBCDIC"))
    let names = [
      "UTF-7", "EBCDIC-CP-US", "IBM037", "ISO-2022-JP", "GB18030", "UCS-4", "x\u{202E}y",
    ]
    for name in names {
      let message = Self.message("<?xml version=\"1.0\" encoding='\(name)'?><m/>")
      #expect(message == unsupported(name == "x\u{202E}y" ? "x\\u{202E}y" : name))
    }
    let padded = "<?xml version='1.0'\(String(repeating: " ", count: 300))encoding='UTF-7'?><m/>"
    #expect(Self.message(padded) == "an XML declaration over 256 bytes")
    // UTF-7 without a declaration has no markup.
    #expect(Self.message("+ADwAIQ-DOCTYPE m+AD4-") == Self.malformed)
    #expect(
      Self.message("<?xml version='1.0' encoding='UTF-16'?><m/>")
        == "a document that declares UTF-16, but has another encoding")
  }

  @Test(arguments: Encoding.allCases)
  func `A document is read in each of the encodings`(_ encoding: Encoding) throws {
    let content = "<d:response><d:href>/\u{E9}\u{20AC}\u{1F600}</d:href></d:response>"
    let answer = try MultiStatus(parsing: encoding.bytes(MultiStatusTests.document(content)))
    #expect(answer.responses.map(\.href) == ["/\u{E9}\u{20AC}\u{1F600}"])
    for name in ["us-ascii", "ISO-8859-1"] {
      let text = "<?xml version='1.0' encoding='\(name)'?>" + "<m xmlns='DAV:'/>"
      #expect(Self.message(text) == "expected multistatus, found m")
    }
    guard encoding.name == "UTF-16" else { return }
    var odd = encoding.bytes(MultiStatusTests.document(content))
    odd.removeLast()
    #expect(Self.message(odd) == "text that is not valid UTF-16")
  }

  @Test(arguments: [1, 16_383, 16_384, 16_385, 70_000])
  func `Long text and long sections are read completely`(_ length: Int) throws {
    let unit = "A&amp;\u{E9}\r\n\u{1F600}<!-- x -->b"
    let section = "<![CDATA[A&\u{E9}\r\n\u{1F600}b]]>"
    let expected = "A&\u{E9}\n\u{1F600}b"
    let count = length / 14 + 1
    for (piece, name) in [(unit, "text"), (section, "section")] {
      let text = MultiStatusTests.document(
        "<d:response><d:href>\(String(repeating: piece, count: min(count, 9_000)))"
          + "</d:href></d:response>")
      let href = try MultiStatus(parsing: Array(text.utf8)).responses.first?.href
      #expect(href == String(repeating: expected, count: min(count, 9_000)), "\(name)")
    }
  }

  @Test func `A section over libxml2's own limit is read`() throws {
    let long = String(repeating: "x\u{E9}<&\n", count: 1_800_000)
    let text = MultiStatusTests.document(
      "<d:response><d:href><![CDATA[\(long)y]]></d:href></d:response>")
    #expect(try MultiStatus(parsing: Array(text.utf8)).responses.first?.href == long + "y")
  }

  @Test func `A text over the limit is rejected, as text and as a section`() {
    let long = String(repeating: "x", count: (16 << 20) + 1)
    for text in [long, "<![CDATA[\(long)]]>"] {
      let message = Self.message(MultiStatusTests.document("<d:x>\(text)</d:x>"))
      #expect(message == "a text over 16777216 bytes")
    }
  }

  @Test func `A reader stops when its task is cancelled`() async {
    let text = MultiStatusTests.document(String(repeating: "<d:x/>", count: 10_000))
    let (gate, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      // The stream ends when the task is cancelled.
      for await _ in gate {}
      return Self.message(text)
    }
    task.cancel()
    defer { continuation.finish() }
    #expect(await task.value == "the response was not read completely")
  }
}
