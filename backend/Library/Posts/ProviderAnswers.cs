namespace NzbDav.Library.Posts;

/// <summary>What one provider said of articles.</summary>
/// <param name="Name">The provider's.</param>
/// <param name="Found">Articles that it says it has.</param>
/// <param name="Missing">Articles that it says it has not.</param>
/// <param name="Unanswered">Articles of which it said nothing.</param>
/// <param name="Reason">Why it said nothing; null where it answered all.</param>
public sealed record ProviderAnswers(string Name, int Found, int Missing, int Unanswered, string? Reason);
