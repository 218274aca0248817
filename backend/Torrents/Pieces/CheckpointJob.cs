namespace NzbDav.Torrents.Pieces;

/// <summary>Syncs what was written and then claims it.</summary>
internal sealed class CheckpointJob(PieceStore store) : BackgroundJob
{
    public override void Run() => store.Checkpoint();
}
