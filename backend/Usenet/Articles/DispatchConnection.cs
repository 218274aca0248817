using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// A connection with the requests it carries, and whether it may get more. Guarded by the dispatcher's lock unless stated otherwise.
/// </summary>
/// <param name="provider">The connection's provider.</param>
/// <param name="connection">The connection.</param>
internal sealed class DispatchConnection(Provider provider, NntpConnection connection)
{
    /// <summary>
    /// Most STATs in flight on a connection. Their answers carry no data, so only the round trip limits them. Few, so that an article that
    /// a reader needs does not wait behind many of them at a server that must search for each.
    /// </summary>
    private const int StatDepth = 8;

    /// <summary>Immutable.</summary>
    public Provider Provider => provider;

    /// <summary>Immutable.</summary>
    public NntpConnection Wire => connection;

    /// <summary>Requests submitted to it that have not ended, oldest first.</summary>
    public List<ArticleRequest> Requests { get; } = [];

    /// <summary>Number of <see cref="Requests"/>. May be read without the lock, for display.</summary>
    public int InFlight => Requests.Count;

    /// <summary>Number of STATs among <see cref="InFlight"/>.</summary>
    public int StatsInFlight { get; set; }

    /// <summary>True once it is told to drain or quit: it gets no new requests. May be read without the lock.</summary>
    public bool IsDraining { get; set; }

    /// <summary>True once QUIT was sent.</summary>
    public bool HasQuit { get; set; }

    /// <summary>When it was told to drain; 0: it was not. May be read without the lock.</summary>
    public long DrainingSince { get; set; }

    /// <summary>True while it is silent although other connections receive: a new request would wait behind the late one.</summary>
    public bool IsSuspect { get; set; }

    /// <summary>True if it accepts no more requests. Needs no lock.</summary>
    public bool IsClosed => connection.IsClosed;

    /// <inheritdoc cref="NntpConnection.HasServed"/>
    public bool HasServed => connection.HasServed;

    /// <inheritdoc cref="NntpConnection.LastActivity"/>
    public long LastActivity => connection.LastActivity;

    /// <inheritdoc cref="NntpConnection.HeadSince"/>
    public long HeadSince => connection.HeadSince;

    /// <summary>True if it may get one more command of this kind. STATs in flight do not reduce the room for articles.</summary>
    public bool HasRoomFor(NntpCommand command) => !IsSuspect && !Provider.IsUsedUp && HasDepthFor(command);

    /// <summary>True if it is open and not draining, and the request excludes neither it nor its provider.</summary>
    public bool MayServe(ArticleRequest request) =>
        !IsClosed && !IsDraining && request.Avoid != this && (request.Excluded & Provider.Bit) == 0;

    private bool HasDepthFor(NntpCommand command) =>
        command == NntpCommand.Stat
            ? InFlight < (Provider.ChecksByFetching ? Wire.Depth : Math.Max(Wire.Depth, StatDepth))
            : InFlight - StatsInFlight < Wire.Depth;
}
