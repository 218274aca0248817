namespace NzbDav.Torrents.Pieces;

/// <summary>Writes one verified piece to disk.</summary>
internal sealed class WriteJob(PieceStore store, PieceEntry entry) : BackgroundJob
{
    public override void Run() => store.Write(entry);
}
