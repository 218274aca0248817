using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Gateways;

/// <summary>
/// One gateway's share of the connections of Usenet accounts, when several gateways use one database. The shares of an account never add up
/// to more than it allows. A share is leased by the clock of the database server: a gateway that cannot renew it must close its connections
/// <see cref="Margin"/> before the lease ends, and others get the share <see cref="Grace"/> after that. A gateway that hangs for longer
/// than both with open connections breaks the limit, because nobody else can close them. Thread-safe; one renewal at a time.
/// </summary>
/// <remarks>
/// A renewal is a serializable transaction that reads the rows of all gateways and writes only this one's, so none waits for another
/// gateway that hangs in its own. The clock must not jump forward by more than <see cref="Grace"/> while gateways run.
/// </remarks>
public sealed class ConnectionLeaseStore
{
    /// <summary>How long before the end of its lease a gateway must have closed its connections.</summary>
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(3);

    /// <summary>
    /// How long after the end of a lease others get the share: time for a suspended process to close its connections when it resumes.
    /// </summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    /// <summary>A process that used the same configuration folder before has certainly ended after this time without a renewal.</summary>
    private static readonly TimeSpan FormerExpiresAfter = TimeSpan.FromSeconds(3);

    /// <summary>How long an ignored row of another gateway stays before it is removed.</summary>
    private static readonly TimeSpan Forgotten = TimeSpan.FromMinutes(1);

    private readonly CatalogDatabase _database;
    private readonly string _gateway;

    /// <param name="database">The database that the gateways share.</param>
    /// <param name="gateway">Id of this gateway; new at each start, so that no two processes ever share one.</param>
    public ConnectionLeaseStore(CatalogDatabase database, string gateway)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentException.ThrowIfNullOrEmpty(gateway);
        (_database, _gateway) = (database, gateway);
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Leases))
                Lacking?.Invoke();
        };
    }

    /// <summary>
    /// Raised when a gateway lacks connections that others must give up: a renewal then says which. Handlers must only schedule work. Never
    /// raised with SQLite.
    /// </summary>
    public event Action? Lacking;

    /// <summary>
    /// The gateway that used this one's configuration folder before; null: none is known. This gateway takes over its shares once they have
    /// not been renewed for three seconds. If they are renewed, the folder is a copy, and the other gateway keeps them.
    /// </summary>
    public string? Former { get; init; }

    /// <summary>How long a share lasts (<see cref="CatalogOptions.ConnectionLeaseTime"/>).</summary>
    public TimeSpan Lease => LeaseTime ?? _database.Options.ConnectionLeaseTime;

    /// <summary>How long after the start of a renewal connections may be open.</summary>
    public TimeSpan Usable => Lease - Margin;

    /// <summary>Overrides <see cref="Lease"/> in tests.</summary>
    internal TimeSpan? LeaseTime { get; init; }

    /// <summary>Overrides <see cref="Grace"/> in tests.</summary>
    internal TimeSpan GraceTime { get; init; } = Grace;

    /// <summary>Renews all shares of this gateway, from now on for <see cref="Lease"/>. Gives up accounts that are not requested.</summary>
    /// <param name="requests">One per account.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>One per request.</returns>
    /// <exception cref="CatalogException">The outcome is unknown: keep to the previous shares and lease, and use no more than was
    /// kept.</exception>
    public async Task<IReadOnlyList<GrantedLease>> RenewAsync(IReadOnlyList<LeaseRequest> requests, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(requests);

        // Exclusive, so that a conflict with another gateway reruns nothing else. Durable, because a share that a server crash rolled back
        // would also be given to others.
        return await _database.WriteAsync(transaction => Renew(transaction, requests), WriteKind.Exclusive, cancellationToken);
    }

    /// <summary>Gives up all shares. All connections must have ended.</summary>
    /// <exception cref="CatalogException">Not given up: others get them after the lease.</exception>
    public Task GiveUpAsync(CancellationToken cancellationToken) =>
        _database.WriteAsync(transaction =>
            transaction.Execute("DELETE FROM connection_shares WHERE gateway = @gateway", new { gateway = _gateway }), cancellationToken);

    private List<GrantedLease> Renew(CatalogTransaction transaction, IReadOnlyList<LeaseRequest> requests)
    {
        var now = transaction.Scalar<long>($"SELECT {transaction.Dialect.Now}", new { now = _database.Time.GetUtcNow().UtcTicks });
        var rows = transaction.All<LeaseRow>("SELECT account, gateway, share, wanted, until FROM connection_shares");
        var grants = new List<GrantedLease>(requests.Count);
        foreach (var request in requests)
        {
            var held = rows.Where(row => row.Account == request.Account && row.Until + GraceTime.Ticks > now)
                .ToLookup(row => row.Gateway == _gateway || IsLeft(row));
            var others = held[false].Select(row => new GatewayLease(row.Gateway, (int)row.Share, (int)row.Wanted, IsLive: row.Until > now))
                .ToArray();
            grants.Add(LeaseDivision.Of(_gateway, request, (int)held[true].Sum(static row => row.Share), others));
        }

        // Notify once: a repeated notice would wake the others four times a second.
        var before = rows.Where(row => row.Gateway == _gateway)
            .ToDictionary(static row => row.Account, static row => row.Wanted, StringComparer.Ordinal);
        if (grants.Zip(requests)
            .Any(one => one.First.Target > one.First.Granted && one.Second.Wanted > before.GetValueOrDefault(one.Second.Account)))
            transaction.Notify(NoticeKind.Leases);
        transaction.ExecuteAll(
            "INSERT INTO connection_shares (account, gateway, share, wanted, until) VALUES (@Account, @Gateway, @Share, @Wanted, @until) " +
            "ON CONFLICT (account, gateway) DO UPDATE SET share = excluded.share, wanted = excluded.wanted, until = excluded.until",
            grants.Zip(requests, (grant, request) => new
            {
                grant.Account,
                Gateway = _gateway,
                Share = (long)grant.Granted,
                Wanted = (long)request.Wanted,
                until = now + Lease.Ticks
            }));
        foreach (var account in rows.Where(row => row.Gateway == _gateway).Select(static row => row.Account)
            .Except(requests.Select(static request => request.Account), StringComparer.Ordinal))
            transaction.Execute(
                "DELETE FROM connection_shares WHERE account = @account AND gateway = @gateway", new { account, gateway = _gateway });
        foreach (var row in rows.Where(row => IsLeft(row) || row.Until + GraceTime.Ticks + Forgotten.Ticks < now))
        {
            // Skips a row locked by another gateway's transaction, which may hang.
            transaction.Execute(
                "DELETE FROM connection_shares WHERE gateway = @Gateway AND account IN " +
                $"(SELECT account FROM connection_shares WHERE gateway = @Gateway AND account = @Account{transaction.Dialect.SkipLocked})",
                row);
        }

        return grants;

        bool IsLeft(LeaseRow row) => row.Gateway == Former && row.Until < now + Lease.Ticks - FormerExpiresAfter.Ticks;
    }

    private sealed record LeaseRow(string Account, string Gateway, long Share, long Wanted, long Until);
}

/// <summary>What a gateway needs from an account.</summary>
/// <param name="Account">Identifies the account, whatever its name and settings: <c>HOST:port:user name</c>.</param>
/// <param name="Most">Connections that the account allows for all gateways together.</param>
/// <param name="Kept">The gateway's limit until the renewal ends.</param>
/// <param name="Wanted">Connections that requests use or wait for.</param>
/// <param name="Recent">Connections used within the last minute. They are kept while no other gateway needs them.</param>
public readonly record struct LeaseRequest(string Account, int Most, int Kept, int Wanted, int Recent);

/// <summary>What a gateway gets from an account.</summary>
/// <param name="Account">As requested.</param>
/// <param name="Granted">Most connections that it may have from now on.</param>
/// <param name="Target">Connections that it should have. Below <paramref name="Granted"/>: it closes the surplus, then renews to give it
/// back. Above: other gateways are about to give up what it lacks.</param>
public readonly record struct GrantedLease(string Account, int Granted, int Target);
