using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Zip;

/// <summary>
/// Reads a range of a .zip: records are generated on the fly, leases of the files are passed on and their checksums computed. The next
/// files are opened while one is read to its end.
/// </summary>
internal sealed class ZipReader : DelegatingReader
{
    /// <summary>
    /// How near a file must be to be opened, in bytes: some articles, which hides a round trip at the rate of one connection.
    /// </summary>
    private const long Near = 4 << 20;

    /// <summary>Most files open at once, however small they are.</summary>
    private const int MostOpen = 6;

    private readonly ZipContent _content;
    private readonly ZipLayout _layout;
    private readonly long _start;
    private readonly long _end;
    private readonly ReadIntent _intent;
    private readonly CancellationTokenSource _closing = new();

    /// <summary>Files that are open or being opened, in order. The first one is being read, unless the position is before it.</summary>
    private readonly Queue<(int Entry, Task<ContentReader> Reader)> _open = new();

    /// <summary>Checksums of leases that were not yet verified when they were lent.</summary>
    private readonly Queue<(FileChecksum Checksum, ByteSpan Bytes, uint Crc, ContentLease Lease)> _unconfirmed = new();
    private long _position;
    private int _nextOpened;
    private bool _disposed;

    /// <param name="content">The archive.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">One past the last.</param>
    /// <param name="intent">Intent with which files are read.</param>
    public ZipReader(ZipContent content, long start, long end, ReadIntent intent)
    {
        (_content, _layout, _start, _end, _intent) = (content, content.Layout, start, end, intent);
        _position = start;
        _nextOpened = start < _layout.CentralStart ? _layout.Find(start) : _layout.Entries.Count;
    }

    public override long Position => _position;

    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        Confirm();
        if (_position >= _end)
            return ContentLease.Empty;
        if (_intent != ReadIntent.Probe)
            OpenNear();
        if (_position >= _layout.EndStart)
            return Lend(
                ZipRecords.End(_layout.Entries.Count, _layout.CentralStart, _layout.EndStart - _layout.CentralStart), _layout.EndStart);
        if (_position >= _layout.CentralStart)
        {
            var listed = _layout.FindCentral(_position);
            return Lend(ZipRecords.Central(_layout.Entries[listed], _layout.StartOf(listed),
                await _content.CrcAsync(listed, cancellationToken)), _layout.CentralOf(listed));
        }

        var entry = _layout.Find(_position);
        if (_position < _layout.DataOf(entry))
            return Lend(ZipRecords.Local(_layout.Entries[entry]), _layout.StartOf(entry));
        if (_position < _layout.DataEndOf(entry))
            return await LendFileAsync(entry, cancellationToken);
        await CloseFinishedAsync(entry);
        return Lend(
            ZipRecords.Descriptor(_layout.Entries[entry], await _content.CrcAsync(entry, cancellationToken)), _layout.DataEndOf(entry));
    }

    public override async ValueTask DisposeAsync()
    {
        if (!_disposed)
        {
            _disposed = true;
            Confirm();
            await _closing.CancelAsync();
            Inner = null;
            while (_open.TryDequeue(out var open))
                await CloseAsync(open.Reader);
            _closing.Dispose();
        }

        await base.DisposeAsync();
    }

    private ContentLease Lend(byte[] record, long at)
    {
        var skip = (int)(_position - at);
        var count = (int)Math.Min(record.Length - skip, _end - _position);
        _position += count;
        return ContentLease.Of(record.AsMemory(skip, count));
    }

    private async ValueTask<ContentLease> LendFileAsync(int entry, CancellationToken cancellationToken)
    {
        while (_open.TryPeek(out var before) && before.Entry < entry)
            await CloseFinishedAsync(before.Entry);
        if (_open.Count == 0)
            Open(entry);
        var (_, opening) = _open.Peek();
        ContentReader reader;
        try
        {
            reader = await opening.WaitAsync(cancellationToken);
        }
        catch (ContentException)
        {
            // The next call opens the file again.
            _open.Dequeue();
            _nextOpened = Math.Min(_nextOpened, entry);
            throw;
        }

        Inner = reader;
        var lease = await reader.NextAsync(cancellationToken);
        if (lease.IsEmpty)
            throw new ContentException(ContentFault.Corrupt, $"{_layout.Entries[entry].Path} ended before its own length.");
        AddToChecksum(_content.ChecksumOf(entry), _position - _layout.DataOf(entry), lease);
        _position += lease.Length;
        return lease;
    }

    /// <summary>Adds a lease to its file's checksum, as far as that part is unknown.</summary>
    private void AddToChecksum(FileChecksum checksum, long at, ContentLease lease)
    {
        var bytes = checksum.Unknown(ByteSpan.OfLength(at, lease.Length));
        if (bytes.IsEmpty)
            return;
        var crc = Crc32.Append(0, lease.Memory.Span.Slice((int)(bytes.Start - at), (int)bytes.Length));
        if (lease.IsVerified && _unconfirmed.Count == 0)
            checksum.Add(bytes, crc);
        else
            _unconfirmed.Enqueue((checksum, bytes, crc, lease));
    }

    /// <summary>
    /// Adds the checksums of leases that are verified by now. <see cref="ContentLease.IsVerified"/> may be read after a lease is disposed.
    /// </summary>
    private void Confirm()
    {
        while (_unconfirmed.TryPeek(out var first) && first.Lease.IsVerified)
        {
            _unconfirmed.Dequeue();
            first.Checksum.Add(first.Bytes, first.Crc);
        }
    }

    private void OpenNear()
    {
        while (_open.Count < MostOpen && _nextOpened < _layout.Entries.Count)
        {
            var at = _layout.DataOf(_nextOpened);
            if (at >= _end || (_open.Count > 0 && at - _position > Near))
                return;
            if (_layout.Entries[_nextOpened].HasDescriptor && _position < _layout.DataEndOf(_nextOpened))
                Open(_nextOpened);
            else
                _nextOpened++;
        }
    }

    private void Open(int entry)
    {
        _nextOpened = entry + 1;
        _open.Enqueue((entry, OpenAsync(entry, _closing.Token)));
    }

    private async Task<ContentReader> OpenAsync(int entry, CancellationToken cancellationToken)
    {
        var file = await _content.OpenAsync(entry, cancellationToken);
        var data = _layout.DataOf(entry);
        var range = new ByteSpan(0, file.Length).Intersect(new ByteSpan(_start, _end).Shift(-data));

        // Continues at the position if the file had to be opened again.
        var reader = file.OpenReader(Math.Clamp(_position - data, range.Start, range.End), range.End, _intent);
        OpenedAhead(reader);
        return reader;
    }

    /// <summary>Closes files that were read to their end, so that all of their bytes are verified.</summary>
    private async ValueTask CloseFinishedAsync(int entry)
    {
        while (_open.TryPeek(out var open) && open.Entry <= entry)
        {
            Inner = null;
            _open.Dequeue();
            await CloseAsync(open.Reader);
        }

        Confirm();
    }

    private static async ValueTask CloseAsync(Task<ContentReader> opening)
    {
        try
        {
            await (await opening).DisposeAsync();
        }
        catch (Exception e) when (e is ContentException or OperationCanceledException)
        {
            // It was never opened.
        }
    }
}
