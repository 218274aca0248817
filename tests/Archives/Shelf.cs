using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Content.Checksums;
using NzbDav.Fakes;

namespace NzbDav.Archives.Tests;

/// <summary>Files in memory, and what <see cref="ArchiveReader"/> finds in them.</summary>
internal sealed class Shelf
{
    private readonly List<(string Name, MemoryContent Content)> _files = [];
    private readonly List<(int? Place, DateTimeOffset? Posted)> _said = [];

    /// <summary>A pool that finds leaks.</summary>
    public DiagnosticBufferPool Pool { get; } = new();

    /// <summary>See <see cref="ArchiveOptions.MostChecked"/>.</summary>
    public long MostChecked { get; init; } = new ArchiveOptions().MostChecked;

    /// <summary>See <see cref="ArchiveOptions.Checked"/>.</summary>
    public Action<long, long>? Checked { get; init; }

    /// <summary>Bytes of the beginning of each file that are known without a read.</summary>
    public int Known { get; init; }

    /// <summary>The contents, in order.</summary>
    public IReadOnlyList<MemoryContent> Contents => _files.ConvertAll(file => file.Content);

    public IReadOnlyList<string> Names => _files.ConvertAll(file => file.Name);

    /// <summary>The fixtures whose names begin so, in the order of their names.</summary>
    public static Shelf OfFixtures(string prefix)
    {
        var shelf = new Shelf();
        foreach (var path in Directory.GetFiles(Path.Combine(AppContext.BaseDirectory, "Fixtures"), prefix + ".*")
            .Order(StringComparer.Ordinal))
            shelf.Add(Path.GetFileName(path), File.ReadAllBytes(path));
        Assert.NotEmpty(shelf._files);
        return shelf;
    }

    public static Shelf Of(IEnumerable<(string Name, byte[] Bytes)> files)
    {
        var shelf = new Shelf();
        foreach (var (name, bytes) in files)
            shelf.Add(name, bytes);
        return shelf;
    }

    public Shelf Add(string name, byte[] bytes, int segmentSize = 700, int? place = null, DateTimeOffset? posted = null)
    {
        _files.Add((name, new MemoryContent(bytes, segmentSize, Pool)));
        _said.Add((place, posted));
        return this;
    }

    /// <summary>Other order, other names, the same bytes.</summary>
    public Shelf Rearranged(Func<IReadOnlyList<(string Name, byte[] Bytes)>, IEnumerable<(string Name, byte[] Bytes)>> change)
    {
        var shelf = new Shelf();
        foreach (var (name, bytes) in change(_files.ConvertAll(file => (file.Name, file.Content.Bytes))))
            shelf.Add(name, bytes);
        return shelf;
    }

    public async Task<ArchiveScan> ScanAsync(bool infer = false, params string[] passwords)
    {
        var volumes = _files.Select((file, i) =>
            new ArchiveVolume(file.Content, file.Name)
            {
                Head = file.Content.Bytes.AsMemory(0, Math.Min(Known, file.Content.Bytes.Length)),
                Place = _said[i].Place,
                Posted = _said[i].Posted
            }).ToList();
        var options = new ArchiveOptions
        {
            Passwords = [.. passwords],
            RegularSets = infer ? VolumeSeries.Find(Names) : [],
            MostChecked = MostChecked,
            Checked = Checked,
        };
        var scan = await ArchiveReader.ReadAsync(volumes, options, CancellationToken.None);
        Pool.AssertAllReturned();
        Assert.All(Contents, content => Assert.Equal(content.ReadersOpened, content.ReadersDisposed));
        return scan;
    }

    /// <summary>The only archive among the files.</summary>
    public async Task<ArchiveLayout> LayOutAsync(bool infer = false, params string[] passwords)
    {
        var layout = Assert.Single((await ScanAsync(infer, passwords)).Layouts);
        Assert.Equal(Enumerable.Range(0, _files.Count), layout.Volumes.Order());
        return layout;
    }

    public async Task<byte[]> ReadAsync(ArchiveEntry entry)
    {
        var content = ArchiveContent.Open(entry, Contents, Pool);
        Assert.Equal(entry.Size, content.Length);
        return await ReadAsync(content, 0, content.Length);
    }

    public async Task<byte[]> ReadAsync(IContent content, long start, long end)
    {
        using var all = new MemoryStream();
        await using (var reader = content.OpenReader(start, end, ReadIntent.Playback))
        {
            while (true)
            {
                Assert.Equal(start + all.Length, reader.Position);
                using var lease = await reader.NextAsync(CancellationToken.None);
                if (lease.IsEmpty)
                    break;
                all.Write(lease.Memory.Span);
            }
        }

        Pool.AssertAllReturned();
        return all.ToArray();
    }

    /// <summary>
    /// Every entry has the bytes of its source, whole and in ranges that begin and end anywhere; nothing is there too much or too little.
    /// </summary>
    public async Task AssertEqualAsync(IReadOnlyDictionary<string, byte[]> sources, IEnumerable<ArchiveEntry> entries)
    {
        var files = entries.Where(entry => !entry.IsDirectory).ToDictionary(entry => entry.Path, StringComparer.Ordinal);
        Assert.Equal(sources.Keys.Order(StringComparer.Ordinal), files.Keys.Order(StringComparer.Ordinal));
        var random = new Random(7);
        foreach (var (path, bytes) in sources)
        {
            var entry = files[path];
            Assert.Null(entry.Refusal);
            Assert.Equal(bytes, await ReadAsync(entry));
            if (entry.Crc32 is { } crc)
                Assert.Equal(Crc32.Append(0, bytes), crc);
            for (var i = 0; i < 32; i++)
            {
                var start = random.Next(bytes.Length + 1);
                var end = random.Next(start, bytes.Length + 1);
                Assert.Equal(bytes[start..end], await ReadAsync(ArchiveContent.Open(entry, Contents, Pool), start, end));
            }
        }
    }
}
