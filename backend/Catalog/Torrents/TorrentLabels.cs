using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Torrents;

/// <summary>
/// Categories and tags of torrents, as created by clients. Does not include categories that exist only in the settings. Thread-safe.
/// </summary>
public sealed class TorrentLabels
{
    private readonly CatalogDatabase _database;

    public TorrentLabels(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        database.NoticesReceived += notices =>
        {
            if (notices.Any(static notice => notice.Kind == NoticeKind.Labels))
                Changed?.Invoke();
        };
    }

    /// <summary>
    /// Raised after a change: on the calling thread for this process, when the notice arrives for others. Handlers must return quickly.
    /// </summary>
    public event Action? Changed;

    /// <summary>All categories by name.</summary>
    public ValueTask<IReadOnlyList<TorrentCategory>> ListCategoriesAsync(CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyList<TorrentCategory>>(
            async reader =>
                (await reader.AllAsync<(string Name, string SavePath)>("SELECT name, save_path FROM torrent_categories ORDER BY name"))
                .Select(static row => new TorrentCategory(row.Name, row.SavePath)).ToList(),
            cancellationToken);

    /// <summary>Creates a category.</summary>
    /// <returns>False if it exists already.</returns>
    public Task<bool> CreateCategoryAsync(TorrentCategory category, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(category);
        return WriteAsync("INSERT INTO torrent_categories (name, save_path) VALUES (@Name, @SavePath) ON CONFLICT (name) DO NOTHING",
            category, cancellationToken);
    }

    /// <summary>Changes the save path of a category.</summary>
    /// <returns>False if there is none of that name.</returns>
    public Task<bool> ChangeCategoryAsync(TorrentCategory category, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(category);
        return WriteAsync("UPDATE torrent_categories SET save_path = @SavePath WHERE name = @Name", category, cancellationToken);
    }

    /// <summary>Removes categories; torrents in them keep the name. Skips unknown names.</summary>
    public Task RemoveCategoriesAsync(IReadOnlyCollection<string> names, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(names);
        return WriteAsync($"DELETE FROM torrent_categories WHERE {_database.Engine.Dialect.In("name", "@names")}",
            new { names = names.ToArray() }, cancellationToken);
    }

    /// <summary>All tags by name.</summary>
    public ValueTask<IReadOnlyList<string>> ListTagsAsync(CancellationToken cancellationToken) =>
        _database.ReadAsync<IReadOnlyList<string>>(
            async reader => await reader.AllAsync<string>("SELECT name FROM torrent_tags ORDER BY name"), cancellationToken);

    /// <summary>Creates the tags that do not exist yet.</summary>
    /// <param name="names">None may be empty or contain a comma.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public async Task CreateTagsAsync(IReadOnlyCollection<string> names, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(names);
        await _database.WriteAsync(
            transaction =>
            {
                TorrentWriter.AddTags(transaction, names);
                transaction.Notify(NoticeKind.Labels);
                return true;
            },
            cancellationToken);
        Changed?.Invoke();
    }

    /// <summary>Removes tags. The caller removes them from torrents.</summary>
    public Task RemoveTagsAsync(IReadOnlyCollection<string> names, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(names);
        return WriteAsync($"DELETE FROM torrent_tags WHERE {_database.Engine.Dialect.In("name", "@names")}",
            new { names = names.ToArray() }, cancellationToken);
    }

    private async Task<bool> WriteAsync(string sql, object parameters, CancellationToken cancellationToken)
    {
        var done = await _database.WriteAsync(
            transaction =>
            {
                transaction.Notify(NoticeKind.Labels);
                return transaction.Execute(sql, parameters);
            },
            cancellationToken) > 0;
        if (done)
            Changed?.Invoke();
        return done;
    }
}

/// <summary>A category of torrents that a client created.</summary>
/// <param name="Name">Its name.</param>
/// <param name="SavePath">As the client gave it; empty: the default. Nothing is written there.</param>
public sealed record TorrentCategory(string Name, string SavePath);
