-- Run once on the first primary, as postgres. No standby is there yet to wait for.
SET synchronous_commit = local;

-- Imports, forget and directories: owns everything.
CREATE ROLE rollcall LOGIN;
-- The servers: may only read.
CREATE ROLE rollcall_reader LOGIN;
-- Standbys and backups. Patroni has made this one.
SELECT 'CREATE ROLE replicator LOGIN REPLICATION'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'replicator') \gexec
-- For pg_rewind.
GRANT EXECUTE ON FUNCTION pg_ls_dir(text, boolean, boolean), pg_stat_file(text, boolean), pg_read_binary_file(text),
    pg_read_binary_file(text, bigint, bigint, boolean) TO replicator;

CREATE DATABASE people OWNER rollcall ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE people FROM public;
GRANT CONNECT ON DATABASE people TO rollcall_reader;

\connect people
SET synchronous_commit = local;
-- For the schema and the tables that imports will make.
ALTER DEFAULT PRIVILEGES FOR ROLE rollcall GRANT USAGE ON SCHEMAS TO rollcall_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE rollcall GRANT SELECT ON TABLES TO rollcall_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE rollcall GRANT SELECT ON SEQUENCES TO rollcall_reader;
