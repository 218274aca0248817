#if !POSTGRES
using System.Text;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>Files of blobs, which no engine has a part in.</summary>
public class BlobStoreTests
{
    /// <summary>Length of the text each of whose bytes is damaged once.</summary>
    private const int Damaged = 300;

    /// <summary>"libzstd fixture, twice the same line\n" twice, by <c>zstd -3 --check</c> 1.5.4 of Debian.</summary>
    private const string Libzstd = "KLUv/QRYbQEAVAJsaWJ6c3RkIGZpeHR1cmUsIHR3aWNlIHRoZSBzYW1lIGxpbmUKAQCFHvUED6OvCA==";

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3_000_000)]
    public async Task Content_round_trips(int length)
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        var content = Text(length);
        var blob = await blobs.PutAsync(content, CancellationToken.None);
        using var stream = new MemoryStream(content);
        Assert.Equal(blob, await blobs.PutAsync(stream, CancellationToken.None));
        Assert.Equal(length, blob.Length);
        Assert.Equal(content, (await blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
        var file = Assert.Single(folder.Files());
        Assert.Equal(
            Path.Combine(folder.Options.BlobFolder, blob.Hash.ToString()[..2], blob.Hash.ToString()[2..4], blob.Hash.ToString()), file);
        if (length > 1)
            Assert.InRange(new FileInfo(file).Length, 1, length / 2);
    }

    [Fact]
    public async Task A_stream_and_its_bytes_have_the_same_address()
    {
        using var first = new ConfigFolder();
        using var second = new ConfigFolder();
        using var stream = new MemoryStream(Text(500_000));
        Assert.Equal(
            await first.Blobs().PutAsync(Text(500_000), CancellationToken.None),
            await second.Blobs().PutAsync(stream, CancellationToken.None));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1000)]
    [InlineData(3_000_000)]
    public async Task Blobs_that_an_earlier_version_wrote_with_brotli_are_read(int length)
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        var blob = await BrotliBlob.WriteAsync(blobs, Text(length));
        Assert.Equal(Text(length), (await blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
        Assert.Equal(blob, await blobs.PutAsync(Text(length), CancellationToken.None));
    }

    [Fact]
    public async Task A_blob_that_libzstd_wrote_is_read()
    {
        var content = "libzstd fixture, twice the same line\nlibzstd fixture, twice the same line\n"u8.ToArray();
        var header = new byte[BlobHeader.Size];
        new BlobHeader(BlobCodec.Zstandard, content.Length).Write(header);
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        var blob = await BrotliBlob.WriteAsync(blobs, content);
        await File.WriteAllBytesAsync(blobs.PathOf(blob.Hash), [.. header, .. Convert.FromBase64String(Libzstd)]);
        Assert.Equal(content, (await blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
    }

    [Fact]
    public async Task An_existing_blob_is_not_written_again()
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        await blobs.PutAsync(Text(1000), CancellationToken.None);
        blobs.WrapFile = _ => throw new InvalidOperationException("written again");
        await blobs.PutAsync(Text(1000), CancellationToken.None);
    }

    [Fact]
    public async Task A_truncated_blob_with_the_right_name_is_replaced()
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        var blob = await blobs.PutAsync(Text(1000), CancellationToken.None);
        await File.WriteAllBytesAsync(folder.Files().Single(), [1, 2, 3]);
        await blobs.PutAsync(Text(1000), CancellationToken.None);
        Assert.Equal(1000, (await blobs.ReadAsync(blob.Hash, CancellationToken.None)).Length);
    }

    [Theory]
    [InlineData(BlobCodec.Zstandard)]
    [InlineData(BlobCodec.Brotli)]
    public async Task Damage_anywhere_is_reported_with_the_blobs_name(object codec)
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        var blob = (BlobCodec)codec == BlobCodec.Brotli
            ? await BrotliBlob.WriteAsync(blobs, Text(Damaged)) : await blobs.PutAsync(Text(Damaged), CancellationToken.None);
        var path = folder.Files().Single();
        var sound = await File.ReadAllBytesAsync(path);
        for (var at = 0; at < sound.Length; at++)
        {
            var damaged = sound.ToArray();
            damaged[at] ^= 0x41;
            await File.WriteAllBytesAsync(path, damaged);
            await ExpectDamageOrSameAsync(blobs, blob.Hash);
            await File.WriteAllBytesAsync(path, sound[..at]);
            var error = await Assert.ThrowsAsync<CatalogException>(() => blobs.ReadAsync(blob.Hash, CancellationToken.None));
            Assert.Equal(CatalogFault.BlobDamaged, error.Fault);
            Assert.Contains(blob.Hash.ToString(), error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Without_hash_verification_zstd_still_detects_damage()
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        var noise = new byte[5000];
        new Random(1).NextBytes(noise);
        var blob = await blobs.PutAsync(noise, CancellationToken.None);
        var path = folder.Files().Single();
        var bytes = await File.ReadAllBytesAsync(path);
        bytes[2000] ^= 1;
        await File.WriteAllBytesAsync(path, bytes);
        await using var stream = await blobs.OpenReadAsync(blob.Hash, verifyHash: false, CancellationToken.None);
        await Assert.ThrowsAsync<CatalogException>(() => stream.CopyToAsync(Stream.Null));
    }

    [Fact]
    public async Task A_missing_blob_is_reported()
    {
        using var folder = new ConfigFolder();
        var error = await Assert.ThrowsAsync<CatalogException>(
            () => folder.Blobs().ReadAsync(BlobHash.Parse(new string('a', 64)), CancellationToken.None));
        Assert.Equal(CatalogFault.BlobMissing, error.Fault);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(200_000)]
    public async Task A_full_disk_is_reported_and_leaves_nothing(int room)
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        blobs.WrapFile = file => new FullDiskStream(file, room);
        var noise = new byte[1_000_000];
        new Random(1).NextBytes(noise);
        var error = await Assert.ThrowsAsync<CatalogException>(() => blobs.PutAsync(noise, CancellationToken.None));
        Assert.Equal(CatalogFault.DiskFull, error.Fault);
        Assert.Empty(folder.Files());

        blobs.WrapFile = null;
        await blobs.PutAsync(noise, CancellationToken.None);
    }

    [Fact]
    public void The_systems_disk_full_errors_are_recognised()
    {
        if (!OperatingSystem.IsLinux())
            return;
        using var full = new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        var error = Assert.Throws<IOException>(() => full.Write([1]));
        Assert.Equal(CatalogFault.DiskFull, FileFaults.WhileWriting(error, "/x").Fault);
    }

    [Fact]
    public async Task A_folder_that_cannot_be_created_is_reported()
    {
        using var folder = new ConfigFolder();
        await File.WriteAllTextAsync(folder.Options.BlobFolder, "in the way");
        var error = await Assert.ThrowsAsync<CatalogException>(() => folder.Blobs().PutAsync(Text(10), CancellationToken.None));
        Assert.Equal(CatalogFault.NotWritable, error.Fault);
    }

    [Fact]
    public async Task A_failing_source_leaves_nothing_and_is_not_reported_as_a_disk_error()
    {
        using var folder = new ConfigFolder();
        using var source = new BrokenStream();
        await Assert.ThrowsAsync<EndOfStreamException>(() => folder.Blobs().PutAsync(source, CancellationToken.None));
        Assert.Empty(folder.Files());
    }

    [Fact]
    public async Task No_pool_thread_is_blocked_while_waiting_for_the_disk()
    {
        using var folder = new ConfigFolder();
        var blobs = new BlobStore(folder.Options, TimeProvider.System);
        ThreadNotingStream? file = null;
        blobs.WrapFile = inner => file = new ThreadNotingStream(inner);
        var bytes = SeededBytes.Make(9, 100_000);
        var blob = await Task.Run(() => blobs.PutAsync(new MemoryStream(bytes), CancellationToken.None));

        // The end of the frame is written by the thread that syncs the file to the disk.
        Assert.False(file!.WasPooled);
        Assert.Equal(bytes, (await blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
    }

    [Fact]
    public async Task Concurrent_writers_can_store_the_same_blob()
    {
        using var folder = new ConfigFolder();
        var blobs = folder.Blobs();
        await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => Task.Run(() => blobs.PutAsync(Text(200_000), CancellationToken.None))));
        Assert.Single(folder.Files());
    }

    [Theory]
    [InlineData("")]
    [InlineData("abc")]
    [InlineData("../../../../../../../../../../../../../../../../../../../../../..")]
    [InlineData("ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD")]
    public void Other_text_is_not_a_blob_address(string text) => Assert.False(BlobHash.TryParse(text, out _));

    private static async Task ExpectDamageOrSameAsync(BlobStore blobs, BlobHash hash)
    {
        try
        {
            // A byte without meaning (an unused bit of a frame header) may change without harm.
            var content = await blobs.ReadAsync(hash, CancellationToken.None);
            Assert.True(content.Span.SequenceEqual(Text(Damaged)));
        }
        catch (CatalogException error)
        {
            Assert.Equal(CatalogFault.BlobDamaged, error.Fault);
        }
    }

    private static byte[] Text(int length)
    {
        var random = new Random(length);
        var text = new StringBuilder();
        while (text.Length < length)
            text.Append(System.Globalization.CultureInfo.InvariantCulture,
                $"<segment bytes=\"739000\" number=\"{random.Next(1000)}\">{random.NextInt64()}@host</segment>\n");
        return Encoding.ASCII.GetBytes(text.ToString(0, length));
    }
}
#endif
