using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Browsing;

/// <summary>
/// The names of the whole tree at one moment, read in one query: 100,000 items take a tenth of a second, where one query per collection
/// would take seconds. Immutable.
/// </summary>
public sealed class TreeOutline
{
    private readonly Dictionary<long, List<OutlineItem>> _children;

    private TreeOutline(Dictionary<long, List<OutlineItem>> children) => _children = children;

    /// <summary>Reads the tree.</summary>
    public static async ValueTask<TreeOutline> ReadAsync(CatalogDatabase database, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(database);
        return new TreeOutline(await database.ReadAsync(reader => ReadAsync(reader, cancellationToken), cancellationToken));
    }

    /// <summary>The children of a collection in no particular order.</summary>
    public IReadOnlyList<OutlineItem> ChildrenOf(long id) => _children.TryGetValue(id, out var children) ? children : [];

    /// <summary>The item at a path from the root; null if there is none.</summary>
    public OutlineItem? Find(params ReadOnlySpan<string> path)
    {
        var at = new OutlineItem(CatalogItem.RootId, "", IsCollection: true, 0);
        foreach (var name in path)
        {
            var found = default(OutlineItem?);
            foreach (var child in ChildrenOf(at.Id))
                found = string.Equals(child.Name, name, StringComparison.Ordinal) ? child : found;
            if (found is not { } next)
                return null;
            at = next;
        }

        return at;
    }

    private static async ValueTask<Dictionary<long, List<OutlineItem>>> ReadAsync(CatalogReader reader, CancellationToken cancellationToken)
    {
        var children = new Dictionary<long, List<OutlineItem>>();
        await reader.EachAsync(
            "SELECT id, parent_id, name, CASE WHEN kind = 'collection' THEN 1 ELSE 0 END, created FROM items WHERE parent_id IS NOT NULL",
            row =>
            {
                var parent = row.GetInt64(1);
                if (!children.TryGetValue(parent, out var list))
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    children.Add(parent, list = []);
                }

                list.Add(new OutlineItem(row.GetInt64(0), row.GetString(2), row.GetInt64(3) != 0, row.GetInt64(4)));
            });
        return children;
    }
}

/// <summary>The part of an item that an outline holds.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
/// <param name="IsCollection">True for a collection.</param>
/// <param name="CreatedTicks">When it was created, in UTC ticks.</param>
public readonly record struct OutlineItem(long Id, string Name, bool IsCollection, long CreatedTicks);
