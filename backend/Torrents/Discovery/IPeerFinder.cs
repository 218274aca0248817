using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>One way by which a torrent finds peers. Owned by its <see cref="Torrent"/>; disposing it ends the search.
/// Thread-safe.</summary>
internal interface IPeerFinder : IAsyncDisposable
{
    /// <summary>What is wrong, if no part of it works; null if some part works or has not been tried yet.</summary>
    string? Trouble { get; }

    /// <summary>Starts. Called again when the torrent is described, which may give it an alias: see <see cref="Swarm.Alias"/>.</summary>
    void Start();

    /// <summary>Asks for peers now, or as soon as the source allows it.</summary>
    void AskNow();

    /// <summary>Called when the torrent turns out to be private: its peers may come only from its tracker (BEP 27). Finders other than
    /// trackers end here.</summary>
    void Restrict();

    /// <summary>State of its sources.</summary>
    IReadOnlyList<TrackerStatus> List();
}
