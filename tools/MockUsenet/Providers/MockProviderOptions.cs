using System.Net;
using System.Security.Cryptography.X509Certificates;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Providers;

/// <summary>How a provider starts; what can change later is also a property of <see cref="MockProvider"/>.</summary>
public sealed record MockProviderOptions
{
    /// <summary>Shown in statistics.</summary>
    public string Name { get; init; } = "mock";

    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>0 = any that is free.</summary>
    public int Port { get; init; }

    /// <summary>Round trip. Each command pays it from its arrival, the greeting from the accept, and a TLS handshake once more before it begins.</summary>
    public TimeSpan Latency { get; init; }

    /// <summary>Each round trip differs by up to this much, evenly to both sides.</summary>
    public TimeSpan Jitter { get; init; }

    /// <summary>Body bytes per second on one connection; 0 = no limit.</summary>
    public long ConnectionRate { get; init; }

    /// <summary>Body bytes per second over all connections; 0 = no limit.</summary>
    public long TotalRate { get; init; }

    /// <summary>A further line that body bytes pass, shared with other providers of the same clock; null: none.</summary>
    public MockLine? Line { get; init; }

    public int MaxConnections { get; init; } = int.MaxValue;

    public CapRefusal CapRefusal { get; init; }

    /// <summary>How long a connection still counts against <see cref="MaxConnections"/> when its client left without QUIT.</summary>
    public TimeSpan Ghosts { get; init; }

    public bool Tls { get; init; }

    /// <summary>With its private key. Default: <see cref="MockCertificate.Shared"/>.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>Null = no login needed, and any accepted.</summary>
    public string? Username { get; init; }

    public string? Password { get; init; }

    /// <summary>Decides jitter.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Which articles of the store this provider holds; null = all.</summary>
    public Func<PostedSegment, bool>? Holds { get; init; }

    /// <summary>False: an article's encoded form is dropped once sent. For posts larger than memory.</summary>
    public bool KeepsArticles { get; init; } = true;

    /// <summary>A clock other than the system's makes all delays follow its timers.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
