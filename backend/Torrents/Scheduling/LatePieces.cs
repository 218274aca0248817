using System.Globalization;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Explains why a piece that a reader waits for is late. Used under the torrent's lock.</summary>
internal static class LatePieces
{
    /// <summary>States how much of the piece arrived, how many peers have it, and how many of them serve.</summary>
    /// <param name="piece">Index of the piece.</param>
    /// <param name="table">The torrent's pieces.</param>
    /// <param name="peers">Connected peers.</param>
    /// <param name="known">Number of known addresses.</param>
    public static string Describe(int piece, PieceTable table, IReadOnlyList<Peer> peers, int known)
    {
        var number = piece.ToString(CultureInfo.InvariantCulture);
        var slot = table.Slot(piece);
        var bad = slot is { IsSuspect: true } ? "; it had failed its hash before" : "";
        if (slot is { IsVerifying: true })
            return $"piece {number} had arrived and was being checked{bad}";
        var asked = 0;
        for (var block = 0; block < (slot?.Blocks ?? 0); block++)
            asked += slot!.Copies(block) > 0 ? 1 : 0;
        var (having, serving) = Count(piece, peers);
        var choking = serving == having ? "" : $"{having - serving} of them choked us, ";
        var served = serving == 0 ? "none served it" : $"{serving} served it";
        var who = peers.Count == 0 ? $"no peer was connected (of {known} known)"
            : having == 0 ? $"none of {peers.Count} connected peers had it"
            : $"{having} of {peers.Count} connected peers had it, {choking}{served}";
        return slot is null
            ? $"piece {number}: no block of it had arrived, {who}"
            : $"piece {number}: {slot.Received} of {slot.Blocks} blocks had arrived and {asked} were requested, {who}{bad}";
    }

    /// <summary>States why the piece does not arrive, for the reader whose wait fails.</summary>
    /// <param name="piece">Index of the piece.</param>
    /// <param name="peers">Connected peers.</param>
    /// <param name="known">Number of known addresses.</param>
    /// <param name="timeout">How long nothing arrived.</param>
    /// <param name="webSeeds">Why no web seed serves; null = one does, or there are none.</param>
    public static string Explain(int piece, IReadOnlyList<Peer> peers, int known, TimeSpan timeout, string? webSeeds)
    {
        var also = webSeeds is null ? "" : $" {webSeeds}";
        var number = piece.ToString(CultureInfo.InvariantCulture);
        var (having, serving) = Count(piece, peers);
        if (peers.Count == 0)
            return $"No peer of the torrent can be reached (of {known} known); piece {number} is missing.{also}";
        if (having == 0)
            return $"None of {peers.Count} connected peers has piece {number}.{also}";
        return serving == 0
            ? $"{having} peers have piece {number}, but none of them serves us.{also}"
            : $"{serving} peers could serve piece {number}, but nothing arrived for {timeout.TotalSeconds:0} s.";
    }

    private static (int Having, int Serving) Count(int piece, IReadOnlyList<Peer> peers)
    {
        var (having, serving) = (0, 0);
        foreach (var peer in peers)
        {
            having += peer.Has(piece) ? 1 : 0;
            serving += peer.Has(piece) && !peer.PeerChoking ? 1 : 0;
        }

        return (having, serving);
    }
}
