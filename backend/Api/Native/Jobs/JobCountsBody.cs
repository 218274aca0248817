namespace NzbDav.Api.Native.Jobs;

/// <summary>How many jobs there are, by state.</summary>
/// <param name="Queued">Those that wait for their turn.</param>
/// <param name="Waiting">Those that were put back until a time.</param>
/// <param name="Paused">Those that somebody holds back.</param>
/// <param name="Running">Those that are being imported or fetched.</param>
/// <param name="Completed">Those that are published.</param>
/// <param name="Failed">Those that were given up.</param>
public sealed record JobCountsBody(int Queued, int Waiting, int Paused, int Running, int Completed, int Failed);
