using System.Globalization;
using Microsoft.Data.Sqlite;
using NzbDav.Migration.Database;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Nzbdav;

/// <summary>nzbdav's tree, in memory: parents and children, without items waiting to be deleted.</summary>
internal sealed class NzbdavTree
{
    /// <summary>Most levels below a release; a cycle cannot be reached from the top.</summary>
    public const int Deepest = 64;

    /// <summary>Most items; some 300 bytes each.</summary>
    private const int MostItems = 5_000_000;

    private const int LongestName = 1024;

    /// <summary>The id of <c>/content</c> in every database.</summary>
    private static readonly Guid Content = Guid.Parse("00000000-0000-0000-0000-000000000002");

    private readonly ILookup<Guid, NzbdavItem> _children;

    private NzbdavTree(ILookup<Guid, NzbdavItem> children) => _children = children;

    /// <summary>The folders of categories.</summary>
    public IEnumerable<NzbdavItem> Categories => Below(Content).Where(item => item.SubType == NzbdavItem.Directory);

    /// <exception cref="MigrationException">It is damaged, or has more items than any library.</exception>
    public static NzbdavTree Read(OldDatabase database)
    {
        var kind = database.HasColumn("DavItems", "SubType")
            ? "SubType"
            : "CASE Type WHEN 1 THEN 101 WHEN 2 THEN 105 WHEN 3 THEN 201 WHEN 4 THEN 202 WHEN 5 THEN 106 WHEN 6 THEN 203 ELSE 0 END";
        string Column(string name) => database.ColumnOrNull("DavItems", name);
        var sql =
            $"SELECT Id, ParentId, substr(Name, 1, {LongestName}), FileSize, {kind}, {Column("FileBlobId")}, {Column("NzbBlobId")}, " +
            $"{Column("HistoryItemId")} FROM DavItems LIMIT {MostItems + 1}";
        var items = database.Stream(sql, Item).OfType<NzbdavItem>().DistinctBy(item => item.Id).ToList();
        if (items.Count > MostItems)
            throw new MigrationException($"{database.Path} has more than {MostItems:n0} items, which no library has. Is it damaged?");
        var (folders, histories) = Deleted(database);
        return new NzbdavTree(items
            .Where(item => item.ParentId is not null && !folders.Contains(item.Id)
                && (item.HistoryItemId is not { } history || !histories.Contains(history)))
            .ToLookup(item => item.ParentId!.Value));
    }

    /// <summary>The direct children of a folder, ordered by name.</summary>
    public IEnumerable<NzbdavItem> Below(Guid folder) => _children[folder].OrderBy(item => item.Name, StringComparer.Ordinal);

    /// <summary>All files below an item, with their names from the item on; the item itself if it is a file.</summary>
    public IEnumerable<(NzbdavItem File, IReadOnlyList<string> Path)> Files(NzbdavItem item, IReadOnlyList<string> path)
    {
        if (item.IsFile)
            return [(item, path)];
        return item.SubType == NzbdavItem.Directory && path.Count < Deepest
            ? Below(item.Id).SelectMany(child => Files(child, [.. path, child.Name])) : [];
    }

    /// <summary>A Guid in a column, in either case; null if there is none.</summary>
    public static Guid? GuidAt(SqliteDataReader row, int column) =>
        !row.IsDBNull(column) && Guid.TryParse(row.GetString(column), out var id) ? id : null;

    private static NzbdavItem? Item(SqliteDataReader row) => GuidAt(row, 0) is { } id && !row.IsDBNull(2) && IsName(row.GetString(2))
        ? new NzbdavItem
        {
            Id = id,
            ParentId = GuidAt(row, 1),
            Name = row.GetString(2),
            Size = row.IsDBNull(3) ? -1 : row.GetInt64(3),
            SubType = row.IsDBNull(4) ? 0 : Convert.ToInt32(row.GetValue(4), CultureInfo.InvariantCulture),
            FileBlobId = GuidAt(row, 5),
            NzbBlobId = GuidAt(row, 6),
            HistoryItemId = GuidAt(row, 7),
        }
        : null;

    private static bool IsName(string name) => name.Length > 0 && name is not "." and not ".." && name.AsSpan().IndexOfAny('/', '\0') < 0;

    /// <summary>Folders that were deleted but not cleaned up yet, and history entries deleted with their files.</summary>
    private static (HashSet<Guid> Folders, HashSet<Guid> Histories) Deleted(OldDatabase database)
    {
        HashSet<Guid> Ids(string table, string where) =>
            database.HasTable(table) ? [.. database.Stream($"SELECT Id FROM {table}{where}", row => GuidAt(row, 0)).OfType<Guid>()] : [];
        return (Ids("DavCleanupItems", ""), Ids("HistoryCleanupItems", " WHERE DeleteMountedFiles <> 0"));
    }
}

/// <summary>A row of nzbdav's tree.</summary>
internal sealed class NzbdavItem
{
    /// <summary>SubTypes, as of 0.6.0.</summary>
    public const int Directory = 101;

    /// <inheritdoc cref="Directory"/>
    public const int Plain = 201;

    /// <inheritdoc cref="Directory"/>
    public const int Rar = 202;

    /// <inheritdoc cref="Directory"/>
    public const int Multipart = 203;

    public required Guid Id { get; init; }

    public required Guid? ParentId { get; init; }

    public required string Name { get; init; }

    public required long Size { get; init; }

    public required int SubType { get; init; }

    public Guid? FileBlobId { get; init; }

    public Guid? NzbBlobId { get; init; }

    public Guid? HistoryItemId { get; init; }

    /// <summary>True for a file whose layout is known in principle.</summary>
    public bool IsFile => SubType is Plain or Rar or Multipart;
}
