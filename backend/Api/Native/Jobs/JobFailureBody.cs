namespace NzbDav.Api.Native.Jobs;

/// <summary>Why a job failed, or what it waits for.</summary>
/// <param name="Code">For programs.</param>
/// <param name="Message">For people.</param>
internal sealed record JobFailureBody(string Code, string Message);
