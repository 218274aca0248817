using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Npgsql;

namespace NzbDav.Fakes;

/// <summary>
/// A PostgreSQL server of the test run, with its data in a temporary folder and no address but a socket there. Started on first use; ends
/// with the process. Needs Debian's <c>postgresql</c> (<see cref="WhyNot"/>). Thread-safe.
/// </summary>
public sealed partial class PostgresServer
{
    /// <summary>
    /// Runs the server, and removes its folder when it ends, unless it is to be started again. The shell outlives a test host that is
    /// killed, which is how test runs end. $1: the folder; the rest: the server's command line.
    /// </summary>
    private const string Keeper = """
        folder=$1; shift
        "$@" & server=$!
        trap 'kill -INT $server' TERM INT
        wait $server; wait $server
        [ -e "$folder/again" ] || rm -rf "$folder"
        """;

    private const string NotInstalled = "PostgreSQL is not installed: apt-get install postgresql.";

    private static readonly Lazy<PostgresServer> One = new(static () => new PostgresServer(), LazyThreadSafetyMode.ExecutionAndPublication);
    private static int _databases;

    private readonly string _folder = Path.Combine(Path.GetTempPath(), "nzbdav-postgres-" + Guid.NewGuid().ToString("N")[..12]);
    private readonly string _programs;
    private readonly NpgsqlDataSource _statements;

    /// <summary>The copies of each template that nobody has any more, as good as new.</summary>
    private readonly ConcurrentDictionary<string, ConcurrentBag<Copy>> _ready = new(StringComparer.Ordinal);

    /// <summary>The copies that are in use.</summary>
    private readonly ConcurrentDictionary<string, Copy> _lent = new(StringComparer.Ordinal);
    private Process? _server;

    private PostgresServer()
    {
        _programs = Programs ?? throw new InvalidOperationException(NotInstalled);
        _statements = NpgsqlDataSource.Create(ConnectionTo("postgres"));
        Directory.CreateDirectory(_folder);
        if (Environment.UserName == "root")
            Run("chown", "postgres", _folder);
        Run(AsUser(Path.Combine(_programs, "initdb"), "--pgdata", Data, "--auth", "trust", "--username", "nzbdav", "--encoding", "UTF8",
            "--locale", "C", "--no-sync"));
        Start();
    }

    /// <summary>Why tests cannot use it, for those that are passed over then; null if they can, and in CI, where they must.</summary>
    public static string? WhyNot =>
        Programs is not null || Environment.GetEnvironmentVariables().Contains("NZBDAV_CI") ? null : NotInstalled;

    /// <summary>Where Debian keeps the server's programs, of the newest version that is installed; null: none is.</summary>
    private static string? Programs => Directory.Exists("/usr/lib/postgresql")
        ? Directory.EnumerateDirectories("/usr/lib/postgresql").Order(StringComparer.Ordinal)
            .Select(static version => Path.Combine(version, "bin")).LastOrDefault(static bin => File.Exists(Path.Combine(bin, "postgres")))
        : null;

    /// <summary>Nothing in it has to survive the machine or grows old, but a figure has to contain what that costs.</summary>
    private static string[] Haste => Environment.GetEnvironmentVariables().Keys.Cast<string>()
        .Any(static name => name.StartsWith("NZBDAV_MEASURE", StringComparison.Ordinal))
        ? []
        :
        [
            "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "autovacuum=off", "-c", "jit=off", "-c", "checkpoint_timeout=1d", "-c",
            "max_wal_size=4GB",
            "-c", "bgwriter_lru_maxpages=0",
        ];

    /// <summary>A file that is there while the server is stopped for a time.</summary>
    private string Again => Path.Combine(_folder, "again");

    private string Data => Path.Combine(_folder, "data");

    /// <summary>The server of this process.</summary>
    /// <exception cref="InvalidOperationException">It is not installed or does not start.</exception>
    public static PostgresServer Shared => One.Value;

    /// <summary>A connection string with a database of its own.</summary>
    /// <param name="template">
    /// The database of which it is a copy, perhaps one that was given back and put right; it must not change any more. Null: it is empty.
    /// </param>
    public string NewDatabase(string? template = null)
    {
        if (template is not null && _ready.TryGetValue(template, out var ready) && ready.TryTake(out var used))
        {
            _lent[used.Name] = used;
            return ConnectionTo(used.Name);
        }

        var name = string.Create(CultureInfo.InvariantCulture, $"test_{Environment.ProcessId}_{Interlocked.Increment(ref _databases)}");
        Sql($"CREATE DATABASE {name}{(template is null ? "" : $" TEMPLATE {template}")}");
        if (template is not null)
            _lent[name] = new Copy(name, template, ConnectionTo(name));
        return ConnectionTo(name);
    }

    /// <summary>
    /// Ends all connections to the database of a connection string that <see cref="NewDatabase"/> gave, which may not be used any more.
    /// </summary>
    public void Drop(string connection)
    {
        var name = NameOf(connection);

        // Whoever gets a copy next must not be given a connection that ends now.
        using (var pooled = new NpgsqlConnection(connection))
            NpgsqlConnection.ClearPool(pooled);
        if (!_lent.TryRemove(name, out var copy))
        {
            Sql($"DROP DATABASE {name} WITH (FORCE)");
        }
        else if (copy.TryPutRight())
        {
            _ready.GetOrAdd(copy.Template, static _ => []).Add(copy);
        }
        else
        {
            copy.Dispose();
            Sql($"DROP DATABASE {name} WITH (FORCE)");
        }
    }

    /// <summary>Puts an empty database in place of that of a connection string.</summary>
    public void Empty(string connection)
    {
        Drop(connection);
        Sql($"CREATE DATABASE {NameOf(connection)}");
    }

    /// <summary>The name of the database of a connection string that <see cref="NewDatabase"/> gave.</summary>
    public static string NameOf(string connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return connection[(connection.LastIndexOf('=') + 1)..];
    }

    /// <summary>Runs statements as the owner.</summary>
    /// <param name="statements">One or several.</param>
    /// <param name="connection">In the database of this connection string; null: in none of the tests' own.</param>
    /// <returns>The rows, one a line, with their fields as text between <c>|</c>.</returns>
    public string Sql(string statements, string? connection = null)
    {
        using var opened = connection is null ? _statements.OpenConnection() : new NpgsqlConnection(connection + ";Pooling=false");
        if (connection is not null)
            opened.Open();
        return Rows(opened, statements);
    }

    /// <summary>Starts it again after <see cref="Stop"/>.</summary>
    public void Start()
    {
        // The server is sent a signal when the thread that started it ends, so that thread waits for it.
        using var begun = new ManualResetEventSlim();
        Exception? fault = null;
        var thread = new Thread(() =>
        {
            try
            {
                _server = Process.Start(AsUser("sh",
                [
                    "-c", Keeper, "sh", _folder, Path.Combine(_programs, "postgres"), "-D", Data, "-k", _folder, "-c", "listen_addresses=",
                    .. Haste,
                    "-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "max_connections=300", "-c",
                    "max_locks_per_transaction=1024", "-c", "log_min_messages=fatal",
                ]))!;
                _server.ErrorDataReceived += static (_, _) => { };
                _server.BeginErrorReadLine();
            }
            catch (Exception error)
            {
                fault = error;
                return;
            }
            finally
            {
                begun.Set();
            }

            _server.WaitForExit();
        });
        thread.IsBackground = true;
        thread.Name = "postgres";
        thread.Start();
        begun.Wait();
        if (fault is not null)
            throw new InvalidOperationException("PostgreSQL does not start.", fault);
        for (var began = Stopwatch.GetTimestamp(); !IsReady();)
        {
            if (_server!.HasExited || Stopwatch.GetElapsedTime(began) > TimeSpan.FromMinutes(1))
                throw new InvalidOperationException("PostgreSQL does not start.");
        }

        File.Delete(Again);
    }

    /// <summary>Stops it; <see cref="Start"/> starts it again.</summary>
    /// <param name="mode">How, for pg_ctl: <c>fast</c> ends connections, <c>immediate</c> is a crash.</param>
    public void Stop(string mode)
    {
        File.WriteAllText(Again, "");
        _statements.Clear();
        Run(AsUser(Path.Combine(_programs, "pg_ctl"), "stop", "-D", Data, "-m", mode, "-w"));
        _server!.WaitForExit();
    }

    /// <summary>The server refuses to run as root.</summary>
    private static ProcessStartInfo AsUser(string program, params string[] arguments) => Environment.UserName == "root"
        ? Plain("setpriv", ["--reuid", "postgres", "--regid", "postgres", "--init-groups", "--pdeathsig", "TERM", program, .. arguments])
        : Plain(program, arguments);

    private static ProcessStartInfo Plain(string program, params string[] arguments) =>
        new(program, arguments)
        { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = "/" };

    private static string Run(string program, params string[] arguments) => Run(Plain(program, arguments));

    private static string Run(ProcessStartInfo start)
    {
        var (code, output) = End(start);
        return code == 0
            ? output : throw new InvalidOperationException($"{start.FileName} {string.Join(' ', start.ArgumentList)}: {output}");
    }

    /// <returns>The exit code, and what it printed.</returns>
    private static (int Code, string Output) End(ProcessStartInfo start)
    {
        var errors = new StringBuilder();
        using var process = Process.Start(start)!;
        process.ErrorDataReceived += (_, line) => errors.AppendLine(line.Data);
        process.BeginErrorReadLine();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, process.ExitCode == 0 ? output : output + errors);
    }

    private bool IsReady() => End(Plain("pg_isready", "--quiet", "--host", _folder)).Code == 0;

    private string ConnectionTo(string database) => $"Host={_folder};Username=nzbdav;Database={database}";

    private static string Rows(NpgsqlConnection connection, string statements)
    {
        using var command = new NpgsqlCommand(statements, connection) { AllResultTypesAreUnknown = true };
        using var reader = command.ExecuteReader();
        var rows = new StringBuilder();
        do
        {
            while (reader.Read())
            {
                rows.AppendJoin(
                    '|', Enumerable.Range(0, reader.FieldCount).Select(field => reader.IsDBNull(field) ? "" : reader.GetString(field)));
                rows.Append('\n');
            }
        }
        while (reader.NextResult());
        return rows.ToString();
    }
}
