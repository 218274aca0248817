namespace NzbDav.Torrents.Storage;

/// <summary>Receives the store's changes to a torrent's pieces. Called on any thread, possibly under locks: implementations may only schedule work.</summary>
internal interface IStorageNews
{
    /// <summary>A piece is no longer held.</summary>
    /// <param name="piece">Its number.</param>
    /// <param name="forRoom">True: it was evicted to make room. False: it could not be read.</param>
    void Dropped(int piece, bool forRoom);

    /// <summary>A piece that was not held was found on disk, and is good.</summary>
    void Found(int piece);

    /// <summary>Grows each time the torrent is told to fetch. Read before a write, for <see cref="WriteFailed"/>.</summary>
    int Attempt { get; }

    /// <summary>A piece could not be written. It stays in memory while there is room.</summary>
    /// <param name="error">The system's error.</param>
    /// <param name="attempt"><see cref="Attempt"/> when the write began: what failed before the torrent was told to go on
    /// does not stop it again.</param>
    void WriteFailed(Exception error, int attempt);

    /// <summary>Kept files are missing: nothing is fetched any more, except for readers.</summary>
    /// <param name="reason">What is missing, or why it cannot be reached.</param>
    void Missing(string reason);
}
