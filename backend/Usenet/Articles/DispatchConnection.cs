using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// A connection as the dispatcher and the requests on it see it. Guarded by the dispatcher's lock unless stated otherwise.
/// </summary>
/// <param name="provider">The connection's provider.</param>
/// <param name="connection">The connection.</param>
internal abstract class ConnectionState(Provider provider, NntpConnection connection)
{
    /// <summary>Immutable.</summary>
    public Provider Provider => provider;

    /// <summary>Immutable.</summary>
    public NntpConnection Wire => connection;

    /// <summary>Requests given to it that have not ended. May be read without the lock, for display.</summary>
    public abstract int InFlight { get; }

    /// <summary>True while a request given to it has not ended.</summary>
    public abstract bool HasRequest(NntpRequest request);

    /// <summary>Number of STATs among <see cref="InFlight"/>.</summary>
    public int StatsInFlight { get; set; }

    /// <summary>True once it was told to quit: it gets nothing new. May be read without the lock.</summary>
    public bool IsDraining { get; set; }

    /// <summary>True once QUIT was sent, which follows what it carries.</summary>
    public bool HasQuit { get; set; }

    /// <summary>When it was told to quit after what it carries; 0: it was not. May be read without the lock.</summary>
    public long DrainingSince { get; set; }

    /// <summary>
    /// True while it is silent and other connections are at work: a request given to it now would wait behind the late one.
    /// </summary>
    public bool IsSuspect { get; set; }

    /// <summary>True when it accepts no more requests. Needs no lock.</summary>
    public bool IsClosed => connection.IsClosed;

    /// <inheritdoc cref="NntpConnection.HasServed"/>
    public bool HasServed => connection.HasServed;

    /// <inheritdoc cref="NntpConnection.LastActivity"/>
    public long LastActivity => connection.LastActivity;

    /// <inheritdoc cref="NntpConnection.HeadSince"/>
    public long HeadSince => connection.HeadSince;
}

/// <summary>
/// A connection with the requests it carries, and whether it may get more. Guarded by the dispatcher's lock unless stated otherwise.
/// </summary>
/// <param name="provider">The connection's provider.</param>
/// <param name="connection">The connection.</param>
internal sealed class DispatchConnection(Provider provider, NntpConnection connection) : ConnectionState(provider, connection)
{
    /// <summary>
    /// Most STATs under way on a connection. Their answers carry no data, so only the round trip limits them. Kept small, so that an
    /// article that a reader needs does not wait behind many of them at a server that must search for each.
    /// </summary>
    private const int StatDepth = 8;

    /// <summary>Requests given to it that have not ended, oldest first.</summary>
    public List<ArticleRequest> Requests { get; } = [];

    /// <inheritdoc/>
    public override int InFlight => Requests.Count;

    /// <inheritdoc/>
    public override bool HasRequest(NntpRequest request) => Requests.Exists(carried => carried == request);

    /// <summary>True when it may get one more command of this kind. Pending STATs do not reduce the room for articles.</summary>
    public bool HasRoomFor(NntpCommand command) => !IsSuspect && !Provider.IsUsedUp && HasDepthFor(command);

    /// <summary>True when it is open and not leaving, and the request excludes neither it nor its provider.</summary>
    public bool MayServe(ArticleRequest request) =>
        !IsClosed && !IsDraining && request.Avoid != this && (request.Excluded & Provider.Bit) == 0;

    private bool HasDepthFor(NntpCommand command) =>
        command == NntpCommand.Stat
            ? InFlight < (Provider.ChecksByFetching ? Wire.Depth : Math.Max(Wire.Depth, StatDepth))
            : InFlight - StatsInFlight < Wire.Depth;
}
