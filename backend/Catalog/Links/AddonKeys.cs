using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Links;

/// <summary>A key in an address of the add-on for Stremio, without the key itself. Immutable.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">What its maker called it.</param>
/// <param name="Made">When it was made.</param>
public sealed record AddonKey(long Id, string Name, DateTimeOffset Made);

/// <summary>
/// The keys in addresses of the add-on for Stremio. Only their hashes are stored. Reads the catalog each time, so that a key that another
/// gateway revoked is dead here too. Thread-safe.
/// </summary>
public sealed class AddonKeys
{
    /// <summary>Most keys: a household has a dozen devices.</summary>
    public const int Most = 100;

    /// <summary>Longest name in characters.</summary>
    public const int LongestName = 100;

    /// <summary>Random bytes of a key.</summary>
    private const int KeyLength = 16;

    /// <summary>Longer texts are no keys.</summary>
    private const int LongestKey = 64;

    private const string Columns = "id AS Id, name AS Name, made AS Made";

    private readonly CatalogDatabase _database;

    public AddonKeys(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>Makes a key, durably.</summary>
    /// <param name="name">What it is called.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The key, which is not told again; null: there are <see cref="Most"/> already.</returns>
    public async Task<(AddonKey Row, string Key)?> AddAsync(string name, CancellationToken cancellationToken)
    {
        var key = Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(KeyLength));
        var made = _database.Time.GetUtcNow();
        var row = new { Id = _database.Ids.Next(), Name = name, Hash = HashOf(key), Made = made.UtcTicks, Most };
        var added = await _database.WriteAsync(
            transaction => transaction.Execute(
                "INSERT INTO addon_keys (id, name, hash, made) SELECT @Id, @Name, @Hash, @Made " +
                "WHERE (SELECT COUNT(*) FROM addon_keys) < @Most", row),
            cancellationToken);
        return added > 0 ? (new AddonKey(row.Id, name, made), key) : null;
    }

    /// <summary>The row of a key; null if there is none.</summary>
    public async ValueTask<AddonKey?> FindAsync(string key, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (key.Length > LongestKey)
            return null;
        var rows = await ReadAsync("WHERE hash = @hash", new { hash = HashOf(key) }, cancellationToken);
        return rows.Count == 0 ? null : rows[0];
    }

    /// <summary>True while there is a key with this id.</summary>
    public async ValueTask<bool> ExistsAsync(long id, CancellationToken cancellationToken) =>
        (await ReadAsync("WHERE id = @id", new { id }, cancellationToken)).Count > 0;

    /// <summary>All keys, the latest first.</summary>
    public ValueTask<IReadOnlyList<AddonKey>> ListAsync(CancellationToken cancellationToken) =>
        ReadAsync("ORDER BY made DESC, id DESC", new { }, cancellationToken);

    /// <summary>Revokes a key, durably. It opens nothing from the next request on.</summary>
    /// <returns>False if there is none with that id.</returns>
    public async Task<bool> RemoveAsync(long id, CancellationToken cancellationToken) => await _database.WriteAsync(
        transaction => transaction.Execute("DELETE FROM addon_keys WHERE id = @id", new { id }), cancellationToken) > 0;

    private async ValueTask<IReadOnlyList<AddonKey>> ReadAsync(string rest, object parameters, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<(long Id, string Name, long Made)>($"SELECT {Columns} FROM addon_keys {rest}", parameters),
            cancellationToken);
        return [.. rows.Select(static row => new AddonKey(row.Id, row.Name, new DateTimeOffset(row.Made, TimeSpan.Zero)))];
    }

    private static string HashOf(string key) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)));
}
