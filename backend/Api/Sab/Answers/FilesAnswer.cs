namespace NzbDav.Api.Sab.Answers;

/// <summary>Files of a job.</summary>
internal sealed record FilesAnswer(IReadOnlyList<FileSlot> Files);
