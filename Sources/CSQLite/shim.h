#include <sqlite3.h>

// sqlite3_config is variadic, which Swift does not import.
// https://sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
static inline int rollcall_sqlite_leave_out_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
