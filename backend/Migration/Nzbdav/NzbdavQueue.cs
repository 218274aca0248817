using System.Text;
using Microsoft.Data.Sqlite;
using NzbDav.Migration.Database;
using NzbDav.Migration.Packed;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Nzbdav;

/// <summary>What waits in nzbdav's queue. The text of a queued .nzb moved twice: from its row into a table of its own, and from there into a blob.</summary>
internal static class NzbdavQueue
{
    private const int LongestText = 512 << 20;

    private const string Packed = "ZSTD:";

    public static IEnumerable<OldTitle> Read(OldDatabase database, BlobFolder blobs)
    {
        if (!database.HasTable("QueueItems"))
            yield break;
        var job = database.HasColumn("QueueItems", "JobName") ? "JobName" : "FileName";
        foreach (var (id, text, file, name, category) in database.Stream($"SELECT Id, substr(FileName, 1, 1024), substr({job}, 1, 1024), substr(Category, 1, 255) FROM QueueItems", Row).ToList())
        {
            if (id is not { } known || file is null)
                continue;
            var title = new OldTitle { Key = known.ToString("D"), Name = name ?? file, Category = category ?? "", NzbName = file, DownloadId = known.ToString("D"), IsListed = true };
            if (HasText(database, text))
                yield return title with { OpenNzb = () => new MemoryStream(Text(database, text), writable: false) };
            else if (blobs.Find(known) is { } path)
                yield return title with { OpenNzb = () => BoundedBytes.Open(path) };
            else
                yield return title with { Refusal = "It waits in the other program's queue, and its .nzb is not there." };
        }
    }

    private static (Guid? Id, string Text, string? File, string? Name, string? Category) Row(SqliteDataReader row) =>
        (NzbdavTree.GuidAt(row, 0), row.IsDBNull(0) ? "" : row.GetString(0), TextAt(row, 1), TextAt(row, 2), TextAt(row, 3));

    private static string? TextAt(SqliteDataReader row, int column) => row.IsDBNull(column) ? null : row.GetString(column);

    private static string? Table(OldDatabase database) =>
        database.HasTable("QueueNzbContents") ? "QueueNzbContents" : database.HasColumn("QueueItems", "NzbContents") ? "QueueItems" : null;

    private static bool HasText(OldDatabase database, string id) => Table(database) is { } table
        && database.List<long>($"SELECT length(NzbContents) FROM {table} WHERE Id = @id AND NzbContents <> ''", new { id }) is [> 0 and <= LongestText];

    private static byte[] Text(OldDatabase database, string id)
    {
        var text = database.List<string>($"SELECT NzbContents FROM {Table(database)} WHERE Id = @id", new { id })[0];
        return text.StartsWith(Packed, StringComparison.Ordinal) ? BoundedBytes.Unpack(Convert.FromBase64String(text[Packed.Length..]), LongestText) : Encoding.UTF8.GetBytes(text);
    }
}
