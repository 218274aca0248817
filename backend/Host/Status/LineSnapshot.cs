namespace NzbDav.Host.Status;

/// <summary>What was seen in the last second.</summary>
/// <param name="Rate">Bytes a second from all providers.</param>
/// <param name="TorrentRate">Bytes a second from peers.</param>
/// <param name="UploadRate">Bytes a second to peers.</param>
/// <param name="Streams">Active streams.</param>
/// <param name="Memory">Bytes of the process.</param>
/// <param name="ProcessorShare">Of all processors, 0 … 1.</param>
internal readonly record struct LineSnapshot(double Rate, double TorrentRate, double UploadRate, int Streams, long Memory, double ProcessorShare)
{
    /// <summary>Something is read or fetched.</summary>
    public bool IsMoving => Rate > 0 || TorrentRate > 0 || UploadRate > 0 || Streams > 0;
}
