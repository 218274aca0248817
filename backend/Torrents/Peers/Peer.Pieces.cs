using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// The pieces that the peer has; the torrent's <see cref="PieceTable"/> counts them. Announcements add to earlier ones. A peer may repeat
/// them: aria2 (1.36) sends a whole bitfield, or that it has everything, where announcing many single pieces would be longer. Methods that
/// handle announcements return the reason if the peer must be disconnected, otherwise null.
/// </summary>
internal sealed partial class Peer
{
    /// <summary>Most repeated announcements; a peer with more counts as hostile.</summary>
    private const int MostRepeats = 100;

    private const string NoSuchPiece = "The peer has pieces that do not exist.";

    /// <summary>The bit field that it sent before we knew the number of pieces.</summary>
    private byte[]? _earlyPieces;

    /// <summary>Pieces that it announced one by one before we knew their number: one bit each, in wire order, up to the highest.</summary>
    private byte[] _earlyHaves = [];

    private int _repeats;

    /// <summary>
    /// True once it had everything and lost a piece: from then on it is counted piece by piece. If it could become a seed again, it could
    /// make us recount all pieces as often as it likes.
    /// </summary>
    private bool _losesPieces;

    /// <summary>The pieces it has; null until it has sent them, and while we lack the metadata.</summary>
    public BitField? Pieces { get; private set; }

    /// <summary>True if it has everything.</summary>
    public bool HasAll { get; private set; }

    /// <summary>True if it has announced pieces together, by a bit field or "have all". False if it announces them one by one.</summary>
    public bool NamedMany { get; private set; }

    /// <summary>Determines whether it is a super seed, from how it announces pieces one by one.</summary>
    public ShownRounds Rounds { get; } = new();

    /// <summary>Memory of the pieces that it announced one by one before we knew their number, in bytes.</summary>
    public int EarlyBytes => _earlyHaves.Length;

    public bool Has(int piece) => HasAll || (Pieces?[piece] ?? false);

    /// <summary>Call when it announces one more piece.</summary>
    public string? OnHave(int piece)
    {
        if (_owner.Table is not { } table)
            return KeepEarly(piece);
        if ((uint)piece >= (uint)table.Info.PieceCount)
            return NoSuchPiece;
        if (HasAll)
            return CountIdleMessage();
        Pieces ??= new BitField(table.Info.PieceCount);
        if (!Pieces.Set(piece))
            return CountIdleMessage();
        table.Count(piece, 1);
        Promote(table);
        Rounds.OnPieceShown(_owner.Now);
        _owner.OnPieceAvailable(piece);
        return null;
    }

    /// <summary>Call when it announces these pieces, in wire format.</summary>
    public string? OnBitfield(ReadOnlySpan<byte> payload)
    {
        if (_owner.Table is not { } table)
            return KeepEarly(payload);
        var announced = new BitField(table.Info.PieceCount);
        if (!announced.TryRead(payload))
            return "The peer sent a bitfield of the wrong length.";
        if (HasAll)
            return CountRepeat();
        if (announced.IsFull && !_losesPieces)
            return OnHaveAll();
        NamedMany |= announced.Count > 0;
        var isFirst = Pieces is null;
        var known = Pieces ??= new BitField(table.Info.PieceCount);
        var before = known.Count;
        for (var piece = 0; piece < announced.Length; piece++)
        {
            if (announced[piece] && known.Set(piece))
                table.Count(piece, 1);
        }

        if (known.Count == before)
            return isFirst ? null : CountRepeat();
        Promote(table);
        _owner.OnPiecesAvailable();
        return null;
    }

    /// <summary>Call when it announces that it has everything (BEP 6).</summary>
    public string? OnHaveAll()
    {
        NamedMany = true;
        if (HasAll || _losesPieces)
            return CountRepeat();
        HasAll = true;
        if (_owner.Table is not { } table)
            return null;
        BecomeSeed(table);
        _owner.OnPiecesAvailable();
        return null;
    }

    /// <summary>Call when it announces that it has nothing (BEP 6).</summary>
    public string? OnHaveNone()
    {
        if (Pieces is not null)
            return CountRepeat();
        if (_owner.Table is { } table)
            Pieces = new BitField(table.Info.PieceCount);
        return null;
    }

    /// <summary>Call when it no longer has a piece (BEP 54). It rejects outstanding requests for that piece.</summary>
    public string? OnDontHave(int piece)
    {
        if (_owner.Table is not { } table)
        {
            // Earlier announcements are applied later, so clear the piece in them. For a peer that announced everything, a lost piece
            // cannot be recorded yet.
            if ((uint)piece < (uint)_earlyHaves.Length * 8)
                _earlyHaves[piece / 8] &= (byte)~(0x80 >> (piece % 8));
            if (_earlyPieces is { } early && (uint)piece < (uint)early.Length * 8)
                early[piece / 8] &= (byte)~(0x80 >> (piece % 8));
            return CountIdleMessage();
        }

        if ((uint)piece >= (uint)table.Info.PieceCount)
            return NoSuchPiece;
        if (!Has(piece))
            return CountIdleMessage();
        if (HasAll)
        {
            HasAll = false;
            _losesPieces = true;
            table.Seeds--;
            Pieces = new BitField(table.Info.PieceCount);
            Pieces.SetAll();
            table.Count(Pieces, 1);
        }

        Pieces!.Clear(piece);
        table.Count(piece, -1);
        return CountIdleMessage();
    }

    /// <summary>Call when the torrent's pieces have become known: applies what the peer announced before.</summary>
    public string? ApplyEarlyAnnouncements()
    {
        var hasAll = HasAll;
        HasAll = false;
        var early = _earlyPieces;
        _earlyPieces = null;
        var fault = early is null ? null : OnBitfield(early);
        if (hasAll)
            fault ??= OnHaveAll();
        for (var piece = 0; piece < _earlyHaves.Length * 8 && fault is null; piece++)
        {
            if ((_earlyHaves[piece / 8] & (0x80 >> (piece % 8))) != 0)
                fault = OnHave(piece);
        }

        _earlyHaves = [];
        return fault;
    }

    private string? CountRepeat() => ++_repeats > MostRepeats ? "The peer repeats its announcements too often." : null;

    /// <summary>Keeps one bit per possible piece of a torrent: 250 KB at most, however often a peer announces.</summary>
    private string? KeepEarly(int piece)
    {
        if ((uint)piece >= InfoReader.MostPieces)
            return NoSuchPiece;
        if (piece / 8 >= _earlyHaves.Length)
            Array.Resize(ref _earlyHaves, Math.Max((piece / 8) + 1, Math.Min(_earlyHaves.Length * 2, InfoReader.MostPieces / 8)));
        var bit = (byte)(0x80 >> (piece % 8));
        if ((_earlyHaves[piece / 8] & bit) != 0)
            return CountIdleMessage();
        _earlyHaves[piece / 8] |= bit;
        return null;
    }

    private string? KeepEarly(ReadOnlySpan<byte> payload)
    {
        if (_earlyPieces is not { } early)
        {
            _earlyPieces = payload.ToArray();
            return null;
        }

        if (early.Length != payload.Length)
            return "The peer sent bitfields of different lengths.";
        for (var i = 0; i < early.Length; i++)
            early[i] |= payload[i];
        return CountRepeat();
    }

    /// <summary>Counts it as a seed if it has become one.</summary>
    private void Promote(PieceTable table)
    {
        if (Pieces is not { IsFull: true } || _losesPieces)
            return;
        HasAll = true;
        BecomeSeed(table);
    }

    /// <summary>Counts a seed as such, not piece by piece.</summary>
    private void BecomeSeed(PieceTable table)
    {
        if (Pieces is { } known)
            table.Count(known, -1);
        Pieces = table.All;
        table.Seeds++;
    }

    private void UncountPieces()
    {
        if (_owner.Table is not { } table)
            return;
        if (HasAll)
            table.Seeds--;
        else if (Pieces is { } pieces)
            table.Count(pieces, -1);
    }
}
