// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W10]: this function returns a result, whose error would pass for success here; call try_retry_on_conflict
#include <tablemap/write/retry_on_conflict.hpp>
#include <tablemap/write/transaction.hpp>

void use(tablemap::transaction& t) {
#ifdef TABLEMAP_REJECT
    tablemap::retry_on_conflict([&] { return t.try_commit(); });
#else
    tablemap::retry_on_conflict([&] { return t.commit(); });
#endif
}

int main() {}
