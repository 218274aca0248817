using System.Diagnostics;
using System.IO.Compression;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Checksums;
using NzbDav.Fakes;
using NzbDav.Library.Zip;

namespace NzbDav.Library.Tests.Zip;

public sealed class ZipTests
{
    private static readonly DateTimeOffset Date = new(2024, 5, 17, 11, 22, 34, TimeSpan.Zero);

    private readonly Dictionary<long, MemoryContent> _files = [];
    private readonly List<ZipEntry> _entries = [];

    public ZipTests()
    {
        Add("Film/film.mkv", 300_000);
        Add("Film/Untertitel – Füße 字幕.srt", 1_234);
        Add("Film/empty.nfo", 0);
        Add("Film/one", 1);
        _entries.Add(new ZipEntry("Film/nothing/", item: null, Date));
        for (var i = 0; i < 20; i++)
            Add($"Film/small/{i}.txt", 10 + i);
    }

    [Fact]
    public async Task The_whole_zip_can_be_read_by_other_programs()
    {
        var zip = await ReadAsync(New(), 0, null);
        using (var archive = new ZipArchive(new MemoryStream(zip), ZipArchiveMode.Read))
        {
            Assert.Equal(_entries.Select(entry => entry.Path), archive.Entries.Select(entry => entry.FullName));
            foreach (var (entry, mine) in archive.Entries.Zip(_entries))
            {
                using var bytes = new MemoryStream();
                await using var stream = await entry.OpenAsync();
                await stream.CopyToAsync(bytes);
                Assert.Equal(mine.Item is null ? [] : _files[mine.Item.Id].Bytes, bytes.ToArray());
            }
        }

        await CheckAsync(zip);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Ranges_in_any_order_fit_together(int seed)
    {
        var whole = await ReadAsync(New(), 0, null);
        var random = new Random(seed);
        var cuts = Enumerable.Range(0, 40).Select(_ => random.NextInt64(whole.Length)).Append(0).Append(whole.Length).Distinct().Order()
            .ToArray();
        var ranges = cuts.Zip(cuts.Skip(1)).ToArray();
        random.Shuffle(ranges);

        // Each range with a fresh zip, and all ranges with one zip.
        foreach (var zip in (ZipContent?[])[null, New()])
        {
            var assembled = new byte[whole.Length];
            foreach (var (start, end) in ranges)
                (await ReadAsync(zip ?? New(), start, end)).CopyTo(assembled, start);
            Assert.Equal(whole, assembled);
        }
    }

    [Fact]
    public async Task Every_single_byte_range_matches_the_whole()
    {
        _entries.RemoveAll(entry => entry.Size > 2_000);
        var whole = await ReadAsync(New(), 0, null);
        for (var at = 0; at < whole.Length; at++)
            Assert.Equal([whole[at]], await ReadAsync(New(), at, at + 1, ReadIntent.Probe));
    }

    [Fact]
    public async Task A_resumed_download_reads_nothing_twice()
    {
        var zip = New();
        var film = _files[1];
        await ReadAsync(zip, 0, 200_000);
        var before = film.BytesLent;
        await ReadAsync(zip, 200_000, null);
        Assert.InRange(before + film.BytesLent - before, film.Length, film.Length + (2 * film.SegmentSize));

        // All checksums are known by now, so the central directory is sent without reading a file.
        before = film.BytesLent;
        await ReadAsync(zip, zip.Layout.CentralStart, null);
        Assert.Equal(before, film.BytesLent);
    }

    [Fact]
    public async Task Parallel_ranges_make_one_checksum()
    {
        var zip = New();
        var film = _files[1];
        var readers = new List<(ContentReader Reader, long End)>();
        for (long at = 0; at < film.Length; at += 50_000)
            readers.Add((zip.OpenReader(zip.Layout.DataOf(0) + at, zip.Layout.DataOf(0) + at + 50_000, ReadIntent.Playback), at + 50_000));
        while (readers.Count > 0)
        {
            for (var i = readers.Count - 1; i >= 0; i--)
            {
                using var lease = await readers[i].Reader.NextAsync(CancellationToken.None);
                if (!lease.IsEmpty)
                    continue;
                await readers[i].Reader.DisposeAsync();
                readers.RemoveAt(i);
            }
        }

        var before = film.BytesLent;
        await ReadAsync(zip, zip.Layout.CentralOf(0), zip.Layout.CentralOf(1));
        Assert.Equal(before, film.BytesLent);
        Assert.Equal(Crc(film.Bytes), zip.ChecksumOf(0).Whole);
    }

    [Fact]
    public async Task An_unreadable_file_throws_and_leaves_no_checksum()
    {
        var zip = New();
        _files[1].FailAt(131_072, ContentFault.Missing);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(zip, 0, null));
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(zip, zip.Layout.DataEndOf(0), zip.Layout.DataEndOf(0) + 16));
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(zip, zip.Layout.CentralStart, null));
        Assert.Null(zip.ChecksumOf(0).Whole);
        Assert.All(_files.Values, file => Assert.Equal(file.ReadersOpened, file.ReadersDisposed));
    }

    [Fact]
    public async Task The_next_files_are_opened_ahead()
    {
        var zip = New();
        await using var reader = zip.OpenReader(0, zip.Length, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Equal([1, 1, 1], [_files[1].ReadersOpened, _files[2].ReadersOpened, _files[5].ReadersOpened]);
        Assert.Equal(0, _files[20].ReadersOpened);
    }

    [Fact]
    public async Task Files_opened_ahead_give_way_like_the_one_that_is_read()
    {
        var zip = New();
        await using var reader = zip.OpenReader(0, zip.Length, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        reader.SetYieldMode(YieldMode.Scan);

        Assert.Equal([YieldMode.Scan, YieldMode.Scan, YieldMode.Scan], [.. _files[1].Ways, .. _files[2].Ways, .. _files[5].Ways]);
    }

    [Fact]
    public async Task More_than_four_gigabytes_and_65_535_files_need_larger_records()
    {
        const long Large = 5L << 30;
        _entries.Clear();
        _files.Clear();
        AddLarge("huge.bin", Large);
        Add("behind.txt", 100);
        for (var i = 0; i < 70_000; i++)
            _entries.Add(new ZipEntry(FormattableString.Invariant($"folders/{i}/"), item: null, Date));
        var checksums = new FileChecksums();
        var zip = new ZipContent(new ZipLayout(_entries), OpenAsync, checksums);
        checksums.Of(_entries[0].Item!).Add(new ByteSpan(0, Large), 0x12345678);

        await using var stream = new CombinedStream(zip, ReadIntent.Download);
        using var archive = new ZipArchive(stream, ZipArchiveMode.Read);
        Assert.Equal(70_002, archive.Entries.Count);
        Assert.Equal(
            (Large, Large, 0x12345678u), (archive.Entries[0].Length, archive.Entries[0].CompressedLength, archive.Entries[0].Crc32));
        using var bytes = new MemoryStream();
        await using var behind = await archive.Entries[1].OpenAsync();
        await behind.CopyToAsync(bytes);
        Assert.Equal(_files[2].Bytes, bytes.ToArray());
        var descriptor = await ReadAsync(zip, zip.Layout.DataEndOf(0), zip.Layout.StartOf(1));
        Assert.Equal((24, Large), (descriptor.Length, BitConverter.ToInt64(descriptor, 8)));
    }

    [Theory]
    [InlineData(new[] { 0, 10, 10, 20, 20, 30 }, true)]
    [InlineData(new[] { 20, 30, 0, 10, 10, 20 }, true)]
    [InlineData(new[] { 0, 10, 5, 15, 10, 30 }, true)]
    [InlineData(new[] { 0, 10, 20, 30 }, false)]
    public void Checksums_of_adjacent_stretches_are_combined(int[] stretches, bool isWhole)
    {
        var bytes = SeededBytes.Make(4, 30);
        var checksum = new FileChecksum(30);
        foreach (var pair in stretches.Chunk(2))
            checksum.Add(new ByteSpan(pair[0], pair[1]), Crc(bytes[pair[0]..pair[1]]));
        Assert.Equal(isWhole ? Crc(bytes) : null, checksum.Whole);
    }

    private static uint Crc(byte[] bytes) => Crc32.Append(0, bytes);

    private ZipContent New() => new(new ZipLayout(_entries), OpenAsync, new FileChecksums());

    private ValueTask<IContent> OpenAsync(CatalogItem item, CancellationToken cancellationToken) =>
        ValueTask.FromResult<IContent>(_files[item.Id]);

    private void Add(string path, int size)
    {
        var id = _files.Count + 1;
        _files.Add(id, new MemoryContent(SeededBytes.Make(id, size)));
        _entries.Add(new ZipEntry(path, Item(id, path, size), Date));
    }

    private void AddLarge(string path, long size)
    {
        _files.Add(1, new MemoryContent([]));
        _entries.Add(new ZipEntry(path, Item(1, path, size), Date));
    }

    private static CatalogItem Item(long id, string path, long size) =>
        new()
        {
            Id = id,
            ParentId = 1,
            Name = path.Split('/')[^1],
            Kind = CatalogItemKind.File,
            Size = size,
            Created = Date,
            Modified = Date
        };

    private static async Task<byte[]> ReadAsync(ZipContent zip, long start, long? end, ReadIntent intent = ReadIntent.Playback)
    {
        using var bytes = new MemoryStream();
        await using var reader = zip.OpenReader(start, end ?? zip.Length, intent);
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            bytes.Write(lease.Memory.Span);
            Assert.Equal(start + bytes.Length, reader.Position);
        }

        Assert.Equal((end ?? zip.Length) - start, bytes.Length);
        return bytes.ToArray();
    }

    /// <summary>Checks the zip with unzip, 7z and bsdtar, as far as they are installed.</summary>
    private static async Task CheckAsync(byte[] zip)
    {
        var path = Path.GetTempFileName();
        try
        {
            await File.WriteAllBytesAsync(path, zip);
            foreach (var (program, arguments) in new[] { ("/usr/bin/unzip", "-tqq"), ("/usr/bin/7z", "t -bd"), ("/usr/bin/bsdtar", "-tf") })
            {
                if (!File.Exists(program))
                    continue;
                using var process = Process.Start(new ProcessStartInfo(program, $"{arguments} {path}")
                {
                    UseShellExecute = false,
                    RedirectStandardOutput = true,
                    RedirectStandardError = true
                })!;
                var output = await process.StandardOutput.ReadToEndAsync() + await process.StandardError.ReadToEndAsync();
                await process.WaitForExitAsync();
                Assert.True(process.ExitCode == 0 && !output.Contains("arning", StringComparison.Ordinal), $"{program}: {output}");
            }
        }
        finally
        {
            File.Delete(path);
        }
    }
}
