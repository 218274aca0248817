namespace NzbDav.Catalog.Health;

/// <summary>The changes that one check of a post made. Stored in one transaction.</summary>
/// <param name="Post">The post as it is now.</param>
public sealed record HealthChange(HealthPost Post)
{
    /// <summary>The post as it was read; null: it is stored whatever happened meanwhile. If a person hid, showed or kept it since, nothing
    /// is stored.</summary>
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

/// <summary>An article that no account had when it was asked for.</summary>
/// <param name="Article">What stands for it in the file's map.</param>
/// <param name="FileId">The file that it belongs to.</param>
/// <param name="First">When it was first missing.</param>
/// <param name="Last">When it was last missing.</param>
/// <param name="Times">How often it was missing, counted once in two days.</param>
/// <param name="Accounts">The accounts that said 430 the first time.</param>
public sealed record GoneArticle(
    string Article, long FileId, DateTimeOffset First, DateTimeOffset Last, int Times, IReadOnlyList<string> Accounts);

/// <summary>What was learned of an account's answers. Immutable.</summary>
/// <param name="Account">The account.</param>
public sealed record HealthAccount(string Account)
{
    /// <summary>The day that <see cref="PostsAsked"/> and <see cref="Denied"/> are of, in days since 0001-01-01 UTC.</summary>
    public long Day { get; init; }

    /// <summary>Posts asked for on that day of which it had articles before.</summary>
    public int PostsAsked { get; init; }

    /// <summary>Of these, those of which it has none now.</summary>
    public int Denied { get; init; }

    /// <summary>Since when its 430 does not count; null: it counts.</summary>
    public DateTimeOffset? DistrustedSince { get; init; }

    /// <summary>Denied articles whose BODY was refused with 430 as well, a day or more after the doubt began.</summary>
    public int Agreed { get; init; }

    /// <summary>Posts that it had before and has again, since the doubt began.</summary>
    public int Returned { get; init; }

    /// <summary>Articles fetched after its STAT said yes.</summary>
    public int Bodies { get; init; }

    /// <summary>How many of <see cref="Bodies"/> it did not have, less the posts whose STAT was truthful since.</summary>
    public int FalseStats { get; init; }
}
