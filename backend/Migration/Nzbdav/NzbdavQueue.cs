using Microsoft.Data.Sqlite;
using NzbDav.Migration.Database;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Nzbdav;

/// <summary>Waiting titles of nzbdav's queue. The text of a queued .nzb moved twice: from its row into a table of its own, and from there
/// into a blob.</summary>
internal static class NzbdavQueue
{
    public static IEnumerable<OldTitle> Read(OldDatabase database, BlobFolder blobs)
    {
        if (!database.HasTable("QueueItems"))
            yield break;
        var job = database.HasColumn("QueueItems", "JobName") ? "JobName" : "FileName";
        foreach (var (id, text, file, name, category) in database.Stream(
            $"SELECT Id, substr(FileName, 1, 1024), substr({job}, 1, 1024), substr(Category, 1, 255) FROM QueueItems", Row).ToList())
        {
            if (id is not { } known || file is null)
                continue;
            var title = new OldTitle
            {
                Key = known.ToString("D"),
                Name = name ?? file,
                Category = category ?? "",
                NzbName = file,
                DownloadId = known.ToString("D"),
                IsListed = true
            };
            if ((NzbTexts.Find(database, "QueueNzbContents", text) ?? NzbTexts.Find(database, "QueueItems", text)) is { } open)
                yield return title with { OpenNzb = open };
            else if (blobs.Find(known) is { } path)
                yield return title with { OpenNzb = () => BoundedBytes.Open(path) };
            else
                yield return title with { Refusal = "It waits in the other program's queue, and its .nzb is not there." };
        }
    }

    private static (Guid? Id, string Text, string? File, string? Name, string? Category) Row(SqliteDataReader row) =>
        (NzbdavTree.GuidAt(row, 0), row.IsDBNull(0) ? "" : row.GetString(0), TextAt(row, 1), TextAt(row, 2), TextAt(row, 3));

    private static string? TextAt(SqliteDataReader row, int column) => row.IsDBNull(column) ? null : row.GetString(column);
}
