using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>A command, queued or on the wire. Owned by the queue until a connection takes it, then by that connection.</summary>
internal sealed class ArticleRequest(NntpCommand command, ArticleFetch? fetch) : NntpRequest(command)
{
    /// <summary>The fetch that it belongs to; null for DATE and QUIT.</summary>
    public ArticleFetch? Fetch { get; } = fetch;

    /// <inheritdoc/>
    public override string MessageId => Fetch?.Id ?? "";

    /// <inheritdoc/>
    public override SegmentFlight Flight => Fetch!.Flight;

    /// <inheritdoc/>
    public override FetchPriority Urgency => Fetch?.Priority ?? FetchPriority.Health;

    /// <summary>Level in the queue. Written under the dispatcher's lock.</summary>
    public FetchPriority Priority { get; set; }

    /// <summary>Index of its tier in the dispatcher; −1: none, or one no longer in service.</summary>
    public int TierIndex { get; set; } = -1;

    /// <summary>True while a connection of another tier carries it.</summary>
    public bool IsOnLaterTier { get; set; }

    /// <summary>Connection that must not carry it: the late one, for a hedge.</summary>
    public DispatchConnection? Avoid { get; init; }

    /// <summary>Bits of providers that it avoids.</summary>
    public ulong AvoidProviders { get; init; }

    /// <summary>Bits of the providers that may not carry it now.</summary>
    public ulong Excluded => AvoidProviders | (Fetch?.Excluded ?? 0);

    /// <summary>
    /// True if it was left to a slow provider on purpose: faster ones would not deliver it sooner or cannot deliver it, or it is a trial.
    /// </summary>
    public bool IsLeftToSlow { get; set; }

    /// <summary>The connection that carries it.</summary>
    public DispatchConnection? Connection { get; set; }

    /// <summary>The previous attempt on the wire for the same fetch, if any.</summary>
    public ArticleRequest? Earlier { get; set; }

    /// <summary>Value of <see cref="LineEstimate.ArticleTime"/> when it was sent; fewer requests may share the line since then.</summary>
    public TimeSpan UsualTime { get; set; }

    /// <summary>Index of its lane within its level; −1 when not queued.</summary>
    public int Bucket { get; set; } = -1;

    /// <summary>Position within its level; lower goes first.</summary>
    public long Order { get; set; }

    /// <summary>Links of the lane; both null when not queued.</summary>
    public ArticleRequest? Previous { get; set; }

    public ArticleRequest? Following { get; set; }

    public bool IsQueued => Bucket >= 0;
}
