// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"

#include <unicode/uversion.h>

const char *cicu_version(void) { return U_ICU_VERSION; }
