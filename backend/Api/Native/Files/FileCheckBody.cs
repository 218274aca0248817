namespace NzbDav.Api.Native.Files;

/// <summary>Which of a file's articles the providers have.</summary>
/// <param name="Articles">Articles that hold its bytes and are listed in the .nzb.</param>
/// <param name="Asked">How many of them were checked, spread over the file.</param>
/// <param name="Gone">How many of these every provider says it does not have, and no repair has restored from recovery data.</param>
/// <param name="Providers">The answers of each provider, in the order of the settings.</param>
/// <param name="Repair">State of the repair of the missing articles, as a sentence; null: there is nothing to repair.</param>
internal sealed record FileCheckBody(int Articles, int Asked, int Gone, IReadOnlyList<FileCheckProviderBody> Providers, string? Repair);
