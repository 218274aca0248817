using System.Net;

namespace NzbDav.MockUsenet.Providers;

/// <summary>Options of a <see cref="MockUsenetServer"/>.</summary>
public sealed record MockServerOptions
{
    /// <summary>The providers; by default one with default options.</summary>
    public IReadOnlyList<MockProviderOptions> Providers { get; init; } = [new MockProviderOptions()];

    /// <summary>The address of the side port.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The side port for statistics and NZBs; 0 = any free one, null = none.</summary>
    public int? StatsPort { get; init; }
}
