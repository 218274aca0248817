namespace NzbDav.Api.Native.Files;

/// <summary>The answers of one provider about a file's articles.</summary>
/// <param name="Name">Name of the provider.</param>
/// <param name="Found">Articles that it says it has. Some providers claim to have articles that they cannot deliver.</param>
/// <param name="Missing">Articles that it says it does not have.</param>
/// <param name="Unanswered">Articles about which it gave no answer.</param>
/// <param name="Reason">Why it gave no answer, as text for people; null if it answered for all.</param>
internal sealed record FileCheckProviderBody(string Name, int Found, int Missing, int Unanswered, string? Reason);
