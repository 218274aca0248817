namespace NzbDav.Import;

/// <summary>A file as an .nzb lists it.</summary>
/// <param name="Name">From its subject.</param>
/// <param name="Bytes">Encoded size.</param>
/// <param name="Posted">When; 1970 if the .nzb does not say.</param>
public sealed record PostedFileEntry(string Name, long Bytes, DateTimeOffset Posted);
