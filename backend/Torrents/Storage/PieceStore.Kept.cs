using System.Buffers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>Keeps torrents outside the cache, and rechecks them.</summary>
internal sealed partial class PieceStore
{
    /// <summary>See <see cref="TorrentPieces.Keep"/>.</summary>
    internal string? Keep(HeldPieces pieces, bool keep)
    {
        if (pieces.IsKept == keep)
            return null;
        if (keep && (_keepFolder is null || pieces.Path is null))
            return "There is no folder to keep torrents in.";
        try
        {
            lock (pieces.FileGate)
            {
                var kept = keep ? pieces.Kept ?? new KeptDisk(pieces.Info, _records.Make(pieces.Info, _keepFolder!), pieces.Path!, _openFiles) : pieces.Kept;
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

        BeginMoving(pieces);
        WriteAgain(pieces);
        return null;
    }

    /// <summary>See <see cref="TorrentPieces.WriteAgain"/>.</summary>
    internal void WriteAgain(HeldPieces pieces)
    {
        var jobs = new List<BackgroundJob>();
        lock (_gate)
        {
            foreach (var entry in pieces.Entries)
            {
                if (!pieces.IsKept || entry is not { Buffer: { } buffer, IsOnDisk: false, IsWriting: false } || !_admission.TryEnter(buffer.Capacity, DiskLimit, mustKeep: true))
                    continue;
                entry.IsWriting = true;
                _victims.Changed(entry);
                pieces.Writing++;
                jobs.Add(entry.Job);
            }
        }

        foreach (var job in jobs)
            _writers.Add(job);
    }

    /// <summary>See <see cref="TorrentPieces.CountUnwritten"/>.</summary>
    internal int CountUnwritten(HeldPieces pieces)
    {
        lock (_gate)
            return pieces.Entries.Count(static entry => entry is { IsOnDisk: false });
    }

    /// <summary>Completes when nothing is being moved any more. No move starts afterwards.</summary>
    internal Task StopMovingAsync(HeldPieces pieces)
    {
        lock (_gate)
        {
            pieces.IsClosing = true;
            return pieces.Moving;
        }
    }

    /// <summary>See <see cref="TorrentPieces.RecheckAsync"/>.</summary>
    internal Task RecheckAsync(HeldPieces pieces, IPieceCheck check, Action<int> progress, CancellationToken cancellationToken) =>
        RecheckAsync(pieces, Enumerable.Range(0, pieces.Info.PieceCount), check, progress, cancellationToken);

    /// <summary>See <see cref="TorrentPieces.BeginChecking"/>.</summary>
    internal async Task CheckUnsureAsync(HeldPieces pieces, IPieceCheck check, CancellationToken stopping)
    {
        try
        {
            await RecheckAsync(pieces, pieces.Unsure, check, static _ => { }, stopping);
            pieces.Unsure = [];
        }
        catch (Exception error) when (error is OperationCanceledException || PieceClaims.IsOfDisk(error))
        {
            // Good pieces found so far are held. The mark stays, so the next run checks the rest.
        }
    }

    private async Task RecheckAsync(HeldPieces pieces, IEnumerable<int> which, IPieceCheck check, Action<int> progress, CancellationToken cancellationToken)
    {
        var looked = 0;
        var bytes = ArrayPool<byte>.Shared.Rent(pieces.Info.SizeOf(0));
        try
        {
            foreach (var piece in which)
            {
                cancellationToken.ThrowIfCancellationRequested();
                await RecheckAsync(pieces, piece, bytes.AsMemory(0, pieces.Info.SizeOf(piece)), check, cancellationToken);
                progress(++looked);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);

            // Also when it was stopped: the next run must not believe in pieces that were found damaged.
            _claims.Checkpoint(pieces);
            lock (pieces.FileGate)
                _claims.Save(pieces, [], cache: pieces.Cache is not null, kept: true);
        }

        WriteAgain(pieces);
    }

    private async Task RecheckAsync(HeldPieces pieces, int piece, Memory<byte> bytes, IPieceCheck check, CancellationToken cancellationToken)
    {
        PieceEntry? entry;
        PieceDisk? disk;
        lock (_gate)
        {
            entry = pieces.Entries[piece] is { IsOnDisk: true } held ? held : null;
            disk = entry is not null ? DiskOf(entry) : pieces.Entries[piece] is null ? pieces.Kept : null;
            if (disk is null)
                return;
            if (entry is not null)
                entry.DiskReads++;
        }

        var isGood = false;
        try
        {
            isGood = await disk.ReadAsync((long)piece * pieces.Info.PieceLength, bytes, cancellationToken) == bytes.Length && check.IsGood(pieces.Info, piece, bytes.Span);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // A piece that cannot be read counts as damaged.
        }
        finally
        {
            lock (_gate)
            {
                if (entry is not null)
                {
                    entry.DiskReads--;
                    _victims.Changed(entry);
                    if (!isGood && entry.IsOnDisk)
                    {
                        ForgetDisk(entry);
                        DropIfGone(entry, forRoom: false);
                    }
                }
                else if (isGood && pieces.Entries[piece] is null && _torrents.Contains(pieces))
                {
                    var found = NewEntry(pieces, piece);
                    found.IsInKeep = true;
                    _victims.UseOnDisk(found);
                    pieces.Unsynced.Add(piece);
                    pieces.News.Found(piece);
                }
            }
        }
    }

    /// <summary>
    /// If a kept file of a piece is gone or has another length, drops all pieces in that file, withdraws their claims, and lets the file be created again, in
    /// this order. Call under the file's lock. Throws the exceptions of a full or broken disk.
    /// </summary>
    private void DropLost(HeldPieces pieces, int piece)
    {
        if (pieces.IsClosed || pieces.Kept is not { } kept || kept.FindLost(piece) is not { Count: > 0 } files)
            return;
        lock (_gate)
        {
            foreach (var lost in files.SelectMany(kept.PiecesOf))
            {
                if (pieces.Entries[lost] is not { IsOnDisk: true, IsInKeep: true } entry)
                    continue;
                pieces.Unsynced.Remove(lost);
                ForgetDisk(entry);
                DropIfGone(entry, forRoom: false);
            }
        }

        _claims.Save(pieces, [], cache: false, kept: true);
        kept.Forget(files);
        WriteAgain(pieces);
    }

    /// <summary>Like <see cref="DropLost"/>, on a reader's thread. A failure is left to the next write, which tries again.</summary>
    private void TryDropLost(HeldPieces pieces, int piece)
    {
        try
        {
            lock (pieces.FileGate)
                DropLost(pieces, piece);
        }
        catch (Exception error) when (PieceClaims.IsOfDisk(error))
        {
            _metrics.WriteFailed();
        }
    }

    private static PieceDisk DiskOf(PieceEntry entry) => entry.IsInKeep ? entry.Owner.Kept! : entry.Owner.Cache!;
}
