// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Testing

@Suite struct SHA256Tests {
  /// A message of the Secure Hash Standard's examples and validation files, and its digest.
  struct Case: CustomTestStringConvertible {
    let message: [UInt8]
    let digest: String
    let name: String

    init(_ name: String, _ message: [UInt8], _ digest: String) {
      self.name = name
      self.message = message
      self.digest = digest
    }

    var testDescription: String { name }
  }

  static let cases = [
    Case("nothing", [], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    Case(
      "abc", Array("abc".utf8),
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    Case(
      "448 bits, so that the length needs a block of its own",
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    Case(
      "896 bits",
      Array(
        ("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu").utf8),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    Case("one byte", [0xbd], "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"),
    Case(
      "four bytes", [0xc9, 0x8c, 0x8e, 0x55],
      "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504"),
    Case(
      "55 zero bytes", .init(repeating: 0, count: 55),
      "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
    Case(
      "56 zero bytes", .init(repeating: 0, count: 56),
      "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
    Case(
      "57 zero bytes", .init(repeating: 0, count: 57),
      "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785"),
    Case(
      "64 zero bytes", .init(repeating: 0, count: 64),
      "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
    Case(
      "1000 times A", .init(repeating: 0x41, count: 1000),
      "c2e686823489ced2017f6059b8b239318b6364f6dcd835d0a519105a1eadd6e4"),
    Case(
      "one million times a", .init(repeating: 0x61, count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test("Agrees with the published digests", arguments: cases)
  func published(_ example: Case) {
    #expect(SHA256.digest(of: example.message).description == example.digest)
    #expect(SHA256.digest(of: example.message.span).description == example.digest)
  }

  @Test("The cuts between updates never change the digest")
  func cuts() {
    let message = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    let whole = SHA256.digest(of: message)
    for first in 0...message.count {
      var hash = SHA256()
      hash.update(Array(message[..<first]))
      let early = hash.finalize()
      hash.update(Array(message[first...]))
      #expect(hash.finalize() == whole, "cut after \(first) bytes")
      #expect(early == SHA256.digest(of: Array(message[..<first])), "\(first) bytes")
    }
  }

  @Test("A digest is 32 bytes")
  func bytes() {
    let digest = SHA256.digest(of: [UInt8]("abc".utf8))
    #expect(digest.bytes.count == 32)
    #expect(digest.bytes.prefix(4) == [0xba, 0x78, 0x16, 0xbf])
  }
}
