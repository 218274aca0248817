using System.Net;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>How one seeder behaves.</summary>
public sealed record SeederOptions
{
    /// <summary>Where it listens; port 0 = any that is free.</summary>
    public IPEndPoint Endpoint { get; init; } = new(IPAddress.Loopback, 0);

    /// <summary>Round trip. Requests in the pipe overlap theirs; connecting costs one too.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>Bytes per second over all its connections; 0 = no limit.</summary>
    public long Rate { get; init; }

    /// <summary>Requests it holds at once; more are rejected (or ignored without the fast extension). Told as <c>reqq</c>.</summary>
    public int RequestQueue { get; init; } = 2_000;

    /// <summary>Speaks the fast extension (BEP 6).</summary>
    public bool Fast { get; init; } = true;

    /// <summary>Speaks the extension protocol (BEP 10) and serves metadata (BEP 9).</summary>
    public bool Extensions { get; init; } = true;

    /// <summary>Never unchokes.</summary>
    public bool AlwaysChokes { get; init; }

    /// <summary>Chokes after so many blocks on a connection; 0 = never.</summary>
    public int ChokeAfter { get; init; }

    /// <summary>How long such a choke lasts.</summary>
    public TimeSpan ChokeFor { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>Which pieces it has; null = all.</summary>
    public Func<int, bool>? Has { get; init; }

    /// <summary>What it does with each request; null = serves.</summary>
    public Func<BlockRequest, BlockAction>? Act { get; init; }

    /// <summary>Changes a byte of the metadata that it serves.</summary>
    public bool CorruptMetadata { get; init; }
}
