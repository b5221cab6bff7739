// SPDX-License-Identifier: Apache-2.0

// The module's name on Apple's systems, so that source written for them compiles unchanged.
@_exported public import OpenEventKit
