// SPDX-License-Identifier: Apache-2.0

#pragma once

/// The version of libxml2, as "20914".
const char *cxmlreader_version(void);
