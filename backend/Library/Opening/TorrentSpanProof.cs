using NzbDav.Archives.Rar;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Opening;

/// <summary>Checks the inferred spans of a file in an archive of a torrent, and has the file laid out again when one differs. Thread-safe.</summary>
/// <param name="item">The file.</param>
/// <param name="layout">Its layout.</param>
/// <param name="mender">Finds the true one.</param>
/// <param name="forget">Called when that is found: this content must not be opened any more.</param>
internal sealed class TorrentSpanProof(CatalogItem item, TorrentLayout layout, ITorrentLayoutMender mender, Action forget) : ISpanProof
{
    private readonly int[] _lengths = [.. layout.Spans.Select(LengthOf)];
    private readonly Lock _gate = new();
    private Task? _mending;

    /// <inheritdoc/>
    public int HeaderLengthOf(int span) => Volatile.Read(ref _lengths[span]);

    /// <inheritdoc/>
    public async ValueTask ProveAsync(int span, ReadOnlyMemory<byte> header, CancellationToken cancellationToken)
    {
        if (await ExpectedHeader.Parse(layout.Spans[span].Header).AgreesAsync(header))
        {
            Volatile.Write(ref _lengths[span], 0);
            return;
        }

        Task mending;
        lock (_gate)
        {
            if (_mending is not { IsFaulted: false })
                _mending = Task.Run(MendAsync, CancellationToken.None);
            mending = _mending;
        }

        await mending.WaitAsync(cancellationToken);
        throw new ContentException(ContentFault.Corrupt, $"'{item.Name}' lies elsewhere in its torrent than was expected. Its place was found: open it again.");
    }

    private async Task MendAsync()
    {
        await mender.MendAsync(item, layout, CancellationToken.None);
        forget();
    }

    private static int LengthOf(TorrentSpan span)
    {
        try
        {
            return span.Header.IsEmpty || ExpectedHeader.Parse(span.Header).HeaderLength is var length && length > span.Offset ? 0 : length;
        }
        catch (InvalidDataException)
        {
            // Written by another version: it was proven or will be by whoever reads the volume's bytes.
            return 0;
        }
    }
}
