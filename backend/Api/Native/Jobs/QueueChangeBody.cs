namespace NzbDav.Api.Native.Jobs;

/// <summary>Changes to the queue. Fields that are left out stay unchanged.</summary>
/// <param name="Paused">True pauses the queue, false resumes it.</param>
/// <param name="PauseSeconds">Pause it for this many seconds; 1 to 31,536,000.</param>
/// <param name="SpeedLimit">Bytes per second from all providers together, including playback; 0: no limit. Needs the right to manage.</param>
internal sealed record QueueChangeBody(bool? Paused = null, double? PauseSeconds = null, long? SpeedLimit = null);
