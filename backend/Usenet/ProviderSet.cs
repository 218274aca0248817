using Microsoft.Extensions.Logging;
using NzbDav.Content.Dialling;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet;

/// <summary>The providers in service, and those being shut down. Thread-safe.</summary>
internal sealed class ProviderSet : IAsyncDisposable
{
    private readonly Dispatcher _dispatcher;
    private readonly ReceiveBuffers _buffers;
    private readonly TimeProvider _time;
    private readonly UsenetMetrics _metrics;
    private readonly ProviderTimeline? _timeline;
    private readonly UsageBook _usage;
    private readonly ConnectionLeases? _leases;
    private readonly ILogger _logger;
    private readonly Dialler? _dialler;
    private readonly Action _phaseChanged;
    private readonly Lock _gate = new();
    private readonly Dictionary<Provider, Task> _retiring = [];
    private Provider[] _providers = [];
    private int _lastIndex = -1;
    private bool _started;
    private bool _disposed;

    /// <param name="dispatcher">Gives work to the providers' connections.</param>
    /// <param name="buffers">Receive buffers of the connections.</param>
    /// <param name="time">Clock.</param>
    /// <param name="metrics">Receives measurements of fetching.</param>
    /// <param name="timeline">Receives events of connections; may be null.</param>
    /// <param name="usage">Bytes that accounts with a quota have delivered so far.</param>
    /// <param name="leases">This process's part in the accounts; null: they belong to it alone.</param>
    /// <param name="dialler">Connects to their servers; null: the one of the process.</param>
    /// <param name="logger">Logs when providers come and go.</param>
    /// <param name="phaseChanged">Called when a provider's phase changed; must only schedule.</param>
    public ProviderSet(
        Dispatcher dispatcher, ReceiveBuffers buffers, TimeProvider time, UsenetMetrics metrics, ProviderTimeline? timeline,
        UsageBook usage, ConnectionLeases? leases, Dialler? dialler, ILogger logger, Action phaseChanged)
    {
        _dispatcher = dispatcher;
        _buffers = buffers;
        _time = time;
        _metrics = metrics;
        _timeline = timeline;
        _usage = usage;
        _leases = leases;
        _dialler = dialler;
        _logger = logger;
        _phaseChanged = phaseChanged;
    }

    /// <summary>The providers in service, in the order of the configuration.</summary>
    public Provider[] Now => Volatile.Read(ref _providers);

    /// <summary>Opens the warm connections, without waiting for them.</summary>
    public void Start()
    {
        lock (_gate)
        {
            _started = true;
            foreach (var provider in _providers)
                provider.Start();
        }
    }

    /// <summary>Replaces the providers in service: see <see cref="UsenetClient.SetProviders"/>.</summary>
    /// <param name="accounts">At most <see cref="UsenetClient.MostProviders"/>, validated.</param>
    /// <returns>True when at least one is new.</returns>
    /// <exception cref="ArgumentException">There are too many.</exception>
    public bool Set(IReadOnlyList<ProviderOptions> accounts)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            var before = _providers;
            var after = Make(accounts);
            Volatile.Write(ref _providers, after);

            // Retire first, or the pool would replace a connection that quits.
            var gone = before.Except(after).ToArray();
            foreach (var provider in gone)
                provider.Retire();
            var fresh = after.Except(before).ToArray();
            HandOver([.. gone, .. _retiring.Keys], fresh);
            _dispatcher.SetProviders(after);
            foreach (var provider in gone)
                _retiring[provider] = EndAsync(provider);

            // Not before the dispatcher knows them: it makes connections of unknown providers quit.
            if (_started)
            {
                foreach (var provider in fresh)
                    provider.Start();
            }

            return fresh.Length > 0;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        Provider[] all;
        Task[] retiring;
        lock (_gate)
        {
            _disposed = true;
            all = [.. _providers, .. _retiring.Keys];
            retiring = [.. _retiring.Values];
        }

        foreach (var provider in all)
            await provider.DisposeAsync();
        await Task.WhenAll(retiring);
    }

    /// <summary>Keeps the providers whose accounts are unchanged, and creates new ones for the rest.</summary>
    private Provider[] Make(IReadOnlyList<ProviderOptions> accounts)
    {
        if (accounts.Count > UsenetClient.MostProviders)
            throw new ArgumentException($"At most {UsenetClient.MostProviders} providers are possible.", nameof(accounts));
        var left = _providers.ToList();
        var made = new Provider[accounts.Count];
        for (var i = 0; i < made.Length; i++)
        {
            // Each match only once: an account listed twice is two providers.
            var same = left.Find(provider => provider.Options == accounts[i]);
            if (same is not null)
                left.Remove(same);
            made[i] = same ?? new Provider(
                FreeIndex(made), accounts[i], _dispatcher, _buffers, _time, _metrics, _logger, _usage, _timeline, _leases, _dialler)
            {
                PhaseChanged = _phaseChanged,
            };
        }

        return made;
    }

    /// <summary>Lets the replacement of a retired provider open a connection only as an old one ends: the server counts both.</summary>
    private static void HandOver(Provider[] retired, Provider[] fresh)
    {
        // An account listed twice is two providers, each with connections of its own.
        foreach (var provider in retired)
        {
            var successors = fresh.Where(other => other.Options.Account == provider.Options.Account);
            if (successors.MinBy(static other => other.Inherited) is { } successor)
                provider.HandOverTo(successor);
        }
    }

    /// <summary>Picks the index unused for longest: requests under way may still refer to a removed provider.</summary>
    private int FreeIndex(Provider?[] made)
    {
        var needed = BitsOf(made) | BitsOf(_providers);
        var taken = needed | BitsOf(_retiring.Keys);
        if (taken == ulong.MaxValue)
            taken = needed;
        do
            _lastIndex = (_lastIndex + 1) % 64;
        while ((taken & (1UL << _lastIndex)) != 0);
        return _lastIndex;
    }

    private static ulong BitsOf(IEnumerable<Provider?> providers) =>
        providers.Aggregate(0UL, (bits, provider) => bits | (provider?.Bit ?? 0));

    private async Task EndAsync(Provider provider)
    {
        await Task.Yield();
        await provider.EndAsync();
        lock (_gate)
            _retiring.Remove(provider);
    }
}
