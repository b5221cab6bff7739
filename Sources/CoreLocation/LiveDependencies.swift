// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time of the clock.
func now() -> Date { Date() }
