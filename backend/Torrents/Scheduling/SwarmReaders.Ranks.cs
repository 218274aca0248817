namespace NzbDav.Torrents.Scheduling;

/// <summary>Which readers go first, also among torrents.</summary>
internal sealed partial class SwarmReaders
{
    private int _urgency = (int)RequestRank.Background;

    /// <summary>The rank of the most urgent reader. Needs no lock.</summary>
    public RequestRank Urgency => (RequestRank)Volatile.Read(ref _urgency);

    /// <summary>A reader's rank or wait may have changed.</summary>
    private void Rank(ReaderWindow reader)
    {
        Recount();
        var holds = reader.Waiting >= 0 && reader is { Way: null, Rank: RequestRank.Reader };
        if (reader.HoldsLine == holds)
            return;
        reader.HoldsLine = holds;
        if (holds)
            swarm.Context.DownloadLimit.BeginWait(swarm.Now);
        else
            swarm.Context.DownloadLimit.EndWait(swarm.Now);
    }

    private void Recount()
    {
        var urgency = RequestRank.Background;
        foreach (var reader in Windows)
            urgency = reader.Rank < urgency ? reader.Rank : urgency;
        Volatile.Write(ref _urgency, (int)urgency);
    }
}
