namespace NzbDav.Torrents.Peers;

/// <summary>Exceptions to choking in both directions, and suggestions (BEP 6), as well as our declared interest.</summary>
internal sealed partial class Peer
{
    /// <summary>Most pieces that a peer may allow while it chokes us: BEP 6 suggests ten.</summary>
    private const int MostAllowed = 32;

    private List<int>? _allowed;

    /// <summary>True if some piece can be requested from it: see <see cref="Serves"/>.</summary>
    public bool CanAsk => (!ChokesUs || _allowed is { Count: > 0 }) && Pieces is not null && !IsClosed && !IsSnubbed;

    /// <summary>True when it has a piece and serves it: it does not choke us, or allows this piece nevertheless (BEP 6).</summary>
    public bool Serves(int piece) => Has(piece) && (!ChokesUs || _allowed?.Contains(piece) == true);

    /// <summary>Pieces that it serves although it chokes us.</summary>
    public IReadOnlyList<int> Allowed => _allowed ?? [];

    /// <summary>Notes that it serves a piece although it chokes us. False if that is already known, or if it has allowed too many.</summary>
    public bool TryAllow(int piece)
    {
        _allowed ??= [];
        if (_allowed.Count >= MostAllowed || _allowed.Contains(piece))
            return false;
        _allowed.Add(piece);
        return true;
    }

    /// <summary>Revokes what <see cref="TryAllow"/> noted.</summary>
    public void Disallow(int piece) => _allowed?.Remove(piece);

    /// <summary>The piece that it suggested last (BEP 6); −1 = none.</summary>
    public int Suggested { get; set; } = -1;

    /// <summary>Pieces that we serve it although it is choked (BEP 6); null until they have been chosen.</summary>
    public int[]? Granted { get; set; }

    /// <summary>Bytes of <see cref="Granted"/> that we still serve while it is choked.</summary>
    public long GrantedBytes { get; set; }

    /// <summary>True when we declared interest.</summary>
    public bool IsOfInterest { get; set; }

    /// <summary>True when it once had everything and then lost a piece: from then on it is counted piece by piece.</summary>
    public bool LosesPieces { get; set; }

    /// <summary>True if a block is served although the peer is choked (BEP 6): each of a few pieces about once. Counts its bytes.</summary>
    public bool TryGrant(int piece, int length)
    {
        if (Granted is not { } granted || GrantedBytes < length || !granted.Contains(piece))
            return false;
        GrantedBytes -= length;
        return true;
    }

    /// <inheritdoc/>
    public void MarkDirty() => _owner.MarkDirty(this);
}
