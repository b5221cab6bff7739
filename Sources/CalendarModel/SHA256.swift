// SPDX-License-Identifier: Apache-2.0

/// The Secure Hash Algorithm with a digest of 256 bits (FIPS 180-4 §6.2).
///
/// It identifies the contents of items and files and protects no secrets. The four lowest targets
/// have no dependencies, so that they start, fuzz and embed independently; therefore the
/// implementation is local. The decision record `0001-sha-256-is-our-own` describes the costs and
/// the alternatives.
///
///     SHA256.digest(of: Array("abc".utf8)).description
///     // "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
package struct SHA256: Sendable {
  private var state = Self.initialState
  /// The bytes of an incomplete block.
  private var pending = Block(repeating: 0)
  /// The number of pending bytes, always less than 64.
  private var pendingCount = 0
  /// The total number of bytes.
  private var byteCount: UInt64 = 0

  /// Creates the state for an empty message.
  package init() {}

  /// Returns the digest of bytes.
  package static func digest(of bytes: [UInt8]) -> Digest {
    digest(of: bytes.span)
  }

  /// Returns the digest of bytes.
  package static func digest(of bytes: Span<UInt8>) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Appends bytes to the message; the division into calls does not affect the digest.
  package mutating func update(_ bytes: [UInt8]) {
    update(bytes.span)
  }

  /// Appends bytes to the message; the division into calls does not affect the digest.
  package mutating func update(_ bytes: Span<UInt8>) {
    byteCount &+= UInt64(bytes.count)
    var index = 0
    if pendingCount > 0 {
      while index < bytes.count, pendingCount < Self.blockSize {
        keep(bytes[index])
        index += 1
      }
      guard pendingCount == Self.blockSize else { return }
      state.compress(pending.span, at: 0)
      pendingCount = 0
    }
    while bytes.count - index >= Self.blockSize {
      state.compress(bytes, at: index)
      index += Self.blockSize
    }
    while index < bytes.count {
      keep(bytes[index])
      index += 1
    }
  }

  private mutating func keep(_ byte: UInt8) {
    pending[pendingCount] = byte
    pendingCount += 1
  }

  /// Returns the digest of the message; more bytes can be appended afterwards.
  package func finalize() -> Digest {
    var last = self
    // The padding: a one bit, zeros up to eight bytes before the end of a block, and the length
    // (§5.1.1).
    last.keep(0x80)
    if last.pendingCount > Self.blockSize - 8 {
      while last.pendingCount < Self.blockSize { last.keep(0) }
      last.state.compress(last.pending.span, at: 0)
      last.pendingCount = 0
    }
    while last.pendingCount < Self.blockSize - 8 { last.keep(0) }
    let bitCount = byteCount &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      last.keep(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    last.state.compress(last.pending.span, at: 0)
    return Digest(state: last.state)
  }

  private typealias Block = InlineArray<64, UInt8>
  private static let blockSize = 64

  /// The first 32 bits of the fractions of the square roots of the first eight primes (§5.3.3).
  private static let initialState = State(
    a: 0x6a09_e667, b: 0xbb67_ae85, c: 0x3c6e_f372, d: 0xa54f_f53a,
    e: 0x510e_527f, f: 0x9b05_688c, g: 0x1f83_d9ab, h: 0x5be0_cd19)
}

extension SHA256 {
  /// A digest of 32 bytes.
  package struct Digest: Hashable, Sendable, CustomStringConvertible {
    fileprivate let state: State

    /// The 32 bytes, most significant first.
    package var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(32)
      for word in state.words {
        bytes.append(UInt8(truncatingIfNeeded: word >> 24))
        bytes.append(UInt8(truncatingIfNeeded: word >> 16))
        bytes.append(UInt8(truncatingIfNeeded: word >> 8))
        bytes.append(UInt8(truncatingIfNeeded: word))
      }
      return bytes
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package var description: String {
      var text: [UInt8] = []
      text.reserveCapacity(64)
      for word in state.words {
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
          text.append(Self.digit(word >> shift & 15))
        }
      }
      return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: value < 10 ? 0x30 + value : 0x61 + value - 10)
    }
  }

  /// The eight working variables of the hash computation.
  fileprivate struct State: Hashable, Sendable {
    var a, b, c, d, e, f, g, h: UInt32

    var words: [UInt32] { [a, b, c, d, e, f, g, h] }

    /// Processes the 64-byte block at `offset` (§6.2.2).
    mutating func compress(_ bytes: Span<UInt8>, at offset: Int) {
      var schedule = InlineArray<64, UInt32>(repeating: 0)
      for round in 0..<16 {
        let at = offset &+ round &* 4
        schedule[round] =
          UInt32(bytes[at]) << 24 | UInt32(bytes[at &+ 1]) << 16
          | UInt32(bytes[at &+ 2]) << 8 | UInt32(bytes[at &+ 3])
      }
      for round in 16..<64 {
        schedule[round] =
          Self.sigma(schedule[round &- 2], 17, 19, shift: 10) &+ schedule[round &- 7]
          &+ Self.sigma(schedule[round &- 15], 7, 18, shift: 3) &+ schedule[round &- 16]
      }
      var (a, b, c, d, e, f, g, h) = (a, b, c, d, e, f, g, h)
      // The loop is unrolled by eight rounds, after which the variables are back in their original
      // positions, so that no values are moved.
      for round in stride(from: 0, to: 64, by: 8) {
        Self.turn(a, b, c, &d, e, f, g, &h, schedule[round], round)
        Self.turn(h, a, b, &c, d, e, f, &g, schedule[round + 1], round + 1)
        Self.turn(g, h, a, &b, c, d, e, &f, schedule[round + 2], round + 2)
        Self.turn(f, g, h, &a, b, c, d, &e, schedule[round + 3], round + 3)
        Self.turn(e, f, g, &h, a, b, c, &d, schedule[round + 4], round + 4)
        Self.turn(d, e, f, &g, h, a, b, &c, schedule[round + 5], round + 5)
        Self.turn(c, d, e, &f, g, h, a, &b, schedule[round + 6], round + 6)
        Self.turn(b, c, d, &e, f, g, h, &a, schedule[round + 7], round + 7)
      }
      self.a &+= a
      self.b &+= b
      self.c &+= c
      self.d &+= d
      self.e &+= e
      self.f &+= f
      self.g &+= g
      self.h &+= h
    }

    /// Performs one round, which changes two of the eight variables.
    @inline(__always)
    private static func turn(
      _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
      _ g: UInt32, _ h: inout UInt32, _ word: UInt32, _ round: Int
    ) {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first = h &+ sum(e, 6, 11, 25) &+ choice &+ roundConstants[round] &+ word
      d &+= first
      h = first &+ sum(a, 2, 13, 22) &+ majority
    }

    private static func sum(_ x: UInt32, _ i: UInt32, _ j: UInt32, _ k: UInt32) -> UInt32 {
      rotate(x, i) ^ rotate(x, j) ^ rotate(x, k)
    }

    private static func sigma(
      _ x: UInt32, _ i: UInt32, _ j: UInt32, shift: UInt32
    ) -> UInt32 {
      rotate(x, i) ^ rotate(x, j) ^ (x &>> shift)
    }

    private static func rotate(_ x: UInt32, _ count: UInt32) -> UInt32 {
      (x &>> count) | (x &<< (32 - count))
    }
  }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
private let roundConstants: InlineArray<64, UInt32> = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
  0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
  0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
  0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
  0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
  0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
  0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
  0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
  0xc671_78f2,
]
