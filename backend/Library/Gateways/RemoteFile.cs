namespace NzbDav.Library.Gateways;

/// <summary>A file that another gateway serves.</summary>
/// <param name="Link">Its address there, which needs no password.</param>
/// <param name="Length">Its size in bytes.</param>
/// <param name="Gateway">The address of the gateway, for messages.</param>
internal sealed record RemoteFile(Uri Link, long Length, string Gateway);
