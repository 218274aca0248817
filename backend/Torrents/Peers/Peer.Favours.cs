namespace NzbDav.Torrents.Peers;

/// <summary>What it serves though it chokes us, what it is served though it is choked, and what it suggests (BEP 6); what it was told of our interest.</summary>
internal sealed partial class Peer
{
    /// <summary>Pieces that a peer may allow while it chokes: BEP 6 suggests ten.</summary>
    private const int MostAllowed = 32;

    private List<int>? _allowed;

    /// <summary>It can be asked for something: see <see cref="Serves"/>.</summary>
    public bool CanAsk => (!ChokesUs || _allowed is { Count: > 0 }) && Pieces is not null && !IsClosed && !IsSnubbed;

    /// <summary>It has a piece, and serves it: it does not choke us, or allows this one nevertheless (BEP 6).</summary>
    public bool Serves(int piece) => Has(piece) && (!ChokesUs || _allowed?.Contains(piece) == true);

    /// <summary>Pieces that it serves though it chokes us.</summary>
    public IReadOnlyList<int> Allowed => _allowed ?? [];

    /// <summary>It serves a piece though it chokes us. False if that is known, or too much.</summary>
    public bool TryAllow(int piece)
    {
        _allowed ??= [];
        if (_allowed.Count >= MostAllowed || _allowed.Contains(piece))
            return false;
        _allowed.Add(piece);
        return true;
    }

    /// <summary>It does not after all.</summary>
    public void Disallow(int piece) => _allowed?.Remove(piece);

    /// <summary>The piece that it suggested last (BEP 6); −1 = none.</summary>
    public int Suggested { get; set; } = -1;

    /// <summary>Pieces that it is served though it is choked (BEP 6); null until that was decided.</summary>
    public int[]? Granted { get; set; }

    /// <summary>So many more bytes of <see cref="Granted"/> are served while it is choked.</summary>
    public long GrantedBytes { get; set; }

    /// <summary>It was told that it has something for us.</summary>
    public bool IsOfInterest { get; set; }

    /// <summary>It had everything once and lost a piece: it is counted piece by piece from then on.</summary>
    public bool LosesPieces { get; set; }
}
