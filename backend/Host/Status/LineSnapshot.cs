namespace NzbDav.Host.Status;

/// <summary>Measurements of the last second.</summary>
/// <param name="Rate">Bytes per second from all providers.</param>
/// <param name="TorrentRate">Bytes per second from peers.</param>
/// <param name="UploadRate">Bytes per second to peers.</param>
/// <param name="Streams">Number of active streams.</param>
/// <param name="Memory">Memory of the process in bytes.</param>
/// <param name="ProcessorShare">Share of all processors' time, 0 … 1.</param>
internal readonly record struct LineSnapshot(double Rate, double TorrentRate, double UploadRate, int Streams, long Memory, double ProcessorShare)
{
    /// <summary>True if anything is read or fetched.</summary>
    public bool IsMoving => Rate > 0 || TorrentRate > 0 || UploadRate > 0 || Streams > 0;
}
