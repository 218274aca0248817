namespace NzbDav.Migration.Altmount;

/// <summary>An article, and the bytes of it that belong to the file.</summary>
/// <param name="Id">Message-id.</param>
/// <param name="Size">Decoded bytes.</param>
/// <param name="Start">First byte.</param>
/// <param name="Last">Last byte, inclusive.</param>
internal readonly record struct MetaSegment(string Id, long Size, long Start, long Last);
