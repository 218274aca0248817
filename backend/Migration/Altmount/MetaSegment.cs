namespace NzbDav.Migration.Altmount;

/// <summary>An article, and what of it is the file's.</summary>
/// <param name="Id">Message-id.</param>
/// <param name="Size">Decoded bytes.</param>
/// <param name="Start">First byte.</param>
/// <param name="Last">Last byte, inclusive.</param>
internal readonly record struct MetaSegment(string Id, long Size, long Start, long Last);
