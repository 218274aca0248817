using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>One command, queued or on the wire. Belongs to the queue until a connection takes it, then to that connection.</summary>
internal sealed class ArticleRequest(NntpCommand command, ArticleFetch? fetch)
{
    public NntpCommand Command { get; } = command;

    /// <summary>What it is an attempt of; null for DATE and QUIT.</summary>
    public ArticleFetch? Fetch { get; } = fetch;

    /// <summary>Level in the queue. Written under the dispatcher's lock.</summary>
    public FetchPriority Priority { get; set; }

    /// <summary>Whose queue it waits in.</summary>
    public Tier? Tier { get; init; }

    /// <summary>The tier that it belongs to while a connection of another carries it; null otherwise.</summary>
    public Tier? Helped { get; set; }

    /// <summary>Not on this connection: it is the late one that a hedge goes round.</summary>
    public NntpConnection? Avoid { get; init; }

    /// <summary>Bits of providers that it goes round.</summary>
    public ulong AvoidProviders { get; init; }

    /// <summary>Bits of the providers that may not carry it now.</summary>
    public ulong Excluded => AvoidProviders | (Fetch?.Excluded ?? 0);

    /// <summary>Given to a slow provider knowingly: the faster ones would bring it no sooner, cannot bring it, or it is a trial.</summary>
    public bool IsLeftToSlow { get; set; }

    /// <summary>Where it was sent.</summary>
    public NntpConnection? Connection { get; set; }

    /// <summary>When it was queued; 0 when it never was.</summary>
    public long QueuedAt { get; init; }

    /// <summary>When it was sent; 0 before.</summary>
    public long SentAt { get; set; }

    /// <summary>What <see cref="LineEstimate.ArticleTime"/> was when it was sent: the line may be shared by fewer since.</summary>
    public TimeSpan UsualTime { get; set; }

    /// <summary>Where it stands in the queue; null when it is not queued.</summary>
    public QueueLane? Lane { get; set; }

    /// <summary>Its turn within its level.</summary>
    public long Order { get; set; }

    /// <summary>Links of the lane; both null when not queued.</summary>
    public ArticleRequest? Previous { get; set; }

    public ArticleRequest? Following { get; set; }

    public bool IsQueued => Lane is not null;
}
