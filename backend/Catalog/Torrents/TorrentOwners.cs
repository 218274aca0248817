using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Torrents;

/// <summary>
/// Which gateway owns each torrent, when several share the catalog: a lease, by the clock of the database server. Info-hashes are 40
/// lower-case hexadecimal digits. Thread-safe.
/// </summary>
public sealed class TorrentOwners
{
    private readonly CatalogDatabase _database;

    public TorrentOwners(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    private string Clock => _database.Engine.Dialect.Clock;

    /// <summary>Claims a torrent that nobody owns, whose lease has ended, or that the caller already owns. The lease starts anew.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="gateway">The caller.</param>
    /// <param name="lease">Length of the lease in whole milliseconds, at least 0.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>The owner: <paramref name="gateway"/>, or another gateway.</returns>
    /// <exception cref="CatalogException">The catalog cannot be written.</exception>
    public Task<TorrentOwner> ClaimAsync(string hash, TorrentOwner gateway, TimeSpan lease, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(gateway);
        var sql =
            $"INSERT INTO torrent_owners (hash, gateway, address, until) VALUES (@hash, @Gateway, @Address, {Clock} + @lease) " +
            "ON CONFLICT (hash) DO UPDATE SET gateway = excluded.gateway, address = excluded.address, until = excluded.until " +
            $"WHERE torrent_owners.gateway = excluded.gateway OR torrent_owners.until <= {Clock} RETURNING gateway, address";
        var parameters = new { hash, gateway.Gateway, gateway.Address, lease = (long)lease.TotalMilliseconds };
        return _database.WriteAsync(
            transaction => transaction.First<TorrentOwner>(sql, parameters)
                ?? transaction.First<TorrentOwner>("SELECT gateway, address FROM torrent_owners WHERE hash = @hash", new { hash })!,
            cancellationToken);
    }

    /// <summary>Renews leases of one gateway that have not ended, in one statement.</summary>
    /// <param name="gateway">The caller. Its address is updated too.</param>
    /// <param name="hashes">The torrents.</param>
    /// <param name="lease">Length of the lease from now on.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>The renewed torrents; the caller no longer owns the others.</returns>
    /// <exception cref="CatalogException">The catalog cannot be written.</exception>
    public async Task<IReadOnlySet<string>> RenewAsync(
        TorrentOwner gateway, IReadOnlyCollection<string> hashes, TimeSpan lease, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(gateway);
        ArgumentNullException.ThrowIfNull(hashes);
        var sql =
            $"UPDATE torrent_owners SET until = {Clock} + @lease, address = @Address WHERE " +
            $"{_database.Engine.Dialect.In("hash", "@hashes")} AND gateway = @Gateway AND until > {Clock} RETURNING hash";
        var parameters = new { hashes = hashes.ToArray(), gateway.Gateway, gateway.Address, lease = (long)lease.TotalMilliseconds };
        return (await _database.WriteAsync(transaction => transaction.All<string>(sql, parameters), cancellationToken))
            .ToHashSet(StringComparer.Ordinal);
    }

    /// <summary>Gives up torrents, so that others can claim them at once. Does not affect torrents of other gateways.</summary>
    /// <exception cref="CatalogException">The catalog cannot be written.</exception>
    public Task GiveUpAsync(string gateway, IReadOnlyCollection<string> hashes, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        var sql = $"DELETE FROM torrent_owners WHERE {_database.Engine.Dialect.In("hash", "@hashes")} AND gateway = @gateway";
        var parameters = new { gateway, hashes = hashes.ToArray() };
        return _database.WriteAsync(transaction => transaction.Execute(sql, parameters), cancellationToken);
    }

    /// <summary>Gives up all torrents of a gateway that stops.</summary>
    /// <exception cref="CatalogException">The catalog cannot be written.</exception>
    public Task GiveUpAllAsync(string gateway, CancellationToken cancellationToken) =>
        _database.WriteAsync(
            transaction => transaction.Execute("DELETE FROM torrent_owners WHERE gateway = @gateway", new { gateway }), cancellationToken);

    /// <summary>The owner of a torrent; null if nobody owns it or the lease has ended.</summary>
    /// <exception cref="CatalogException">The catalog cannot be read.</exception>
    public ValueTask<TorrentOwner?> FindAsync(string hash, CancellationToken cancellationToken)
    {
        var sql = $"SELECT gateway, address FROM torrent_owners WHERE hash = @hash AND until > {Clock}";
        return _database.ReadAsync(reader => reader.FirstAsync<TorrentOwner>(sql, new { hash }), cancellationToken);
    }

    /// <summary>Info-hashes of all torrents that have an owner.</summary>
    /// <exception cref="CatalogException">The catalog cannot be read.</exception>
    public async ValueTask<IReadOnlySet<string>> ListAsync(CancellationToken cancellationToken)
    {
        var sql = $"SELECT hash FROM torrent_owners WHERE until > {Clock}";
        return (await _database.ReadAsync(reader => reader.AllAsync<string>(sql), cancellationToken)).ToHashSet(StringComparer.Ordinal);
    }
}

/// <summary>A gateway that works with a torrent.</summary>
/// <param name="Gateway">Its name, which differs at each start.</param>
/// <param name="Address">Where the other gateways reach it: scheme, host, port and URL base, without a trailing slash. Empty: they
/// cannot.</param>
public sealed record TorrentOwner(string Gateway, string Address);
