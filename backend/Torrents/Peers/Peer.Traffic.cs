using NzbDav.Content;

namespace NzbDav.Torrents.Peers;

/// <summary>Payload in both directions.</summary>
internal sealed partial class Peer
{
    /// <summary>Its connection is by uTP, not by TCP.</summary>
    public bool IsUtp { get; }

    private long _worth;

    /// <summary>Payload it sent since the last choke round.</summary>
    public long RoundGiven { get; private set; }

    /// <summary>Payload we sent it since the last choke round.</summary>
    public long RoundTaken { get; private set; }

    /// <summary>Payload it sent on request, in bytes.</summary>
    public long Given { get; private set; }

    /// <summary>Payload we sent it, in bytes.</summary>
    public long Taken { get; private set; }

    /// <summary>When it first kept us waiting after its last block, in ticks; null = it has not. <see cref="Peer.IsSnubbed"/>, in contrast,
    /// ends with each new chance that it gets.</summary>
    public long? SnubbedSince { get; set; }

    /// <summary>Rate of <see cref="Given"/>.</summary>
    public RecentRate DownRate { get; } = new();

    /// <summary>Rate of <see cref="Taken"/>.</summary>
    public RecentRate UpRate { get; } = new();

    /// <summary>Counts a block that it sent.</summary>
    public void Gave(int bytes)
    {
        RoundGiven += bytes;
        Given += bytes;
        SnubbedSince = null;
    }

    /// <summary>Counts a block that we send it.</summary>
    public void Took(int bytes)
    {
        RoundTaken += bytes;
        Taken += bytes;
    }

    /// <summary>Value of the connection: payload in both directions, halved with each choke round.</summary>
    public long Worth => _worth + RoundGiven + RoundTaken;

    /// <summary>Ends a choke round.</summary>
    public void EndRound()
    {
        _worth = Worth / 2;
        RoundGiven = RoundTaken = 0;
    }
}
