using System.Runtime.CompilerServices;

namespace NzbDav.Catalog.Tree;

/// <summary>Listings.</summary>
public sealed partial class TreeStore
{
    /// <summary>
    /// The children of a collection by name, fetched page by page, so that any number costs the same memory. What changes
    /// meanwhile may or may not be seen; nothing is seen twice.
    /// </summary>
    /// <param name="parentId">The collection; one that is gone has no children.</param>
    /// <param name="after">Begin behind this name; null: at the beginning.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    public async IAsyncEnumerable<CatalogItem> ListAsync(
        long parentId, string? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var row in RowsAsync(parentId, after, cancellationToken))
            yield return row.ToItem();
    }

    /// <summary>
    /// Like <see cref="ListAsync"/>, for showing: a row that makes no sense is one missing item, not the end of the listing.
    /// </summary>
    /// <param name="parentId">The collection.</param>
    /// <param name="damaged">Told of the id of each such row, and what is wrong with it.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    public async IAsyncEnumerable<CatalogItem> ListReadableAsync(
        long parentId, Action<long, string> damaged, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(damaged);
        await foreach (var row in RowsAsync(parentId, after: null, cancellationToken))
        {
            foreach (var item in ItemRow.Readable([row], damaged))
                yield return item;
        }
    }

    private async IAsyncEnumerable<ItemRow> RowsAsync(
        long parentId, string? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        const string Sql = $"SELECT {ItemRow.Columns} FROM items WHERE parent_id = @parentId AND name > @last ORDER BY name LIMIT @PageSize";
        var last = after ?? "";
        while (true)
        {
            var parameters = new { parentId, last, PageSize };
            var page = await _database.ReadAsync(reader => reader.AllAsync<ItemRow>(Sql, parameters), cancellationToken);
            foreach (var row in page)
                yield return row;
            if (page.Count < PageSize)
                yield break;
            last = page[^1].Name;
        }
    }
}
