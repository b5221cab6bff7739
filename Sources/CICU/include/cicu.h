// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdint.h>

/// The version of the ICU library, as "72.1".
const char *cicu_version(void);
