using NzbDav.Content;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Scratch;

/// <summary>A file in the scratch folder, as it was when it was looked up.</summary>
internal sealed class ScratchFile : IStoreFile
{
    private readonly ScratchFolder _folder;
    private readonly FileInfo _file;

    public ScratchFile(ScratchFolder folder, FileInfo file)
    {
        _folder = folder;
        _file = file;
        Length = file.Length;
        CreatedAt = StableDate.Of(new DateTimeOffset(file.CreationTimeUtc));
        ModifiedAt = StableDate.Of(new DateTimeOffset(file.LastWriteTimeUtc));
        ETag = ScratchFolder.Tag(file, Length);
    }

    public string Name => _file.Name;

    public DateTimeOffset CreatedAt { get; }

    public DateTimeOffset ModifiedAt { get; }

    public string ETag { get; }

    public long Length { get; }

    public StoreKeeping Keeping => StoreKeeping.Everything;

    public ValueTask<StoreOpenResult> OpenAsync(CancellationToken cancellationToken)
    {
        var now = new FileInfo(_file.FullName);
        return ValueTask.FromResult(now.Exists && now.Length == Length
            ? StoreOpenResult.Of(new FileContent(_file.FullName, Length, _folder.Pool))
            : StoreOpenResult.Failed(ContentFault.Unavailable, "The file was changed just now: ask again."));
    }
}
