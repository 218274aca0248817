namespace NzbDav.Api.Native.Jobs;

/// <summary>What is to change about the queue; what is left out stays as it is.</summary>
/// <param name="Paused">Pause it, or let it go on.</param>
/// <param name="PauseSeconds">Pause it for so long; 1 to 31,536,000.</param>
/// <param name="SpeedLimit">Bytes a second from all providers, playback included; 0: no limit. Needs the right to manage.</param>
internal sealed record QueueChangeBody(bool? Paused = null, double? PauseSeconds = null, long? SpeedLimit = null);
