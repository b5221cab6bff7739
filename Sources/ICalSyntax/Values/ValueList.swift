// SPDX-License-Identifier: Apache-2.0

/// The values of a property in file order, nearly always a single one.
///
/// It works like an array, but a single value needs no array. The members that are used for each
/// value of a file are inlinable by other modules; the benchmark `typed` shows the effect.
@frozen
public struct ValueList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  @usableFromInline
  enum Storage: Hashable, Sendable {
    case one(Value)
    case many([Value])
  }

  @usableFromInline
  let storage: Storage

  /// Creates a list of one value.
  public init(_ value: Value) {
    storage = .one(value)
  }

  /// Creates a list of values.
  public init(_ values: [Value]) {
    if values.count == 1 { storage = .one(values[0]) } else { storage = .many(values) }
  }

  /// Creates a list of values.
  public init(arrayLiteral elements: Value...) {
    self.init(elements)
  }

  /// The index of the first value: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of values.
  @inlinable
  public var endIndex: Int { count }

  /// The number of values.
  @inlinable
  public var count: Int {
    switch storage {
    case .one: 1
    case .many(let values): values.count
    }
  }

  /// The value at an index, from 0 up to `count`.
  @inlinable
  public subscript(index: Int) -> Value {
    switch storage {
    case .one(let value):
      precondition(index == 0, "index of a value out of range")
      return value
    case .many(let values): return values[index]
    }
  }

  /// Calls `body` with each value, in file order; faster than a loop, which copies each value.
  @inlinable
  public func forEach(_ body: (Value) throws -> Void) rethrows {
    switch storage {
    case .one(let value): try body(value)
    case .many(let values): for value in values { try body(value) }
    }
  }
}
