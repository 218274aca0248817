using NzbDav.Catalog.Database;
using NzbDav.Catalog.Users;

namespace NzbDav.Catalog.Links;

/// <summary>A link that opens one file without a password. Immutable.</summary>
public sealed record SignedLink
{
    /// <summary>The link's id; 0 before it is stored.</summary>
    public long Id { get; init; }

    /// <summary>The file.</summary>
    public required long ItemId { get; init; }

    /// <summary>
    /// How its creator was identified: <c>password</c>, <c>oidc</c>, <c>key</c>, <c>proxy</c>, <c>network</c> or <c>addon</c>.
    /// </summary>
    public required string Via { get; init; }

    /// <summary>The creator's name, the key's name, or empty for a network.</summary>
    public required string Name { get; init; }

    /// <summary>What must still hold for the creator, or the link opens nothing.</summary>
    public required string Proof { get; init; }

    /// <summary>True if it was created for a player rather than for sharing.</summary>
    public bool IsPlay { get; init; }

    /// <summary>When it was created.</summary>
    public DateTimeOffset CreatedAt { get; init; }

    /// <summary>When it stops opening the file.</summary>
    public DateTimeOffset Expires { get; init; }
}

/// <summary>The links created by people and API keys. Not those of .strm files, which belong to the server. Thread-safe.</summary>
public sealed class SignedLinkStore
{
    /// <summary>
    /// Most links per creator; the oldest are removed, so that a script that requests link after link cannot fill the catalog.
    /// </summary>
    public const int MostPerMaker = 1_000;

    private const string Columns =
        "id AS Id, item_id AS ItemId, via AS Via, folded AS Folded, name AS Name, proof AS Proof, is_play AS IsPlay, made AS Made, " +
        "expires AS Expires";

    private const string SamePlay = "via = @Via AND folded = @Folded AND item_id = @ItemId AND proof = @Proof AND is_play = 1";

    private readonly CatalogDatabase _database;

    public SignedLinkStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
    }

    /// <summary>The link with an id; null if there is none.</summary>
    public async ValueTask<SignedLink?> FindAsync(long id, CancellationToken cancellationToken)
    {
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<Row>($"SELECT {Columns} FROM signed_links WHERE id = @id", new { id }), cancellationToken);
        return rows.Count == 0 ? null : rows[0].ToLink();
    }

    /// <summary>The player link of the same creator for the same file; null if there is none.</summary>
    public async ValueTask<SignedLink?> FindPlayAsync(SignedLink like, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(like);
        var parameters = Row.Of(like, id: 0);
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<Row>($"SELECT {Columns} FROM signed_links WHERE {SamePlay}", parameters), cancellationToken);
        return rows.Count == 0 ? null : rows[0].ToLink();
    }

    /// <summary>Links that have not expired, latest first.</summary>
    /// <param name="maker">The creator: how they were identified, and the name in any case; null: everybody.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<SignedLink>> ListAsync((string Via, string Name)? maker, CancellationToken cancellationToken)
    {
        var parameters = new
        {
            now = _database.Time.GetUtcNow().UtcTicks,
            via = maker?.Via,
            folded = maker is { } one ? StoredUser.Fold(one.Name) : null
        };
        var whose = maker is null ? "" : " AND via = @via AND folded = @folded";
        var rows = await _database.ReadAsync(
            reader => reader.AllAsync<Row>($"SELECT {Columns} FROM signed_links WHERE expires > @now{whose} ORDER BY made DESC, id DESC",
                parameters), cancellationToken);
        return rows.ConvertAll(static row => row.ToLink());
    }

    /// <summary>Stores a link, or extends the player link of the same creator for the same file. Removes expired links.</summary>
    /// <returns>The link's id.</returns>
    public Task<long> AddAsync(SignedLink link, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(link);
        var row = Row.Of(link, _database.Ids.Next());
        return _database.WriteAsync(
            transaction =>
            {
                transaction.Execute("DELETE FROM signed_links WHERE expires <= @Made", row);
                if (link.IsPlay && transaction.All<long>(
                    $"UPDATE signed_links SET expires = @Expires WHERE {SamePlay} RETURNING id", row) is [var known, ..])
                    return known;
                transaction.Execute(
                    "INSERT INTO signed_links (id, item_id, via, folded, name, proof, is_play, made, expires) " +
                    "VALUES (@Id, @ItemId, @Via, @Folded, @Name, @Proof, @IsPlay, @Made, @Expires)",
                    row);
                transaction.Execute(
                    "DELETE FROM signed_links WHERE id IN (SELECT id FROM signed_links WHERE via = @Via AND folded = @Folded " +
                    "ORDER BY made DESC, id DESC LIMIT 1000000 OFFSET @MostPerMaker)",
                    new { row.Via, row.Folded, MostPerMaker });
                return row.Id;
            },
            cancellationToken);
    }

    /// <summary>Removes a link, durably.</summary>
    /// <returns>False if there is none with that id.</returns>
    public async Task<bool> RemoveAsync(long id, CancellationToken cancellationToken) => await _database.WriteAsync(
        transaction => transaction.Execute("DELETE FROM signed_links WHERE id = @id", new { id }), cancellationToken) > 0;

    /// <summary>Removes all links, durably.</summary>
    public Task ClearAsync(CancellationToken cancellationToken) => _database.WriteAsync(
        static transaction => transaction.Execute("DELETE FROM signed_links"), cancellationToken);

    /// <summary>A row; its columns serve as parameters.</summary>
    private sealed class Row
    {
        public long Id { get; set; }

        public long ItemId { get; set; }

        public string Via { get; set; } = "";

        public string Folded { get; set; } = "";

        public string Name { get; set; } = "";

        public string Proof { get; set; } = "";

        public long IsPlay { get; set; }

        public long Made { get; set; }

        public long Expires { get; set; }

        public static Row Of(SignedLink link, long id) => new()
        {
            Id = id,
            ItemId = link.ItemId,
            Via = link.Via,
            Folded = StoredUser.Fold(link.Name),
            Name = link.Name,
            Proof = link.Proof,
            IsPlay = link.IsPlay ? 1 : 0,
            Made = link.CreatedAt.UtcTicks,
            Expires = link.Expires.UtcTicks,
        };

        public SignedLink ToLink() => new()
        {
            Id = Id,
            ItemId = ItemId,
            Via = Via,
            Name = Name,
            Proof = Proof,
            IsPlay = IsPlay != 0,
            CreatedAt = new DateTimeOffset(Made, TimeSpan.Zero),
            Expires = new DateTimeOffset(Expires, TimeSpan.Zero),
        };
    }
}
