namespace NzbDav.Import.Intake;

/// <summary>A file as an .nzb lists it.</summary>
/// <param name="Name">File name from its subject, or the subject.</param>
/// <param name="Bytes">Encoded size in bytes.</param>
/// <param name="Posted">When it was posted; 1970 if the .nzb does not say.</param>
public sealed record PostedFileEntry(string Name, long Bytes, DateTimeOffset Posted);
