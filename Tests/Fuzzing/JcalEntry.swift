// SPDX-License-Identifier: Apache-2.0

/// Where libFuzzer calls in with bytes for `JCalOracle`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJCal(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try JCalOracle.check(Array(unsafe UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
