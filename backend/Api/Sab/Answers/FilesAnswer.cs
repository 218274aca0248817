namespace NzbDav.Api.Sab;

/// <summary>Files of a job.</summary>
internal sealed record FilesAnswer(IReadOnlyList<FileSlot> Files);
