using System.Buffers;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>Keeps torrents outside the cache, and rechecks them.</summary>
internal sealed partial class PieceStore
{
    /// <summary>See <see cref="TorrentPieces.Keep"/>.</summary>
    internal string? Keep(TorrentPieces pieces, bool keep)
    {
        if (!keep && pieces.Kept is null)
            pieces.Missing = null;
        if (pieces.IsKept == keep)
            return null;
        if (keep && (_keepFolder is null || pieces.Path is null))
            return "There is no folder to keep torrents in.";
        try
        {
            lock (pieces.FileGate)
            {
                if (keep && pieces.Kept is null && (pieces.Missing = _records.Roots.FindTrouble(_keepFolder!)) is { } trouble)
                    return trouble;
                var kept = keep ? pieces.Kept ?? Make(pieces.Info, pieces.Path!) : pieces.Kept;
                lock (_gate)
                {
                    pieces.Kept = kept;
                    pieces.IsKept = keep;
                }
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error.Message;
        }

        RetryWrites(pieces);
        return null;
    }

    /// <summary>See <see cref="TorrentPieces.RetryWrites"/>.</summary>
    internal void RetryWrites(TorrentPieces pieces)
    {
        BeginMoving(pieces);
        var entries = new List<PieceEntry>();
        lock (_gate)
        {
            foreach (var entry in pieces.Entries)
            {
                if (!pieces.WritesKept || entry is not { State: StoredState.Memory, Buffer: { } buffer }
                    || !_admission.TryEnter(buffer.Capacity, DiskLimit, mustKeep: true))
                    continue;
                BeginWriting(entry);
                entries.Add(entry);
            }
        }

        foreach (var entry in entries)
            entry.Lane!.Add(entry.Job);
    }

    /// <summary>See <see cref="TorrentPieces.CountUnwritten"/>.</summary>
    internal int CountUnwritten(TorrentPieces pieces)
    {
        lock (_gate)
            return pieces.Count(StoredState.Memory) + pieces.Count(StoredState.Writing);
    }

    /// <summary>Completes when no piece is being moved any more. No move starts afterwards.</summary>
    internal Task StopMovingAsync(TorrentPieces pieces)
    {
        lock (_gate)
        {
            pieces.IsClosing = true;
            return pieces.Moving;
        }
    }

    /// <summary>See <see cref="TorrentPieces.RecheckAsync"/>.</summary>
    internal async Task RecheckAsync(TorrentPieces pieces, IPieceCheck check, Action<int> progress, CancellationToken cancellationToken)
    {
        if (RecheckMissingFiles(pieces, accept: true) is null)
            await RecheckAsync(pieces, Enumerable.Range(0, pieces.Info.PieceCount), check, progress, cancellationToken);
    }

    /// <summary>See <see cref="TorrentPieces.BeginChecking"/>.</summary>
    internal async Task CheckUnverifiedAsync(TorrentPieces pieces, IPieceCheck check, CancellationToken stopping)
    {
        try
        {
            await RecheckAsync(pieces, pieces.Unverified, check, static _ => { }, stopping);
            if (pieces.Missing is null)
                pieces.Unverified = [];
        }
        catch (Exception error) when (error is OperationCanceledException || ResumeData.IsOfDisk(error))
        {
            // Good pieces found so far are held. The mark stays, so the next run checks the rest.
        }
    }

    private async Task RecheckAsync(
        TorrentPieces pieces, IEnumerable<int> which, IPieceCheck check, Action<int> progress, CancellationToken cancellationToken)
    {
        var looked = 0;
        var bytes = ArrayPool<byte>.Shared.Rent(pieces.Info.SizeOf(0));
        try
        {
            foreach (var piece in which)
            {
                cancellationToken.ThrowIfCancellationRequested();
                var part = bytes.AsMemory(0, pieces.Info.SizeOf(piece));
                if (await RecheckAsync(pieces, piece, part, check, cancellationToken) is { } failure)
                {
                    lock (pieces.FileGate)
                        Miss(pieces, piece, failure);
                    break;
                }

                progress(++looked);
            }

            if (pieces.Missing is null)
                pieces.Kept?.Checked();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);

            // Saved even when the check was stopped: the next run must not rely on pieces that were found damaged.
            Resume.Checkpoint(pieces);
            lock (pieces.FileGate)
                Resume.Save(pieces, cache: pieces.Cache is not null, kept: true);
        }

        RetryWrites(pieces);
    }

    /// <returns>Why a kept piece cannot be read; null: it was checked.</returns>
    private async Task<string?> RecheckAsync(
        TorrentPieces pieces, int piece, Memory<byte> bytes, IPieceCheck check, CancellationToken cancellationToken)
    {
        PieceEntry? entry;
        PieceDisk? disk;
        bool isClaimed;
        lock (_gate)
        {
            entry = pieces.Entries[piece] is { IsOnDisk: true } held ? held : null;
            disk = entry is not null ? DiskOf(entry) : pieces.Entries[piece] is null ? pieces.Kept : null;
            if (disk is null)
                return null;
            isClaimed = disk is KeptDisk && (entry is not null || pieces.Absent[piece]);
            if (entry is not null)
                _states.BeginRead(entry);
        }

        var isGood = false;
        string? failure = null;
        try
        {
            isGood = await disk.ReadAsync((long)piece * pieces.Info.PieceLength, bytes, cancellationToken) == bytes.Length
                && check.IsGood(pieces.Info, piece, bytes.Span);
        }
        catch (Exception error) when (ResumeData.IsOfDisk(error))
        {
            // A piece of the cache that cannot be read counts as damaged. One that was never written to the kept files counts as not there.
            failure = disk is KeptDisk && (isClaimed || !BeneathFolder.IsGone(error)) ? error.Message : null;
        }
        finally
        {
            lock (_gate)
            {
                if (failure is null && disk is KeptDisk)
                    pieces.Absent.Clear(piece);
                if (entry is not null)
                {
                    _states.EndRead(entry);
                    if (!isGood && failure is null && entry.IsOnDisk)
                        _states.LeaveDisk(entry, forRoom: false);
                }
                else if (isGood && pieces.Entries[piece] is null && _torrents.Contains(pieces))
                {
                    _states.FoundOnDisk(pieces, piece, isInKeep: true, isSynced: false);
                    pieces.Events.PieceFound(piece);
                }
            }
        }

        return failure;
    }

    private KeptDisk Make(TorrentInfo info, string path) => new(info, _records.Make(info, _keepFolder!), path, _openFiles, _records.Roots);

    private static PieceDisk DiskOf(PieceEntry entry) => entry.IsInKeep ? entry.Owner.Kept! : entry.Owner.Cache!;
}
