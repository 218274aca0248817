namespace NzbDav.Catalog.Health;

/// <summary>An article that no account had when it was asked for.</summary>
/// <param name="Article">What stands for it in the file's map.</param>
/// <param name="FileId">The file that it belongs to.</param>
/// <param name="First">When it was first missing.</param>
/// <param name="Last">When it was last missing.</param>
/// <param name="Times">How often it was missing, counted once in two days.</param>
/// <param name="Accounts">The accounts that said 430 the first time.</param>
public sealed record GoneArticle(string Article, long FileId, DateTimeOffset First, DateTimeOffset Last, int Times, IReadOnlyList<string> Accounts);
