namespace NzbDav.Catalog.Health;

/// <summary>What was learned of an account's answers. Immutable.</summary>
/// <param name="Account">The account.</param>
public sealed record HealthAccount(string Account)
{
    /// <summary>The day that <see cref="Asked"/> and <see cref="Denied"/> are of, in days since 0001-01-01 UTC.</summary>
    public long Day { get; init; }

    /// <summary>Posts asked for on that day of which it had articles before.</summary>
    public int Asked { get; init; }

    /// <summary>Of these, those of which it has none now.</summary>
    public int Denied { get; init; }

    /// <summary>Since when its 430 does not count; null: it counts.</summary>
    public DateTimeOffset? Doubted { get; init; }

    /// <summary>Denied articles whose BODY was refused with 430 as well, a day or more after the doubt began.</summary>
    public int Agreed { get; init; }

    /// <summary>Posts that it had before and has again, since the doubt began.</summary>
    public int Returned { get; init; }

    /// <summary>Articles fetched after its STAT said yes.</summary>
    public int Bodies { get; init; }

    /// <summary>How many of <see cref="Bodies"/> it did not have, less the posts whose STAT was truthful since.</summary>
    public int Lies { get; init; }
}
