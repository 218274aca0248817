using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Torrents;

/// <summary>
/// The torrents that this gateway owns, when several share the catalog. Claims them and renews the leases; disposal gives all of them up.
/// Ownership is judged in memory, by this process's clock at the time each renewal was sent: when renewals fail, this gateway stops
/// counting as the owner well before another one can claim. Users of a torrent poll <see cref="Owns"/> and stop when the answer changes.
/// Thread-safe.
/// </summary>
public sealed class TorrentOwnership : IAsyncDisposable
{
    /// <summary>Length of a lease.</summary>
    public static readonly TimeSpan Lease = TimeSpan.FromSeconds(15);

    /// <summary>Interval of the renewals.</summary>
    public static readonly TimeSpan RenewEvery = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Time after the last renewal at which this gateway stops counting as the owner. The rest of the lease is for leaving the swarm: a
    /// second to notice, two for the trackers.
    /// </summary>
    public static readonly TimeSpan Trust = TimeSpan.FromSeconds(10);

    /// <summary>Least time for which a torrent is kept after the last <see cref="ClaimAsync"/>.</summary>
    public static readonly TimeSpan Linger = TimeSpan.FromMinutes(1);

    /// <summary>How long another owner is cached. A caller that cannot reach it calls <see cref="ForgetOwner"/>.</summary>
    private static readonly TimeSpan Memory = TimeSpan.FromSeconds(5);

    /// <summary>How often a renewal is checked for and retried.</summary>
    private static readonly TimeSpan Tick = TimeSpan.FromSeconds(1);

    /// <summary>Most cached owners.</summary>
    private const int MostOthers = 1_000;

    private readonly TorrentOwners _store;
    private readonly TimeProvider _time;
    private readonly string _gateway;
    private readonly Func<string> _address;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Held> _held = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (TorrentOwner Owner, long At)> _others = new(StringComparer.Ordinal);

    /// <summary>Serializes claims and releases, so that a release never removes a claim made after it was decided.</summary>
    private readonly SemaphoreSlim _mutex = new(1, 1);
    private readonly ITimer _timer;
    private Task _renewing = Task.CompletedTask;
    private long _renewed;
    private bool _disposed;

    /// <param name="store">The leases.</param>
    /// <param name="time">This process's clock.</param>
    /// <param name="gateway">Id of this gateway; no other process has or had it.</param>
    /// <param name="address">Returns where others reach this gateway: see <see cref="TorrentOwner.Address"/>. Called for each claim and
    /// renewal.</param>
    public TorrentOwnership(TorrentOwners store, TimeProvider time, string gateway, Func<string> address)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(address);
        (_store, _time, _gateway, _address) = (store, time, gateway, address);
        _renewed = time.GetTimestamp();
        _timer = time.CreateTimer(static self => ((TorrentOwnership)self!).RenewIfDue(), this, Tick, Tick);
    }

    /// <summary>Info-hashes of the torrents that this gateway owns.</summary>
    public IReadOnlyCollection<string> Owned
    {
        get
        {
            lock (_gate)
                return [.. _held.Where(pair => IsTrusted(pair.Value)).Select(static pair => pair.Key)];
        }
    }

    /// <summary>Length of the leases. Tests change it, because they must not depend on the database's clock.</summary>
    internal TimeSpan Length { get; init; } = Lease;

    /// <summary>The running or last renewal, for tests.</summary>
    internal Task Renewing
    {
        get
        {
            lock (_gate)
                return _renewing;
        }
    }

    private TorrentOwner Self => new(_gateway, _address());

    /// <summary>True if this gateway owns a torrent now. Costs no query.</summary>
    public bool Owns(string hash)
    {
        lock (_gate)
            return _held.TryGetValue(hash, out var held) && IsTrusted(held);
    }

    /// <summary>Like <see cref="Owns"/>, and keeps the torrent for <see cref="Linger"/>, so that the caller can open it.</summary>
    public bool Hold(string hash)
    {
        lock (_gate)
        {
            if (!_held.TryGetValue(hash, out var held) || !IsTrusted(held))
                return false;
            held.Used = _time.GetTimestamp();
            return true;
        }
    }

    /// <summary>
    /// Claims a torrent for this gateway unless another one owns it. Costs no query if this gateway owns it, or another owner was found in
    /// the last seconds.
    /// </summary>
    /// <returns>The other owner; null: this gateway owns it.</returns>
    /// <exception cref="CatalogException">The catalog cannot be read or written.</exception>
    public ValueTask<TorrentOwner?> ClaimAsync(string hash, CancellationToken cancellationToken) =>
        Hold(hash) ? default : FindOtherAsync(hash, claims: true, cancellationToken);

    /// <summary>The other gateway that owns a torrent, without claiming it; null: none does.</summary>
    /// <exception cref="CatalogException">The catalog cannot be read.</exception>
    public ValueTask<TorrentOwner?> FindAsync(string hash, CancellationToken cancellationToken) =>
        Owns(hash) ? default : FindOtherAsync(hash, claims: false, cancellationToken);

    /// <summary>Info-hashes of all torrents that some gateway owns.</summary>
    /// <exception cref="CatalogException">The catalog cannot be read.</exception>
    public ValueTask<IReadOnlySet<string>> ListAllAsync(CancellationToken cancellationToken) => _store.ListAsync(cancellationToken);

    /// <summary>Forgets the cached owner of a torrent: it did not answer, or no longer owns it.</summary>
    public void ForgetOwner(string hash)
    {
        lock (_gate)
            _others.Remove(hash);
    }

    /// <summary>Gives up those of the given torrents that nobody has claimed or held for <see cref="Linger"/>.</summary>
    /// <exception cref="CatalogException">The catalog cannot be written; the leases end by themselves.</exception>
    public async Task GiveUpIdleAsync(IEnumerable<string> hashes, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            List<string> idle;
            lock (_gate)
            {
                idle = [.. hashes.Where(hash => _held.TryGetValue(hash, out var held) && _time.GetElapsedTime(held.Used) >= Linger)];
                foreach (var hash in idle)
                    _held.Remove(hash);
            }

            if (idle.Count > 0)
                await _store.GiveUpAsync(_gateway, idle, cancellationToken);
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <summary>Gives up all torrents. Everything that works with them must have stopped.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
        }

        await _timer.DisposeAsync();
        await Renewing;
        await _mutex.WaitAsync();
        try
        {
            await _store.GiveUpAllAsync(_gateway, CancellationToken.None);
        }
        catch (Exception error) when (error is CatalogException or ObjectDisposedException)
        {
            // The leases end by themselves.
        }

        _mutex.Dispose();
    }

    private bool IsTrusted(Held held) => !_disposed && _time.GetElapsedTime(held.Renewed) < Trust;

    private async ValueTask<TorrentOwner?> FindOtherAsync(string hash, bool claims, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_others.TryGetValue(hash, out var known) && _time.GetElapsedTime(known.At) < Memory)
                return known.Owner;
        }

        // Query first: unlike a failed claim, this writes nothing.
        if (await _store.FindAsync(hash, cancellationToken) is { } found && found.Gateway != _gateway)
            return Remember(hash, found);
        if (!claims)
            return null;
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            if (Hold(hash))
                return null;
            var sent = _time.GetTimestamp();
            var owner = await _store.ClaimAsync(hash, Self, Length, cancellationToken);
            if (owner.Gateway != _gateway)
                return Remember(hash, owner);
            lock (_gate)
            {
                _others.Remove(hash);
                _held[hash] = new Held { Renewed = sent, Used = sent };
            }

            return null;
        }
        finally
        {
            _mutex.Release();
        }
    }

    private TorrentOwner Remember(string hash, TorrentOwner owner)
    {
        lock (_gate)
        {
            if (_others.Count >= MostOthers)
                _others.Clear();
            _others[hash] = (owner, _time.GetTimestamp());
        }

        return owner;
    }

    private void RenewIfDue()
    {
        lock (_gate)
        {
            if (!_disposed && _renewing.IsCompleted && _held.Count > 0 && _time.GetElapsedTime(_renewed) >= RenewEvery)
                _renewing = Task.Run(RenewAsync);
        }
    }

    private async Task RenewAsync()
    {
        var sent = _time.GetTimestamp();
        string[] hashes;
        lock (_gate)
            hashes = [.. _held.Keys];
        try
        {
            var renewed = await _store.RenewAsync(Self, hashes, Length, CancellationToken.None);
            lock (_gate)
            {
                _renewed = sent;
                foreach (var hash in hashes)
                {
                    if (!_held.TryGetValue(hash, out var held) || held.Renewed > sent)
                        continue;
                    if (renewed.Contains(hash))
                        held.Renewed = sent;
                    else
                        _held.Remove(hash);
                }
            }
        }
        catch (Exception error) when (error is CatalogException or ObjectDisposedException)
        {
            // The next tick tries again. Until then IsTrusted runs out.
        }
    }

    /// <summary>A lease of this gateway. Timestamps are this process's.</summary>
    private sealed class Held
    {
        /// <summary>When the last successful claim or renewal was sent.</summary>
        public required long Renewed { get; set; }

        /// <summary>When somebody last asked for it.</summary>
        public required long Used { get; set; }
    }
}
