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
        "torrent, torrent_file, post_id) " +
        "VALUES (@Id, @ParentId, @Name, @Folded, @Kind, @Size, @Created, @Modified, @ContentType, @ExtentMap, @JobId, @Encryption, " +
        "@Torrent, @TorrentFile, @PostId)";

    /// <summary>Creates the collection unless something has that name; null if the parent is gone or is a file.</summary>
    public EnsuredCollection? EnsureCollection(long parentId, string name, long? jobId)
    {
        if (Child(parentId, name) is { } there)
            return new(there.ToItem(), Created: false);
        var (kind, post, above) = transaction.First<(string? Kind, long? Post, long? Above)>(
            "SELECT kind, post_id, (SELECT above.parent_id FROM items AS above WHERE above.id = items.parent_id) FROM items " +
            "WHERE id = @parentId", new { parentId });
        if (kind != ItemRow.Collection)
            return null;
        var row = new ItemRow { Id = ids.Next(), ParentId = parentId, Name = name, Created = now, Modified = now, JobId = jobId };

        // A child of a category is a post.
        row.PostId = post ?? (above == CatalogItem.RootId ? row.Id : default(long?));
        transaction.Execute(Insert, row);
        ChildrenChanged(parentId);
        return new(row.ToItem(), Created: true);
    }

    public ItemRow? Child(long parentId, string name) => transaction.First<ItemRow>(
        $"SELECT {ItemRow.Columns} FROM items WHERE parent_id = @parentId AND name = @name", new { parentId, name });

    /// <summary>
    /// Adds files whose names are free. Their parents must have been created in this transaction: they are not marked as changed.
    /// </summary>
    public void AddFiles(IEnumerable<ItemRow> files) => transaction.ExecuteAll(Insert, files);

    public ItemRow NewFile(long postId, long parentId, PublishedFile file, long? jobId) => new()
    {
        Id = ids.Next(),
        ParentId = parentId,
        PostId = postId,
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

    /// <summary>Removes an item and everything below it. Null if it does not exist, else the blobs it referred to.</summary>
    public List<BlobHash>? Delete(long id)
    {
        var parent = transaction.First<long?>("SELECT parent_id FROM items WHERE id = @id", new { id });
        if (parent is null)
            return null;
        var maps = transaction.All<string>(
            $"SELECT DISTINCT extent_map FROM items WHERE id {TreeSql.IsWithin} AND extent_map IS NOT NULL", new { id });
        transaction.Execute($"DELETE FROM items WHERE id {TreeSql.IsWithin}", new { id });
        MapRows.RemoveUnreferenced(transaction, maps);
        ChildrenChanged(parent.Value);
        transaction.Notify(NoticeKind.Removed);
        return maps.ConvertAll(BlobHash.Parse);
    }

    /// <summary>Moves or renames an item.</summary>
    public RelocationOutcome Move(long id, long parentId, string name)
    {
        if (transaction.First<long?>("SELECT parent_id FROM items WHERE id = @id", new { id }) is not { } former
            || transaction.Scalar<string>("SELECT kind FROM items WHERE id = @parentId", new { parentId }) != ItemRow.Collection)
            return RelocationOutcome.Gone;
        var above = transaction.All<long>(TreeSql.Line + "SELECT id FROM line", new { id = parentId });
        if (above.Contains(id))
            return RelocationOutcome.IntoItself;
        if (Child(parentId, name) is { } other)
            return other.Id == id ? RelocationOutcome.Done : RelocationOutcome.NameTaken;
        transaction.Execute("UPDATE items SET parent_id = @parentId, name = @name, folded = @folded WHERE id = @id",
            new { id, parentId, name, folded = FoldedName.Of(name) });
        ChildrenChanged(parentId);
        if (former != parentId)
        {
            ChildrenChanged(former);
            MovePost(id, parentId, above.Count);

            // A job's collection lies in its category.
            transaction.Execute(
                "UPDATE jobs SET category = (SELECT name FROM items WHERE id = @parentId) WHERE item_id = @id", new { id, parentId });
        }

        return RelocationOutcome.Done;
    }

    /// <summary>Updates <see cref="ItemRow.PostId"/> of a moved item and everything below it.</summary>
    /// <param name="id">The item.</param>
    /// <param name="parentId">Its new parent.</param>
    /// <param name="level">Its new depth below the root.</param>
    private void MovePost(long id, long parentId, int level)
    {
        const string Post = "SELECT post_id FROM items WHERE id = @id";
        var post = level == TreeSql.PostLevel ? id : transaction.First<long?>(Post, new { id = parentId });

        // Most moves take a post to another category, which changes nothing.
        if (post is null || post != transaction.First<long?>(Post, new { id }))
            transaction.Execute(TreeSql.SetPosts, new { id, post, level });
    }

    private void ChildrenChanged(long parentId)
    {
        transaction.Execute("UPDATE items SET modified = @now WHERE id = @parentId", new { parentId, now });
        transaction.MarkChanged(Scope);
        transaction.Parents.Add(parentId);
    }
}
