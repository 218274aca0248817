namespace NzbDav.Api.Native.Files;

/// <summary>Where a file's articles are, as the providers say.</summary>
/// <param name="Articles">Articles that hold its bytes and that the .nzb lists.</param>
/// <param name="Asked">How many of them were asked for, spread over the file.</param>
/// <param name="Gone">How many of these every provider says it has not.</param>
/// <param name="Providers">What each said, in the order of the settings.</param>
internal sealed record FileCheckBody(int Articles, int Asked, int Gone, IReadOnlyList<FileCheckProviderBody> Providers);
