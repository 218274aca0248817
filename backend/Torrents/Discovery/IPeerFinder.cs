using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>One way by which a torrent finds peers. Owned by its <see cref="Torrent"/>; disposing it ends the search. Thread-safe.</summary>
internal interface IPeerFinder : IAsyncDisposable
{
    /// <summary>What went wrong, if nothing of it works; null if something does, or was not tried yet.</summary>
    string? Trouble { get; }

    /// <summary>Begins. Called again it has no effect.</summary>
    void Start();

    /// <summary>Asks for peers now, or as soon as whoever is asked allows it.</summary>
    void AskNow();

    /// <summary>The torrent is described, and private: its peers come from its tracker alone (BEP 27). Whatever is no tracker ends here and is asked for nothing any more.</summary>
    void Restrict();

    /// <summary>How it stands.</summary>
    IReadOnlyList<TrackerStatus> List();
}
