// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W10]: try_retry_on_conflict takes a function that returns a result, as the try_ forms of writes do; for one that throws call retry_on_conflict
#include <tablemap/write/retry_on_conflict.hpp>
#include <tablemap/write/transaction.hpp>

void use(tablemap::transaction& t) {
#ifdef TABLEMAP_REJECT
    static_cast<void>(tablemap::try_retry_on_conflict([&] { return t.commit(); }));
#else
    static_cast<void>(tablemap::try_retry_on_conflict([&] { return t.try_commit(); }));
#endif
}

int main() {}
