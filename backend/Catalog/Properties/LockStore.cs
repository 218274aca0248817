using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Properties;

/// <summary>WebDAV locks shared by several gateways: few, and read and written as a whole. Thread-safe.</summary>
public sealed class LockStore
{
    private const string Columns = "token, root, is_collection, is_shared, is_deep, owner, timeout, expires";
    private const string Select =
        "SELECT token AS Token, root AS Root, is_collection AS IsCollection, is_shared AS IsShared, is_deep AS IsDeep, owner AS Owner, " +
        "timeout AS Timeout, expires AS Expires FROM dav_locks";

    private readonly CatalogDatabase _database;

    public LockStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Lock))
                Changed?.Invoke();
        };
        database.NoticesLost += () => Changed?.Invoke();
    }

    /// <summary>Raised after another process changed locks, or may have. Handlers must return quickly.</summary>
    public event Action? Changed;

    /// <summary>All locks, including expired ones.</summary>
    public async ValueTask<IReadOnlyList<StoredLock>> ListAsync(CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(static reader => reader.AllAsync<Row>(Select), cancellationToken);
        return rows.ConvertAll(static row => row.ToLock());
    }

    /// <summary>Changes the locks; nobody else changes them meanwhile.</summary>
    /// <param name="change">Returns the locks to hold, given those held now. May be called more than once.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public Task UpdateAsync(Func<IReadOnlyList<StoredLock>, IReadOnlyList<StoredLock>> change, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(change);
        return _database.WriteAsync(
            transaction =>
            {
                List<StoredLock> before = transaction.All<Row>(Select).ConvertAll(static row => row.ToLock());
                var after = change(before);
                StoredLock[] gone = [.. before.Except(after)];
                StoredLock[] made = [.. after.Except(before)];
                if (gone.Length + made.Length == 0)
                {
                    transaction.Abandon();
                    return 0;
                }

                transaction.ExecuteAll("DELETE FROM dav_locks WHERE token = @Token", gone);
                transaction.ExecuteAll(
                    $"INSERT INTO dav_locks ({Columns}) VALUES (@Token, @Root, @isCollection, @isShared, @isDeep, @Owner, @timeout, " +
                    $"@expires)",
                    made.Select(static one => (object)new
                    {
                        one.Token,
                        one.Root,
                        isCollection = one.IsCollection ? 1L : 0L,
                        isShared = one.IsShared ? 1L : 0L,
                        isDeep = one.IsDeep ? 1L : 0L,
                        one.Owner,
                        timeout = one.Timeout.Ticks,
                        expires = one.Expires.UtcTicks,
                    }));
                transaction.Notify(NoticeKind.Lock);
                return 0;
            },
            WriteKind.Relaxed,
            cancellationToken);
    }

    private sealed record Row(
        string Token, string Root, long IsCollection, long IsShared, long IsDeep, string? Owner, long Timeout, long Expires)
    {
        public StoredLock ToLock() => new()
        {
            Token = Token,
            Root = Root,
            IsCollection = IsCollection != 0,
            IsShared = IsShared != 0,
            IsDeep = IsDeep != 0,
            Owner = Owner,
            Timeout = TimeSpan.FromTicks(Timeout),
            Expires = new DateTimeOffset(Expires, TimeSpan.Zero),
        };
    }
}

/// <summary>A WebDAV lock.</summary>
public sealed record StoredLock
{
    /// <summary>Identifies the lock.</summary>
    public required string Token { get; init; }

    /// <summary>The locked path, as its user writes it.</summary>
    public required string Root { get; init; }

    /// <summary>True if the path is a collection.</summary>
    public required bool IsCollection { get; init; }

    /// <summary>True if other shared locks may exist beside it.</summary>
    public required bool IsShared { get; init; }

    /// <summary>True if it also covers everything below.</summary>
    public required bool IsDeep { get; init; }

    /// <summary>What the client said about itself; null: nothing.</summary>
    public required string? Owner { get; init; }

    /// <summary>How long it was granted for.</summary>
    public required TimeSpan Timeout { get; init; }

    /// <summary>When it ends.</summary>
    public required DateTimeOffset Expires { get; init; }
}
