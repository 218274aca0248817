using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>Kept files that are gone or cannot be reached, and their return.</summary>
internal sealed partial class PieceStore
{
    /// <summary>
    /// Checks the kept files of a piece before it is written, or after it could not be read. If one that has recorded pieces is gone,
    /// cannot be reached or has another length, all pieces in such files are no longer held, but stay recorded, and the torrent is
    /// notified. Call under the file's lock.
    /// </summary>
    /// <param name="pieces">The torrent's pieces.</param>
    /// <param name="piece">The piece.</param>
    /// <param name="failure">Why the piece could not be read; null: only check.</param>
    /// <param name="failed">True if a write failed: check the folder too.</param>
    /// <returns>True if files are missing: nothing may be written.</returns>
    private bool Miss(TorrentPieces pieces, int piece, string? failure, bool failed = false)
    {
        if (pieces.IsClosed || pieces.Kept is not { } kept)
            return false;
        var gone = kept.FindLost(piece);
        if (gone.Count == 0 && failure is null && !failed)
            return false;
        var look = kept.Scan(Recorded(pieces));
        var absent = look.Absent;
        if (failure is not null)
            absent.Set(piece);
        var isClaimed = failure is not null || (look.Trouble is not null && !look.IsLost);
        lock (_gate)
        {
            for (var lost = 0; lost < absent.Length; lost++)
            {
                if (!absent[lost])
                    continue;

                // A piece that no sync covered was never recorded. It is found again, because the mark of unrecorded data stays.
                if (pieces.Entries[lost] is { State: StoredState.Synced })
                    pieces.Absent.Set(lost);
                isClaimed |= pieces.Absent[lost];
                if (pieces.Entries[lost] is { IsOnDisk: true, IsInKeep: true } entry)
                    _states.LeaveDisk(entry, forRoom: false);
            }
        }

        if (!isClaimed)
        {
            kept.Forget([.. gone.Union(look.Files)]);
            return false;
        }

        kept.SkipInNextSync([.. gone.Union(look.Files)]);
        pieces.Missing = look.Trouble ?? failure!;
        pieces.Events.FilesMissing(pieces.Missing);
        return true;
    }

    /// <summary>See <see cref="TorrentPieces.RecheckMissingFiles"/>.</summary>
    /// <param name="pieces">The torrent's pieces.</param>
    /// <param name="accept">True: gives up pieces whose files are lost for good. The caller hashes all pieces afterwards.</param>
    internal string? RecheckMissingFiles(TorrentPieces pieces, bool accept)
    {
        lock (pieces.FileGate)
        {
            if (pieces.IsClosed || pieces.Kept is not { } kept)
                return pieces.Missing = pieces.IsKept || pieces.Missing is null ? null : _records.Roots.FindTrouble(_keepFolder!);
            var look = kept.Scan(Recorded(pieces));
            if (look.Trouble is not null && !(accept && look.IsLost))
                return pieces.Missing = look.Trouble;
            var isLost = look.Trouble is not null;
            var changed = look.Changed.SelectMany(kept.PiecesOf).ToHashSet();
            lock (_gate)
            {
                for (var piece = 0; piece < pieces.Info.PieceCount; piece++)
                {
                    if (look.Absent[piece])
                    {
                        pieces.Absent.Clear(piece);
                        if (pieces.Entries[piece] is { IsOnDisk: true, IsInKeep: true } lost)
                            _states.LeaveDisk(lost, forRoom: false);
                    }
                    else if (pieces.Entries[piece] is not null)
                    {
                        pieces.Absent.Clear(piece);
                    }
                    else if (!accept && !changed.Contains(piece) && pieces.Absent.Clear(piece))
                    {
                        _states.FoundOnDisk(pieces, piece, isInKeep: true, isSynced: true);
                        pieces.Events.PieceFound(piece);
                    }
                }
            }

            if (isLost)
            {
                // Lost pieces must no longer be recorded when their file is created again.
                Resume.Save(pieces, cache: false, kept: true);
                kept.Forget(look.Files);
            }

            if (pieces.Missing is not null && !accept)
            {
                var unclaimed = kept.WasOpen ? kept.FindUnrecorded(Recorded(pieces)) : [];
                pieces.Unverified = [.. unclaimed.Union(changed.Where(piece => pieces.Absent[piece]))];
            }

            pieces.Missing = null;
        }

        RetryWrites(pieces);
        return null;
    }

    /// <summary>The pieces that should be in the kept files as far as known, whether present or not.</summary>
    private BitField Recorded(TorrentPieces pieces)
    {
        var claimed = new BitField(pieces.Info.PieceCount);
        lock (_gate)
        {
            for (var piece = 0; piece < pieces.Info.PieceCount; piece++)
            {
                if (pieces.Absent[piece] || pieces.Entries[piece] is { IsOnDisk: true, IsInKeep: true })
                    claimed.Set(piece);
            }
        }

        return claimed;
    }
}
