using NzbDav.Archives.Rar;
using NzbDav.Archives.Recovery;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Usenet.Files;

namespace NzbDav.Library.Opening;

/// <summary>The volumes of a file's map that an import inferred: compares them with what readers find, and has the file laid out again when one differs. Thread-safe.</summary>
internal sealed class InferredLayout(CatalogItem item, IReadOnlyList<InferredVolume> volumes, ILayoutMender mender) : IInferredLayout
{
    private volatile IReadOnlyList<InferredVolume> _volumes = volumes;

    /// <summary>Empty once the file was laid out again.</summary>
    public IReadOnlyList<InferredVolume> Volumes => _volumes;

    public async ValueTask<bool> AgreesAsync(InferredVolume volume, ReadOnlyMemory<byte> head)
    {
        if (!volume.HeadHash.IsEmpty && !volume.HeadHash.Span.SequenceEqual(Par2File.HashOfHead(head.Span)))
            return false;
        try
        {
            return volume.Header.IsEmpty || await ExpectedHeader.Parse(volume.Header).AgreesAsync(head);
        }
        catch (InvalidDataException)
        {
            // Another version stored what was expected: the volume has to be read.
            return false;
        }
    }

    public async Task<ExtentMap> LayOutAgainAsync(ExtentMap map, string reason)
    {
        try
        {
            var mended = await mender.LayOutAsync(item, map, CancellationToken.None);
            _volumes = [];
            return mended;
        }
        catch (ContentException fault)
        {
            throw new ContentException(fault.Fault, $"{fault.Message} ({reason})", fault);
        }
    }
}
