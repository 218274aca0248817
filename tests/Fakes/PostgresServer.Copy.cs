using System.Text;
using Npgsql;

namespace NzbDav.Fakes;

/// <content>Copies of a database that are used again: a new one costs more than most tests.</content>
public sealed partial class PostgresServer
{
    /// <summary>A copy of a template, with the connection that puts it right. For one thread at a time.</summary>
    private sealed class Copy : IDisposable
    {
        /// <summary>Growth in bytes after which a copy is not used again: the rows of earlier tests would make it slow.</summary>
        private const long MostGrowth = 4 << 20;

        private const string Size = "SELECT pg_database_size(current_database())";

        /// <summary>
        /// Everything that a test could define, but no rows: tables, columns, indexes, constraints, triggers, functions, schemas, settings.
        /// </summary>
        private const string Schema = """
            SELECT md5(string_agg(one, ' ' ORDER BY one)) FROM (
                SELECT concat_ws(',', 'class', oid, relname, relnamespace, relkind, relnatts, relchecks, relhastriggers, relpersistence) FROM pg_class WHERE oid >= 16384
                UNION ALL SELECT concat_ws(',', 'column', attrelid, attnum, attname, atttypid, attnotnull, atthasdef, attisdropped) FROM pg_attribute WHERE attrelid >= 16384
                UNION ALL SELECT concat_ws(',', 'default', oid, adrelid, adbin::text) FROM pg_attrdef
                UNION ALL SELECT concat_ws(',', 'constraint', oid, conname, convalidated) FROM pg_constraint WHERE oid >= 16384
                UNION ALL SELECT concat_ws(',', 'index', indexrelid, indisvalid, indkey) FROM pg_index WHERE indexrelid >= 16384
                UNION ALL SELECT concat_ws(',', 'trigger', oid, tgenabled) FROM pg_trigger
                UNION ALL SELECT concat_ws(',', 'function', oid, proname) FROM pg_proc WHERE oid >= 16384
                UNION ALL SELECT concat_ws(',', 'schema', oid, nspname) FROM pg_namespace WHERE oid >= 16384
                UNION ALL SELECT concat_ws(',', 'large', oid) FROM pg_largeobject_metadata
                UNION ALL SELECT concat_ws(',', 'setting', setconfig) FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
            ) AS all_of_it (one)
            """;

        /// <summary>Statements that empty all tables, whatever refers to what.</summary>
        private const string Clear = "SELECT format('DELETE FROM %s;', oid::regclass) FROM pg_class WHERE oid >= 16384 AND relkind = 'r'";

        /// <summary>Statements that make a statement that fills a table as it is now.</summary>
        private const string Fill = """
            SELECT format('SELECT format(''INSERT INTO %1$s OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::%1$s, %%L);'', json_agg(one)) FROM %1$s AS one HAVING count(*) > 0;',
                oid::regclass)
            FROM pg_class WHERE oid >= 16384 AND relkind = 'r'
            """;

        /// <summary>Statements that make a statement that sets a sequence as it is now.</summary>
        private const string Count = """
            SELECT format('SELECT format(''SELECT setval(%%L, %%s, %%L);'', %1$L, last_value, is_called) FROM %1$s;', oid::regclass) FROM pg_class WHERE oid >= 16384 AND relkind = 'S'
            """;

        private readonly NpgsqlConnection _connection;
        private readonly string _schema;
        private readonly string _putRight;
        private readonly long _size;

        public Copy(string name, string template, string connection)
        {
            (Name, Template) = (name, template);
            _connection = new NpgsqlConnection(connection + ";Pooling=false");
            _connection.Open();
            _schema = Rows(_connection, Schema);
            _size = long.Parse(Rows(_connection, Size), System.Globalization.CultureInfo.InvariantCulture);
            _putRight = new StringBuilder("SET session_replication_role = replica;").Append(Rows(_connection, Clear))
                .Append(Rows(_connection, Rows(_connection, Fill))).Append(Rows(_connection, Rows(_connection, Count))).ToString();
        }

        public string Name { get; }

        public string Template { get; }

        /// <summary>
        /// Ends all other connections and puts back all rows. False: it cannot, because the schema was changed, it grew, or it was away.
        /// </summary>
        public bool TryPutRight()
        {
            try
            {
                Rows(_connection,
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> " +
                    "pg_backend_pid()");
                if (Rows(_connection, Schema) != _schema
                    || long.Parse(Rows(_connection, Size), System.Globalization.CultureInfo.InvariantCulture) > _size + MostGrowth)
                    return false;
                Rows(_connection, _putRight);
                return true;
            }
            catch (Exception error) when (error is NpgsqlException or InvalidOperationException)
            {
                return false;
            }
        }

        public void Dispose() => _connection.Dispose();
    }
}
