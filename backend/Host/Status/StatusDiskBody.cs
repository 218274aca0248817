namespace NzbDav.Host.Status;

/// <summary>A disk, in bytes.</summary>
/// <param name="Path">The folder on this disk.</param>
/// <param name="Free">Bytes available to this user; 0 if the system does not say.</param>
/// <param name="Total">Total bytes; 0 if the system does not say.</param>
internal sealed record StatusDiskBody(string Path, long Free, long Total);
