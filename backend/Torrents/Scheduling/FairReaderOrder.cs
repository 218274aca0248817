using NzbDav.Content;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Shares the line among a torrent's readers: the next block is requested for the reader that has been given least so far. Used
/// under the torrent's lock.</summary>
/// <param name="readers">The torrent's readers.</param>
internal sealed class FairReaderOrder(List<ReaderWindow> readers)
{
    /// <summary>Limits the credit that a reader gains while it needs nothing, in seconds at the line's rate.</summary>
    private const double LeadSeconds = 0.5;

    /// <summary>The smallest such limit, in bytes.</summary>
    private const long LeastLead = 2 << 20;

    private long _maxServed;
    private long _lead = LeastLead;

    /// <summary>Starts a new reader level with the others.</summary>
    public void OnReaderJoined(ReaderWindow reader) => reader.ServedBytes = _maxServed;

    /// <summary>Sets the line's rate, in bytes per second, from which the credit limit follows.</summary>
    public void Follow(double rate) => _lead = Math.Max(LeastLead, (long)(rate * LeadSeconds));

    /// <summary>Counts a block requested for a reader.</summary>
    public void CountBlock(ReaderWindow reader)
    {
        reader.ServedBytes = Math.Max(reader.ServedBytes, _maxServed - _lead) + PieceSlot.BlockSize;
        _maxServed = Math.Max(_maxServed, reader.ServedBytes);
    }

    /// <summary>The reader whose turn it is, of those not tried in this round; null if all were.</summary>
    public ReaderWindow? Next(long round)
    {
        ReaderWindow? next = null;
        foreach (var reader in readers)
        {
            if (reader.Tried != round
                && (next is null || Rank(reader) < Rank(next) || (Rank(reader) == Rank(next) && reader.ServedBytes < next.ServedBytes)))
                next = reader;
        }

        return next;
    }

    /// <summary>Order of readers: ordinary ones first, then those that yield, then import, and health last.</summary>
    private static int Rank(ReaderWindow reader) => reader.Intent switch
    {
        ReadIntent.Health => 3,
        ReadIntent.Import => 2,
        _ => reader.IsYielding ? 1 : 0,
    };
}
