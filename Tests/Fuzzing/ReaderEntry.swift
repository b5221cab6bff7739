// SPDX-License-Identifier: Apache-2.0

/// Where libFuzzer calls in with bytes for `ReaderOracle`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try ReaderOracle.check(Array(unsafe UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
