namespace NzbDav.Api.Native.Jobs;

/// <summary>Number of jobs by state.</summary>
/// <param name="Queued">Waiting for their turn.</param>
/// <param name="Waiting">Deferred until a certain time.</param>
/// <param name="Paused">Paused by a user or client.</param>
/// <param name="Running">Being imported or fetched.</param>
/// <param name="Completed">Published.</param>
/// <param name="Failed">Given up.</param>
public sealed record JobCountsBody(int Queued, int Waiting, int Paused, int Running, int Completed, int Failed);
