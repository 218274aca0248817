using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Gateways;

/// <summary>
/// One gateway's shares of the connections of Usenet accounts, where several gateways use one database. At every moment the shares of an
/// account add up to no more than it allows. A share has a lease by the clock of the database server; whoever cannot renew it has to close
/// its connections <see cref="Margin"/> before it ends, and others get them <see cref="Grace"/> after it. A gateway that hangs for longer
/// than both with open connections breaks the sum: nobody else can close them. Thread-safe; one renewal at a time.
/// </summary>
/// <remarks>
/// A renewal is a serializable transaction that reads the rows of all gateways and writes only this one's, so none waits for another
/// gateway that hangs in its own. The clock must not be set forward by more than <see cref="Grace"/> while gateways run.
/// </remarks>
public sealed class ConnectionLeaseStore
{
    /// <summary>How long before the end of its lease a gateway has to have closed its connections.</summary>
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(3);

    /// <summary>How long after the end of a lease others get the share: a process that was stopped for a while closes its connections as
    /// soon as it goes on.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    /// <summary>After this time without a renewal a process that used the same configuration folder before has certainly ended.</summary>
    private static readonly TimeSpan FormerExpiresAfter = TimeSpan.FromSeconds(3);

    /// <summary>Rows that others have ignored for so long are removed.</summary>
    private static readonly TimeSpan Forgotten = TimeSpan.FromMinutes(1);

    private readonly CatalogDatabase _database;
    private readonly string _gateway;

    /// <param name="database">The database that the gateways share.</param>
    /// <param name="gateway">Names this gateway; made anew by each start, so that no two processes ever have the same.</param>
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

    /// <summary>Raised when a gateway lacks connections that others have to give up: a renewal now says which. Handlers only schedule.
    /// Never raised with SQLite.</summary>
    public event Action? Lacking;

    /// <summary>
    /// The gateway that used this one's configuration folder before; null: none is known. Its shares are this one's as soon as they have
    /// not been renewed for three seconds. If they are renewed, the folder is a copy, and the other one is left alone.
    /// </summary>
    public string? Former { get; init; }

    /// <summary>How long a share lasts (<see cref="CatalogOptions.ConnectionLeaseTime"/>).</summary>
    public TimeSpan Lease => LeaseTime ?? _database.Options.ConnectionLeaseTime;

    /// <summary>How long after the beginning of a renewal connections may be open.</summary>
    public TimeSpan Usable => Lease - Margin;

    /// <summary>See <see cref="Lease"/>; tests may set another one.</summary>
    internal TimeSpan? LeaseTime { get; init; }

    /// <summary>See <see cref="Grace"/>; tests may set another one.</summary>
    internal TimeSpan GraceTime { get; init; } = Grace;

    /// <summary>
    /// Renews all shares of this gateway, from now on for <see cref="Lease"/>. Accounts that are not requested are given up.
    /// </summary>
    /// <param name="requests">One per account.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>One per request.</returns>
    /// <exception cref="CatalogException">Not known whether it was renewed: rely on the shares and the lease of before, and on no more than
    /// was kept.</exception>
    public async Task<IReadOnlyList<GrantedLease>> RenewAsync(IReadOnlyList<LeaseRequest> requests, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(requests);

        // Alone, so that a conflict with another gateway makes nothing else run again. Durable: a share that a crash of the server took
        // back would be given to others too.
        return await _database.WriteAsync(transaction => Renew(transaction, requests), WriteKind.Exclusive, cancellationToken);
    }

    /// <summary>Gives everything up. All connections must have ended.</summary>
    /// <exception cref="CatalogException">Not given up: others get it after the lease.</exception>
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

        // Once: what repeats itself would wake the others four times a second.
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
            // Passes over a row that another gateway's transaction holds, which may hang.
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

/// <summary>What a gateway needs of an account.</summary>
/// <param name="Account">Names the account, whatever its name and settings: <c>HOST:port:user name</c>.</param>
/// <param name="Most">Connections that the account allows to all gateways together.</param>
/// <param name="Kept">The gateway has no more connections than these until the renewal ends.</param>
/// <param name="Wanted">Connections that requests use or wait for.</param>
/// <param name="Recent">Connections used within the last minute. They are kept while no other gateway needs them.</param>
public readonly record struct LeaseRequest(string Account, int Most, int Kept, int Wanted, int Recent);

/// <summary>What a gateway has of an account.</summary>
/// <param name="Account">As requested.</param>
/// <param name="Granted">The most connections that it may have from now on.</param>
/// <param name="Target">
/// Connections that it is to have. Below <paramref name="Granted"/>: it closes the others, then renews and gives them back. Above: other
/// gateways are about to give up what it lacks.
/// </param>
public readonly record struct GrantedLease(string Account, int Granted, int Target);
