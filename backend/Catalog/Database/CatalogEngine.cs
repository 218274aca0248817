using System.Data.Common;

namespace NzbDav.Catalog.Database;

/// <summary>
/// What the catalog needs from a database engine: connections, transactions with savepoints, and the meaning of errors. Everything specific
/// to one engine is in its subclass. Thread-safe; a connection serves one caller at a time.
/// </summary>
/// <param name="options">How the catalog is opened.</param>
internal abstract class CatalogEngine(CatalogOptions options) : IAsyncDisposable
{
    /// <summary>How the catalog is opened.</summary>
    public CatalogOptions Options => options;

    /// <summary>The SQL that is specific to this engine.</summary>
    public abstract SqlDialect Dialect { get; }

    /// <summary>The schema steps that ship with this version of the program.</summary>
    public abstract IReadOnlyList<Migration> Migrations { get; }

    /// <summary>True if queries wait for a server; false if they run on the caller's thread.</summary>
    public abstract bool Waits { get; }

    /// <summary>True if this process does the work that only one has to do (<see cref="CatalogDatabase.IsLeading"/>).</summary>
    public virtual bool IsLeading => true;

    /// <summary>Opens a connection for the writer.</summary>
    public abstract DbConnection OpenWriter();

    /// <summary>Opens a read-only connection.</summary>
    public abstract ValueTask<DbConnection> OpenReaderAsync(CancellationToken cancellationToken);

    /// <summary>Begins an isolated transaction: what it reads stays true until it commits.</summary>
    /// <param name="connection">A write connection.</param>
    /// <param name="durable">False: the commit does not wait for the disk. A power cut may lose it; a crash of the process does
    /// not.</param>
    public abstract void Begin(DbConnection connection, bool durable = true);

    /// <summary>Sets a savepoint before one of several requests in a transaction.</summary>
    public abstract void Save(DbConnection connection);

    /// <summary>Releases the savepoint of <see cref="Save"/>; rolls back to it first unless <paramref name="keep"/>.</summary>
    public abstract void Release(DbConnection connection, bool keep);

    /// <summary>False if the engine has rolled back by itself.</summary>
    public abstract bool IsInTransaction(DbConnection connection);

    /// <summary>Commits, and notifies other processes of the changes.</summary>
    /// <param name="connection">The connection with the transaction.</param>
    /// <param name="notices">Ignored by an engine that cannot notify (<see cref="ListenAsync"/>).</param>
    public abstract void Commit(DbConnection connection, IReadOnlyCollection<CatalogNotice> notices);

    /// <summary>Rolls back if a transaction is open.</summary>
    /// <returns>False if that failed: the connection is unusable.</returns>
    public abstract bool RollBack(DbConnection connection);

    /// <summary>Called after each commit, on the writer's thread and outside a transaction.</summary>
    public virtual void Committed(DbConnection connection)
    {
    }

    /// <summary>A number that changes whenever any connection, of this process or another, commits.</summary>
    /// <param name="reader">A reader of this engine. SQLite uses a connection of its own instead.</param>
    public abstract ValueTask<long> DataVersionAsync(CatalogReader reader);

    /// <summary>Called before the transaction that applies migrations: waits until no other process applies any.</summary>
    public virtual void LockSchema(DbConnection connection)
    {
    }

    /// <summary>Ends what <see cref="LockSchema"/> began.</summary>
    public virtual void UnlockSchema(DbConnection connection)
    {
    }

    /// <summary>Creates the table of applied migrations if it is missing, in the transaction that applies them.</summary>
    public abstract void PrepareMigrations(DbConnection connection);

    /// <summary>Counts the openings of the catalog (<see cref="CatalogIds"/>).</summary>
    /// <returns>The number of this one.</returns>
    public abstract long CountOpening(DbConnection connection);

    /// <summary>
    /// Until the transaction ends, either nobody else removes blobs (<paramref name="alone"/> false: call before writing a reference to
    /// one), or nobody else writes references (true: call before removing an unreferenced blob, as the first statement). Does nothing where
    /// write transactions exclude each other anyway.
    /// </summary>
    public virtual void LockReferences(DbConnection connection, bool alone)
    {
    }

    /// <summary>What is wrong with the stored data; empty if it is sound.</summary>
    public abstract ValueTask<IReadOnlyList<string>> ProblemsAsync(CatalogReader reader);

    /// <summary>The typed exception for an engine error; null for any other error and for one that only a bug can cause.</summary>
    public abstract CatalogException? Translate(Exception error);

    /// <summary>True if the transaction failed because of a concurrent one: the same work can succeed when it is run again.</summary>
    public virtual bool IsConflict(Exception error) => false;

    /// <summary>True if the connection was lost, so that a new one may work.</summary>
    public virtual bool IsLost(Exception error) => false;

    /// <summary>
    /// Starts to report the commits of other processes, until the engine is disposed. Does nothing if the engine cannot; caches then poll
    /// (<see cref="ChangeWatch"/>).
    /// </summary>
    /// <param name="onNotices">Called with the notices of a commit; must return quickly.</param>
    /// <param name="onNoticesLost">Called when notices may have been lost; must return quickly.</param>
    /// <param name="time">Clock.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    public virtual ValueTask ListenAsync(
        Action<IReadOnlyList<CatalogNotice>> onNotices, Action onNoticesLost, TimeProvider time, CancellationToken cancellationToken) =>
        default;

    /// <summary>Closes the engine's own connections. Other connections belong to those who opened them.</summary>
    public virtual ValueTask DisposeAsync() => default;
}

/// <summary>The SQL that differs between engines. Everything else is SQL that all of them accept.</summary>
internal abstract class SqlDialect
{
    /// <summary>The condition that a column contains a text, byte by byte.</summary>
    public abstract string Contains(string column, string parameter);

    /// <summary>
    /// The condition that a column matches a LIKE pattern, with the backslash as escape. Ignores the case of ASCII letters.
    /// </summary>
    public abstract string Like(string column, string pattern);

    /// <summary>The condition that a column is one of several values.</summary>
    /// <param name="column">The column.</param>
    /// <param name="parameter">Name of an array parameter.</param>
    public abstract string In(string column, string parameter);

    /// <summary>
    /// The database clock in milliseconds since 1970, UTC. Advances within a transaction. With a server it is the server's clock, the same
    /// for all gateways.
    /// </summary>
    public abstract string Clock { get; }

    /// <summary>
    /// A column in a condition that must not use an index, where the engine would prefer a worse one over that of the order.
    /// </summary>
    public virtual string Unindexed(string column) => column;

    /// <summary>
    /// The time in ticks, UTC, by the clock of the database server, which is the same for all gateways; without a server the parameter
    /// <c>@now</c>.
    /// </summary>
    public virtual string Now => "@now";

    /// <summary>
    /// Suffix of a SELECT whose rows are about to be changed: locks them, and skips rows that another transaction has locked.
    /// </summary>
    public virtual string SkipLocked => "";
}
