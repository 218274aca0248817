using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Properties;

/// <summary>
/// Properties that WebDAV clients attach to items, by path. The caller defines the path: segments, each after a <c>/</c> and without one
/// inside; what lies below a path begins with it and a <c>/</c>. Thread-safe.
/// </summary>
public sealed class PropertyStore
{
    // '0' follows '/' in every collation that compares bytes.
    private const string Tree = "(path = @path OR (path > @path || '/' AND path < @path || '0'))";

    private readonly CatalogDatabase _database;

    public PropertyStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>The properties of an item by name.</summary>
    public async ValueTask<IReadOnlyList<StoredProperty>> ReadAsync(string path, CancellationToken cancellationToken)
    {
        const string Sql =
            "SELECT namespace AS Namespace, name AS Name, value AS Value FROM properties WHERE path = @path ORDER BY namespace, name";
        var rows = await _database.ReadAsync(reader => reader.AllAsync<(string, string, string)>(Sql, new { path }), cancellationToken);
        return rows.ConvertAll(row => new StoredProperty(row.Item1, row.Item2, row.Item3));
    }

    /// <summary>True if any direct child of a path has properties.</summary>
    public async ValueTask<bool> HaveChildrenAnyAsync(string parent, CancellationToken cancellationToken) => await _database.ReadAsync(
        reader => reader.ScalarAsync<long>(
            "SELECT COUNT(*) FROM (SELECT 1 FROM properties WHERE parent = @parent LIMIT 1) AS found", new { parent }),
        cancellationToken) > 0;

    /// <summary>Applies the changes in order, all or none.</summary>
    /// <param name="path">The item.</param>
    /// <param name="changes">Properties to set or remove.</param>
    /// <param name="most">Most properties that it may have afterwards.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    /// <returns>False, with nothing changed, if there would be more.</returns>
    public async ValueTask<bool> WriteAsync(
        string path, IReadOnlyList<StoredProperty> changes, int most, CancellationToken cancellationToken)
    {
        const string Set =
            "INSERT INTO properties (path, parent, namespace, name, value) VALUES (@path, @parent, @Namespace, @Name, @Value) " +
            "ON CONFLICT (path, namespace, name) DO UPDATE SET value = excluded.value";
        const string Remove = "DELETE FROM properties WHERE path = @path AND namespace = @Namespace AND name = @Name";
        ArgumentNullException.ThrowIfNull(changes);
        var parent = ParentOf(path);
        return await _database.WriteAsync(
            transaction =>
            {
                foreach (var change in changes)
                    transaction.Execute(
                        change.Value is null ? Remove : Set, new { path, parent, change.Namespace, change.Name, change.Value });
                if (transaction.Scalar<long>("SELECT COUNT(*) FROM properties WHERE path = @path", new { path }) <= most)
                    return true;
                transaction.Abandon();
                return false;
            },
            cancellationToken);
    }

    /// <summary>Replaces the properties of a path, and of everything below it, by those of another path.</summary>
    /// <param name="from">The source.</param>
    /// <param name="to">The target.</param>
    /// <param name="recursive">True to copy the properties of everything below the source too.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public Task CopyAsync(string from, string to, bool recursive, CancellationToken cancellationToken) =>
        TransferAsync(from, to, recursive, keep: true, cancellationToken);

    /// <summary>Moves the properties of a path and everything below.</summary>
    public Task MoveAsync(string from, string to, CancellationToken cancellationToken) =>
        TransferAsync(from, to, recursive: true, keep: false, cancellationToken);

    /// <summary>Removes the properties of a path and everything below.</summary>
    public async Task RemoveAsync(string path, CancellationToken cancellationToken)
    {
        // Most items have none, so check first without the write lock.
        var some = await _database.ReadAsync(
            reader => reader.ScalarAsync<long>(
                $"SELECT COUNT(*) FROM (SELECT 1 FROM properties WHERE {Tree} LIMIT 1) AS found", new { path }), cancellationToken);
        if (some > 0)
            await _database.WriteAsync(
                transaction => transaction.Execute($"DELETE FROM properties WHERE {Tree}", new { path }), cancellationToken);
    }

    private async Task TransferAsync(string from, string to, bool recursive, bool keep, CancellationToken cancellationToken)
    {
        var rows =
            $"SELECT path AS Path, namespace AS Namespace, name AS Name, value AS Value FROM properties WHERE " +
            $"{(recursive ? Tree : "path = @path")}";
        await _database.WriteAsync(
            transaction =>
            {
                var found = transaction.All<(string Path, string Namespace, string Name, string Value)>(rows, new { path = from });
                transaction.Execute($"DELETE FROM properties WHERE {Tree}", new { path = to });
                if (!keep)
                    transaction.Execute($"DELETE FROM properties WHERE {Tree}", new { path = from });
                foreach (var row in found)
                {
                    var path = to + row.Path[from.Length..];
                    transaction.Execute(
                        "INSERT INTO properties (path, parent, namespace, name, value) VALUES (@path, @parent, @Namespace, @Name, @Value)",
                        new { path, parent = ParentOf(path), row.Namespace, row.Name, row.Value });
                }

                return found.Count;
            },
            cancellationToken);
    }

    private static string ParentOf(string path) => path[..Math.Max(0, path.LastIndexOf('/'))];
}

/// <summary>A property that a client attached to an item.</summary>
/// <param name="Namespace">Namespace of its name; empty for none.</param>
/// <param name="Name">Local name.</param>
/// <param name="Value">The element as XML; null removes the property.</param>
public readonly record struct StoredProperty(string Namespace, string Name, string? Value);
