namespace NzbDav.Api.Native.Jobs;

/// <summary>The state of the queue.</summary>
/// <param name="Paused">No job is started, except those with priority 2.</param>
/// <param name="PausedUntil">When it resumes by itself; null: it is not paused, or has to be resumed by hand.</param>
/// <param name="SpeedLimit">Bytes per second from all providers together, including playback; null: no limit.</param>
/// <param name="Categories">All categories, by name.</param>
internal sealed record QueueBody(bool Paused, DateTimeOffset? PausedUntil, long? SpeedLimit, IReadOnlyList<string> Categories);
