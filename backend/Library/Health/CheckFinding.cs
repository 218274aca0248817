using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>What one check of a post found. Immutable.</summary>
/// <param name="Present">Articles that an account has, or that were reconstructed.</param>
/// <param name="Gone">Articles that every account denied, and the file that each belongs to.</param>
/// <param name="Unclear">Articles of which not every account gave an answer that counts.</param>
/// <param name="Accounts">The accounts that were asked.</param>
internal sealed record CheckFinding(IReadOnlySet<string> Present, IReadOnlyDictionary<string, long> Gone, int Unclear, IReadOnlyList<string> Accounts)
{
    /// <summary>The quota ended before the check did.</summary>
    public bool IsCut { get; init; }

    /// <summary>An account's STAT confirmed an article that it could not deliver.</summary>
    public bool IsLiedTo { get; init; }

    /// <summary>Accounts that have articles of the post.</summary>
    public IReadOnlyList<string> Had { get; init; } = [];

    /// <summary>What was learned of accounts.</summary>
    public IReadOnlyList<HealthAccount> Learned { get; init; } = [];

    /// <summary>Why articles are unclear, as a sentence; null: none is.</summary>
    public string? Why { get; init; }

    /// <summary>Articles that were asked for.</summary>
    public int Asked => Present.Count + Gone.Count + Unclear;
}
