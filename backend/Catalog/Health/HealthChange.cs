namespace NzbDav.Catalog.Health;

/// <summary>The changes made by one check of a post. Stored in one transaction.</summary>
/// <param name="Post">The post after the check.</param>
public sealed record HealthChange(HealthPost Post)
{
    /// <summary>
    /// The post before the check. Nothing is stored if a person hid, showed or kept it since then. Null: the change is stored in any case.
    /// </summary>
    public HealthPost? Before { get; init; }

    /// <summary>All of its articles that are missing now; null: unchanged.</summary>
    public IReadOnlyList<GoneArticle>? Gone { get; init; }

    /// <summary>Entries for the health history.</summary>
    public IReadOnlyList<HealthEvent> Events { get; init; } = [];

    /// <summary>What the check learned about accounts.</summary>
    public IReadOnlyList<HealthAccount> Accounts { get; init; } = [];

    /// <summary>Posts hidden by this change, counted for the day of <see cref="HealthPost.Changed"/>.</summary>
    public int Removals { get; init; }
}

/// <summary>An article that no account had when it was requested.</summary>
/// <param name="Article">Its id in the file's map.</param>
/// <param name="FileId">The file that it belongs to.</param>
/// <param name="First">When it was first missing.</param>
/// <param name="Last">When it was last missing.</param>
/// <param name="Times">How often it was missing, counted once in two days.</param>
/// <param name="Accounts">The accounts that answered 430 the first time.</param>
public sealed record GoneArticle(
    string Article, long FileId, DateTimeOffset First, DateTimeOffset Last, int Times, IReadOnlyList<string> Accounts);

/// <summary>What is known about an account's answers. Immutable.</summary>
/// <param name="Account">The account.</param>
public sealed record HealthAccount(string Account)
{
    /// <summary>The day of <see cref="PostsAsked"/> and <see cref="Denied"/>, in days since 0001-01-01 UTC.</summary>
    public long Day { get; init; }

    /// <summary>Posts asked about on that day of which the account had articles before.</summary>
    public int PostsAsked { get; init; }

    /// <summary>Of these, the posts of which it has no article now.</summary>
    public int Denied { get; init; }

    /// <summary>Since when its 430 answers are ignored; null: they count.</summary>
    public DateTimeOffset? DistrustedSince { get; init; }

    /// <summary>Denied articles whose BODY was also refused with 430, a day or more after the distrust began.</summary>
    public int Agreed { get; init; }

    /// <summary>Posts that it had before and has again since the distrust began.</summary>
    public int Returned { get; init; }

    /// <summary>Articles fetched after its STAT confirmed them.</summary>
    public int Bodies { get; init; }

    /// <summary>How many of <see cref="Bodies"/> it did not have, minus the posts whose STAT was correct since.</summary>
    public int FalseStats { get; init; }
}
