namespace NzbDav.Api.Native.Jobs;

/// <summary>The queue as a whole.</summary>
/// <param name="Paused">Nothing new is begun, except what is forced.</param>
/// <param name="PausedUntil">When it goes on by itself; null: it is not paused, or somebody has to say so.</param>
/// <param name="SpeedLimit">Bytes a second from all providers, playback included; null: none.</param>
/// <param name="Categories">All categories, by name.</param>
internal sealed record QueueBody(bool Paused, DateTimeOffset? PausedUntil, long? SpeedLimit, IReadOnlyList<string> Categories);
