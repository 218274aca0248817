namespace NzbDav.Api.Native.Files;


/// <summary>A link that opens one file without a password.</summary>
/// <param name="Path">What follows scheme and host, including the URL base.</param>
/// <param name="Expires">When it stops working.</param>
/// <param name="Name">The file's name.</param>
internal sealed record PlayLinkBody(string Path, DateTimeOffset Expires, string Name);
