namespace NzbDav.Catalog.Health;

/// <summary>The changes that one check of a post made. Stored in one transaction.</summary>
/// <param name="Post">The post as it is now.</param>
public sealed record HealthChange(HealthPost Post)
{
    /// <summary>The post as it was read; null: it is stored whatever happened meanwhile. If a person hid, showed or kept it since, nothing is stored.</summary>
    public HealthPost? Before { get; init; }

    /// <summary>All that is missing of it now; null: as before.</summary>
    public IReadOnlyList<GoneArticle>? Gone { get; init; }

    /// <summary>What happened.</summary>
    public IReadOnlyList<HealthEvent> Events { get; init; } = [];

    /// <summary>What was learned of accounts.</summary>
    public IReadOnlyList<HealthAccount> Accounts { get; init; } = [];

    /// <summary>Posts hidden by this change, counted for the day of <see cref="HealthPost.Changed"/>.</summary>
    public int Removals { get; init; }
}
