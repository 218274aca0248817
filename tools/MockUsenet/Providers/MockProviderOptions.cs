using System.Net;
using System.Security.Cryptography.X509Certificates;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Providers;

/// <summary>Initial options of a provider. Those that can change later are also properties of <see cref="MockProvider"/>.</summary>
public sealed record MockProviderOptions
{
    /// <summary>Name in statistics.</summary>
    public string Name { get; init; } = "mock";

    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>Port; 0 = any free one.</summary>
    public int Port { get; init; }

    /// <summary>
    /// Round trip. Each command takes it from its arrival, the greeting from the accept, and a TLS handshake once more before it begins.
    /// </summary>
    public TimeSpan Latency { get; init; }

    /// <summary>Each round trip varies by up to this much, uniformly in both directions.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>Body bytes per second on one connection; 0 = no limit.</summary>
    public long ConnectionRate { get; init; }

    /// <summary>Body bytes per second over all connections; 0 = no limit.</summary>
    public long TotalRate { get; init; }

    /// <summary>A further line that body bytes pass through, shared with other providers on the same clock; null: none.</summary>
    public MockLine? Line { get; init; }

    public int MaxConnections { get; init; } = int.MaxValue;

    public CapRefusal CapRefusal { get; init; }

    /// <summary>How long a connection still counts against <see cref="MaxConnections"/> after its client left without QUIT.</summary>
    public TimeSpan Ghosts { get; init; }

    public bool Tls { get; init; }

    /// <summary>The certificate with its private key. Default: <see cref="MockCertificate.Shared"/>.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>The required user name; null = no login is needed, and any is accepted.</summary>
    public string? Username { get; init; }

    public string? Password { get; init; }

    /// <summary>Seed of jitter.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Selects the articles of the store that this provider has; null = all.</summary>
    public Func<PostedSegment, bool>? Holds { get; init; }

    /// <summary>False: an article's encoded form is dropped after it was sent. For posts larger than memory.</summary>
    public bool KeepsArticles { get; init; } = true;

    /// <summary>The clock. With any other than the system's, all delays follow its timers.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>When a connection above the limit is refused with 502.</summary>
public enum CapRefusal
{
    /// <summary>In place of the greeting.</summary>
    AtGreeting,

    /// <summary>In reply to the right password, as many real providers do.</summary>
    AtLogin,
}
