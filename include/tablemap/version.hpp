// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The version of tablemap, by semantic versioning; before 1.0 a minor version may change names. CMake reads it from
/// here. All declarations are in an inline namespace of the major and minor version, here `tablemap::v0_1`, so that a
/// program that is linked with another version than it was compiled with does not link. Programs write `tablemap::`.
#define TABLEMAP_VERSION_MAJOR 0
#define TABLEMAP_VERSION_MINOR 1
#define TABLEMAP_VERSION_PATCH 0

/// As one number that grows with the version, for conditions of the preprocessor: 0.1.0 is 100, 1.2.3 is 10203.
#define TABLEMAP_VERSION (TABLEMAP_VERSION_MAJOR * 10000 + TABLEMAP_VERSION_MINOR * 100 + TABLEMAP_VERSION_PATCH)
