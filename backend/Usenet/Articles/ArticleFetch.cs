using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>All that was tried to get one article. Guarded by the dispatcher's lock.</summary>
internal sealed class ArticleFetch(SegmentFlight flight)
{
    public SegmentFlight Flight { get; } = flight;

    /// <summary>Bit per provider that answered and did not help.</summary>
    public ulong Tried { get; set; }

    /// <summary>Bit per provider whose copy was damaged; asked once more when nobody else has a good one.</summary>
    public ulong Damaged { get; set; }

    /// <summary>Bit per provider that lost the connection too often over this article.</summary>
    public ulong Lost { get; set; }

    public bool DamagedAskedAgain { get; set; }

    /// <summary>Connections lost over this article; a burst counts once.</summary>
    public int Losses { get; set; }

    public long LastLossAt { get; set; }

    /// <summary>The attempt that waits in a queue, if any.</summary>
    public ArticleRequest? Queued { get; set; }

    /// <summary>The latest attempt on the wire.</summary>
    public ArticleRequest? OnWire { get; set; }

    /// <summary>Attempts on the wire.</summary>
    public int Active { get; set; }

    public bool Hedged { get; set; }

    public bool Watched { get; set; }

    public bool Ended { get; set; }

    /// <summary>What was wrong with the last damaged copy, for the message.</summary>
    public string? Damage { get; set; }

    /// <summary>An intact article that is not the expected part: used when every provider has the same.</summary>
    public PooledBuffer? Odd { get; set; }

    public ArticleHeader? OddHeader { get; set; }
}
