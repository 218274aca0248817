using System.Security.Cryptography;
using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;

namespace NzbDav.Catalog.Tests;

/// <summary>What a catalog holds, for comparison with another.</summary>
internal static class CatalogContent
{
    /// <summary>The SHA-256 of the content of each blob that a catalog refers to, by its address.</summary>
    public static async Task<SortedDictionary<string, string>> BlobsAsync(CatalogOptions options)
    {
        await using var database = await CatalogOpening.OpenAsync(options, TimeProvider.System, CancellationToken.None);
        var blobs = new BlobStore(database);
        var hashes = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var address in await database.ReadAsync(
            static reader => reader.AllAsync<string>("SELECT DISTINCT hash FROM blob_references"), CancellationToken.None))
            hashes[address] = Convert.ToHexStringLower(
                SHA256.HashData((await blobs.ReadAsync(BlobHash.Parse(address), CancellationToken.None)).Span));
        return hashes;
    }

    /// <summary>Every row of every table of a catalog in SQLite, as text.</summary>
    public static List<string> Rows(CatalogOptions file)
    {
        using var connection = new SqliteConnection($"Data Source={file.DatabasePath};Pooling=False");
        connection.Open();
        var rows = new List<string>();
        foreach (var table in connection.Query<string>(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY name")
            .ToList())
        {
            var columns = connection.Query<string>("SELECT 'quote(' || name || ')' FROM pragma_table_info(@table)", new { table });
            rows.AddRange(connection.Query<string>($"SELECT {string.Join(" || ',' || ", columns)} FROM {table}")
                .Select(row => $"{table}: {row}").Order(StringComparer.Ordinal));
        }

        return rows;
    }
}
