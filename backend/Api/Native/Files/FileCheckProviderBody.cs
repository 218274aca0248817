namespace NzbDav.Api.Native.Files;

/// <summary>What one provider said of a file's articles.</summary>
/// <param name="Name">The provider's.</param>
/// <param name="Found">Articles that it says it has. Some providers say so of what they cannot deliver.</param>
/// <param name="Missing">Articles that it says it has not.</param>
/// <param name="Unanswered">Articles of which it said nothing.</param>
/// <param name="Reason">Why it said nothing, for people; null where it answered all.</param>
internal sealed record FileCheckProviderBody(string Name, int Found, int Missing, int Unanswered, string? Reason);
