using NzbDav.Usenet.Providers;

namespace NzbDav.Api.Native.Providers;

/// <summary>A Usenet account as it is now.</summary>
internal sealed record ProviderBody
{
    /// <summary>Its number in the settings: Usenet:Providers:NUMBER.</summary>
    public int Number { get; init; }

    /// <summary>What it is called.</summary>
    public string Name { get; init; } = "";

    /// <summary>Host name or address.</summary>
    public string Host { get; init; } = "";

    /// <summary>TCP port.</summary>
    public int Port { get; init; }

    /// <summary>It is reached by TLS.</summary>
    public bool Tls { get; init; }

    /// <summary>0 is asked first; equal ones share the load.</summary>
    public int Priority { get; init; }

    /// <summary>A block account: it is asked after all others, whatever its priority.</summary>
    public bool IsBlock { get; init; }

    /// <summary>It is asked only for what the others do not have or cannot give now.</summary>
    public bool BackupOnly { get; init; }

    /// <summary>Its share of the load among providers of its priority.</summary>
    public int Weight { get; init; }

    /// <summary>How many days it keeps articles; null: not known.</summary>
    public int? RetentionDays { get; init; }

    /// <summary>What it is reached through, without user and password; null: directly.</summary>
    public string? Proxy { get; init; }

    /// <summary>How its quota stands; null: it has none.</summary>
    public ProviderQuotaBody? Quota { get; init; }

    /// <summary>What it is doing.</summary>
    public ProviderPhase State { get; init; }

    /// <summary>Why it is down, why it connects anew, or why no more connections can be opened; null when nothing is wrong.</summary>
    public string? Reason { get; init; }

    /// <summary>When the state began.</summary>
    public DateTimeOffset? Since { get; init; }

    /// <summary>When it is tried again, while it is down.</summary>
    public DateTimeOffset? RetryAt { get; init; }

    /// <summary>Its connections.</summary>
    public ProviderConnectionsBody Connections { get; init; } = new(0, 0, 0, null);

    /// <summary>Request to first byte on an idle connection, smoothed; null before the first.</summary>
    public double? RoundTripSeconds { get; init; }

    /// <summary>Decoded bytes a second over the last four seconds.</summary>
    public double Rate { get; init; }

    /// <summary>Decoded bytes a second that one busy connection was seen to bring, smoothed; null before the first article.</summary>
    public double? ConnectionRate { get; init; }

    /// <summary>True while it takes several times as long over an article as another of its tier: it gets what is needed last.</summary>
    public bool IsSlow { get; init; }

    /// <summary>Decoded bytes of intact articles since the start.</summary>
    public long Bytes { get; init; }

    /// <summary>Articles that came intact since the start.</summary>
    public long Found { get; init; }

    /// <summary>Articles that it does not have.</summary>
    public long Missing { get; init; }

    /// <summary>Articles that came damaged, or were another part than expected.</summary>
    public long Corrupt { get; init; }

    /// <summary>Of the failed, articles on whose connection nothing came.</summary>
    public long TimedOut { get; init; }

    /// <summary>Articles that were refused, or lost with their connection.</summary>
    public long Failed { get; init; }

    /// <summary>What became of the articles that it was asked for in the last 24 hours.</summary>
    public ProviderReliabilityBody Lately { get; init; } = new(0, 0, 0, 0, 0);

    /// <summary>True while it breaks one in ten articles or more: others of its priority are asked before it where they have room.</summary>
    public bool IsUnreliable { get; init; }
}
