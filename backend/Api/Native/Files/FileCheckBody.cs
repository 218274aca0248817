namespace NzbDav.Api.Native.Files;

/// <summary>Where a file's articles are, as the providers say.</summary>
/// <param name="Articles">Articles that hold its bytes and that the .nzb lists.</param>
/// <param name="Asked">How many of them were asked for, spread over the file.</param>
/// <param name="Gone">How many of these every provider says it has not, and that were not made again from recovery data.</param>
/// <param name="Providers">What each said, in the order of the settings.</param>
/// <param name="Repair">How the repair of those that are gone stands, as a sentence; null: nothing is to be repaired.</param>
internal sealed record FileCheckBody(int Articles, int Asked, int Gone, IReadOnlyList<FileCheckProviderBody> Providers, string? Repair);
