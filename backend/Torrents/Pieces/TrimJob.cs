namespace NzbDav.Torrents.Pieces;

/// <summary>Takes pieces off the disk that are more than may be there.</summary>
internal sealed class TrimJob(PieceStore store) : BackgroundJob
{
    public override void Run() => store.Trim();
}
