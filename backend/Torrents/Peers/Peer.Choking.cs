using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>Choking and interest in both directions (BEP 3), and the exceptions to choking (BEP 6).</summary>
internal sealed partial class Peer
{
    /// <summary>Most pieces that a peer may allow while it chokes us. BEP 6 suggests ten.</summary>
    private const int MostAllowed = 32;

    /// <summary>Most rejects since the last block; after that the peer gets no requests for a while.</summary>
    private const int MostRejects = 64;

    /// <summary>Longest time without a requested block; after that the peer gets no more requests until it sends something.</summary>
    private static readonly long SnubTicks = 10 * TimeSpan.TicksPerSecond;

    private List<int>? _allowed;
    private int[]? _granted;
    private long _grantedBytes;
    private int _suggested = -1;
    private int _rejects;

    /// <summary>True if it chokes us: it does not answer requests.</summary>
    public bool PeerChoking { get; private set; } = true;

    /// <summary>True if it wants pieces from us.</summary>
    public bool PeerInterested { get; private set; }

    /// <summary>True if we choke it: we do not answer its requests.</summary>
    public bool AmChoking { get; private set; } = true;

    /// <summary>True if we have declared interest.</summary>
    public bool AmInterested { get; private set; }

    /// <summary>True once it has unchoked us.</summary>
    public bool WasUnchoked { get; private set; }

    /// <summary>True if it has kept us waiting too long: it gets few requests until it sends something.</summary>
    public bool IsSnubbed { get; private set; }

    /// <summary>
    /// When it first kept us waiting after its last block, in ticks; null = it has not. Unlike <see cref="IsSnubbed"/>, it does not end
    /// when the peer gets another chance.
    /// </summary>
    public long? SnubbedSince { get; private set; }

    /// <summary>The choke round in which it last got the optimistic slot; 0 = never.</summary>
    public long LastOptimisticRound { get; private set; }

    /// <summary>True if some piece can be requested from it: see <see cref="Serves"/>.</summary>
    public bool CanRequest => (!PeerChoking || _allowed is { Count: > 0 }) && Pieces is not null && !IsClosed && !IsSnubbed;

    /// <summary>True if it has a piece and serves it: it does not choke us, or allows this piece nevertheless (BEP 6).</summary>
    public bool Serves(int piece) => Has(piece) && (!PeerChoking || _allowed?.Contains(piece) == true);

    /// <summary>Pieces that it serves although it chokes us.</summary>
    public IReadOnlyList<int> Allowed => _allowed ?? [];

    /// <summary>
    /// Call when it chokes us. True if that ended our requests to it. BEP 3: they are discarded. BEP 6: it answers each, by a reject if
    /// necessary.
    /// </summary>
    public bool OnChoke(long now)
    {
        PeerChoking = true;
        if (Fast)
            return false;
        DropRequests(now);
        return true;
    }

    /// <summary>Call when it unchokes us. False if it did not choke us.</summary>
    public bool OnUnchoke()
    {
        if (!PeerChoking)
            return false;
        WasUnchoked = true;
        PeerChoking = false;
        _rejects = 0;
        return true;
    }

    /// <summary>Call when it declares or withdraws its interest.</summary>
    public void OnInterest(bool interested) => PeerInterested = interested;

    /// <summary>
    /// Call when it allows a piece although it chokes us (BEP 6). False if that is already known, or if it has allowed too many.
    /// </summary>
    public bool OnAllowedFast(int piece)
    {
        _allowed ??= [];
        if (_allowed.Count >= MostAllowed || _allowed.Contains(piece))
            return false;
        _allowed.Add(piece);
        return true;
    }

    /// <summary>Call when it suggests a piece, which it can send at once (BEP 6).</summary>
    public void OnSuggestion(int piece) => _suggested = piece;

    /// <summary>Returns the piece that it suggested last, and forgets it; −1 = none.</summary>
    public int UseSuggestion()
    {
        var piece = _suggested;
        _suggested = -1;
        return piece;
    }

    /// <summary>Chokes it. Its queued requests are rejected.</summary>
    public void Choke()
    {
        if (AmChoking)
            return;
        AmChoking = true;
        Outbox.Message(MessageId.Choke);
        Uploads.RejectAll();
        MarkDirty();
    }

    /// <summary>Answers its requests from now on.</summary>
    public void Unchoke()
    {
        if (!AmChoking)
            return;
        AmChoking = false;
        Outbox.Message(MessageId.Unchoke);
        MarkDirty();
    }

    /// <summary>Call when it gets the optimistic slot of a choke round.</summary>
    public void OnOptimisticUnchoke(long round) => LastOptimisticRound = round;

    /// <summary>Declares our interest, or withdraws it.</summary>
    public void SetInterested(bool interested)
    {
        if (AmInterested == interested)
            return;
        AmInterested = interested;
        Outbox.Message(interested ? MessageId.Interested : MessageId.NotInterested);
        MarkDirty();
    }

    /// <summary>True once <see cref="GrantFast"/> was called.</summary>
    public bool HasFastGrant => _granted is not null;

    /// <summary>Tells it that it may request these pieces although it is choked (BEP 6).</summary>
    /// <param name="pieces">The pieces, which we have.</param>
    /// <param name="bytes">Most bytes of them that we serve while it is choked.</param>
    public void GrantFast(int[] pieces, long bytes)
    {
        (_granted, _grantedBytes) = (pieces, bytes);
        foreach (var piece in pieces)
            Outbox.AboutPiece(MessageId.AllowedFast, piece);
    }

    /// <summary>True if a block is served although the peer is choked (BEP 6): each allowed piece about once. Counts its bytes.</summary>
    public bool TryServeFast(int piece, int length)
    {
        if (_granted?.Contains(piece) != true || _grantedBytes < length)
            return false;
        _grantedBytes -= length;
        return true;
    }

    /// <summary>
    /// Called once a second. Drops the requests if the peer has kept us waiting too long, and gives it another chance later.
    /// </summary>
    public void CheckSnub(long now)
    {
        if (now - LastBlock <= SnubTicks)
            return;
        if (_requests.Count > 0)
        {
            IsSnubbed = true;
            SnubbedSince ??= now;
            LastBlock = now;
            Pipeline.Snub();
            DropRequests(now);
        }
        else if (IsSnubbed)
        {
            // Another chance, with a small queue.
            EndSnub();
        }
    }

    private void EndSnub()
    {
        IsSnubbed = false;
        _rejects = 0;
    }
}
