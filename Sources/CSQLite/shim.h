#include <sqlite3.h>

// sqlite3_config is variadic, which Swift does not import.
// https://sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
static inline int rollcall_sqlite_leave_out_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Variadic, too. The log stays as it is when the last connection closes.
// https://sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfignockptonclose
static inline int rollcall_sqlite_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, 0);
}
