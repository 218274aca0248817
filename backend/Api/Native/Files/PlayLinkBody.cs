namespace NzbDav.Api.Native.Files;


/// <summary>A link that opens one file without a password.</summary>
/// <param name="Path">What stands behind scheme and host, URL base included.</param>
/// <param name="Expires">From then on it opens nothing.</param>
/// <param name="Name">The file's name.</param>
internal sealed record PlayLinkBody(string Path, DateTimeOffset Expires, string Name);
