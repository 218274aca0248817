using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// A lane: requests of one priority that the same connections may carry, in queue order. Guarded by the dispatcher's lock.
/// </summary>
internal sealed class QueueBucket
{
    /// <summary>BODY or STAT: a connection has separate room for each.</summary>
    public NntpCommand Command { get; private set; }

    /// <summary>Bits of the providers that none of its requests may go to.</summary>
    public ulong Excluded { get; private set; }

    /// <summary>
    /// True for requests that avoid one connection, or whose excluded providers may still change: each must be checked on its own. They are
    /// few: second copies of late articles.
    /// </summary>
    public bool IsMixed { get; private set; }

    public ArticleRequest? First { get; set; }

    public ArticleRequest? Last { get; set; }

    /// <summary>Number of its requests.</summary>
    public int Count { get; set; }

    /// <summary>True if the request belongs here.</summary>
    public bool Fits(ArticleRequest request) =>
        Command == request.Command && IsMixed == Mixes(request) && (IsMixed || Excluded == ExcludedOf(request));

    /// <summary>Turns an empty lane into one for requests like this.</summary>
    public void Become(ArticleRequest request)
    {
        Command = request.Command;
        IsMixed = Mixes(request);
        Excluded = IsMixed ? 0 : ExcludedOf(request);
    }

    /// <summary>The first request that a connection has room for and may carry.</summary>
    public ArticleRequest? FirstFor(DispatchConnection connection)
    {
        if (First is null || (Excluded & connection.Provider.Bit) != 0 || !connection.HasRoomFor(Command))
            return null;
        var request = First;
        while (IsMixed && request is not null && !connection.MayServe(request))
            request = request.Following;
        return request;
    }

    /// <summary>
    /// The first request that a connection of a slow provider should carry; see <see cref="ArticleQueue.DequeueForSlow"/>.
    /// </summary>
    /// <param name="connection">A connection with room.</param>
    /// <param name="ahead">Requests to leave to faster providers; reduced by those of this lane.</param>
    /// <param name="faster">Bits of the faster providers.</param>
    public ArticleRequest? FirstForSlow(DispatchConnection connection, ref int ahead, ulong faster)
    {
        var mayCarry = (Excluded & connection.Provider.Bit) == 0 && connection.HasRoomFor(Command);
        var isFree = Command == NntpCommand.Stat || (!IsMixed && (faster & ~Excluded) == 0);
        if (!mayCarry || (!IsMixed && !isFree && ahead >= Count))
        {
            ahead -= Count;
            return null;
        }

        for (var request = First; request is not null; request = request.Following, ahead--)
        {
            if ((isFree || ahead <= 0 || (faster & ~request.Excluded) == 0) && connection.MayServe(request))
                return request;
        }

        return null;
    }

    private static bool Mixes(ArticleRequest request) =>
        request.Avoid is not null || request.AvoidProviders != 0 || request.Fetch is { OnWire: not null };

    private static ulong ExcludedOf(ArticleRequest request) => request.Fetch?.Excluded ?? 0;
}
