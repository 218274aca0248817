namespace NzbDav.Api.Native.Jobs;

/// <summary>Why a job failed, or what it is waiting for.</summary>
/// <param name="Code">A code for programs.</param>
/// <param name="Message">A message for people.</param>
internal sealed record JobFailureBody(string Code, string Message);
