using System.Net;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>The behaviour of one seeder.</summary>
public sealed record SeederOptions
{
    /// <summary>The address to listen on; port 0 = any free one.</summary>
    public IPEndPoint Endpoint { get; init; } = new(IPAddress.Loopback, 0);

    /// <summary>Round trip. Pipelined requests overlap theirs; connecting takes one too.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>Bytes per second over all its connections; 0 = no limit.</summary>
    public long Rate { get; init; }

    /// <summary>Requests it queues at once; more are rejected (or ignored without the fast extension). Announced as <c>reqq</c>.</summary>
    public int RequestQueue { get; init; } = 2_000;

    /// <summary>True: supports the fast extension (BEP 6).</summary>
    public bool Fast { get; init; } = true;

    /// <summary>True: supports the extension protocol (BEP 10) and serves metadata (BEP 9).</summary>
    public bool Extensions { get; init; } = true;

    /// <summary>True: never unchokes.</summary>
    public bool AlwaysChokes { get; init; }

    /// <summary>Chokes after this many blocks on a connection; 0 = never.</summary>
    public int ChokeAfter { get; init; }

    /// <summary>Duration of such a choke.</summary>
    public TimeSpan ChokeFor { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>True: knows the torrent by its alias alone (BEP 52).</summary>
    public bool ByAlias { get; init; }

    /// <summary>Selects the pieces it has; null = all.</summary>
    public Func<int, bool>? Has { get; init; }

    /// <summary>Decides how it handles each request; null = serves it.</summary>
    public Func<BlockRequest, BlockAction>? Act { get; init; }

    /// <summary>True: changes a byte of the metadata that it serves.</summary>
    public bool CorruptMetadata { get; init; }
}

/// <summary>How a seeder handles a request.</summary>
public enum BlockAction
{
    Serve,

    /// <summary>Sends the block with a byte changed.</summary>
    Corrupt,

    /// <summary>Never answers.</summary>
    Drop,

    /// <summary>Rejects it (BEP 6); a peer without the fast extension gets no answer.</summary>
    Reject,

    /// <summary>Closes the connection.</summary>
    Close,

    /// <summary>Sends the header and half of the block, then nothing more on this connection.</summary>
    Stall,
}

/// <summary>A received request.</summary>
/// <param name="Piece">Index of the piece.</param>
/// <param name="Begin">Offset in the piece.</param>
/// <param name="Length">Number of bytes.</param>
/// <param name="Number">Number of requests that this seeder received before it.</param>
public readonly record struct BlockRequest(int Piece, int Begin, int Length, long Number);
