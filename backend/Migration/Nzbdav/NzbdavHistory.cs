using Microsoft.Data.Sqlite;
using NzbDav.Migration.Database;

namespace NzbDav.Migration.Nzbdav;

/// <summary>
/// The completed downloads that nzbdav still shows to *arrs. Their ids are those of the queue and, from 0.6.0 on, of the .nzb. If an *arr
/// deleted an entry after its import, the entry is gone but the files stay.
/// </summary>
internal sealed class NzbdavHistory
{
    private const int Completed = 1;

    /// <summary>The ids as text in the database: its case differs between versions, and the index needs the exact text.</summary>
    private readonly Dictionary<Guid, string> _ids = [];
    private readonly Dictionary<Guid, Guid> _byFolder = [];
    private readonly Dictionary<(string Category, string Name), Guid> _byName = [];

    /// <summary>Reads the history; it is empty in a database that has none.</summary>
    public static NzbdavHistory Read(OldDatabase database)
    {
        var history = new NzbdavHistory();
        if (!database.HasColumn("HistoryItems", "DownloadStatus"))
            return history;
        var knowsFolders = database.HasColumn("HistoryItems", "DownloadDirId");
        var sql =
            $"SELECT Id, {database.ColumnOrNull("HistoryItems", "DownloadDirId")}, substr(Category, 1, 255), substr(JobName, 1, 1024) " +
            $"FROM HistoryItems WHERE DownloadStatus = {Completed} ORDER BY CreatedAt";
        foreach (var (id, text, folder, category, name) in database.Stream(sql, Row))
        {
            if (id is not { } known)
                continue;
            history._ids[known] = text;
            if (folder is { } at)
                history._byFolder[at] = known;

            // The first versions store only the folder's name.
            else if (!knowsFolders && name is not null)
                history._byName[(category ?? "", name)] = known;
        }

        return history;
    }

    /// <summary>The entry of a release; null: it no longer exists.</summary>
    /// <param name="category">The release's category.</param>
    /// <param name="release">Its folder.</param>
    /// <param name="nzb">The id of its .nzb; null: none is kept.</param>
    /// <param name="entry">The entry that its files name; null: none.</param>
    public Guid? Find(string category, NzbdavItem release, Guid? nzb, Guid? entry)
    {
        if (entry is { } named && _ids.ContainsKey(named))
            return named;
        if (nzb is { } id)
            return _ids.ContainsKey(id) ? id : null;
        return _byFolder.TryGetValue(release.Id, out var folder) || _byName.TryGetValue((category, release.Name), out folder)
            ? folder : null;
    }

    /// <summary>The entry's id as its row has it.</summary>
    public string TextOf(Guid entry) => _ids[entry];

    private static (Guid? Id, string Text, Guid? Folder, string? Category, string? Name) Row(SqliteDataReader row) =>
        (NzbdavTree.GuidAt(row, 0), row.IsDBNull(0) ? "" : row.GetString(0), NzbdavTree.GuidAt(row, 1),
            row.IsDBNull(2) ? null : row.GetString(2), row.IsDBNull(3) ? null : row.GetString(3));
}
