namespace NzbDav.Api.Native.Jobs;

/// <summary>What became of a file or a link.</summary>
/// <param name="Name">The file's name, or the link without what may be secret in it.</param>
/// <param name="Job">The job; null if there is none.</param>
/// <param name="Error">Why there is none, or why it failed at once; null if all is well.</param>
/// <param name="Duplicate">The job was there already.</param>
internal sealed record AddResultBody(string Name, JobBody? Job, string? Error, bool Duplicate);
