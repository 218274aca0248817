using System.Data.Common;

namespace NzbDav.Catalog.Database;

/// <summary>
/// What the catalog needs of a database engine: connections, transactions with savepoints, and the meaning of errors. Everything specific
/// to one engine is in its subclass. Thread-safe; a connection serves one caller at a time.
/// </summary>
/// <param name="options">How the catalog is opened.</param>
internal abstract class CatalogEngine(CatalogOptions options) : IAsyncDisposable
{
    /// <summary>How the catalog is opened.</summary>
    public CatalogOptions Options => options;

    /// <summary>What this engine writes differently.</summary>
    public abstract SqlDialect Dialect { get; }

    /// <summary>The steps of the schema that came with this version of the program.</summary>
    public abstract IReadOnlyList<Migration> Migrations { get; }

    /// <summary>True if queries wait for a server; false if they run on the caller's thread.</summary>
    public abstract bool Waits { get; }

    /// <summary>True if this process is the one that does what only one of all has to do
    /// (<see cref="CatalogDatabase.IsLeading"/>).</summary>
    public virtual bool IsLeading => true;

    /// <summary>Opens a connection for the writer.</summary>
    public abstract DbConnection OpenWriter();

    /// <summary>Opens a connection that cannot write.</summary>
    public abstract ValueTask<DbConnection> OpenReaderAsync(CancellationToken cancellationToken);

    /// <summary>Begins a transaction that no other one can break: what it reads stays true until it commits.</summary>
    /// <param name="connection">For writing.</param>
    /// <param name="durable">False: the commit does not wait for the disk; a power cut may take it back, the end of the process does
    /// not.</param>
    public abstract void Begin(DbConnection connection, bool durable = true);

    /// <summary>Marks where one of several works in a transaction begins.</summary>
    public abstract void Save(DbConnection connection);

    /// <summary>Ends what <see cref="Save"/> began.</summary>
    public abstract void Release(DbConnection connection, bool keep);

    /// <summary>False if the engine has rolled back by itself.</summary>
    public abstract bool IsInTransaction(DbConnection connection);

    /// <summary>Commits, and tells other processes what it changed.</summary>
    /// <param name="connection">With the transaction.</param>
    /// <param name="notices">Ignored by an engine that cannot tell anybody (<see cref="ListenAsync"/>).</param>
    public abstract void Commit(DbConnection connection, IReadOnlyCollection<CatalogNotice> notices);

    /// <summary>Rolls back if a transaction is open.</summary>
    /// <returns>False if that failed: the connection is unusable.</returns>
    public abstract bool RollBack(DbConnection connection);

    /// <summary>Called after each commit, on the writer's thread and outside a transaction.</summary>
    public virtual void Committed(DbConnection connection)
    {
    }

    /// <summary>A number that differs from an earlier one if any connection, of this process or another, committed in between.</summary>
    /// <param name="reader">A reader of this engine. One that runs in this process uses a connection of its own.</param>
    public abstract ValueTask<long> DataVersionAsync(CatalogReader reader);

    /// <summary>Before the transaction that applies migrations: waits until no other process applies any.</summary>
    public virtual void LockSchema(DbConnection connection)
    {
    }

    /// <summary>Ends what <see cref="LockSchema"/> began.</summary>
    public virtual void UnlockSchema(DbConnection connection)
    {
    }

    /// <summary>Makes the table of the applied migrations if it is missing, in the transaction that applies them.</summary>
    public abstract void PrepareMigrations(DbConnection connection);

    /// <summary>Counts the openings of the catalog (<see cref="CatalogIds"/>).</summary>
    /// <returns>The number of this one.</returns>
    public abstract long CountOpening(DbConnection connection);

    /// <summary>
    /// For the rest of the transaction, either nobody else removes blobs (<paramref name="alone"/> false: before a reference to one is
    /// written), or nobody else writes references to any (true: before one without references is removed; it must be the first statement).
    /// Does nothing where a transaction that writes is alone anyway.
    /// </summary>
    public virtual void LockReferences(DbConnection connection, bool alone)
    {
    }

    /// <summary>What is wrong with the stored data; empty if it is sound.</summary>
    public abstract ValueTask<IReadOnlyList<string>> ProblemsAsync(CatalogReader reader);

    /// <summary>
    /// The typed exception for an engine error, or null for any other and for one that only a mistake in the program can cause.
    /// </summary>
    public abstract CatalogException? Translate(Exception error);

    /// <summary>True if the transaction failed because of another one: the same work succeeds when it is run again.</summary>
    public virtual bool IsConflict(Exception error) => false;

    /// <summary>True if the connection was lost, so that another one may do.</summary>
    public virtual bool IsLost(Exception error) => false;

    /// <summary>Begins to report what other processes commit, until the engine is disposed. Does nothing with an engine that cannot; caches
    /// then ask for changes (<see cref="ChangeWatch"/>).</summary>
    /// <param name="onNotices">Called with the notices of a commit; must return quickly.</param>
    /// <param name="onNoticesLost">Called when notices may have been lost; must return quickly.</param>
    /// <param name="time">Clock.</param>
    /// <param name="cancellationToken">Cancels the beginning.</param>
    public virtual ValueTask ListenAsync(
        Action<IReadOnlyList<CatalogNotice>> onNotices, Action onNoticesLost, TimeProvider time, CancellationToken cancellationToken) =>
        default;

    /// <summary>Closes what the engine keeps open itself. Connections belong to those who opened them.</summary>
    public virtual ValueTask DisposeAsync() => default;
}

/// <summary>Parts of statements that the engines write differently. Everything else is SQL that all of them speak.</summary>
internal abstract class SqlDialect
{
    /// <summary>The condition that a column contains a text, byte by byte.</summary>
    public abstract string Contains(string column, string parameter);

    /// <summary>The condition that a column is like a pattern, whose special characters a backslash makes plain. Case of ASCII letters does
    /// not count.</summary>
    public abstract string Like(string column, string pattern);

    /// <summary>The condition that a column is one of several values.</summary>
    /// <param name="column">The column.</param>
    /// <param name="parameter">Names a parameter that is an array.</param>
    public abstract string In(string column, string parameter);

    /// <summary>
    /// The clock of the database in milliseconds since 1970, UTC. Runs on within a transaction. With a server it is the server's, so it is
    /// the same for all gateways.
    /// </summary>
    public abstract string Clock { get; }

    /// <summary>
    /// A column in a condition for which no index is to be used, where the engine would choose a worse one than that of the order.
    /// </summary>
    public virtual string Unindexed(string column) => column;

    /// <summary>The time in ticks, UTC: by the clock of the database server, which is the same for all gateways; without a server the
    /// parameter <c>@now</c>.</summary>
    public virtual string Now => "@now";

    /// <summary>
    /// Behind a SELECT whose rows are going to be changed: locks them, and passes over rows that another transaction has locked.
    /// </summary>
    public virtual string SkipLocked => "";
}
