// SPDX-License-Identifier: Apache-2.0

// The module's name on Apple's systems. `EventKit` does not re-export it: a file that imports both
// this module and Swift Testing asks for an overlay that Linux does not have.
@_exported public import class OpenEventKit.CGColor
@_exported public import enum OpenEventKit.CGColorRenderingIntent
@_exported public import class OpenEventKit.CGColorSpace
@_exported public import enum OpenEventKit.CGColorSpaceModel
