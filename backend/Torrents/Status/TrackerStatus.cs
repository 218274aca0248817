namespace NzbDav.Torrents.Status;

/// <summary>A tracker of a torrent.</summary>
/// <param name="Url">Its address without what may be a person's key: path and query of all but the usual <c>/announce</c> are left out.</param>
/// <param name="State">How it stands.</param>
/// <param name="Message">What it, or the way to it, said last; null when nothing is wrong.</param>
/// <param name="Peers">Addresses in its last answer.</param>
/// <param name="Next">When it is asked again at the latest; null when that is not known.</param>
public sealed record TrackerStatus(string Url, TrackerState State, string? Message, int Peers, DateTimeOffset? Next)
{
    /// <summary>One that was not asked yet.</summary>
    internal static TrackerStatus Of(Uri tracker) => new(Shown(tracker), TrackerState.Waiting, Message: null, Peers: 0, Next: null);

    private static string Shown(Uri tracker)
    {
        var root = tracker.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped);
        return tracker.PathAndQuery == "/announce" ? root + "/announce" : root + "/…";
    }
}
