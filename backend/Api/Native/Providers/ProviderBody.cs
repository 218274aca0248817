using NzbDav.Usenet.Providers;

namespace NzbDav.Api.Native.Providers;

/// <summary>The current state of a Usenet account.</summary>
internal sealed record ProviderBody
{
    /// <summary>Its number in the settings: Usenet:Providers:NUMBER.</summary>
    public int Number { get; init; }

    /// <summary>Its name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Host name or address.</summary>
    public string Host { get; init; } = "";

    /// <summary>TCP port.</summary>
    public int Port { get; init; }

    /// <summary>True if it is reached over TLS.</summary>
    public bool Tls { get; init; }

    /// <summary>0 is asked first; providers with the same priority share the load.</summary>
    public int Priority { get; init; }

    /// <summary>A block account: it is asked after all others, whatever its priority.</summary>
    public bool IsBlock { get; init; }

    /// <summary>It is asked only for articles that the others do not have or cannot deliver now.</summary>
    public bool BackupOnly { get; init; }

    /// <summary>Its share of the load among providers of its priority.</summary>
    public int Weight { get; init; }

    /// <summary>How many days it keeps articles; null: not known.</summary>
    public int? RetentionDays { get; init; }

    /// <summary>The proxy it is reached through, without user and password; null: none.</summary>
    public string? Proxy { get; init; }

    /// <summary>State of its quota; null: it has none.</summary>
    public ProviderQuotaBody? Quota { get; init; }

    /// <summary>Its state.</summary>
    public ProviderPhase State { get; init; }

    /// <summary>Why it is down, why it reconnects, or why no more connections can be opened; null when nothing is wrong.</summary>
    public string? Reason { get; init; }

    /// <summary>When the state began.</summary>
    public DateTimeOffset? Since { get; init; }

    /// <summary>When it is tried again, while it is down.</summary>
    public DateTimeOffset? RetryAt { get; init; }

    /// <summary>Its connections.</summary>
    public ProviderConnectionsBody Connections { get; init; } = new(0, 0, 0, null, null);

    /// <summary>Time from a request to the first byte on an idle connection, smoothed; null before the first request.</summary>
    public double? RoundTripSeconds { get; init; }

    /// <summary>Decoded bytes per second over the last four seconds.</summary>
    public double Rate { get; init; }

    /// <summary>Decoded bytes per second of one busy connection, smoothed; null before the first article.</summary>
    public double? ConnectionRate { get; init; }

    /// <summary>
    /// True while it takes several times as long for an article as another provider of its tier: it gets the articles that are needed last.
    /// </summary>
    public bool IsSlow { get; init; }

    /// <summary>Decoded bytes of intact articles since the server started.</summary>
    public long Bytes { get; init; }

    /// <summary>Articles received intact since the server started.</summary>
    public long Found { get; init; }

    /// <summary>Articles that it did not have.</summary>
    public long Missing { get; init; }

    /// <summary>Articles received damaged, or that were a different part than expected.</summary>
    public long Corrupt { get; init; }

    /// <summary>Those of <see cref="Failed"/> that were given up because nothing arrived on the connection.</summary>
    public long TimedOut { get; init; }

    /// <summary>Articles that were refused, or lost with their connection.</summary>
    public long Failed { get; init; }

    /// <summary>Outcomes of the articles requested from it in the last 24 hours.</summary>
    public ProviderReliabilityBody Lately { get; init; } = new(0, 0, 0, 0, 0);

    /// <summary>
    /// True while at least one article in ten fails: other providers of its priority are asked first if they have capacity.
    /// </summary>
    public bool IsUnreliable { get; init; }
}

/// <summary>Connections of a provider.</summary>
/// <param name="Open">Open and logged in.</param>
/// <param name="Busy">Those of them with a request in progress.</param>
/// <param name="Configured">The most that the settings allow.</param>
/// <param name="Granted">The most that the account was seen to allow, if that is fewer; otherwise null.</param>
/// <param name="Share">The most that this gateway may have now, where several gateways share one database; otherwise null.</param>
internal sealed record ProviderConnectionsBody(int Open, int Busy, int Configured, int? Granted, int? Share);

/// <summary>An account's quota and how much of it is used.</summary>
/// <param name="Bytes">The whole quota, in bytes received from the network.</param>
/// <param name="Used">Bytes received since the last reset; may exceed the quota a little.</param>
/// <param name="ResetsAt">When it is reset; null: never.</param>
internal sealed record ProviderQuotaBody(long Bytes, long Used, DateTimeOffset? ResetsAt);

/// <summary>Outcomes of the articles requested from a provider over a period.</summary>
/// <param name="Found">Received intact.</param>
/// <param name="Missing">Not available at the provider.</param>
/// <param name="Damaged">Received with a wrong checksum or size.</param>
/// <param name="TimedOut">Nothing arrived on the connection, so it was closed.</param>
/// <param name="Lost">Refused, or lost with a connection that ended for another reason.</param>
internal sealed record ProviderReliabilityBody(long Found, long Missing, long Damaged, long TimedOut, long Lost);

/// <summary>All Usenet accounts.</summary>
/// <param name="Providers">In the order of the settings.</param>
internal sealed record ProvidersBody(IReadOnlyList<ProviderBody> Providers);
