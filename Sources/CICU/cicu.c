// SPDX-License-Identifier: Apache-2.0

#include "cicu.h"
#include "cicu_text.h"

#include <stdlib.h>
#include <string.h>

#include <unicode/ucal.h>
#include <unicode/uchar.h>
#include <unicode/ures.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

void cicu_buffer_free(cicu_buffer buffer) { free(buffer.bytes); }

cicu_text cicu_text_from_utf8(const uint8_t *bytes, int32_t count, UErrorCode *status) {
  cicu_text text = {NULL, 0};
  if (U_FAILURE(*status)) return text;
  // A text has at most as many units in UTF-16 as it has bytes in UTF-8.
  UChar *units = malloc(((size_t)count + 1) * sizeof(UChar));
  if (!units) {
    *status = U_MEMORY_ALLOCATION_ERROR;
    return text;
  }
  u_strFromUTF8(units, count + 1, &text.count, (const char *)bytes, count, status);
  if (U_FAILURE(*status)) {
    free(units);
    return (cicu_text){NULL, 0};
  }
  text.units = units;
  return text;
}

cicu_buffer cicu_buffer_from_utf16(const UChar *units, int32_t count, UErrorCode *status) {
  cicu_buffer buffer = {NULL, 0};
  if (U_FAILURE(*status)) return buffer;
  int32_t needed = 0;
  UErrorCode preflight = U_ZERO_ERROR;
  u_strToUTF8(NULL, 0, &needed, units, count, &preflight);
  if (preflight != U_BUFFER_OVERFLOW_ERROR && U_FAILURE(preflight)) {
    *status = preflight;
    return buffer;
  }
  char *bytes = malloc((size_t)needed + 1);
  if (!bytes) {
    *status = U_MEMORY_ALLOCATION_ERROR;
    return buffer;
  }
  u_strToUTF8(bytes, needed + 1, &needed, units, count, status);
  if (U_FAILURE(*status)) {
    free(bytes);
    return buffer;
  }
  return (cicu_buffer){(uint8_t *)bytes, needed};
}

cicu_buffer cicu_buffer_from_string(const char *text) {
  size_t count = strlen(text);
  uint8_t *bytes = malloc(count + 1);
  if (!bytes) return (cicu_buffer){NULL, 0};
  memcpy(bytes, text, count + 1);
  return (cicu_buffer){bytes, (int32_t)count};
}

const char *cicu_version(void) { return U_ICU_VERSION; }

cicu_buffer cicu_unicode_version(void) {
  UVersionInfo version;
  char text[U_MAX_VERSION_STRING_LENGTH];
  u_getUnicodeVersion(version);
  u_versionToString(version, text);
  return cicu_buffer_from_string(text);
}

const char *cicu_zone_version(int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  const char *version = ucal_getTZDataVersion(&error);
  *status = error;
  return U_SUCCESS(error) ? version : NULL;
}

const char *cicu_error_name(int32_t status) { return u_errorName((UErrorCode)status); }

cicu_buffer cicu_canonical_zone(const uint8_t *name, int32_t count, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_buffer result = {NULL, 0};
  cicu_text zone = cicu_text_from_utf8(name, count, &error);
  UChar canonical[128];
  UBool is_system = false;
  int32_t length = 0;
  if (U_SUCCESS(error)) {
    length =
        ucal_getCanonicalTimeZoneID(zone.units, zone.count, canonical, 128, &is_system, &error);
  }
  // Offsets such as "GMT+3" have a canonical form too, but are no zones.
  if (U_SUCCESS(error) && is_system) result = cicu_buffer_from_utf16(canonical, length, &error);
  free(zone.units);
  *status = error;
  return result;
}

void cicu_lines_append(cicu_lines *lines, const char *bytes, size_t count, UErrorCode *status) {
  if (U_FAILURE(*status)) return;
  if (lines->capacity - lines->count < count) {
    size_t capacity = (lines->capacity + count) * 2;
    char *grown = realloc(lines->bytes, capacity);
    if (!grown) {
      *status = U_MEMORY_ALLOCATION_ERROR;
      return;
    }
    lines->bytes = grown;
    lines->capacity = capacity;
  }
  memcpy(lines->bytes + lines->count, bytes, count);
  lines->count += count;
}

cicu_buffer cicu_lines_finish(cicu_lines lines, UErrorCode error, int32_t *status) {
  if (U_SUCCESS(error) && lines.count > INT32_MAX) error = U_BUFFER_OVERFLOW_ERROR;
  *status = error;
  if (U_FAILURE(error)) {
    free(lines.bytes);
    return (cicu_buffer){NULL, 0};
  }
  return (cicu_buffer){(uint8_t *)lines.bytes, (int32_t)lines.count};
}

/// Appends the lines of one Windows name, whose resource has the territories as keys.
static void append_zones(cicu_lines *text, UResourceBundle *name, UErrorCode *status) {
  const char *key = ures_getKey(name);
  UResourceBundle *territory = NULL;
  ures_resetIterator(name);
  while (U_SUCCESS(*status) && ures_hasNext(name)) {
    territory = ures_getNextResource(name, territory, status);
    if (U_FAILURE(*status)) break;
    const char *code = ures_getKey(territory);
    int32_t length = 0;
    const UChar *zones = ures_getString(territory, &length, status);
    cicu_buffer utf8 = cicu_buffer_from_utf16(zones, length, status);
    if (U_SUCCESS(*status) && key && code) {
      cicu_lines_append(text, key, strlen(key), status);
      cicu_lines_append(text, "\t", 1, status);
      cicu_lines_append(text, code, strlen(code), status);
      cicu_lines_append(text, "\t", 1, status);
      cicu_lines_append(text, (const char *)utf8.bytes, (size_t)utf8.count, status);
      cicu_lines_append(text, "\n", 1, status);
    }
    cicu_buffer_free(utf8);
  }
  ures_close(territory);
}

cicu_buffer cicu_windows_zones(int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  cicu_lines text = {NULL, 0, 0};
  // The lookup of ICU minds the case of letters; the table behind it lets us not mind.
  UResourceBundle *table = ures_openDirect(NULL, "windowsZones", &error);
  UResourceBundle *names = ures_getByKey(table, "mapTimezones", NULL, &error);
  UResourceBundle *name = NULL;
  while (U_SUCCESS(error) && ures_hasNext(names)) {
    name = ures_getNextResource(names, name, &error);
    if (U_SUCCESS(error)) append_zones(&text, name, &error);
  }
  ures_close(name);
  ures_close(names);
  ures_close(table);
  return cicu_lines_finish(text, error, status);
}
