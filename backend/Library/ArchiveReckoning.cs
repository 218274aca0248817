using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Archives.Recovery;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Usenet.Articles;

namespace NzbDav.Library;

/// <summary>What of a file's map was reckoned from other volumes of its archive. Thread-safe.</summary>
internal sealed class ArchiveReckoning(CatalogItem item, IReadOnlyList<ReckonedRun> runs, ILayoutMender mender) : IReckoning
{
    private volatile IReadOnlyList<ReckonedRun> _runs = runs;

    /// <summary>Empty when the file was laid out anew.</summary>
    public IReadOnlyList<ReckonedRun> Runs => _runs;

    public async ValueTask<bool> AgreesAsync(ReckonedRun run, ReadOnlyMemory<byte> head)
    {
        if (!run.HeadHash.IsEmpty && !run.HeadHash.Span.SequenceEqual(Par2File.HashOfHead(head.Span)))
            return false;
        try
        {
            return run.Header.IsEmpty || await ExpectedHeader.Parse(run.Header).AgreesAsync(head);
        }
        catch (InvalidDataException)
        {
            // Nobody knows what was expected: it is looked at anew.
            return false;
        }
    }

    public async Task<ExtentMap> LayOutAgainAsync(ExtentMap map, string reason)
    {
        try
        {
            var mended = await mender.LayOutAsync(item, map, CancellationToken.None);
            _runs = [];
            return mended;
        }
        catch (ContentException fault)
        {
            throw new ContentException(fault.Fault, $"{fault.Message} ({reason})", fault);
        }
    }
}
