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
                    Connections = new ProviderConnectionsBody(status.OpenConnections, status.BusyConnections, options.MaxConnections, status.GrantedConnections, status.Share),
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
                    Lately = new ProviderReliabilityBody(status.Lately.Found, status.Lately.Missing, status.Lately.Damaged, status.Lately.TimedOut, status.Lately.Lost),
                    IsUnreliable = status.IsUnreliable,
                };
            })]);
        }
    }
}
