using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Torrents;

/// <summary>
/// The torrents that this gateway owns, where several share the catalog. Claims and renews the leases; disposal gives all of them up.
/// Whether a torrent is owned is known in memory, by this process's own clock from before each renewal was sent: when renewals fail, this
/// gateway stops counting as the owner well before another one can claim. Whoever works with a torrent asks <see cref="Owns"/> and stops
/// when the answer changes. Thread-safe.
/// </summary>
public sealed class TorrentOwnership : IAsyncDisposable
{
    /// <summary>Length of a lease.</summary>
    public static readonly TimeSpan Lease = TimeSpan.FromSeconds(15);

    /// <summary>Interval of the renewals.</summary>
    public static readonly TimeSpan RenewEvery = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Time after the last renewal at which this gateway stops counting as the owner. The rest of the lease is for leaving the swarm: a
    /// second until it is noticed, two for the trackers.
    /// </summary>
    public static readonly TimeSpan Trust = TimeSpan.FromSeconds(10);

    /// <summary>How long after the last <see cref="ClaimAsync"/> a torrent is kept at least.</summary>
    public static readonly TimeSpan Linger = TimeSpan.FromMinutes(1);

    /// <summary>How long the owner of another's torrent is remembered. Whoever cannot reach it calls <see cref="ForgetOwner"/>.</summary>
    private static readonly TimeSpan Memory = TimeSpan.FromSeconds(5);

    /// <summary>Interval at which renewals are begun or tried again.</summary>
    private static readonly TimeSpan Tick = TimeSpan.FromSeconds(1);

    /// <summary>Most remembered owners.</summary>
    private const int MostOthers = 1_000;

    private readonly TorrentOwners _store;
    private readonly TimeProvider _time;
    private readonly string _gateway;
    private readonly Func<string> _address;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Held> _held = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (TorrentOwner Owner, long At)> _others = new(StringComparer.Ordinal);

    /// <summary>Claims and releases take turns, so that no release removes a claim made after it was decided.</summary>
    private readonly SemaphoreSlim _mutex = new(1, 1);
    private readonly ITimer _timer;
    private Task _renewing = Task.CompletedTask;
    private long _renewed;
    private bool _disposed;

    /// <param name="store">The leases.</param>
    /// <param name="time">This process's clock.</param>
    /// <param name="gateway">Name of this gateway; one that no other process has or had.</param>
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

    /// <summary>Length of the leases; other than <see cref="Lease"/> in tests, which must not depend on the database's clock.</summary>
    internal TimeSpan Length { get; init; } = Lease;

    /// <summary>The renewal under way, or the last one: for tests.</summary>
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

    /// <summary>Claims a torrent for this gateway unless another one owns it. Costs no query if it is owned here, or was found elsewhere
    /// within some seconds.</summary>
    /// <returns>The other owner; null: it is this gateway's.</returns>
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

    /// <summary>Forgets which other gateway owns a torrent: it did not answer, or no longer has it.</summary>
    public void ForgetOwner(string hash)
    {
        lock (_gate)
            _others.Remove(hash);
    }

    /// <summary>Gives up those of some torrents that nobody has claimed or held for <see cref="Linger"/>.</summary>
    /// <exception cref="CatalogException">The catalog cannot be written; their leases end by themselves.</exception>
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

    /// <summary>Gives up everything. Whoever works with the torrents must have stopped.</summary>
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

        // A look first: unlike a claim in vain it writes nothing.
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
            // The next tick tries again. Until then time runs against IsTrusted.
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
