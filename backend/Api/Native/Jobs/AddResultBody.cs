namespace NzbDav.Api.Native.Jobs;

/// <summary>The result of adding a file or a link.</summary>
/// <param name="Name">The file's name, or the link without parts that may be secret.</param>
/// <param name="Job">The job; null if there is none.</param>
/// <param name="Error">Why there is no job, or why it failed at once; null on success.</param>
/// <param name="Duplicate">The job existed already.</param>
internal sealed record AddResultBody(string Name, JobBody? Job, string? Error, bool Duplicate);
