using NzbDav.Api.Native.Events;
using NzbDav.Usenet;

namespace NzbDav.Api.Native.Providers;

/// <summary>The current state of the accounts. Thread-safe.</summary>
internal sealed class ProviderList(UsenetClient usenet, IProviderNumbers numbers)
{
    public ProvidersBody Now
    {
        get
        {
            var known = numbers.Now;
            return new ProvidersBody([.. usenet.Providers.Select((provider, index) =>
            {
                var (options, status) = (provider.Options, provider.Status);
                return new ProviderBody
                {
                    Number = index < known.Count ? known[index] : index,
                    Name = options.DisplayName,
                    Host = options.Host,
                    Port = options.Port,
                    Tls = options.UseTls,
                    Priority = options.Priority,
                    IsBlock = options.IsBlock,
                    BackupOnly = options.BackupOnly,
                    Weight = options.Weight,
                    RetentionDays = options.RetentionDays > 0 ? options.RetentionDays : null,
                    Proxy = options.Proxy?.ToString(),
                    Quota = status.Quota is { } quota ? new ProviderQuotaBody(quota.Bytes, quota.Used, quota.Resets) : null,
                    State = status.Phase,
                    Reason = status.Trouble,
                    Since = status.Since,
                    RetryAt = status.NextAttempt,
                    Connections = new ProviderConnectionsBody(
                        status.OpenConnections, status.BusyConnections, options.MaxConnections, status.GrantedConnections, status.Share),
                    RoundTripSeconds = status.RoundTripMilliseconds > 0 ? status.RoundTripMilliseconds / 1_000 : null,
                    Rate = status.Rate,
                    ConnectionRate = status.ConnectionRate > 0 ? status.ConnectionRate : null,
                    IsSlow = status.IsSlow,
                    Bytes = status.Bytes,
                    Found = status.Counters.Found,
                    Missing = status.Counters.Missing,
                    Corrupt = status.Counters.Corrupt,
                    Failed = status.Counters.Failed,
                    TimedOut = status.Counters.TimedOut,
                    Lately = new ProviderReliabilityBody(
                        status.Lately.Found, status.Lately.Missing, status.Lately.Damaged, status.Lately.TimedOut, status.Lately.Lost),
                    IsUnreliable = status.IsUnreliable,
                };
            })]);
        }
    }
}

/// <summary>Maps accounts to their numbers in the settings. Thread-safe.</summary>
public interface IProviderNumbers
{
    /// <summary>The numbers, in the order of the accounts: ascending, possibly with gaps.</summary>
    IReadOnlyList<int> Now { get; }
}

/// <summary>
/// Reports the accounts: at once when one goes down or comes back, and once a second while anything else about them changes. A connection
/// notices by itself when the server closes it, and the status then changes at once. A provider that cannot be reached is tried again each
/// second while a page listens.
/// </summary>
internal sealed class ProviderTopic(UsenetClient usenet, ProviderList list) : IEventTopic
{
    private IReadOnlyList<ProviderBody>? _sent;

    /// <summary>Not raised for each connection: that would be too often.</summary>
    public event Action? Changed
    {
        add => usenet.PhaseChanged += value;
        remove => usenet.PhaseChanged -= value;
    }

    public string Name => "providers";

    public Type DataType => typeof(ProvidersBody);

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(100);

    public TimeSpan? Period => TimeSpan.FromSeconds(1);

    public ValueTask<object?> NextAsync(CancellationToken cancellationToken)
    {
        usenet.OnStatusViewed();
        var now = list.Now;
        if (_sent is { } told && told.SequenceEqual(now.Providers))
            return ValueTask.FromResult<object?>(null);
        _sent = now.Providers;
        return ValueTask.FromResult<object?>(now);
    }

    public void Begin() => _sent = null;
}
