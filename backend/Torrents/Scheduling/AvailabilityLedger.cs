using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The pieces that connected peers have, and how many peers have each piece. A peer may announce pieces repeatedly: aria2 (1.36) sends a
/// whole bitfield, or that it has everything, where announcing many single pieces would be longer. Announcements add to earlier ones.
/// Methods return the reason if the peer must be disconnected, otherwise null. Used under the torrent's lock.
/// </summary>
/// <param name="readers">The torrent's readers. They search again from their position when pieces become available.</param>
/// <param name="requestUrgent">Called when a reader may be waiting for a new piece.</param>
internal sealed class AvailabilityLedger(List<ReaderWindow> readers, Action requestUrgent)
{
    /// <summary>Repeated announcements after which a peer counts as hostile.</summary>
    private const int MostRepeats = 100;

    private const string NoSuchPiece = "The peer has pieces that do not exist.";

    private PieceTable? _table;

    /// <summary>Call once the torrent's pieces are known. Applies earlier announcements of peers.</summary>
    public void Describe(PieceTable table, IEnumerable<Peer> peers)
    {
        _table = table;
        foreach (var peer in peers)
        {
            if (ApplyEarlyAnnouncements(peer) is { } fault)
                peer.Connection.Close(fault);
        }
    }

    /// <summary>A peer has one more piece.</summary>
    public string? Have(Peer peer, int piece)
    {
        if (_table is not { } table)
        {
            return KeepEarly(peer, piece);
        }

        if ((uint)piece >= (uint)table.Info.PieceCount)
            return NoSuchPiece;
        if (peer.HasAll)
            return peer.CountIdleMessage();
        peer.Pieces ??= new BitField(table.Info.PieceCount);
        if (!peer.Pieces.Set(piece))
            return peer.CountIdleMessage();
        table.Count(piece, 1);
        if (peer.Pieces.IsFull && !peer.LosesPieces)
            Promote(peer, table);
        foreach (var reader in readers)
            reader.Freed(piece);
        if (!table.IsSettled(piece))
            requestUrgent();
        return null;
    }

    /// <summary>A peer has these pieces, in wire format.</summary>
    public string? Bitfield(Peer peer, ReadOnlySpan<byte> payload)
    {
        if (_table is not { } table)
            return KeepEarly(peer, payload);
        var told = new BitField(table.Info.PieceCount);
        if (!told.TryRead(payload))
            return "The peer sent a bitfield of the wrong length.";
        if (peer.HasAll)
            return Repeated(peer);
        if (told.IsFull && !peer.LosesPieces)
            return All(peer);
        peer.NamedMany |= told.Count > 0;
        var isFirst = peer.Pieces is null;
        var known = peer.Pieces ??= new BitField(table.Info.PieceCount);
        var before = known.Count;
        for (var piece = 0; piece < told.Length; piece++)
        {
            if (told[piece] && known.Set(piece))
                table.Count(piece, 1);
        }

        if (known.Count == before)
            return isFirst ? null : Repeated(peer);
        if (known.IsFull && !peer.LosesPieces)
            Promote(peer, table);
        Rewind();
        return null;
    }

    /// <summary>A peer has everything (BEP 6).</summary>
    public string? All(Peer peer)
    {
        peer.NamedMany = true;
        if (peer.HasAll || peer.LosesPieces)
            return Repeated(peer);
        if (_table is not { } table)
        {
            peer.HasAll = true;
            return null;
        }

        if (peer.Pieces is { } known)
            table.Count(known, -1);
        peer.Pieces = table.All;
        peer.HasAll = true;
        table.Seeds++;
        Rewind();
        return null;
    }

    /// <summary>A peer has nothing (BEP 6).</summary>
    public string? None(Peer peer)
    {
        if (peer.Pieces is not null)
            return Repeated(peer);
        if (_table is { } table)
            peer.Pieces = new BitField(table.Info.PieceCount);
        return null;
    }

    /// <summary>A peer no longer has a piece (BEP 54). It rejects outstanding requests for it.</summary>
    public string? OnDontHave(Peer peer, int piece)
    {
        if (_table is not { } table)
        {
            // Earlier announcements are applied later. For a peer that announced everything, a lost piece cannot be recorded yet.
            if ((uint)piece < (uint)peer.EarlyHaves.Length * 8)
                peer.EarlyHaves[piece / 8] &= (byte)~(0x80 >> (piece % 8));
            if (peer.EarlyPieces is { } early && (uint)piece < (uint)early.Length * 8)
                early[piece / 8] &= (byte)~(0x80 >> (piece % 8));
            return peer.CountIdleMessage();
        }

        if ((uint)piece >= (uint)table.Info.PieceCount)
            return NoSuchPiece;
        if (!peer.Has(piece))
            return peer.CountIdleMessage();
        if (peer.HasAll)
        {
            // Only once: if it could become a seed again, it could make us count all pieces as often as it likes.
            peer.HasAll = false;
            peer.LosesPieces = true;
            table.Seeds--;
            peer.Pieces = new BitField(table.Info.PieceCount);
            peer.Pieces.SetAll();
            table.Count(peer.Pieces, 1);
        }

        peer.Pieces!.Clear(piece);
        table.Count(piece, -1);
        return peer.CountIdleMessage();
    }

    /// <summary>A peer has left: its pieces no longer count.</summary>
    public void Left(Peer peer)
    {
        if (_table is not { } table)
            return;
        if (peer.HasAll)
            table.Seeds--;
        else if (peer.Pieces is { } pieces)
            table.Count(pieces, -1);
    }

    private static string? Repeated(Peer peer) => ++peer.Repeats > MostRepeats ? "The peer repeats its announcements too often." : null;

    /// <summary>Keeps one bit for each piece that a torrent may have: 250 KB at most, however often a peer announces.</summary>
    private static string? KeepEarly(Peer peer, int piece)
    {
        if ((uint)piece >= InfoReader.MostPieces)
            return NoSuchPiece;
        var early = peer.EarlyHaves;
        if (piece / 8 >= early.Length)
        {
            Array.Resize(ref early, Math.Max((piece / 8) + 1, Math.Min(early.Length * 2, InfoReader.MostPieces / 8)));
            peer.EarlyHaves = early;
        }

        var bit = (byte)(0x80 >> (piece % 8));
        if ((early[piece / 8] & bit) != 0)
            return peer.CountIdleMessage();
        early[piece / 8] |= bit;
        return null;
    }

    private static string? KeepEarly(Peer peer, ReadOnlySpan<byte> payload)
    {
        if (peer.EarlyPieces is not { } early)
        {
            peer.EarlyPieces = payload.ToArray();
            return null;
        }

        if (early.Length != payload.Length)
            return "The peer sent bitfields of different lengths.";
        for (var i = 0; i < early.Length; i++)
            early[i] |= payload[i];
        return Repeated(peer);
    }

    private string? ApplyEarlyAnnouncements(Peer peer)
    {
        var hasAll = peer.HasAll;
        peer.HasAll = false;
        var early = peer.EarlyPieces;
        peer.EarlyPieces = null;
        var fault = early is null ? null : Bitfield(peer, early);
        if (hasAll)
            fault ??= All(peer);
        for (var piece = 0; piece < peer.EarlyHaves.Length * 8 && fault is null; piece++)
        {
            if ((peer.EarlyHaves[piece / 8] & (0x80 >> (piece % 8))) != 0)
                fault = Have(peer, piece);
        }

        peer.EarlyHaves = [];
        return fault;
    }

    /// <summary>A peer that has become a seed is counted as one, not piece by piece.</summary>
    private static void Promote(Peer peer, PieceTable table)
    {
        table.Count(peer.Pieces!, -1);
        peer.Pieces = table.All;
        table.Seeds++;
        peer.HasAll = true;
    }

    /// <summary>Lets readers search again from their position: pieces that no peer had may be available now.</summary>
    private void Rewind()
    {
        foreach (var reader in readers)
            reader.Cursor = reader.First;
        requestUrgent();
    }
}
