using System.Net;

namespace NzbDav.MockUsenet.Providers;

/// <summary>How a <see cref="MockUsenetServer"/> starts.</summary>
public sealed record MockServerOptions
{
    /// <summary>One provider with defaults, unless told otherwise.</summary>
    public IReadOnlyList<MockProviderOptions> Providers { get; init; } = [new MockProviderOptions()];

    /// <summary>Where the side port listens.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The side port for statistics and NZBs; 0 = any that is free, null = none.</summary>
    public int? StatsPort { get; init; }
}
