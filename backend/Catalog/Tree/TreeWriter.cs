using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;

namespace NzbDav.Catalog.Tree;

/// <summary>Changes the tree inside a write transaction that may contain other changes.</summary>
internal sealed class TreeWriter(CatalogTransaction transaction, CatalogIds ids, long now)
{
    /// <summary>The scope in <c>versions</c>.</summary>
    public const string Scope = "tree";

    private const string Insert =
        "INSERT INTO items (id, parent_id, name, folded, kind, size, created, modified, content_type, extent_map, job_id, encryption, " +
        "torrent, torrent_file) " +
        "VALUES (@Id, @ParentId, @Name, @Folded, @Kind, @Size, @Created, @Modified, @ContentType, @ExtentMap, @JobId, @Encryption, " +
        "@Torrent, @TorrentFile)";

    /// <summary>Makes the collection if nothing has that name; null if the parent is gone or is a file.</summary>
    public EnsuredCollection? EnsureCollection(long parentId, string name, long? jobId)
    {
        if (Child(parentId, name) is { } there)
            return new(there.ToItem(), Created: false);
        if (transaction.Scalar<string>("SELECT kind FROM items WHERE id = @parentId", new { parentId }) != ItemRow.Collection)
            return null;
        var row = new ItemRow { Id = ids.Next(), ParentId = parentId, Name = name, Created = now, Modified = now, JobId = jobId };
        transaction.Execute(Insert, row);
        ChildrenChanged(parentId);
        return new(row.ToItem(), Created: true);
    }

    public ItemRow? Child(long parentId, string name) => transaction.First<ItemRow>(
        $"SELECT {ItemRow.Columns} FROM items WHERE parent_id = @parentId AND name = @name", new { parentId, name });

    /// <summary>Adds files whose parents exist and whose names are free. Their parents count as made in this transaction.</summary>
    public void AddFiles(IEnumerable<ItemRow> files) => transaction.ExecuteAll(Insert, files);

    public ItemRow NewFile(long parentId, PublishedFile file, long? jobId) => new()
    {
        Id = ids.Next(),
        ParentId = parentId,
        Name = file.Path[^1],
        Kind = ItemRow.File,
        Size = file.Size,
        Created = now,
        Modified = file.Modified?.UtcTicks ?? now,
        ContentType = file.ContentType,
        ExtentMap = file.ExtentMap.ToString(),
        JobId = jobId,
        Encryption = file.Encryption?.Format(),
        Torrent = file.Torrent?.InfoHash,
        TorrentFile = file.Torrent?.File,
    };

    /// <summary>Removes an item with all below it. Null if it is not there, else the blobs it referred to.</summary>
    public List<BlobHash>? Delete(long id)
    {
        const string Subtree =
            "WITH RECURSIVE subtree (id) AS (SELECT id FROM items WHERE id = @id " +
            "UNION ALL SELECT items.id FROM items JOIN subtree ON items.parent_id = subtree.id) ";
        var parent = transaction.First<long?>("SELECT parent_id FROM items WHERE id = @id", new { id });
        if (parent is null)
            return null;
        var maps = transaction.All<string>(
            Subtree + "SELECT DISTINCT extent_map FROM items WHERE id IN (SELECT id FROM subtree) AND extent_map IS NOT NULL", new { id });
        transaction.Execute(Subtree + "DELETE FROM items WHERE id IN (SELECT id FROM subtree)", new { id });
        MapRows.RemoveUnreferenced(transaction, maps);
        ChildrenChanged(parent.Value);
        transaction.Tell(NoticeKind.Removed);
        return maps.ConvertAll(BlobHash.Parse);
    }

    /// <summary>Moves or renames an item.</summary>
    public RelocationOutcome Move(long id, long parentId, string name)
    {
        const string Above =
            "WITH RECURSIVE line (id, parent_id) AS (SELECT id, parent_id FROM items WHERE id = @parentId " +
            "UNION ALL SELECT items.id, items.parent_id FROM items JOIN line ON items.id = line.parent_id) SELECT COUNT(*) FROM line " +
            "WHERE id = @id";
        if (transaction.First<long?>("SELECT parent_id FROM items WHERE id = @id", new { id }) is not { } former
            || transaction.Scalar<string>("SELECT kind FROM items WHERE id = @parentId", new { parentId }) != ItemRow.Collection)
            return RelocationOutcome.Gone;
        if (transaction.Scalar<long>(Above, new { id, parentId }) > 0)
            return RelocationOutcome.IntoItself;
        if (Child(parentId, name) is { } other)
            return other.Id == id ? RelocationOutcome.Done : RelocationOutcome.NameTaken;
        transaction.Execute("UPDATE items SET parent_id = @parentId, name = @name, folded = @folded WHERE id = @id",
            new { id, parentId, name, folded = FoldedName.Of(name) });
        ChildrenChanged(parentId);
        if (former != parentId)
        {
            ChildrenChanged(former);

            // A job's collection lies in its category.
            transaction.Execute(
                "UPDATE jobs SET category = (SELECT name FROM items WHERE id = @parentId) WHERE item_id = @id", new { id, parentId });
        }

        return RelocationOutcome.Done;
    }

    private void ChildrenChanged(long parentId)
    {
        transaction.Execute("UPDATE items SET modified = @now WHERE id = @parentId", new { parentId, now });
        transaction.MarkChanged(Scope);
        transaction.Parents.Add(parentId);
    }
}
