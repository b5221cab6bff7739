// SPDX-License-Identifier: Apache-2.0

#include "cxmlreader.h"

#include <libxml/parser.h>

const char *cxmlreader_version(void) { return LIBXML_DOTTED_VERSION; }
