using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Torrents;

/// <summary>Writes rows of torrents inside a transaction.</summary>
internal static class TorrentWriter
{
    /// <summary>
    /// Adds a torrent for the user. One already in the list is unchanged; one that was removed from the list starts anew.
    /// </summary>
    /// <param name="transaction">The transaction.</param>
    /// <param name="hash">Info-hash.</param>
    /// <param name="category">The category of its job.</param>
    /// <param name="torrent">Its options.</param>
    /// <param name="turn">Its place in the queue: the job's id.</param>
    /// <param name="now">Ticks.</param>
    public static void Add(CatalogTransaction transaction, string hash, string category, NewTorrent torrent, long turn, long now)
    {
        if (transaction.Scalar<long>("SELECT COUNT(*) FROM torrents WHERE hash = @hash AND removed IS NULL", new { hash }) > 0)
            return;
        var entry = new TorrentEntry
        {
            Hash = hash,
            Category = category,
            Added = new DateTimeOffset(now, TimeSpan.Zero),
            QueuePosition = turn,
            Name = torrent.Name,
            Tags = torrent.Tags,
            SavePath = torrent.SavePath,
            Layout = torrent.Layout,
            Policy = torrent.Policy,
            IsStopped = torrent.IsStopped,
            IsForced = torrent.IsForced,
            IsSequential = torrent.IsSequential,
            IsEdgesFirst = torrent.IsEdgesFirst,
            UploadLimit = torrent.UploadLimit,
            DownloadLimit = torrent.DownloadLimit,
            Selection = torrent.Selection,
        };
        transaction.Execute(
            "INSERT INTO torrents (hash, category, added, turn) VALUES (@Hash, @Category, @Added, @Turn) ON CONFLICT (hash) DO NOTHING",
            TorrentRow.Of(entry));
        Write(transaction, entry);
        AddTags(transaction, torrent.Tags);
    }

    /// <summary>Updates all columns of an existing row.</summary>
    public static void Write(CatalogTransaction transaction, TorrentEntry entry) =>
        transaction.Execute($"UPDATE torrents SET {TorrentRow.Assignments} WHERE hash = @Hash", TorrentRow.Of(entry));

    /// <summary>Adds the tags that do not exist yet.</summary>
    public static void AddTags(CatalogTransaction transaction, IEnumerable<string> tags) =>
        transaction.ExecuteAll(
            "INSERT INTO torrent_tags (name) VALUES (@tag) ON CONFLICT (name) DO NOTHING", tags.Select(static tag => (object)new { tag }));
}
