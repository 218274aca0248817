using Microsoft.Extensions.Logging;
using NzbDav.Archives;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;

namespace NzbDav.Import.Steps;

/// <summary>Gives files in an archive that have random names the names that recovery data in the same archive have for them.</summary>
/// <param name="tools">Services and options of the job.</param>
/// <param name="contents">The posted files.</param>
/// <param name="pool">Buffers for decrypted bytes.</param>
internal sealed partial class InnerNames(ImportTools tools, IContent[] contents, BufferPool pool)
{
    /// <summary>Most recovery files of one archive that are read: each holds all names of its set.</summary>
    private const int MostSets = 16;

    /// <summary>The files, in their order.</summary>
    public async Task<IEnumerable<ContentFile>> RunAsync(List<(ContentFile File, ArchiveEntry Entry)> taken,
        CancellationToken cancellationToken)
    {
        var files = taken.ConvertAll(one => one.File);
        var sets = taken.Where(one => one.File.Type == FileType.Recovery && one.File.Size > 0).OrderBy(one => one.File.Size).Take(MostSets)
            .ToArray();
        var random = Enumerable.Range(0, files.Count)
            .Where(index => files[index].Type != FileType.Recovery && files[index].Size > 0 && RandomName.Is(files[index].Name)).ToArray();
        if (sets.Length == 0 || random.Length == 0)
            return files;
        var described = new Dictionary<(long Length, string Hash), Par2File>();
        foreach (var (file, entry) in sets)
        {
            foreach (var one in await DescribedAsync(file, entry, cancellationToken))
                described.TryAdd((one.Length, Convert.ToHexString(one.HeadHash.Span)), one);
        }

        var lengths = described.Keys.Select(key => key.Length).ToHashSet();
        foreach (var index in random.Where(index => lengths.Contains(files[index].Size)))
        {
            if (await HashAsync(files[index], taken[index].Entry, cancellationToken) is { } hash
                && described.TryGetValue((files[index].Size, hash), out var one)
                && SafeName.PathOf(one.Name) is { Count: > 0 } path)
            {
                var type = FileExtension.Resolve(path[^1], files[index].Type);
                files[index] = files[index] with { Path = [.. files[index].Path.SkipLast(1), .. path], Type = type };
            }
        }

        return files;
    }

    private async Task<IEnumerable<Par2File>> DescribedAsync(ContentFile file, ArchiveEntry entry, CancellationToken cancellationToken)
    {
        try
        {
            var volume = new ArchiveVolume(ArchiveContent.Open(entry, contents, pool), file.Name);
            return await Par2Reader.ReadAsync(volume, ReadIntent.Import, cancellationToken) is { } set ? set.Files : [];
        }
        catch (ContentException e)
        {
            LogUnread(tools.Logger, file.Name, e.Message);
            return [];
        }
    }

    private async Task<string?> HashAsync(ContentFile file, ArchiveEntry entry, CancellationToken cancellationToken)
    {
        try
        {
            var count = (int)Math.Min(Par2File.HeadBytes, file.Size);
            var head = await ContentBytes.ReadAsync(ArchiveContent.Open(entry, contents, pool), 0, count, ReadIntent.Import,
                cancellationToken);
            return Convert.ToHexString(Par2File.HashOfHead(head));
        }
        catch (ContentException e)
        {
            LogUnread(tools.Logger, file.Name, e.Message);
            return null;
        }
    }

    [LoggerMessage(209, LogLevel.Warning, "The names in an archive cannot be determined from {File}: {Reason}")]
    private static partial void LogUnread(ILogger logger, string file, string reason);
}
