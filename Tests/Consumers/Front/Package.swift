// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package that does what the program does, without its command line.
let package = Package(
  name: "front",
  dependencies: [
    .package(name: "epact", path: "../../..", traits: ["Sync"])
  ],
  targets: [
    .executableTarget(
      name: "Front",
      dependencies: [
        .product(name: "CalendarStore", package: "epact"),
        .product(name: "CalendarSync", package: "epact"),
        .product(name: "Epact", package: "epact"),
      ])
  ]
)
