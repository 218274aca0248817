using NzbDav.Content;

namespace NzbDav.Torrents.Peers;

/// <summary>Payload both ways.</summary>
internal sealed partial class Peer
{
    private long _worth;

    /// <summary>Payload it sent since the last choke round.</summary>
    public long RoundGiven { get; private set; }

    /// <summary>Payload it was sent since the last choke round.</summary>
    public long RoundTaken { get; private set; }

    /// <summary>Payload it sent that was asked for.</summary>
    public long Given { get; private set; }

    /// <summary>Payload it was sent.</summary>
    public long Taken { get; private set; }

    /// <summary>Ticks when it first let us wait after its last block; null = it has not. <see cref="Peer.IsSnubbed"/> ends with each chance that it gets.</summary>
    public long? SnubbedSince { get; set; }

    /// <summary>Of <see cref="Given"/>.</summary>
    public RecentRate DownRate { get; } = new();

    /// <summary>Of <see cref="Taken"/>.</summary>
    public RecentRate UpRate { get; } = new();

    /// <summary>A block came from it.</summary>
    public void Gave(int bytes)
    {
        RoundGiven += bytes;
        Given += bytes;
        SnubbedSince = null;
    }

    /// <summary>A block goes to it.</summary>
    public void Took(int bytes)
    {
        RoundTaken += bytes;
        Taken += bytes;
    }

    /// <summary>Payload both ways, that of each choke round before the present one counting half of the next: what the connection is worth.</summary>
    public long Worth => _worth + RoundGiven + RoundTaken;

    /// <summary>A choke round is over.</summary>
    public void EndRound()
    {
        _worth = Worth / 2;
        RoundGiven = RoundTaken = 0;
    }
}
