namespace NzbDav.Host.Status;

/// <summary>A disk, in bytes.</summary>
/// <param name="Path">The folder on it that is meant.</param>
/// <param name="Free">What is left for this user; 0 where the system does not say.</param>
/// <param name="Total">In all; 0 where the system does not say.</param>
internal sealed record StatusDiskBody(string Path, long Free, long Total);
