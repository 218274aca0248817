using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tree;

/// <summary>Where files lie inside archives of torrents. Thread-safe.</summary>
public sealed class TorrentLayouts
{
    private readonly CatalogDatabase _database;

    public TorrentLayouts(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>The layout of a file; null for one that is a file of its torrent as it is.</summary>
    /// <param name="item">The file's id.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">It cannot be read.</exception>
    public async ValueTask<TorrentLayout?> FindAsync(long item, CancellationToken cancellationToken)
    {
        var (spans, password) = await _database.ReadAsync(
            reader => reader.FirstAsync<(byte[]? Spans, string? Password)>("SELECT spans, password FROM torrent_layouts WHERE item_id = @item", new { item }), cancellationToken);
        try
        {
            return spans is null ? null : TorrentLayout.Parse(spans) with { Password = password };
        }
        catch (InvalidDataException e)
        {
            throw new CatalogException(CatalogFault.Corrupt, $"Where the file lies in its torrent cannot be read: {e.Message}", e);
        }
    }

    /// <summary>Stores a better layout; without effect if the file is gone. The stored password stays.</summary>
    /// <param name="item">The file's id.</param>
    /// <param name="layout">Of the same length.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="CatalogException">It cannot be stored.</exception>
    public async Task ReplaceAsync(long item, TorrentLayout layout, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(layout);
        var spans = layout.ToBytes();
        await _database.WriteAsync(
            transaction => transaction.Execute("UPDATE torrent_layouts SET spans = @spans WHERE item_id = @item", new { item, spans }), cancellationToken);
    }

    /// <summary>Stores the layouts of files that are being published.</summary>
    internal static void Add(CatalogTransaction transaction, IEnumerable<(long Item, TorrentLayout Layout)> layouts) => transaction.ExecuteAll(
        "INSERT INTO torrent_layouts (item_id, spans, password) VALUES (@Item, @Spans, @Password)",
        layouts.Select(static one => new { one.Item, Spans = one.Layout.ToBytes(), one.Layout.Password }));
}
